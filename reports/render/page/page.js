/**
 * A document as one HTML file that works offline: text and tables are there as it loads; the script draws the charts,
 * sorts tables and picks queues.
 *
 * Names, errors and paths come from outside, and all are escaped. Should one slip through, the content security policy
 * still runs no script but the page's own, known by its hash, and loads nothing from anywhere.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { compact } from '../../../harness/model/compact.js'
import { capitalise, sevenDigits } from '../../../harness/model/numbers.js'
import { subjectIn } from '../../../harness/model/kinds.js'
import { picturesIn } from '../../blocks.js'
import { charts } from '../../charts/option.js'
import { attributesOf, escapeLines, escapeText, hashOf } from '../../markup.js'
import { readScript } from '../script.js'

/** @import { Summary } from '../../../harness/judge/records.js' */
/** @import { Answer, Block, Document, Section, Table, TableCell, TableColumn, TableRow } from '../../blocks.js' */
/** @import { Figure } from '../../charts/option.js' */
/** @import { Report } from '../../formats.js' */

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8')
const UNPACK = readFileSync(new URL('unpack.js', import.meta.url), 'utf8').replace(/^\/\/\/.*\n/gm, '')
/** Longer text may break into lines. */
const LONG_TEXT = 32

/**
 * @param {Document} document
 * @param {Summary} summary
 * @returns {string}
 */
export function renderPage (document, summary) {
  const script = readScript()
  const figures = Object.fromEntries(picturesIn(document).map(({ figure }) => [figure.id, figure]))
  const scripts = [UNPACK, script].map(hashOf).join(' ')
  const policy = `default-src 'none'; script-src ${scripts}; style-src ${hashOf(STYLE)}; img-src data:`
  const links = document.sections.map(({ title }) => `<a href="#${slug(title)}">${escapeText(title)}</a>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>timerq: ${escapeText(document.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
${renderHeader(document)}
<aside>
<nav aria-label="Sections">${links.join(' ')}</nav>
${renderPicker(summary)}
</aside>
<main>
${document.blocks.slice(headOf(document).length).filter(({ kind }) => kind !== 'figure').map(renderBlock).join('')}
${document.sections.map(section => renderSection(section, 2)).join('\n')}
</main>
<script type="application/gzip" id="report-data">${packed(JSON.stringify(figures))}</script>
<script type="application/gzip" id="report-script">${packed(script)}</script>
<script>${UNPACK}</script>
</body>
</html>
`
}

/** @param {Report} report */
export const render = ({ document, summary }) => renderPage(document(), summary)

/**
 * The answer, and to its right the picture that shows it best.
 *
 * @param {Document} document
 */
function renderHeader (document) {
  const pictures = picturesIn(document)
  const first = Object.keys(charts).flatMap(kind => pictures.filter(({ figure }) => figure.kind === kind)).slice(0, 1)
  return `<header><div><h1>${escapeText(document.title)}</h1>
${headOf(document).map(renderBlock).join('')}</div>
${first.map(renderBlock).join('')}</header>`
}

/**
 * The blocks before the first picture or table: what follows has the width of the page.
 *
 * @param {Document} document
 */
function headOf ({ blocks }) {
  const end = blocks.findIndex(({ kind }) => kind === 'figure' || kind === 'table')
  return end === -1 ? blocks : blocks.slice(0, end)
}

/**
 * @param {Section} section
 * @param {number} level
 * @returns {string}
 */
function renderSection ({ title, blocks, sections, isBackground = false }, level) {
  const figures = blocks.flatMap(block => (block.kind === 'figure' ? [block.figure] : []))
  const heading = `<h${level}>${escapeText(title)}</h${level}>`
  const content = [
    ...blocks.map(block =>
      block.kind !== 'figure' ? renderBlock(block) : block.figure === figures[0] ? renderChart(figures) : ''
    ),
    ...sections.map(inner => renderSection(inner, level + 1))
  ].join('')
  return `<section id="${slug(title)}">${
    isBackground
      ? `<details class="background"><summary>${heading}</summary>\n${content}</details>`
      : `${heading}\n${content}`
  }</section>`
}

/**
 * @param {Block} block
 * @returns {string}
 */
function renderBlock (block) {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${prose(block.text)}</p>\n`
    case 'answer':
      return renderAnswer(block)
    case 'verdict':
      return `<p><span class="${block.tone}">${escapeText(capitalise(block.name))}</span>: ${prose(block.text)}.</p>\n`
    case 'list':
      return (block.title ? `<p class="lead-in">${escapeText(block.title)}</p>\n` : '') + bullets(block.items)
    case 'warnings':
      return bullets(block.items.map(warning => `${capitalise(warning)}.`))
    case 'links': {
      const items = block.links.map(({ text, href }) => `<li><a${attributesOf({ href })}>${escapeText(text)}</a></li>`)
      return `<p class="lead-in">${escapeText(block.title)}</p>\n<ul>${items.join('\n')}</ul>\n`
    }
    case 'code':
      return `<pre tabindex="0"><code>${escapeLines(block.text)}</code></pre>\n`
    case 'facts': {
      const facts = block.facts.map(([term, fact]) => `<div><dt>${escapeText(term)}</dt><dd>${prose(fact)}</dd></div>`)
      return `<dl>${facts.join('\n')}</dl>\n`
    }
    case 'figure':
      return renderChart([block.figure])
    case 'table':
      return renderTable(block)
    case 'fold': {
      const content = block.blocks.map(renderBlock).join('\n')
      return `<details><summary>${escapeText(block.title)}</summary>\n${content}</details>\n`
    }
  }
}

/** @param {Answer} answer */
function renderAnswer ({ text, reasons, next }) {
  return (
    `<p><strong>${prose(text)}</strong></p>\n` +
    bullets(reasons) +
    (next === undefined ? '' : `<p>Next: <code>${escapeText(next)}</code></p>\n`)
  )
}

/** @param {string[]} items */
const bullets = items =>
  items.length > 0 ? `<ul>${items.map(item => `<li>${prose(item)}</li>`).join('\n')}</ul>\n` : ''

/**
 * Text in which no line breaks inside a number: `10 000`, `7.2 %`, `1.04–1.12`.
 *
 * @param {string} text
 */
function prose (text) {
  return escapeText(text)
    .replace(/(?<=\d) (?=\d{3}(?!\d)|%|[mnµ]?s\b)/g, '\u00a0')
    .replace(/(?<=[\d%])–(?=\d)/g, '–\u2060')
}

/**
 * Figures that share a frame: the reader chooses between them.
 *
 * @param {Figure[]} figures
 */
function renderChart (figures) {
  const ids = figures.map(({ id }) => id).join(' ')
  const choices = figures.map(
    ({ title }, i) =>
      `<label><input type="radio" name="chart ${ids}" value="${i}"${i === 0 ? ' checked' : ''}> ` +
      `${escapeText(title.slice(title.indexOf(': ') + 2))}</label>`
  )
  const fieldset =
    choices.length > 1 ? `<fieldset class="choices"><legend>Show</legend>${choices.join('')}</fieldset>` : ''
  return (
    `<div class="chart"><div class="tools">${fieldset}</div>` +
    `<div class="canvas" data-figures="${ids}" role="img"></div>` +
    '<p class="instead">Charts need scripts. The tables hold all figures.</p></div>\n'
  )
}

/** @param {Table} table */
function renderTable ({ caption, columns, rows, remarks = [] }) {
  const heading = columns.map(
    ({ title, numeric }) =>
      `<th scope="col"${attributesOf({ class: numeric ? 'number' : '' })}><button>${escapeText(title)}</button></th>`
  )
  const title = escapeText(caption)
  return (
    `<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><caption>${title}</caption>` +
    `<thead><tr>${heading.join('')}</tr></thead>\n` +
    `<tbody>${rows.map(row => renderRow(row, columns)).join('\n')}</tbody></table></div>\n` +
    bullets(remarks)
  )
}

/**
 * @param {TableRow} row
 * @param {TableColumn[]} columns
 */
function renderRow ({ cells: [first, ...others], isControl, queue = first.text }, columns) {
  const rest = others.map((cell, i) => {
    const isLong = cell.text.length > LONG_TEXT
    const classes = compact(columns[i + 1].numeric && 'number', cell.best && 'best', isLong && 'prose', cell.tone)
    const attributes = { class: classes.join(' '), 'data-sort': sortKey(cell) }
    return `<td${attributesOf(attributes)}>${escapeText(cell.text)}</td>`
  })
  const attributes = { 'data-queue': queue, class: isControl ? 'control' : '' }
  const name = `${isControl ? '= ' : ''}${escapeText(first.text)}`
  return `<tr${attributesOf(attributes)}><th scope="row">${name}</th>${rest.join('')}</tr>`
}

/**
 * Digits beyond the seventh sort nothing.
 *
 * @param {TableCell} cell
 */
const sortKey = ({ sort }) => sort && sevenDigits(sort)

/** @param {Summary} summary */
function renderPicker ({ queues, scenarios }) {
  const boxes = queues.map(
    ({ name }) => `<label><input type="checkbox"${attributesOf({ value: name })} checked> ${escapeText(name)}</label>`
  )
  return (
    `<fieldset class="picker"><legend>${capitalise(subjectIn(scenarios))}s</legend>${boxes.join('\n')}` +
    '<span><button data-pick="all">all</button> <button data-pick="none">none</button></span></fieldset>'
  )
}

/** @param {string} text */
const packed = text => gzipSync(text, { level: 9 }).toString('base64')

/** @param {string} title */
const slug = title => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
