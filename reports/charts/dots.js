/** A row for each queue: a figure, and its interval as a whisker. */
import { formatNumber } from '../../harness/model/numbers.js'
import { AXIS, axisOf, spanOf, formatDot, labelOf, mark, widthOf } from './parts.js'

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
 * @property {{value: number, title: string} | null} reference  A line to compare with.
 *
 * @typedef {Captioned & Dots} DotsFigure
 */

const ROW = 26
/** Half the height of an arrow. */
const TIP = 4

/** @type {(figure: DotsFigure, frame: Frame) => Content} */
function draw ({ x, rows, reference }, { theme, top, unit }) {
  const values = rows.flatMap(({ dot }) => [dot.value, ...spanOf(dot)])
  const { axis, at } = axisOf(x, [...values, ...(reference ? [reference.value] : [])], theme)
  return {
    ...layRows(rows, { theme, top }),
    xAxis: axis,
    series: [
      {
        type: 'custom',
        silent: true,
        data: rows.map((_, i) => i),
        renderItem: (/** @type {any} */ { dataIndex }, /** @type {any} */ api) => ({
          type: 'group',
          children: [
            ...whiskerOf(rows[dataIndex], dataIndex, at, theme, api),
            ...(reference ? [markOf(at(reference.value), dataIndex, theme, api)] : [])
          ]
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
        }))
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

/**
 * A row's piece of the line to compare with.
 *
 * @type {(value: number, row: number, theme: Theme, api: any) => object}
 */
function markOf (value, row, theme, api) {
  const [x, middle] = api.coord([value, row])
  return {
    type: 'line',
    shape: { x1: x, x2: x, y1: middle - ROW / 2, y2: middle + ROW / 2 },
    style: { stroke: theme.ink, opacity: 0.7, lineDash: [4, 3] }
  }
}

/**
 * A row for each queue: its name on the left, its figure on the right.
 *
 * @param {DotRow[]} rows
 * @param {{theme: Theme, top: number}} options
 */
function layRows (rows, { theme, top }) {
  const height = rows.length * ROW
  const side = { type: 'category', inverse: true, axisLine: { show: false }, axisTick: { show: false } }
  const label = { color: theme.ink, interval: 0 }
  return {
    height: top + height + AXIS,
    grid: { left: Math.max(0, ...rows.map(row => widthOf(labelOf(row)))) + 24, right: 64, top, height },
    yAxis: [
      { ...side, data: rows.map(labelOf), axisLabel: label, splitLine: { show: false } },
      { ...side, data: rows.map(({ dot }) => formatNumber(dot.value)), position: 'right', axisLabel: label }
    ]
  }
}

export const dots = { width: 760, draw }
