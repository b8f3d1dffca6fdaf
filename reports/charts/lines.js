/** Curves over a swept parameter, with their intervals as whiskers. */
import { formatNumber } from '../../harness/model/numbers.js'
import { axisOf, formatDot, labelOf, LETTER, spanOf, whiskers } from './parts.js'

/**
 * @import { Captioned, Content, Dot, Frame, Marks } from './parts.js'
 *
 * @typedef {Marks & {points: (Dot & {x: number})[]}} Curve
 *
 * @typedef {object} Lines
 * @property {'lines'} kind
 * @property {{title: string, log: boolean}} x
 * @property {boolean} log
 * @property {Curve[]} rows
 *
 * @typedef {Captioned & Lines} LinesFigure
 */

const PLOT = 320
/** Fewer curves than this are all told apart. */
const FEW = 8
const BEST = 3

/** @type {(figure: LinesFigure, frame: Frame) => Content} */
function draw ({ x, log, rows, unit }, { theme }) {
  const points = rows.flatMap(({ points }) => points)
  const values = points.flatMap(point => [point.median, ...spanOf(point)])
  const { axis: yAxis, at } = axisOf(unit, log, values, theme)
  const places = points.map(({ x }) => x)
  const prominent = prominentIn(rows)
  const order = [...prominent]
  const labels = Math.max(0, ...order.map(one => LETTER * labelOf(one).length))
  const last = Math.max(...places)
  return {
    plot: PLOT,
    right: labels + 24,
    xAxis: axisOf(x.title, x.log, places, theme).axis,
    yAxis,
    series: rows.flatMap(one => {
      const isProminent = prominent.has(one)
      // Of many queues, some share a hue.
      const hue = rows.length > FEW ? order.indexOf(one) : one.style.hue
      const colour = isProminent ? theme.hues[hue] : theme.muted
      const ends = one.points.at(-1)?.x === last
      return [
        ...(isProminent ? [intervalsOf(one, at, colour)] : []),
        {
          type: 'line',
          name: one.name,
          data: one.points.map(point => ({
            value: [point.x, at(point.median)],
            text: `${one.name} at ${formatNumber(point.x)}: ${formatDot(point)} ${unit}`
          })),
          symbol: one.style.symbol,
          symbolSize: isProminent ? 9 : 5,
          showSymbol: isProminent,
          itemStyle: { color: colour, borderColor: theme.paper, borderWidth: 1 },
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
    points.reduce((sum, { median }) => sum + Math.log(median || Number.MIN_VALUE), 0) / points.length
  const longest = Math.max(...curves.map(({ points }) => points.length))
  const ranked = curves.filter(({ points }) => points.length === longest).sort((a, b) => costOf(a) - costOf(b))
  return new Set([...curves.filter(({ control }) => control), ...ranked.slice(0, BEST), ...ranked.slice(-1)])
}

/** @type {(curve: Curve, at: (value: number) => number, color: string) => object} */
const intervalsOf = ({ points }, at, color) =>
  whiskers(
    points.map(point => {
      const [low, high] = spanOf(point).map(at)
      return { value: [point.x, low, point.x, high], itemStyle: { color } }
    })
  )

export const lines = { width: 760, draw }
