/**
 * The cheapest queue over two swept parameters: each field names a queue, with its figure, and queues that tie with it.
 */
import { formatNumber } from '../../harness/model/numbers.js'
import { AXIS_HEIGHT, headerOf, picture, point, series, WIDTH } from './frame.js'
import { element, text } from './svg.js'

/**
 * @import { Captioned } from './frame.js'
 * @import { Theme } from './style.js'
 *
 * @typedef {object} Field
 * @property {number} x
 * @property {number} y
 * @property {string} name
 * @property {number} hue
 * @property {number} value
 * @property {number} cell  Its number in the summary.
 * @property {string | null} tiedWith  Queues that tie with it, the runner-up first.
 *
 * @typedef {Captioned & MapContent} MapFigure
 *
 * @typedef {object} MapContent
 * @property {'map'} kind
 * @property {{title: string, values: number[]}} x
 * @property {{title: string, values: number[]}} y
 * @property {Field[]} fields
 */

const ROW = 56
const LEFT = 84
const LETTER = 6.2

/**
 * @param {MapFigure} figure
 * @param {Theme} theme
 */
export function drawMap (figure, theme) {
  const { x, y, fields } = figure
  const top = headerOf(figure) + 6
  const bottom = top + y.values.length * ROW
  const column = (WIDTH - LEFT - 16) / x.values.length
  const leftOf = (/** @type {number} */ value) => LEFT + x.values.indexOf(value) * column
  // The y axis grows upwards.
  const topOf = (/** @type {number} */ value) => bottom - (y.values.indexOf(value) + 1) * ROW
  return picture(figure, theme, bottom + AXIS_HEIGHT, [
    ...fields.map(field => series(field.name, [drawField(field)])),
    ...x.values.map(value =>
      text(leftOf(value) + column / 2, bottom + 17, formatNumber(value), { 'text-anchor': 'middle', fill: theme.muted })
    ),
    ...y.values.map(value =>
      text(LEFT - 8, topOf(value) + ROW / 2 + 4, formatNumber(value), { 'text-anchor': 'end', fill: theme.muted })
    ),
    text((LEFT + WIDTH) / 2, bottom + 36, x.title, { 'text-anchor': 'middle' }),
    text(16, (top + bottom) / 2, y.title, {
      'text-anchor': 'middle',
      transform: `rotate(-90 16 ${(top + bottom) / 2})`
    })
  ])

  /** @param {Field} field */
  function drawField (field) {
    const { name, hue, value, tiedWith, cell } = field
    const [left, top] = [leftOf(field.x), topOf(field.y)]
    const tied = tiedWith ? `≈ ${tiedWith}` : ''
    /**
     * Long names are squeezed, not cut.
     *
     * @returns {Record<string, string>}
     */
    const squeeze = (/** @type {string} */ words) =>
      words.length * LETTER > column - 10
        ? { textLength: String(Math.round(column - 10)), lengthAdjust: 'spacingAndGlyphs' }
        : {}
    const at = (
      /** @type {number} */ line,
      /** @type {string} */ words,
      /** @type {Record<string, string>} */ attributes = {}
    ) => text(left + column / 2, top + line, words, { 'text-anchor': 'middle', ...attributes })
    const label =
      `${name} at ${x.title} ${formatNumber(field.x)}, ${y.title} ${formatNumber(field.y)}: ` +
      `${formatNumber(value)} ${figure.unit}${tiedWith ? `, tied with ${tiedWith}` : ''}`
    return point('g', {}, cell, label, [
      element('rect', {
        x: left + 1,
        y: top + 1,
        width: column - 2,
        height: ROW - 2,
        fill: theme.hues[hue],
        'fill-opacity': tiedWith ? '0.12' : '0.3',
        stroke: theme.hues[hue],
        'stroke-dasharray': tiedWith ? '3 3' : undefined
      }),
      at(20, name, { 'font-weight': '600', ...squeeze(name) }),
      at(35, `${formatNumber(value)} ${figure.unit}`),
      ...(tiedWith ? [at(49, tied, { fill: theme.muted, 'font-size': '10', ...squeeze(tied) })] : [])
    ])
  }
}
