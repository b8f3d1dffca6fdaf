/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/* global Element */
import { formatNumber, placeOf, sevenDigits } from '../../../../harness/model/numbers.js'

/**
 * @typedef {object} Cell
 * @property {string} scenario
 * @property {Record<string, number>} params
 * @property {string} queue
 * @property {string} runtime
 *
 * @typedef {[cell: number, line: number, round: number, kind: string, started: string, seconds: number, metrics: Record<string, number>, spans: Record<string, Span>, failure: string]} Row
 * @typedef {{count: number, low: number, high: number}} Span  Of the slices of a heat.
 */

/**
 * The samples behind a figure: every table button and every point of a chart leads to them.
 *
 * @param {() => {cells: Cell[], samples: Row[]}} read  Slow: called when samples are first asked for.
 * @returns {(cell: number) => void}
 */
export function startSamples (read) {
  /** @type {ReturnType<typeof read> | null} */
  let report = null
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('samples'))
  const [title, content] = [dialog.querySelector('h2'), dialog.querySelector('.content')].map(
    element => /** @type {HTMLElement} */ (element)
  )
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest('button[data-cell]')
    if (button) show(Number(/** @type {HTMLElement} */ (button).dataset.cell))
  })
  return show

  /** @param {number} cell */
  function show (cell) {
    report ??= read()
    const { cells, samples } = report
    const { queue, ...place } = cells[cell]
    title.textContent = `${queue} on ${placeOf(place)}`
    content.replaceChildren(tableOf(samples.filter(([of]) => of === cell)))
    dialog.showModal()
  }
}

/** @param {Row[]} rows */
function tableOf (rows) {
  const metrics = [...new Set(rows.flatMap(([, , , , , , metrics]) => Object.keys(metrics)))]
  const table = document.createElement('table')
  addRow(table.createTHead(), 'th', ['line', 'round', 'kind', 'started', 'took', ...metrics])
  const body = table.createTBody()
  for (const [, line, round, kind, started, seconds, measured, spans, failure] of rows) {
    const figures = failure ? [failure] : metrics.map(metric => (metric in measured ? describe(measured[metric], spans[metric]) : ''))
    addRow(body, 'td', [
      String(line),
      String(round + 1),
      kind,
      started.slice(11, 19),
      `${formatNumber(seconds)} s`,
      ...figures
    ])
  }
  return table
}

/**
 * 31.41234 (16 slices, 30.9–33.0)
 *
 * @param {number} value
 * @param {Span} [span]
 */
function describe (value, span) {
  const figure = String(sevenDigits(value))
  return span ? `${figure} (${span.count} slices, ${formatNumber(span.low)}–${formatNumber(span.high)})` : figure
}

/**
 * @param {HTMLTableSectionElement} section
 * @param {'th' | 'td'} kind
 * @param {string[]} texts
 */
function addRow (section, kind, texts) {
  section.insertRow().append(
    ...texts.map(text => {
      const cell = document.createElement(kind)
      cell.textContent = text
      return cell
    })
  )
}
