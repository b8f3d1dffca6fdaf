/** Parts that the kinds of charts share: the values of a figure, its axes, names and marks. */
import { formatInterval } from '../../harness/model/numbers.js'

/**
 * @import { Style, Theme } from './style.js'
 *
 * @typedef {object} Captioned  Properties of every figure.
 * @property {string} id
 * @property {string} title
 * @property {string} subtitle
 * @property {string} description  Text for readers who cannot see the picture.
 * @property {string} unit
 *
 * @typedef {{title: string, log: boolean}} Axis
 *
 * @typedef {{value: number, low: number | null, high: number | null}} Dot  An end is null where it is open.
 *
 * @typedef {object} Marks  How a queue is shown.
 * @property {string} name
 * @property {string} [queue]  Name of the queue, if it differs from `name`.
 * @property {boolean} control
 * @property {Style} style
 *
 * @typedef {{theme: Theme, width: number, unit: string}} Frame
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
/** Beyond this many decades, ticks at 2 and 5 crowd a logarithmic axis. */
const MANY_DECADES = 2.2

/** @param {Dot} dot */
export const spanOf = ({ low, high }) => [low ?? 0, high ?? Infinity]

/** @param {Dot} dot */
export function formatDot (dot) {
  const [low, high] = spanOf(dot)
  return formatInterval({ median: dot.value, low, high })
}

/** @type {(colour: string, isHollow: boolean, theme: Theme) => object} */
export const mark = (colour, isHollow, theme) => ({
  color: isHollow ? theme.paper : colour,
  borderColor: isHollow ? colour : theme.paper,
  borderWidth: isHollow ? 2 : 1
})

/**
 * An axis for values, and the place of a value on it: what the axis cannot show, such as 0 if it is logarithmic, is
 * drawn at its end. Values that are near each other need no logarithms.
 *
 * @type {(axis: Axis, values: number[], theme: Theme) => {axis: any, at: (value: number) => number}}
 */
export function axisOf ({ title, log }, values, theme) {
  const known = values.filter(value => value < DRAWN[1] && (value > DRAWN[0] || !log))
  const [low, high] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [1, 1]
  const base = axisStyle(title, theme)
  const min = log ? low : Math.min(0, low)
  const at = (/** @type {number} */ value) => Math.min(Math.max(value, min), high)
  if (!log || high < NEAR * low) return { axis: { ...base, type: 'value', scale: log }, at }
  const customValues = ticksBetween(low, high)
  return {
    axis: {
      ...base,
      type: 'log',
      min: low,
      max: high,
      axisLabel: { ...base.axisLabel, customValues },
      axisTick: { show: false, customValues },
      splitLine: { ...base.splitLine, customValues }
    },
    at
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
 * Powers of ten within a logarithmic range, and 2 and 5 times them where these are few.
 *
 * @param {number} low
 * @param {number} high
 */
function ticksBetween (low, high) {
  const decades = Math.log10(high) - Math.log10(low)
  const steps = decades > MANY_DECADES ? [1] : [1, 2, 5]
  const powers = Array.from({ length: Math.ceil(decades) + 2 }, (_, i) => Math.floor(Math.log10(low)) + i)
  return powers
    .flatMap(power => steps.map(step => Number(`${step}e${power}`)))
    .filter(tick => tick >= low && tick <= high)
}

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
