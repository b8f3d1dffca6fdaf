/** Parts that the kinds of charts share: the values of a figure, its axes, names and marks. */
import { formatInterval } from '../../harness/model/numbers.js'

/**
 * @import { Style, Theme } from './style.js'
 *
 * @typedef {object} Captioned  Properties of every figure.
 * @property {string} id
 * @property {string} title
 * @property {string} subtitle
 * @property {string} unit  Names the axis, too.
 *
 * @typedef {{median: number, low: number | null, high: number | null}} Dot  An end is null where it is open.
 *
 * @typedef {object} Marks  How a queue is shown.
 * @property {string} name
 * @property {string} [queue]  Name of the queue, if it differs from `name`.
 * @property {boolean} control
 * @property {Style} style
 *
 * @typedef {{theme: Theme, width: number}} Frame
 *
 * @typedef {object} Content
 * @property {number} plot  Height of the plot.
 * @property {number} [left]  Room at its left, beside its axis.
 * @property {number} [right]  Room for labels at its right.
 * @property {object} xAxis  Options of ECharts, as are the others.
 * @property {object | object[]} yAxis
 * @property {any[]} series
 */

/** Approximate width of a letter. */
export const LETTER = 6.4
/** Longest name, in letters. Users' own may have any length. */
const LONGEST_NAME = 41
/** Other values are drawn at the ends of a logarithmic axis: ECharts cannot tell them apart. */
const DRAWN = [1e-300, 1e300]
/** Values closer than this are drawn on a linear axis. */
const NEAR = 5

/** @param {Dot} dot */
export const spanOf = ({ low, high }) => [low ?? 0, high ?? Infinity]

/** @param {Dot} dot */
export function formatDot (dot) {
  const [low, high] = spanOf(dot)
  return formatInterval({ ...dot, low, high })
}

/**
 * Lines from one end of an interval to the other.
 *
 * @param {{value: [x1: number, y1: number, x2: number, y2: number], itemStyle: object}[]} data
 */
export const whiskers = data => ({
  type: 'custom',
  silent: true,
  encode: { x: [0, 2], y: [1, 3] },
  data,
  renderItem: (/** @type {any} */ _params, /** @type {any} */ api) => {
    const [[x1, y1], [x2, y2]] = [0, 2].map(end => api.coord([api.value(end), api.value(end + 1)]))
    return { type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: api.visual('color'), lineWidth: 2.5 } }
  }
})

/**
 * An axis for values, and the place of a value on it: what the axis cannot show, such as 0 if it is logarithmic, is
 * drawn at its end. Values that are near each other need no logarithms.
 *
 * @type {(title: string, log: boolean, values: number[], theme: Theme) =>
 *   {axis: any, at: (value: number) => number}}
 */
export function axisOf (title, log, values, theme) {
  const known = values.filter(value => value < DRAWN[1] && (value > DRAWN[0] || !log))
  const [low, high] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [1, 1]
  const min = log ? low : Math.min(0, low)
  const type = log && high >= NEAR * low ? 'log' : 'value'
  return {
    axis: { ...axisStyle(title, theme), type, scale: log },
    at: value => Math.min(Math.max(value, min), high)
  }
}

/**
 * An axis of names: no lines, and a label for each.
 *
 * @type {(title: string, data: string[], theme: Theme) => any}
 */
export const categories = (title, data, theme) => ({
  ...axisStyle(title, theme),
  type: 'category',
  data,
  splitLine: { show: false }
})

/** @type {(title: string, theme: Theme) => any} */
const axisStyle = (title, theme) => ({
  name: title,
  nameLocation: 'middle',
  nameGap: 24,
  nameTextStyle: { color: theme.ink, fontSize: 12 },
  axisLine: { lineStyle: { color: theme.faint } },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: theme.faint } },
  axisLabel: { color: theme.muted, hideOverlap: true, formatter: formatTick }
})

/**
 * Ticks are round numbers: 0.5 and 100k, not 0.500 and 100.0k.
 *
 * @param {number | string} value
 */
function formatTick (value) {
  if (typeof value === 'string') return value
  return value >= 1e6 ? `${value / 1e6}M` : value >= 1e4 ? `${value / 1e3}k` : String(Number(value.toPrecision(4)))
}

/**
 * The control is marked as in tables.
 *
 * @param {{name: string, control: boolean}} series
 */
export function labelOf ({ name, control }) {
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name
  return control ? `= ${short}` : short
}
