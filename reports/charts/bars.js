/**
 * A bar for each queue, made of parts. Parts differ in lightness and have gaps between them: no colour is needed to distinguish them.
 * Runs in the page too: imports nothing of Node.
 */
import { formatNumber } from '../../harness/model/numbers.js'
import { clipped, layoutRows, legend, middleOf, picture, rowLabels, swatch, WIDTH, xAxis } from './frame.js'
import { createScale, domainOf } from './scales.js'
import { element } from './svg.js'

/**
 * @typedef {import('./frame.js').Captioned & BarsContent} BarsFigure
 *
 * @typedef {object} BarsContent
 * @property {'bars'} kind
 * @property {{title: string, log: boolean}} x
 * @property {string[]} parts
 * @property {{name: string, control: boolean, values: number[], cell: number}[]} rows  A value for each part.
 */

const BAR = 14
/** Of the parts, dark to light. */
const OPACITY = ['0.85', '0.5', '0.25', '0.1', '0']

/**
 * @param {BarsFigure} figure
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function layoutBars (figure, { view, width = WIDTH } = {}) {
  const { plot, size } = layoutRows(figure, width, { hasLegend: true, hasValues: true })
  return {
    plot,
    size,
    x: createScale({ domain: view?.x ?? domainOf(figure.rows.map(totalOf), false), range: [plot.left, plot.right], log: false })
  }
}

/**
 * @param {BarsFigure} figure
 * @param {import('./style.js').Theme} theme
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function drawBars (figure, theme, drawing) {
  const { rows, parts, id } = figure
  const { plot, size, x } = layoutBars(figure, drawing)
  const styleOf = (/** @type {number} */ part) => ({ fill: theme.hues[0], 'fill-opacity': OPACITY[part], stroke: theme.hues[0] })
  return picture(figure, theme, size, [
    ...legend(parts.map((title, part) => ({ title, draw: (x, y) => swatch(x, y, styleOf(part)) })), plot, theme),
    ...xAxis(x, plot, figure.x.title, theme),
    ...rows.flatMap((row, i) => rowLabels(row, i, plot, size.width, formatNumber(totalOf(row)))),
    ...clipped(id, plot, { x: 0, y: 0 }, rows.flatMap(({ values }, row) => values.map((value, part) => {
      if (value === 0) return ''
      const from = x.at(totalOf({ values: values.slice(0, part) }))
      const to = x.at(totalOf({ values: values.slice(0, part + 1) }))
      const place = { x: from, y: middleOf(plot, row) - BAR / 2, width: Math.max(1, to - from - 1), height: BAR }
      return element('rect', { class: 'point', 'data-at': `${row} ${part}`, ...place, ...styleOf(part) })
    })))
  ])
}

/** @param {{values: number[]}} row */
const totalOf = ({ values }) => values.reduce((sum, value) => sum + value, 0)
