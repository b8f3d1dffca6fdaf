/**
 * A bar for each queue, made of parts. Parts differ in lightness and have gaps, so they are told apart without colour.
 * Runs in the page too: imports nothing of Node.
 */
import { formatNumber } from '../../harness/model/numbers.js'
import { headerOf, labelOf, picture, WIDTH, widthOf, xAxis } from './frame.js'
import { createScale, domainOf } from './scales.js'
import { element, text } from './svg.js'

/**
 * @typedef {object} BarsFigure
 * @property {'bars'} kind
 * @property {string} id
 * @property {string} title
 * @property {string} subtitle
 * @property {string} description  For who cannot see it.
 * @property {string} unit
 * @property {{title: string, log: boolean}} x
 * @property {string[]} parts
 * @property {{name: string, control: boolean, values: number[], cell: number}[]} rows  A value for each part.
 */

const ROW = 26
const BAR = 14
const AXIS_HEIGHT = 46
const LEGEND = 24
const VALUE_WIDTH = 50
/** Of the parts, dark to light. */
const OPACITY = ['0.85', '0.5', '0.25', '0.1']

/**
 * @param {BarsFigure} figure
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function layoutBars (figure, { view, width = WIDTH } = {}) {
  const { rows } = figure
  const names = Math.max(0, ...rows.map(row => widthOf(labelOf(row, width))))
  const top = headerOf(figure, width) + LEGEND
  const plot = { left: names + 24, right: width - 20 - VALUE_WIDTH, top, bottom: top + rows.length * ROW }
  return {
    plot,
    size: { width, height: plot.bottom + AXIS_HEIGHT },
    x: createScale({
      domain: view?.x ?? domainOf(rows.map(totalOf), false),
      range: [plot.left, plot.right],
      log: false
    })
  }
}

/**
 * @param {BarsFigure} figure
 * @param {import('./style.js').Theme} theme
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function drawBars (figure, theme, drawing) {
  const { rows, parts, id } = figure
  const { plot, size, x } = layoutBars(figure, drawing)
  const clip = `clip-${id}`
  const middleOf = (/** @type {number} */ row) => plot.top + (row + 0.5) * ROW
  return picture(figure, theme, size, [
    element(
      'clipPath',
      { id: clip },
      element('rect', { x: plot.left, y: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top })
    ),
    ...legend(parts, plot, theme),
    ...xAxis(x, plot, figure.x.title, theme),
    ...rows.flatMap((row, i) => [
      text(plot.left - 12, middleOf(i) + 4, labelOf(row, size.width), {
        'text-anchor': 'end',
        'font-weight': row.control ? '700' : '500'
      }),
      text(plot.right + 12, middleOf(i) + 4, formatNumber(totalOf(row)))
    ]),
    element(
      'g',
      { 'clip-path': `url(#${clip})` },
      rows.map(({ values }, row) => {
        let sum = 0
        return values
          .map((value, part) => {
            const from = x.at(sum)
            sum += value
            return value === 0
              ? ''
              : element('rect', {
                class: 'point',
                'data-at': `${row} ${part}`,
                x: from,
                y: middleOf(row) - BAR / 2,
                width: Math.max(1, x.at(sum) - from - 1),
                height: BAR,
                fill: theme.hues[0],
                'fill-opacity': OPACITY[part % OPACITY.length],
                stroke: theme.hues[0]
              })
          })
          .join('')
      })
    )
  ])
}

/** @param {{values: number[]}} row */
const totalOf = ({ values }) => values.reduce((sum, value) => sum + value, 0)

/**
 * @param {string[]} parts
 * @param {import('./frame.js').Plot} plot
 * @param {import('./style.js').Theme} theme
 */
function legend (parts, { left, top }, theme) {
  let x = left
  return parts.flatMap((title, part) => {
    const at = x
    x += widthOf(title) + 40
    return [
      element('rect', {
        x: at,
        y: top - LEGEND + 2,
        width: 14,
        height: 12,
        fill: theme.hues[0],
        'fill-opacity': OPACITY[part % OPACITY.length],
        stroke: theme.hues[0]
      }),
      text(at + 20, top - LEGEND + 12, title, { fill: theme.muted })
    ]
  })
}
