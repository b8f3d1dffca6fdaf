/** A row for each queue: a figure, and its interval as a whisker. */
import { formatNumber } from '../../harness/model/numbers.js'
import { axisOf, categories, formatDot, labelOf, mark, spanOf } from './parts.js'

/**
 * @import { Axis, Captioned, Content, Dot, Frame, Marks } from './parts.js'
 *
 * @typedef {object} Dots
 * @property {'dots'} kind
 * @property {Axis} x
 * @property {(Marks & {dot: Dot})[]} rows
 * @property {number | null} reference  A value to compare with, as a line.
 *
 * @typedef {Captioned & Dots} DotsFigure
 */

const ROW = 26
/** Room for names. */
const SPARE = 20

/** @type {(figure: DotsFigure, frame: Frame) => Content} */
function draw ({ x, rows, reference }, { theme, unit }) {
  const values = rows.flatMap(({ dot }) => [dot.value, ...spanOf(dot)])
  const { axis, at } = axisOf(x, [...values, reference ?? []].flat(), theme)
  const side = (/** @type {string[]} */ labels) => {
    const axis = categories('', labels, theme)
    return {
      ...axis,
      inverse: true,
      axisLine: { show: false },
      axisLabel: { ...axis.axisLabel, color: theme.ink, interval: 0 }
    }
  }
  return {
    plot: rows.length * ROW,
    // Without a browser, ECharts measures names too narrow.
    left: SPARE,
    xAxis: axis,
    yAxis: [
      side(rows.map(labelOf)),
      { ...side(rows.map(({ dot }) => formatNumber(dot.value))), position: 'right' }
    ],
    series: [
      {
        type: 'custom',
        silent: true,
        data: rows.map(({ dot }, row) => [row, ...spanOf(dot).map(at)]),
        renderItem: (/** @type {any} */ { dataIndex }, /** @type {any} */ api) => {
          const [[x1, y1], [x2, y2]] = [1, 2].map(end => api.coord([api.value(end), dataIndex]))
          const stroke = theme.hues[rows[dataIndex].style.hue]
          return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth: 2.5 } }
        }
      },
      {
        type: 'scatter',
        symbol: 'circle',
        symbolSize: 10,
        data: rows.map(({ name, dot, style }, row) => ({
          value: [at(dot.value), row],
          itemStyle: mark(theme.hues[style.hue], false, theme),
          text: `${name}: ${formatDot(dot)} ${unit}`
        })),
        markLine: {
          silent: true,
          symbol: 'none',
          label: { show: false },
          lineStyle: { color: theme.ink, opacity: 0.7, type: [4, 3] },
          data: reference === null ? [] : [{ xAxis: at(reference) }]
        }
      }
    ]
  }
}

export const dots = { width: 760, draw }
