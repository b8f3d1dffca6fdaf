/**
 * Script of the page: draws its charts, sorts tables, shows samples, and picks queues. Needs no network. script.js
 * bundles it with what it imports.
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/* global ResizeObserver, matchMedia */
import { placeOf, sevenDigits } from '../../../harness/model/numbers.js'
import { init } from '../../charts/echarts.js'
import { drawingOf } from '../../charts/option.js'
import { darkTheme, lightTheme } from '../../charts/style.js'
/** @import { Figure } from '../../charts/option.js' */

/**
 * @typedef {{scenario: string, params: Record<string, number>, queue: string, side?: string, runtime: string}} Cell
 *
 * @typedef {object} Row  A sample.
 * @property {number} cell  Its number in the summary.
 * @property {number} line  Line of samples.jsonl.
 * @property {number} round
 * @property {string} kind
 * @property {string} started
 * @property {number} seconds
 * @property {Record<string, number>} metrics
 * @property {string} [failure]
 *
 * @typedef {{cells: Cell[], samples: Row[], figures: Record<string, Figure>}} Report
 */

const all = (/** @type {string} */ selector, /** @type {ParentNode} */ root = document) =>
  /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)])
const find = (/** @type {string} */ selector, /** @type {ParentNode} */ root = document) =>
  /** @type {HTMLElement} */ (root.querySelector(selector))

/** @type {Report} */
const report = JSON.parse(find('#report-data').textContent ?? '')
const { figures } = report

/** The reader's choice of light or dark. */
const darkness = matchMedia('(prefers-color-scheme: dark)')
const boxes = /** @type {HTMLInputElement[]} */ (all('.picker input'))

all('.chart').forEach(startChart)
startPicker()
for (const cell of all('td[data-cell]')) {
  const button = Object.assign(document.createElement('button'), {
    title: 'Show the samples',
    textContent: cell.textContent
  })
  button.addEventListener('click', () => showSamples(cell.dataset.cell))
  cell.replaceChildren(button)
}
for (const button of all('th button')) {
  button.addEventListener('click', () => sortBy(/** @type {HTMLTableCellElement} */ (button.parentElement)))
}
// A link to a folded section unfolds it.
for (const link of all('nav a')) {
  link.addEventListener('click', () =>
    document.querySelector(`${link.getAttribute('href')} > details`)?.setAttribute('open', '')
  )
}
document.documentElement.classList.add('alive')

/**
 * Draws the figures of a chart, one at a time, at the width of the page and in its colours.
 *
 * @param {HTMLElement} frame
 */
function startChart (frame) {
  const canvas = find('.canvas', frame)
  const choices = /** @type {HTMLInputElement[]} */ (all('input[type=radio]', frame))
  const own = (canvas.dataset.figures ?? '').split(' ').map(id => figures[id])
  const chart = init(canvas, null, { renderer: 'svg' })
  const draw = () => {
    const figure = own[Math.max(0, choices.findIndex(({ checked }) => checked))]
    const theme = darkness.matches ? darkTheme : lightTheme
    const { height, option } = drawingOf(figure, theme, { width: canvas.clientWidth, shown: picked() })
    canvas.setAttribute('aria-label', `${figure.title}. ${figure.description}`)
    canvas.style.height = `${height}px`
    chart.resize()
    chart.setOption(option, true)
  }

  for (const choice of choices) choice.addEventListener('change', draw)
  new ResizeObserver(() => {
    if (canvas.clientWidth > 0 && canvas.clientWidth !== chart.getWidth()) draw()
  }).observe(canvas)
  darkness.addEventListener('change', draw)
  document.addEventListener('picked', draw)
  chart.on('click', ({ data }) => showSamples(/** @type {any} */ (data)?.cell))
  draw()
}

/** Queues that the reader has picked. */
function picked () {
  return new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value))
}

/** Picked queues show in charts and tables alike. */
function startPicker () {
  const update = () => {
    const shown = picked()
    for (const row of all('tr[data-queue]')) row.hidden = !shown.has(row.dataset.queue ?? '')
    document.dispatchEvent(new Event('picked'))
  }
  for (const box of boxes) box.addEventListener('change', update)
  for (const button of all('.picker button')) {
    button.addEventListener('click', () => {
      for (const box of boxes) box.checked = button.dataset.pick === 'all'
      update()
    })
  }
  // Going back in history restores the picked queues.
  if (boxes.some(({ checked }) => !checked)) update()
}

/** @param {number | string | undefined | null} cell  Number of the cell whose samples are shown. */
function showSamples (cell) {
  if (cell === undefined || cell === null) return
  const dialog = /** @type {HTMLDialogElement} */ (find('#samples'))
  const { queue, side, ...place } = report.cells[Number(cell)]
  find('h2', dialog).textContent = [`${queue} on ${placeOf(place)}`, ...(side ? [side] : [])].join(', ')
  find('.content', dialog).replaceChildren(tableOf(report.samples.filter(sample => sample.cell === Number(cell))))
  dialog.showModal()
}

/** @param {Row[]} rows */
function tableOf (rows) {
  const names = [...new Set(rows.flatMap(({ metrics }) => Object.keys(metrics)))]
  const table = document.createElement('table')
  addRow(table.createTHead(), 'th', ['line', 'round', 'kind', 'started', 'seconds', ...names])
  const body = table.createTBody()
  for (const { line, round, kind, started, seconds, metrics, failure } of rows) {
    const figures = names.map(name => (name in metrics ? sevenDigits(metrics[name]) : ''))
    addRow(body, 'td', [line, round, kind, started, seconds, ...(failure ? [failure] : figures)].map(String))
  }
  return table
}

/**
 * @param {HTMLTableSectionElement} section
 * @param {'th' | 'td'} kind
 * @param {string[]} texts
 */
function addRow (section, kind, texts) {
  section.insertRow().append(...texts.map(text => Object.assign(document.createElement(kind), { textContent: text })))
}

/**
 * A second click reverses the order. Cells without a figure stay at the end.
 *
 * @param {HTMLTableCellElement} heading
 */
function sortBy (heading) {
  const table = /** @type {HTMLTableElement} */ (heading.closest('table'))
  const sign = heading.getAttribute('aria-sort') === 'ascending' ? -1 : 1
  for (const other of all('th[aria-sort]', table)) other.removeAttribute('aria-sort')
  heading.setAttribute('aria-sort', sign === 1 ? 'ascending' : 'descending')
  const [body] = table.tBodies
  body.append(
    ...[...body.rows].sort((...rows) => {
      const cells = rows.map(row => row.cells[heading.cellIndex])
      const [first, second] = cells.map(({ dataset }) => dataset.sort)
      const [one, other] = cells.map(({ textContent }) => textContent ?? '')
      if (first !== undefined && second !== undefined) return sign * (Number(first) - Number(second))
      if (first !== undefined || second !== undefined) return first !== undefined ? -1 : 1
      return sign * one.localeCompare(other)
    })
  )
}
