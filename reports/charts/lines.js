/** Curves over a swept parameter, with their intervals as bands. */
import { formatNumber } from '../../harness/model/numbers.js'
import { axisOf, formatDot, labelOf, LETTER, mark, spanOf } from './parts.js'

/**
 * @import { Axis, Captioned, Content, Dot, Frame, Marks } from './parts.js'
 *
 * @typedef {Marks & {points: (Dot & {x: number})[]}} Curve
 *
 * @typedef {Captioned & {kind: 'lines', x: Axis, y: Axis, rows: Curve[]}} LinesFigure
 */

const PLOT = 320
/** Fewer curves than this are all told apart. */
const FEW = 8
const BEST = 3

/** @type {(figure: LinesFigure, frame: Frame) => Content} */
function draw ({ x, y, rows }, { theme, unit }) {
  const points = rows.flatMap(({ points }) => points)
  const values = points.flatMap(point => [point.value, ...spanOf(point)])
  const { axis: yAxis, at } = axisOf(y, values, theme)
  const places = points.map(({ x }) => x)
  const prominent = prominentIn(rows)
  const order = [...prominent]
  const labels = Math.max(0, ...order.map(one => LETTER * labelOf(one).length))
  const last = Math.max(...places)
  return {
    plot: PLOT,
    right: labels + 24,
    xAxis: axisOf(x, places, theme).axis,
    yAxis,
    series: rows.flatMap(one => {
      const isProminent = prominent.has(one)
      // Of many queues, some share a hue.
      const hue = rows.length > FEW ? order.indexOf(one) : one.style.hue
      const colour = isProminent ? theme.hues[hue] : theme.muted
      const ends = one.points.at(-1)?.x === last
      return [
        ...(isProminent ? [band(one, at, colour)] : []),
        {
          type: 'line',
          name: one.name,
          data: one.points.map(point => ({
            value: [point.x, at(point.value)],
            text: `${one.name} at ${formatNumber(point.x)}: ${formatDot(point)} ${unit}`
          })),
          symbol: one.style.symbol,
          symbolSize: isProminent ? 9 : 5,
          showSymbol: isProminent,
          itemStyle: mark(colour, one.style.hollow, theme),
          lineStyle: {
            color: colour,
            width: one.control ? 3 : isProminent ? 1.8 : 1,
            type: isProminent ? one.style.dash : 'solid',
            opacity: isProminent ? 1 : 0.45
          },
          triggerEvent: 'line',
          emphasis: { focus: 'series', lineStyle: { width: 3, opacity: 1 }, endLabel: { show: true } },
          endLabel: {
            show: isProminent,
            formatter: labelOf(one),
            color: colour,
            fontWeight: one.control ? 700 : 500,
            lineHeight: 15,
            distance: ends ? 10 : 4
          },
          labelLayout: { moveOverlap: 'shiftY' },
          z: isProminent ? 4 : 3
        }
      ]
    })
  }
}

/**
 * Curves that a reader looks for: all where they are few; else the control, the best and the worst over the sweep.
 *
 * @param {Curve[]} curves
 */
function prominentIn (curves) {
  if (curves.length <= FEW) return new Set(curves)
  const costOf = (/** @type {Curve} */ { points }) =>
    points.reduce((sum, { value }) => sum + Math.log(value || Number.MIN_VALUE), 0) / points.length
  const longest = Math.max(...curves.map(({ points }) => points.length))
  const ranked = curves.filter(({ points }) => points.length === longest).sort((a, b) => costOf(a) - costOf(b))
  return new Set([...curves.filter(({ control }) => control), ...ranked.slice(0, BEST), ...ranked.slice(-1)])
}

/** @type {(curve: Curve, at: (value: number) => number, colour: string) => object} */
function band ({ name, points }, at, colour) {
  const edge = (/** @type {0 | 1} */ end) => points.map(point => [point.x, at(spanOf(point)[end])])
  return {
    type: 'custom',
    name,
    silent: true,
    z: 2,
    data: [0],
    renderItem: (/** @type {any} */ _params, /** @type {any} */ api) => ({
      type: 'polygon',
      shape: {
        points: [...edge(1), ...edge(0).reverse()].map(point => api.coord(point))
      },
      style: { fill: colour, opacity: 0.16 }
    })
  }
}

export const lines = { width: 760, draw }
