/**
 * A row for each queue, with one or more figures on it: a symbol each and the whisker of its interval.
 * Runs in the page too: imports nothing of Node.
 */
import { formatNumber } from '../../harness/model/numbers.js'
import { clipped, layoutRows, legend, middleOf, picture, rowLabels, WIDTH, xAxis } from './frame.js'
import { createScale, domainOf } from './scales.js'
import { outlineOf } from './style.js'
import { element, round } from './svg.js'

/**
 * @typedef {{value: number, low: number, high: number}} Dot
 * @typedef {{name: string, queue?: string, control: boolean, hue: number, dots: (Dot | null)[], cell: number | null}} DotRow  A dot for each
 *   mark; `queue` where it is not the name; `cell`: its number in the summary.
 * @typedef {{title: string, symbol: string}} Mark  Distinguishes the dots of a row.
 *
 * @typedef {import('./frame.js').Captioned & DotsContent} DotsFigure
 *
 * @typedef {object} DotsContent
 * @property {'dots'} kind
 * @property {{title: string, log: boolean}} x
 * @property {Mark[]} marks
 * @property {DotRow[]} rows
 * @property {{value: number, title: string} | null} reference  A line to compare with.
 */

const SYMBOL_WIDTH = 6
/** Half the height of a whisker's end. */
const CAP = 4
/** A shorter whisker would only smudge its symbol. */
const SHORTEST_WHISKER = 10

/**
 * @param {DotsFigure} figure
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function layoutDots (figure, { view, width = WIDTH } = {}) {
  const { rows, marks, x, reference } = figure
  const { plot, size } = layoutRows(figure, width, { hasLegend: marks.length > 1, hasValues: marks.length === 1 })
  const values = [
    ...rows.flatMap(({ dots }) => dots.flatMap(dot => dot ? [dot.value, dot.low, dot.high] : [])),
    ...(reference ? [reference.value] : [])
  ]
  return {
    plot,
    size,
    x: createScale({ domain: view?.x ?? domainOf(values, x.log), range: [plot.left, plot.right], log: x.log })
  }
}

/**
 * @param {DotsFigure} figure
 * @param {import('./style.js').Theme} theme
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function drawDots (figure, theme, drawing) {
  const { rows, marks, reference, id } = figure
  const { plot, size, x } = layoutDots(figure, drawing)
  const fillOf = (/** @type {number} */ mark, /** @type {string} */ colour) => mark % 2 === 1 ? theme.paper : colour
  return picture(figure, theme, size, [
    ...(marks.length > 1 ? legend(marks.map(({ title, symbol }, i) => ({ title, draw: (x, y) => drawSymbol(symbol, x, y, theme.muted, fillOf(i, theme.muted)) })), plot, theme, SYMBOL_WIDTH) : []),
    ...xAxis(x, plot, figure.x.title, theme),
    ...(reference ? [referenceLine(x.at(reference.value), plot, theme)] : []),
    ...rows.flatMap((row, i) => rowLabels(row, i, plot, size.width, marks.length === 1 && row.dots[0] ? formatNumber(row.dots[0].value) : undefined)),
    ...clipped(id, plot, { x: 6, y: 0 }, rows.map(dotsOf))
  ])

  /**
   * @param {DotRow} row
   * @param {number} index
   */
  function dotsOf ({ dots, hue, control }, index) {
    const y = middleOf(plot, index)
    const colour = theme.hues[hue]
    const ends = dots.flatMap(dot => dot ? [x.at(dot.value)] : [])
    const span = { x1: Math.min(...ends), x2: Math.max(...ends), y1: y, y2: y, stroke: colour, 'stroke-opacity': '0.45', 'stroke-width': control ? 3 : 1.5 }
    return [
      ...(ends.length > 1 ? [element('line', span)] : []),
      ...dots.flatMap((dot, i) => dot
        ? [whisker(x.at(dot.low), x.at(dot.high), y, colour), drawSymbol(marks[i].symbol, x.at(dot.value), y, colour, fillOf(i, colour), { class: 'point', 'data-at': `${index} ${i}` })]
        : [])
    ].join('')
  }
}

/**
 * @param {string} symbol
 * @param {number} x
 * @param {number} y
 * @param {string} stroke
 * @param {string} fill
 * @param {Record<string, string>} [attributes]
 */
function drawSymbol (symbol, x, y, stroke, fill, attributes = {}) {
  return element('path', { ...attributes, d: outlineOf(symbol), transform: `translate(${round(x)} ${y})`, fill, stroke, 'stroke-width': 1.5 })
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} y
 * @param {string} stroke
 */
function whisker (from, to, y, stroke) {
  if (to - from < SHORTEST_WHISKER) return ''
  const cap = (/** @type {number} */ at) => `M${round(at)},${y - CAP}v${2 * CAP}`
  return element('path', { d: `M${round(from)},${y}H${round(to)}${cap(from)}${cap(to)}`, fill: 'none', stroke, 'stroke-width': 1.5 })
}

/**
 * @param {number} x
 * @param {import('./frame.js').Plot} plot
 * @param {import('./style.js').Theme} theme
 */
function referenceLine (x, { top, bottom }, theme) {
  return element('line', { x1: x, x2: x, y1: top, y2: bottom, stroke: theme.ink, 'stroke-dasharray': '4 3', 'stroke-opacity': '0.7' })
}
