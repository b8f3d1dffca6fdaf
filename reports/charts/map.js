/**
 * Which queue is the cheapest where, over two swept parameters: each field names it, with its figure, and says when
 * others tie with it. Runs in the page too: imports nothing of Node.
 */
import { formatNumber } from '../../harness/model/numbers.js'
import { headerOf, picture, WIDTH } from './frame.js'
import { element, text } from './svg.js'

/**
 * @typedef {object} Field
 * @property {number} x
 * @property {number} y
 * @property {string} name
 * @property {number} hue
 * @property {number} value
 * @property {number} cell  Its number in the summary.
 * @property {string | null} tiedWith  The queues that tie with it, the runner-up first.
 *
 * @typedef {import('./frame.js').Captioned & MapContent} MapFigure
 *
 * @typedef {object} MapContent
 * @property {'map'} kind
 * @property {{title: string, values: number[]}} x
 * @property {{title: string, values: number[]}} y
 * @property {Field[]} fields
 */

const ROW = 56
const LEFT = 84
const AXIS_HEIGHT = 46

/**
 * @param {MapFigure} figure
 * @param {import('./style.js').Theme} theme
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function drawMap (figure, theme, { width = WIDTH } = {}) {
  const { x, y, fields } = figure
  const top = headerOf(figure, width) + 6
  const bottom = top + y.values.length * ROW
  const column = (width - LEFT - 16) / x.values.length
  const leftOf = (/** @type {number} */ value) => LEFT + x.values.indexOf(value) * column
  // The y axis grows upwards.
  const topOf = (/** @type {number} */ value) => bottom - (y.values.indexOf(value) + 1) * ROW
  return picture(figure, theme, { width, height: bottom + AXIS_HEIGHT }, [
    ...fields.map((field, i) => drawField(field, i)),
    ...x.values.map(value =>
      text(leftOf(value) + column / 2, bottom + 17, formatNumber(value), { 'text-anchor': 'middle', fill: theme.muted })
    ),
    ...y.values.map(value =>
      text(LEFT - 8, topOf(value) + ROW / 2 + 4, formatNumber(value), { 'text-anchor': 'end', fill: theme.muted })
    ),
    text((LEFT + width) / 2, bottom + 36, x.title, { 'text-anchor': 'middle' }),
    text(16, (top + bottom) / 2, y.title, {
      'text-anchor': 'middle',
      transform: `rotate(-90 16 ${(top + bottom) / 2})`
    })
  ])

  /**
   * @param {Field} field
   * @param {number} index
   */
  function drawField ({ x, y, name, hue, value, tiedWith }, index) {
    const [left, top] = [leftOf(x), topOf(y)]
    const at = (
      /** @type {number} */ line,
      /** @type {string} */ words,
      /** @type {Record<string, string | undefined>} */ attributes = {}
    ) => text(left + column / 2, top + line, words, { 'text-anchor': 'middle', ...attributes })
    // Names as long as the field is wide are squeezed rather than cut.
    const squeeze = (/** @type {string} */ words) =>
      words.length * 6.2 > column - 10
        ? { textLength: String(Math.round(column - 10)), lengthAdjust: 'spacingAndGlyphs' }
        : {}
    return element('g', { class: 'point', 'data-at': `${index} 0` }, [
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
      ...(tiedWith
        ? [at(49, `≈ ${tiedWith}`, { fill: theme.muted, 'font-size': '10', ...squeeze(`≈ ${tiedWith}`) })]
        : [])
    ])
  }
}
