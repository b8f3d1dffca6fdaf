/**
 * A bar for each queue, made of parts. Parts differ in lightness and have gaps between them, so they need no colour.
 */
import { formatNumber } from '../../harness/model/numbers.js'
import { AXIS_HEIGHT, layoutRows, legend, middleOf, picture, point, rowLabels, series, swatch, xAxis } from './frame.js'
import { createScale, domainOf } from './scales.js'

/**
 * @import { Captioned } from './frame.js'
 * @import { Theme } from './style.js'
 *
 * @typedef {Captioned & BarsContent} BarsFigure
 *
 * @typedef {object} BarsContent
 * @property {'bars'} kind
 * @property {{title: string, log: boolean}} x
 * @property {string[]} parts
 * @property {{name: string, control: boolean, values: number[], cell: number}[]} rows  A value for each part.
 */

const BAR = 14
/** Parts from dark to light. */
const OPACITY = ['0.85', '0.5', '0.25', '0.1', '0']

/**
 * @param {BarsFigure} figure
 * @param {Theme} theme
 */
export function drawBars (figure, theme) {
  const { rows, parts, unit } = figure
  const plot = layoutRows(figure, { hasLegend: true, hasValues: true })
  const x = createScale({
    domain: domainOf(
      rows.map(({ values }) => sum(values)),
      false
    ),
    range: [plot.left, plot.right],
    log: false
  })
  const styleOf = (/** @type {number} */ part) => ({
    fill: theme.hues[0],
    'fill-opacity': OPACITY[part],
    stroke: theme.hues[0]
  })
  return picture(figure, theme, plot.bottom + AXIS_HEIGHT, [
    ...legend(
      parts.map((title, part) => ({ title, draw: (x, y) => swatch(x, y, styleOf(part)) })),
      plot,
      theme
    ),
    ...xAxis(x, plot, figure.x.title, theme),
    ...rows.map(({ name, control, values, cell }, row) =>
      series(name, [
        ...rowLabels({ name, control }, row, plot, formatNumber(sum(values))),
        ...values.map((value, part) => {
          if (value === 0) return ''
          const [from, to] = [x.at(sum(values.slice(0, part))), x.at(sum(values.slice(0, part + 1)))]
          const place = { x: from, y: middleOf(plot, row) - BAR / 2, width: Math.max(1, to - from - 1), height: BAR }
          return point(
            'rect',
            { ...place, ...styleOf(part) },
            cell,
            `${name}, ${parts[part]}: ${formatNumber(value)} ${unit}`
          )
        })
      ])
    )
  ])
}

/** @param {number[]} values */
export const sum = values => values.reduce((total, value) => total + value, 0)
