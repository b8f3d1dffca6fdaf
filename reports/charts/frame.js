/** Parts that all pictures share: paper, title, axes, legends, rows, points. */
import { wrap } from '../wrap.js'
import { element, escapeText, round, text } from './svg.js'

/**
 * @import { Scale } from './scales.js'
 * @import { Theme } from './style.js'
 *
 * @typedef {{left: number, right: number, top: number, bottom: number}} Plot  The area inside the axes, in pixels.
 *
 * @typedef {object} Captioned  Properties of every figure.
 * @property {string} id
 * @property {string} title
 * @property {string} subtitle
 * @property {string} description  Text for readers who cannot see the picture.
 * @property {string} unit
 */

export const WIDTH = 760
const FONT_SIZE = 12
const TITLE_SIZE = 15
/** Letters of a title are larger and bolder. */
const TITLE_STRETCH = 1.45
const LINE = 18
const MARGIN = 12
/** About the width of a letter. */
const LETTER = 6.6
/** Longest name, in letters: about a third of the width. */
const LONGEST_NAME = 41
/** Heights of a queue's row, the axis below, and a legend above. */
const ROW = 26
export const AXIS_HEIGHT = 46
const LEGEND = 24
const VALUE_WIDTH = 50
const SWATCH = { width: 14, height: 12 }

/**
 * The height of title and subtitle.
 *
 * @param {Captioned} figure
 */
export const headerOf = figure => headerLines(figure).length * LINE + MARGIN + 4

/** @param {Captioned} figure */
function headerLines ({ title, subtitle }) {
  const width = (WIDTH - 2 * MARGIN) / LETTER
  return [
    ...wrap(title, { width: width / TITLE_STRETCH, indent: '' }).map(line => ({ line, isTitle: true })),
    ...wrap(subtitle, { width, indent: '' }).map(line => ({ line, isTitle: false }))
  ]
}

/**
 * @param {Captioned} figure
 * @param {Theme} theme
 * @param {number} height
 * @param {string[]} content
 */
export function picture (figure, theme, height, content) {
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${round(height)}`,
      width: WIDTH,
      height,
      role: 'img',
      'aria-label': `${figure.title}. ${figure.description}`,
      'font-family': 'system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif',
      'font-size': FONT_SIZE,
      fill: theme.ink
    },
    [
      element('rect', { width: WIDTH, height, fill: theme.paper }),
      ...headerLines(figure).map(({ line, isTitle }, i) =>
        text(
          MARGIN,
          22 + i * LINE,
          line,
          isTitle ? { 'font-size': TITLE_SIZE, 'font-weight': '600' } : { fill: theme.muted }
        )
      ),
      ...content
    ]
  )
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
      return element('line', {
        x1: x,
        x2: x,
        y1: top,
        y2: bottom,
        stroke: theme.faint,
        'stroke-opacity': major ? '1' : '0.4'
      })
    }),
    ...thinned(labelled(scale), scale).map(value =>
      text(scale.at(value), bottom + 17, formatTick(value), { 'text-anchor': 'middle', fill: theme.muted })
    ),
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
      return element('line', {
        x1: left,
        x2: right,
        y1: y,
        y2: y,
        stroke: theme.faint,
        'stroke-opacity': major ? '1' : '0.4'
      })
    }),
    ...labelled(scale).map(value =>
      text(left - 8, scale.at(value) + 4, formatTick(value), { 'text-anchor': 'end', fill: theme.muted })
    ),
    text(16, middle, title, { 'text-anchor': 'middle', transform: `rotate(-90 16 ${middle})` })
  ]
}

/**
 * Parts of one queue: the page hides them when the reader leaves this queue out.
 *
 * @param {string} queue
 * @param {string[]} content
 */
export const series = (queue, content) => element('g', { 'data-queue': queue }, content)

/**
 * A mark with a value, which a pointer or the keyboard can reach.
 *
 * @param {string} name
 * @param {Record<string, string | number | undefined>} attributes
 * @param {number | null} cell  Number of the cell whose samples are behind the value.
 * @param {string} label
 * @param {string[]} [content]
 */
export function point (name, attributes, cell, label, content = []) {
  return element(name, { class: 'point', 'data-cell': cell ?? undefined, ...attributes }, [
    element('title', {}, escapeText(label)),
    ...content
  ])
}

/**
 * @param {{title: string, draw: (x: number, y: number) => string}[]} items  `draw` gets the centre of a mark.
 * @param {Plot} plot
 * @param {Theme} theme
 * @param {number} [markWidth]
 */
export function legend (items, { left, top }, theme, markWidth = SWATCH.width) {
  let x = left
  return items.flatMap(({ title, draw }) => {
    const at = x
    x += markWidth + widthOf(title) + 26
    return [
      draw(at + markWidth / 2, top - LEGEND + 8),
      text(at + markWidth + 6, top - LEGEND + 12, title, { fill: theme.muted })
    ]
  })
}

/**
 * Centred at x and y.
 *
 * @param {number} x
 * @param {number} y
 * @param {Record<string, string | number | undefined>} attributes
 */
export const swatch = (x, y, attributes) =>
  element('rect', { x: x - SWATCH.width / 2, y: y - SWATCH.height / 2, ...SWATCH, ...attributes })

/**
 * @param {Captioned & {rows: {name: string, control: boolean}[]}} figure
 * @param {{hasLegend: boolean, hasValues: boolean}} parts
 * @returns {Plot}
 */
export function layoutRows (figure, { hasLegend, hasValues }) {
  const names = Math.max(0, ...figure.rows.map(row => widthOf(labelOf(row))))
  const top = headerOf(figure) + (hasLegend ? LEGEND : 4)
  return {
    left: names + 24,
    right: WIDTH - 20 - (hasValues ? VALUE_WIDTH : 0),
    top,
    bottom: top + figure.rows.length * ROW
  }
}

/**
 * @param {Plot} plot
 * @param {number} row
 */
export const middleOf = ({ top }, row) => top + (row + 0.5) * ROW

/**
 * @param {{name: string, control: boolean}} row
 * @param {number} index
 * @param {Plot} plot
 * @param {string} [value]
 */
export function rowLabels (row, index, plot, value) {
  const y = middleOf(plot, index) + 4
  return [
    text(plot.left - 12, y, labelOf(row), { 'text-anchor': 'end', 'font-weight': row.control ? '700' : '500' }),
    ...(value === undefined ? [] : [text(plot.right + 12, y, value)])
  ]
}

/**
 * The control is marked as in tables. Long names are cut: users' own may have any length.
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
 * Leaves out labels that would touch the one before.
 *
 * @param {number[]} values
 * @param {Scale} scale
 */
function thinned (values, scale) {
  let free = -Infinity
  return values.filter(value => {
    const half = widthOf(formatTick(value)) / 2 + 3
    if (scale.at(value) - half < free) return false
    free = scale.at(value) + half
    return true
  })
}

/**
 * Ticks are round numbers: 0.5 and 100k, not 0.500 and 100.0k.
 *
 * @param {number} value
 */
function formatTick (value) {
  return value >= 1e6 ? `${value / 1e6}M` : value >= 1e4 ? `${value / 1e3}k` : String(value)
}
