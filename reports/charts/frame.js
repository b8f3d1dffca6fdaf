/** What all pictures share: paper, title, axes. Runs in the page too: imports nothing of Node. */
import { formatNumber } from '../format.js'
import { element, text } from './svg.js'

/**
 * @typedef {import('./style.js').Theme} Theme
 * @typedef {import('./scales.js').Scale} Scale
 * @typedef {{left: number, right: number, top: number, bottom: number}} Plot  The area inside the axes, in pixels.
 */

export const WIDTH = 760
export const FONT_SIZE = 12
/** Title and subtitle take this much. */
export const HEADER = 52
/** About, of one letter. */
const LETTER = 6.6
const LONGEST_NAME = 26

/**
 * @param {{title: string, subtitle: string, description: string}} figure
 * @param {Theme} theme
 * @param {number} height
 * @param {string[]} content
 */
export function picture ({ title, subtitle, description }, theme, height, content) {
  return element('svg', {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${WIDTH} ${height}`,
    width: WIDTH,
    height,
    role: 'img',
    'aria-label': `${title}. ${description}`,
    'font-family': 'system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif',
    'font-size': FONT_SIZE,
    fill: theme.ink
  }, [
    element('rect', { width: WIDTH, height, fill: theme.paper }),
    text(12, 22, title, { 'font-size': 15, 'font-weight': '600' }),
    text(12, 40, subtitle, { fill: theme.muted }),
    ...content
  ])
}

/**
 * @param {Scale} scale
 * @param {Plot} plot
 * @param {string} title
 * @param {Theme} theme
 */
export function xAxis (scale, { left, right, top, bottom }, title, theme) {
  return [
    ...scale.ticks.map(({ value, major }) => {
      const x = scale.at(value)
      return element('line', { x1: x, x2: x, y1: top, y2: bottom, stroke: theme.faint, 'stroke-opacity': major ? '1' : '0.4' })
    }),
    ...labelled(scale).map(value => text(scale.at(value), bottom + 17, formatTick(value), { 'text-anchor': 'middle', fill: theme.muted })),
    text((left + right) / 2, bottom + 36, title, { 'text-anchor': 'middle' })
  ]
}

/**
 * @param {Scale} scale
 * @param {Plot} plot
 * @param {string} title
 * @param {Theme} theme
 */
export function yAxis (scale, { left, right, top, bottom }, title, theme) {
  const middle = (top + bottom) / 2
  return [
    ...scale.ticks.map(({ value, major }) => {
      const y = scale.at(value)
      return element('line', { x1: left, x2: right, y1: y, y2: y, stroke: theme.faint, 'stroke-opacity': major ? '1' : '0.4' })
    }),
    ...labelled(scale).map(value => text(left - 8, scale.at(value) + 4, formatTick(value), { 'text-anchor': 'end', fill: theme.muted })),
    text(16, middle, title, { 'text-anchor': 'middle', transform: `rotate(-90 16 ${middle})` })
  ]
}

/**
 * The control is marked as in tables; a name of a user's own may be of any length.
 *
 * @param {{name: string, control: boolean}} series
 */
export function labelOf ({ name, control }) {
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name
  return control ? `= ${short}` : short
}

/** @param {string} content */
export const widthOf = content => content.length * LETTER

/** @param {Scale} scale */
const labelled = scale => scale.ticks.filter(({ major }) => major).map(({ value }) => value)

/**
 * Ticks are round numbers: 100k, not 100.0k.
 *
 * @param {number} value
 */
function formatTick (value) {
  return value >= 1e6 ? `${value / 1e6}M` : value >= 1e4 ? `${value / 1e3}k` : formatNumber(value)
}
