/**
 * A row for each queue, with one or more figures on it: a symbol each and the whisker of its interval.
 * Runs in the page too: imports nothing of Node.
 */
import { formatNumber } from '../../harness/model/numbers.js'
import { headerOf, labelOf, picture, WIDTH, widthOf, xAxis } from './frame.js'
import { createScale, domainOf } from './scales.js'
import { outlineOf } from './style.js'
import { element, round, text } from './svg.js'

/**
 * @typedef {{value: number, low: number, high: number}} Dot
 * @typedef {{name: string, queue?: string, control: boolean, hue: number, dots: (Dot | null)[], cell: number | null}} DotRow  A dot for each
 *   mark; `queue` where it is not the name; `cell`: its number in the summary.
 * @typedef {{title: string, symbol: string}} Mark  What the dots of all rows are told apart by.
 *
 * @typedef {object} DotsFigure
 * @property {'dots'} kind
 * @property {string} id
 * @property {string} title
 * @property {string} subtitle
 * @property {string} description  For who cannot see it.
 * @property {string} unit
 * @property {{title: string, log: boolean}} x
 * @property {Mark[]} marks
 * @property {DotRow[]} rows
 * @property {{value: number, title: string} | null} reference  A line to compare with.
 */

const ROW = 26
const AXIS_HEIGHT = 46
const LEGEND = 24
const VALUE_WIDTH = 50
const CAP = 4

/**
 * @param {DotsFigure} figure
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function layoutDots (figure, { view, width = WIDTH } = {}) {
  const { rows, marks, x, reference } = figure
  const dots = rows.flatMap(({ dots }) => dots).filter(dot => dot !== null)
  const names = Math.max(0, ...rows.map(row => widthOf(labelOf(row, width))))
  const top = headerOf(figure, width) + (marks.length > 1 ? LEGEND : 4)
  const plot = {
    left: names + 24,
    right: width - 20 - (marks.length > 1 ? 0 : VALUE_WIDTH),
    top,
    bottom: top + rows.length * ROW
  }
  const values = [
    ...dots.flatMap(({ value, low, high }) => [value, low, high]),
    ...(reference ? [reference.value] : [])
  ]
  return {
    plot,
    size: { width, height: plot.bottom + AXIS_HEIGHT },
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
  const clip = `clip-${id}`
  const middleOf = (/** @type {number} */ row) => plot.top + (row + 0.5) * ROW
  return picture(figure, theme, size, [
    element(
      'clipPath',
      { id: clip },
      element('rect', {
        x: plot.left - 6,
        y: plot.top,
        width: plot.right - plot.left + 12,
        height: plot.bottom - plot.top
      })
    ),
    ...(marks.length > 1 ? legend(marks, plot, theme) : []),
    ...xAxis(x, plot, figure.x.title, theme),
    ...(reference ? referenceLine(x.at(reference.value), plot, theme) : []),
    ...rows.map((row, i) =>
      text(plot.left - 12, middleOf(i) + 4, labelOf(row, size.width), {
        'text-anchor': 'end',
        'font-weight': row.control ? '700' : '500'
      })
    ),
    element(
      'g',
      { 'clip-path': `url(#${clip})` },
      rows.map((row, i) => dotsOf(row, i))
    ),
    ...(marks.length > 1
      ? []
      : rows.flatMap(({ dots: [dot] }, row) =>
        dot ? [text(plot.right + 12, middleOf(row) + 4, formatNumber(dot.value))] : []
      ))
  ])

  /**
   * @param {DotRow} row
   * @param {number} index
   */
  function dotsOf ({ dots, hue, control }, index) {
    const y = middleOf(index)
    const colour = theme.hues[hue]
    const there = dots.filter(dot => dot !== null)
    const ends = there.map(({ value }) => x.at(value))
    return [
      ...(there.length > 1
        ? [
            element('line', {
              x1: Math.min(...ends),
              x2: Math.max(...ends),
              y1: y,
              y2: y,
              stroke: colour,
              'stroke-opacity': '0.45',
              'stroke-width': control ? 3 : 1.5
            })
          ]
        : []),
      ...dots.flatMap((dot, i) => (dot ? [whisker(dot, y, colour), symbol(dot, y, i)] : []))
    ].join('')

    /**
     * @param {Dot} dot
     * @param {number} y
     * @param {number} mark
     */
    function symbol ({ value }, y, mark) {
      return element('path', {
        class: 'point',
        'data-at': `${index} ${mark}`,
        d: outlineOf(marks[mark].symbol),
        transform: `translate(${round(x.at(value))} ${y})`,
        fill: mark % 2 === 1 ? theme.paper : colour,
        stroke: colour,
        'stroke-width': 1.5
      })
    }
  }

  /**
   * @param {Dot} dot
   * @param {number} y
   * @param {string} colour
   */
  function whisker ({ low, high }, y, colour) {
    const [from, to] = [x.at(low), x.at(high)]
    // Shorter than the symbol it would only smudge it.
    if (to - from < 10) return ''
    const cap = (/** @type {number} */ at) => `M${round(at)},${y - CAP}v${2 * CAP}`
    return element('path', {
      d: `M${round(from)},${y}H${round(to)}${cap(from)}${cap(to)}`,
      fill: 'none',
      stroke: colour,
      'stroke-width': 1.5
    })
  }
}

/**
 * @param {Mark[]} marks
 * @param {import('./frame.js').Plot} plot
 * @param {import('./style.js').Theme} theme
 */
function legend (marks, { left, top }, theme) {
  let x = left
  return marks.flatMap(({ title, symbol }, i) => {
    const at = x
    x += widthOf(title) + 34
    return [
      element('path', {
        d: outlineOf(symbol),
        transform: `translate(${round(at)} ${top - LEGEND + 8})`,
        fill: i % 2 === 1 ? theme.paper : theme.muted,
        stroke: theme.muted,
        'stroke-width': 1.5
      }),
      text(at + 10, top - LEGEND + 12, title, { fill: theme.muted })
    ]
  })
}

/**
 * @param {number} x
 * @param {import('./frame.js').Plot} plot
 * @param {import('./style.js').Theme} theme
 */
function referenceLine (x, { top, bottom }, theme) {
  return [
    element('line', {
      x1: x,
      x2: x,
      y1: top,
      y2: bottom,
      stroke: theme.ink,
      'stroke-dasharray': '4 3',
      'stroke-opacity': '0.7'
    })
  ]
}
