/** A row for each queue, with one or more figures on it: a symbol each and the whisker of its interval. */
import { formatInterval, formatNumber } from '../../harness/model/numbers.js'
import { AXIS_HEIGHT, layoutRows, legend, middleOf, picture, point, rowLabels, series, xAxis } from './frame.js'
import { createScale, domainOf } from './scales.js'
import { outlineOf } from './style.js'
import { element, round } from './svg.js'

/**
 * @import { Captioned } from './frame.js'
 * @import { Theme } from './style.js'
 *
 * @typedef {{value: number, low: number, high: number}} Dot
 *
 * @typedef {{name: string, queue?: string, control: boolean, hue: number, dots: (Dot | null)[], cell: number | null}}
 *   DotRow A dot for each mark; `queue` where it differs from the name; `cell`: its number in the summary.
 *
 * @typedef {{title: string, symbol: string}} Mark  Distinguishes the dots of a row.
 *
 * @typedef {Captioned & DotsContent} DotsFigure
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
/** A shorter whisker would only blur its symbol. */
const SHORTEST_WHISKER = 10

/**
 * @param {DotsFigure} figure
 * @param {Theme} theme
 */
export function drawDots (figure, theme) {
  const { rows, marks, reference, unit } = figure
  const plot = layoutRows(figure, { hasLegend: marks.length > 1, hasValues: marks.length === 1 })
  const values = [
    ...rows.flatMap(({ dots }) => dots.flatMap(dot => (dot ? [dot.value, dot.low, dot.high] : []))),
    ...(reference ? [reference.value] : [])
  ]
  const x = createScale({ domain: domainOf(values, figure.x.log), range: [plot.left, plot.right], log: figure.x.log })
  const fillOf = (/** @type {number} */ mark, /** @type {string} */ colour) => (mark % 2 === 1 ? theme.paper : colour)
  return picture(figure, theme, plot.bottom + AXIS_HEIGHT, [
    ...(marks.length > 1
      ? legend(
        marks.map(({ title, symbol }, i) => ({
          title,
          draw: (x, y) => element('path', symbolAt(symbol, x, y, theme.muted, fillOf(i, theme.muted)))
        })),
        plot,
        theme,
        SYMBOL_WIDTH
      )
      : []),
    ...xAxis(x, plot, figure.x.title, theme),
    ...(reference
      ? [
          element('line', {
            x1: x.at(reference.value),
            x2: x.at(reference.value),
            y1: plot.top,
            y2: plot.bottom,
            stroke: theme.ink,
            'stroke-dasharray': '4 3',
            'stroke-opacity': '0.7'
          })
        ]
      : []),
    ...rows.map((row, i) =>
      series(row.queue ?? row.name, [
        ...rowLabels(row, i, plot, marks.length === 1 && row.dots[0] ? formatNumber(row.dots[0].value) : undefined),
        ...dotsOf(row, middleOf(plot, i))
      ])
    )
  ])

  /**
   * @param {DotRow} row
   * @param {number} y
   */
  function dotsOf ({ name, dots, hue, control, cell }, y) {
    const colour = theme.hues[hue]
    const ends = dots.flatMap(dot => (dot ? [x.at(dot.value)] : []))
    const span = {
      x1: Math.min(...ends),
      x2: Math.max(...ends),
      y1: y,
      y2: y,
      stroke: colour,
      'stroke-opacity': '0.45',
      'stroke-width': control ? 3 : 1.5
    }
    return [
      ...(ends.length > 1 ? [element('line', span)] : []),
      ...dots.flatMap((dot, i) => {
        if (!dot) return []
        const mark = marks.length > 1 ? `, ${marks[i].title}` : ''
        const label = `${name}${mark}: ${formatInterval({ median: dot.value, ...dot })} ${unit}`
        return [
          whisker(x.at(dot.low), x.at(dot.high), y, colour),
          point('path', symbolAt(marks[i].symbol, x.at(dot.value), y, colour, fillOf(i, colour)), cell, label)
        ]
      })
    ]
  }
}

/**
 * @param {string} symbol
 * @param {number} x
 * @param {number} y
 * @param {string} stroke
 * @param {string} fill
 */
const symbolAt = (symbol, x, y, stroke, fill) => ({
  d: outlineOf(symbol),
  transform: `translate(${round(x)} ${y})`,
  fill,
  stroke,
  'stroke-width': 1.5
})

/**
 * @param {number} from
 * @param {number} to
 * @param {number} y
 * @param {string} stroke
 */
function whisker (from, to, y, stroke) {
  if (to - from < SHORTEST_WHISKER) return ''
  const cap = (/** @type {number} */ at) => `M${round(at)},${y - CAP}v${2 * CAP}`
  return element('path', {
    d: `M${round(from)},${y}H${round(to)}${cap(from)}${cap(to)}`,
    fill: 'none',
    stroke,
    'stroke-width': 1.5
  })
}
