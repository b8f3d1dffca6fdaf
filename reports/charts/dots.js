/** A row for each queue: a figure, and its interval as a whisker. */
import { formatNumber } from '../../harness/model/numbers.js'
import { axisOf, categories, formatDot, labelOf, spanOf, whiskers } from './parts.js'

/**
 * @import { Captioned, Content, Dot, Frame, Marks } from './parts.js'
 *
 * @typedef {object} Dots
 * @property {'dots'} kind
 * @property {boolean} log
 * @property {(Marks & Dot)[]} rows
 * @property {number | null} reference  A value to compare with, as a line.
 *
 * @typedef {Captioned & Dots} DotsFigure
 */

const ROW = 26
/** Room for names. */
const SPARE = 20

/** @type {(figure: DotsFigure, frame: Frame) => Content} */
function draw ({ log, rows, reference, unit }, { theme }) {
  const values = rows.flatMap(dot => [dot.median, ...spanOf(dot)])
  const { axis, at } = axisOf(unit, log, [...values, reference ?? []].flat(), theme)
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
      { ...side(rows.map(({ median }) => formatNumber(median))), position: 'right' }
    ],
    series: [
      whiskers(
        rows.map((dot, row) => {
          const [low, high] = spanOf(dot).map(at)
          return { value: [low, row, high, row], itemStyle: { color: theme.hues[dot.style.hue] } }
        })
      ),
      {
        type: 'scatter',
        symbol: 'circle',
        symbolSize: 10,
        data: rows.map((dot, row) => ({
          value: [at(dot.median), row],
          itemStyle: { color: theme.hues[dot.style.hue], borderColor: theme.paper, borderWidth: 1 },
          text: `${dot.name}: ${formatDot(dot)} ${unit}`
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
