/**
 * A document as one HTML file that works offline: text, tables and pictures are there as it loads; the script makes the
 * charts answer, sorts tables and shows samples.
 *
 * Names, errors and paths come from data, and all are escaped. Should one slip through, the content security policy
 * still runs no script but the page's own, known by its hash, and loads nothing from anywhere.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cellId } from '../../../harness/model/cell.js'
import { groupBy } from '../../../harness/model/group-by.js'
import { capitalise } from '../../../harness/model/numbers.js'
import { drawFigure } from '../../charts/index.js'
import { pageTheme } from '../../charts/style.js'
import { element, escapeText } from '../../charts/svg.js'
import { picturesIn } from '../../blocks.js'
import { joinModules } from './join-modules.js'

/**
 * @typedef {import('../../blocks.js').Document} Document
 * @typedef {import('../../blocks.js').Section} Section
 * @typedef {import('../../blocks.js').Block} Block
 * @typedef {import('../../blocks.js').Table} Table
 * @typedef {import('../../blocks.js').Picture} Picture
 * @typedef {import('../../../harness/store/results.js').Results} Results
 * @typedef {import('../../../harness/judge/summary.js').Summary} Summary
 */

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8')
/** More letters than this may break into lines. */
const LONG_TEXT = 32
/** Kinds of pictures that show an answer, the best first. */
const ANSWERING = ['map', 'lines', 'dots']
/** Samples that a page holds of all cells together: about 10 MB. More would take a browser minutes to open. */
const MOST_SAMPLES = 50_000
const CLIENT = new URL('client/main.js', import.meta.url)

/**
 * @param {Document} document
 * @param {Results} results
 * @param {Summary} summary
 * @returns {string}
 */
export function renderPage (document, results, summary) {
  const shown = samplesShown(results, summary)
  const embedded = embedSamples(shown.lines, results, summary)
  const script = joinModules(CLIENT)
  const charts = new Charts()
  const header = renderHeader(document, charts)
  const main = document.sections.map(section => renderSection(section, 2, charts)).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(STYLE)}'; img-src data:">
<title>timerq: ${escapeText(document.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#conclusion">Skip to the conclusion</a>
${header}
<aside>
<nav aria-label="Sections">${document.sections.map(({ title }) => `<a href="#${slug(title)}">${escapeText(title)}</a>`).join(' ')}</nav>
${renderPicker(summary)}
</aside>
<main>
${main}
</main>
<dialog id="samples" aria-labelledby="samples-title">
<form method="dialog"><button aria-label="Close">✕</button></form>
<h2 id="samples-title"></h2>
<p>Each line is one fresh process, as it stands in samples.jsonl of run ${escapeText(results.run.id)} at this line.${embedded.haveHeats ? ' Samples of one heat were taken at the same time; in brackets the lowest and the highest of its slices.' : ''}${shown.mostOfCell < Infinity ? ` ${describeCap(shown.mostOfCell)}` : ''}</p>
<div class="content scroll" tabindex="0" role="region" aria-label="Samples"></div>
</dialog>
<p id="how-to-use" hidden>Arrow keys go from point to point, Enter shows its samples, plus and minus zoom, 0 shows all again.</p>
<script type="application/json" id="chart-data">${embed(charts.figures)}</script>
<script type="application/json" id="sample-data">${embedded.json}</script>
<script>${script}</script>
</body>
</html>
`
}

/** Groups of figures, in the order of the page: each group shares one chart, which switches between them. */
class Charts {
  /** @type {import('../../charts/index.js').Figure[][]} */
  figures = []

  /** @param {import('../../charts/index.js').Figure[]} figures */
  add (figures) {
    return this.figures.push(figures) - 1
  }
}

/**
 * The answer, and beside it the picture that shows it best.
 *
 * @param {Document} document
 * @param {Charts} charts
 */
function renderHeader (document, charts) {
  const pictures = picturesIn(document)
  const first = ANSWERING.map(kind => pictures.find(({ figure }) => figure.kind === kind)).find(Boolean)
  return element('header', {}, [
    '<div>',
    `<h1>${escapeText(document.title)}</h1>\n`,
    ...document.blocks.map(block => renderBlock(block, charts)),
    '</div>\n',
    ...(first ? [renderChart([{ ...first, figure: { ...first.figure, id: `${first.figure.id}-first` } }], charts)] : [])
  ])
}

/**
 * @param {Section} section
 * @param {number} level
 * @param {Charts} charts
 * @returns {string}
 */
function renderSection ({ title, blocks, sections, isBackground = false }, level, charts) {
  const figures = blocks.filter(block => block.kind === 'figure')
  const heading = `<h${level}>${escapeText(title)}</h${level}>`
  const content = [
    ...blocks.map(block => block.kind !== 'figure' ? renderBlock(block, charts) : block === figures[0] ? renderChart(figures, charts) : ''),
    ...sections.map(inner => renderSection(inner, level + 1, charts))
  ]
  return element('section', { id: slug(title) }, isBackground
    ? ['<details class="background"><summary>', heading, '</summary>\n', ...content, '</details>']
    : [heading, '\n', ...content])
}

/**
 * @param {Block} block
 * @param {Charts} charts
 * @returns {string}
 */
function renderBlock (block, charts) {
  switch (block.kind) {
    case 'paragraph': return `<p>${prose(block.text)}</p>\n`
    case 'answer': return `<p><strong>${prose(block.text)}</strong> ${prose(block.reasons.join(' '))}</p>\n`
    case 'verdict': return `<p><span class="${block.tone}">${escapeText(capitalise(block.name))}</span>: ${prose(block.text)}.</p>\n`
    case 'list': return (block.title ? `<p class="lead-in">${escapeText(block.title)}</p>\n` : '') + bullets(block.items)
    case 'warnings': return bullets(block.items.map(warning => `${capitalise(warning)}.`))
    case 'links': return `<p class="lead-in">${escapeText(block.title)}</p>\n` +
      `<ul>${block.links.map(({ text, href }) => `<li><a href="${escapeText(href)}">${escapeText(text)}</a></li>`).join('\n')}</ul>\n`
    case 'code': return `<pre tabindex="0"><code>${block.text.split('\n').map(escapeText).join('\n')}</code></pre>\n`
    case 'facts': return `<dl>${block.facts.map(([term, fact]) => `<div><dt>${escapeText(term)}</dt><dd>${prose(fact)}</dd></div>`).join('\n')}</dl>\n`
    case 'figure': return renderChart([block], charts)
    case 'table': return renderTable(block)
    case 'fold': return `<details><summary>${escapeText(block.title)}</summary>\n${block.blocks.map(inner => renderBlock(inner, charts)).join('\n')}</details>\n`
  }
}

/** @param {string[]} items */
const bullets = items => `<ul>${items.map(item => `<li>${prose(item)}</li>`).join('\n')}</ul>\n`

/**
 * Text in which no line breaks inside a number: `10 000`, `7.2 %`, `1.04–1.12`.
 *
 * @param {string} text
 */
function prose (text) {
  return escapeText(text).replace(/(?<=\d) (?=\d{3}(?!\d)|%|[mnµ]?s\b)/g, '\u00a0').replace(/(?<=[\d%])–(?=\d)/g, '–\u2060')
}

/**
 * @param {Picture[]} blocks
 * @param {Charts} charts
 */
function renderChart (blocks, charts) {
  const figures = blocks.map(({ figure }) => figure)
  const number = charts.add(figures)
  const choices = figures.length < 2
    ? ''
    : `<fieldset class="choices"><legend>Show</legend>${figures.map((figure, i) =>
      `<label><input type="radio" name="chart-${number}" value="${i}"${i === 0 ? ' checked' : ''}> ${escapeText(nameChoice(figure, figures))}</label>`).join('')}</fieldset>`
  const zoom = '<div class="zoom" role="group" aria-label="Zoom">' +
    '<button data-zoom="in" aria-label="Zoom in">+</button><button data-zoom="out" aria-label="Zoom out">−</button><button data-zoom="all">All</button></div>'
  return `<div class="chart"><div class="tools">${choices}${zoom}</div>` +
    `<div class="stage"><div class="canvas">${drawFigure(figures[0], pageTheme)}</div>` +
    '<div class="tip" hidden></div><div class="frame" hidden></div></div><p class="readout" aria-live="polite"></p></div>\n'
}

/**
 * The name of a figure among those that share a chart: its title without the scenario, and those parts of its subtitle
 * that others with this title lack, such as the runtime.
 *
 * @param {import('../../charts/index.js').Figure} figure
 * @param {import('../../charts/index.js').Figure[]} figures
 */
function nameChoice ({ title, subtitle }, figures) {
  const alike = figures.filter(other => other.title === title).map(({ subtitle }) => subtitle.split('; '))
  const apart = subtitle.split('; ').filter(part => alike.some(parts => !parts.includes(part)))
  return [title.split(': ').at(-1), ...apart].join(', ')
}

/** @param {Table} table */
function renderTable ({ caption, columns, rows, remarks = [] }) {
  const heading = columns.map(({ title, numeric }) => `<th scope="col"${numeric ? ' class="number"' : ''}><button>${escapeText(title)}</button></th>`).join('')
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeText(caption)}"><table><caption>${escapeText(caption)}</caption>` +
    `<thead><tr>${heading}</tr></thead>\n<tbody>${rows.map(row => renderRow(row, columns)).join('\n')}</tbody></table></div>\n` +
    (remarks.length > 0 ? bullets(remarks) : '')
}

/**
 * @param {import('../../blocks.js').TableRow} row
 * @param {import('../../blocks.js').TableColumn[]} columns
 */
function renderRow ({ cells, isControl, queue = cells[0].text }, columns) {
  const rest = cells.slice(1).map((cell, i) => {
    const classes = [
      columns[i + 1].numeric ? 'number' : '',
      cell.best ? 'best' : '',
      cell.text.length > LONG_TEXT ? 'prose' : '',
      cell.tone ?? ''
    ].filter(Boolean).join(' ')
    return element('td', { class: classes || undefined, 'data-sort': cell.sort === undefined ? undefined : String(cell.sort) }, renderFigure(cell))
  })
  return `<tr data-queue="${escapeText(queue)}"${isControl ? ' class="control"' : ''}><th scope="row">${isControl ? '= ' : ''}${escapeText(cells[0].text)}</th>${rest.join('')}</tr>`
}

/** @param {import('../../blocks.js').TableCell} cell */
function renderFigure ({ text, cell }) {
  return cell === undefined ? escapeText(text) : `<button data-cell="${cell}" title="Show the samples">${escapeText(text)}</button>`
}

/** @param {Summary} summary */
function renderPicker ({ queues }) {
  const boxes = queues.map(({ name }) => `<label><input type="checkbox" value="${escapeText(name)}" checked> ${escapeText(name)}</label>`)
  return `<fieldset class="picker"><legend>Queues</legend>${boxes.join('\n')}<span><button data-pick="all">all</button> <button data-pick="none">none</button></span></fieldset>`
}

/**
 * Which samples the page holds: all, or as many of each cell as fit.
 *
 * @param {Results} results
 * @param {Summary} summary
 * @returns {{lines: number[], mostOfCell: number}}
 */
function samplesShown ({ samples }, { cells }) {
  const isCapped = samples.length > MOST_SAMPLES
  const end = Math.max(1, Math.floor(MOST_SAMPLES / Math.max(1, cells.length) / 2))
  const endsOf = (/** @type {number[]} */ own) => own.length <= 2 * end ? own : [...own.slice(0, end), ...own.slice(-end)]
  const lines = isCapped ? [...groupBy(samples.keys(), i => samples[i].cell).values()].flatMap(endsOf) : [...samples.keys()]
  return { lines, mostOfCell: isCapped ? 2 * end : Infinity }
}

/** @param {number} most */
const describeCap = most => `There are too many samples for a page: of each cell it shows at most ${most}, the first ${most / 2} and the last ${most / 2}; samples.jsonl has all.`

/**
 * Samples as rows (see client/samples.js), and the cells that they belong to, in JSON that ends no script element.
 *
 * @param {number[]} lines
 * @param {Results} results
 * @param {Summary} summary
 */
function embedSamples (lines, { samples }, { cells }) {
  const numberOf = new Map(cells.map((cell, i) => [cellId(cell), i]))
  const rows = []
  let haveHeats = false
  for (const i of lines) {
    const { cell, round, kind, heat, heatSize, started, seconds, metrics, slices = {}, failure } = samples[i]
    haveHeats ||= heat !== undefined
    rows.push(embed([numberOf.get(cell) ?? -1, i + 1, round, heatSize ? `${kind} of ${heatSize}` : kind, started, seconds, metrics, spansOf(slices), failure?.message ?? '']))
  }
  const places = cells.map(({ scenario, params, queue, runtime }) => ({ scenario, params, queue, runtime }))
  return { json: `{"cells":${embed(places)},"samples":[${rows.join(',')}]}`, haveHeats }
}

/**
 * All slices would make the page several times as large.
 *
 * @param {Record<string, (number | null)[]>} slices
 * @returns {Record<string, {count: number, low: number, high: number}>}
 */
function spansOf (slices) {
  return Object.fromEntries(Object.entries(slices).flatMap(([metric, values]) => {
    const known = values.flatMap(value => value ?? [])
    return known.length === 0 ? [] : [[metric, { count: known.length, low: Math.min(...known), high: Math.max(...known) }]]
  }))
}

/**
 * JSON that ends no script element.
 *
 * @param {object} value
 */
function embed (value) {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** @param {string} content */
const hashOf = content => `sha256-${createHash('sha256').update(content).digest('base64')}`

/** @param {string} title */
const slug = title => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
