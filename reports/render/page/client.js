/**
 * Script of the page: draws its charts, sorts tables, and picks queues. Needs no network. script.js
 * bundles it with what it imports.
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/* global ResizeObserver, matchMedia */
import { init } from '../../charts/echarts.js'
import { drawingOf } from '../../charts/option.js'
import { darkTheme, lightTheme } from '../../charts/style.js'
/** @import { Figure } from '../../charts/option.js' */

const all = (/** @type {string} */ selector, /** @type {ParentNode} */ root = document) =>
  /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)])
const find = (/** @type {string} */ selector, /** @type {ParentNode} */ root = document) =>
  /** @type {HTMLElement} */ (root.querySelector(selector))

/** @type {Record<string, Figure>} */
const figures = JSON.parse(find('#report-data').textContent ?? '')

/** The reader's choice of light or dark. */
const darkness = matchMedia('(prefers-color-scheme: dark)')
const boxes = /** @type {HTMLInputElement[]} */ (all('.picker input'))

all('.chart').forEach(startChart)
startPicker()
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
    canvas.setAttribute('aria-label', figure.title)
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
