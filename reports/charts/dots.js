/** A row for each queue: a figure, and its interval as a whisker. */
import { formatNumber } from '../../harness/model/numbers.js'
import { axisOf, categories, formatDot, labelOf, mark, spanOf } from './parts.js'

/**
 * @import { Axis, Captioned, Content, Dot, Frame, Marks } from './parts.js'
 * @import { Theme } from './style.js'
 *
 * @typedef {Marks & {dot: Dot}} DotRow
 *
 * @typedef {object} Dots
 * @property {'dots'} kind
 * @property {Axis} x
 * @property {DotRow[]} rows
 * @property {number | null} reference  A value to compare with, as a line.
 *
 * @typedef {Captioned & Dots} DotsFigure
 */

const ROW = 26
/** Room for names. */
const SPARE = 20
/** Half the height of an arrow. */
const TIP = 4

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
        data: rows.map((_, i) => i),
        renderItem: (/** @type {any} */ { dataIndex }, /** @type {any} */ api) => ({
          type: 'group',
          children: whiskerOf(rows[dataIndex], dataIndex, at, theme, api)
        })
      },
      {
        type: 'scatter',
        symbol: 'circle',
        symbolSize: 10,
        data: rows.map(({ name, dot, style, cell }, row) => ({
          value: [at(dot.value), row],
          cell,
          itemStyle: mark(theme.hues[style.hue], false, theme),
          label: `${name}: ${formatDot(dot)} ${unit}`
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

/**
 * The interval of a row's dot; an arrow is an open end.
 *
 * @type {(row: DotRow, index: number, at: (value: number) => number, theme: Theme, api: any) => object[]}
 */
function whiskerOf ({ dot, style: { hue } }, index, at, theme, api) {
  const ends = spanOf(dot)
  const [[x1, y], [x2]] = ends.map(end => api.coord([at(end), index]))
  const tip = (/** @type {number} */ x, /** @type {number} */ length) => ({
    type: 'polygon',
    shape: { points: [[x, y - TIP], [x + length, y], [x, y + TIP]] },
    style: { fill: theme.hues[hue] }
  })
  return [
    { type: 'line', shape: { x1, y1: y, x2, y2: y }, style: { stroke: theme.hues[hue], lineWidth: 2.5 } },
    ...(at(ends[0]) === ends[0] ? [] : [tip(x1, -2 * TIP)]),
    ...(at(ends[1]) === ends[1] ? [] : [tip(x2, 2 * TIP)])
  ]
}

export const dots = { width: 760, draw }
