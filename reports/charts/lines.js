/**
 * Curves over a swept parameter, each with the band of its intervals, its symbol and its name at its end.
 * Runs in the page too: imports nothing of Node.
 */
import { AXIS_HEIGHT, clipped, headerOf, labelOf, picture, WIDTH, widthOf, xAxis, yAxis } from './frame.js'
import { createScale, domainOf } from './scales.js'
import { spread } from './spread.js'
import { outlineOf } from './style.js'
import { element, round, text } from './svg.js'

/**
 * @typedef {{x: number, value: number, low: number, high: number, cell: number | null, ringed?: boolean}} Point  `cell`: its
 *   number in the summary.
 * @typedef {{name: string, control: boolean, style: import('./style.js').Style, points: Point[]}} Series
 * @typedef {{title: string, log: boolean}} Axis
 *
 * @typedef {import('./frame.js').Captioned & LinesContent} LinesFigure
 *
 * @typedef {object} LinesContent
 * @property {'lines'} kind
 * @property {Axis} x
 * @property {Axis} y
 * @property {Series[]} series
 */

const PLOT_HEIGHT = 314
/** In a narrower picture, names beside the curves would take half of it: they go below. */
const NARROW = 520
const LABEL_GAP = 15
const AXIS_WIDTH = 62
const LABEL_OFFSET = 14
const SYMBOL_WIDTH = 14

/**
 * @param {LinesFigure} figure
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function layoutLines (figure, { view, width = WIDTH } = {}) {
  const points = figure.series.flatMap(({ points }) => points)
  const labels = Math.max(0, ...figure.series.map(series => widthOf(labelOf(series, width)))) + SYMBOL_WIDTH
  const isNarrow = width < NARROW
  const top = headerOf(figure, width) + 8
  const plot = {
    left: AXIS_WIDTH,
    right: width - (isNarrow ? 0 : labels + LABEL_OFFSET) - 8,
    top,
    bottom: top + PLOT_HEIGHT
  }
  const columns = Math.max(1, Math.floor((width - 16) / (labels + 12)))
  const legend = isNarrow ? { columns, top: plot.bottom + AXIS_HEIGHT + 8 } : null
  const height = plot.bottom + AXIS_HEIGHT + (legend ? Math.ceil(figure.series.length / columns) * LABEL_GAP + 4 : 0)
  const xDomain = view?.x ?? domainOf(points.map(({ x }) => x), figure.x.log)
  const yDomain = view?.y ?? domainOf(points.flatMap(({ value, low, high }) => [value, low, high]), figure.y.log)
  return {
    plot,
    legend,
    size: { width, height },
    x: createScale({ domain: xDomain, range: [plot.left, plot.right], log: figure.x.log }),
    y: createScale({ domain: yDomain, range: [plot.bottom, plot.top], log: figure.y.log })
  }
}

/**
 * @param {LinesFigure} figure
 * @param {import('./style.js').Theme} theme
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function drawLines (figure, theme, drawing) {
  const { plot, size, legend, x, y } = layoutLines(figure, drawing)
  const place = (/** @type {Point} */ { x: at, value, low, high }) => ({ x: x.at(at), y: y.at(value), low: y.at(low), high: y.at(high) })
  const curves = figure.series.map(series => ({ ...series, places: series.points.map(place), colour: theme.hues[series.style.hue] }))
  return picture(figure, theme, size, [
    ...xAxis(x, plot, figure.x.title, theme),
    ...yAxis(y, plot, figure.y.title, theme),
    ...clipped(figure.id, plot, { x: 6, y: 6 }, [...curves.map(band), ...curves.map(line), ...curves.map((curve, i) => symbols(curve, i, theme))]),
    ...(legend ? legendOf(curves, legend, size.width, theme) : labels(curves, plot, size.width, theme))
  ])
}

/**
 * @typedef {{x: number, y: number, low: number, high: number}} Place  In pixels.
 * @typedef {Series & {places: Place[], colour: string}} Curve
 */

/** @param {Curve} curve */
function band ({ places, colour }) {
  const upper = places.map(({ x, high }) => `${round(x)},${round(high)}`)
  const lower = places.map(({ x, low }) => `${round(x)},${round(low)}`).reverse()
  return element('polygon', { points: [...upper, ...lower].join(' '), fill: colour, 'fill-opacity': '0.16' })
}

/** @param {Curve} curve */
function line ({ places, colour, style, control }) {
  return element('polyline', {
    points: places.map(({ x, y }) => `${round(x)},${round(y)}`).join(' '),
    fill: 'none',
    stroke: colour,
    'stroke-width': control ? 3 : 1.8,
    'stroke-dasharray': style.dash || undefined
  })
}

/**
 * @param {Curve} curve
 * @param {number} index
 * @param {import('./style.js').Theme} theme
 */
function symbols (curve, index, theme) {
  return curve.places.map(({ x, y }, i) => {
    const ring = curve.points[i].ringed ? element('circle', { cx: x, cy: y, r: 10, fill: 'none', stroke: theme.ink, 'stroke-width': 1.5 }) : ''
    return ring + symbol(curve, x, y, theme, { class: 'point', 'data-at': `${index} ${i}` })
  }).join('')
}

/**
 * @param {Curve} curve
 * @param {number} x
 * @param {number} y
 * @param {import('./style.js').Theme} theme
 * @param {Record<string, string>} [attributes]
 */
function symbol ({ colour, style }, x, y, theme, attributes = {}) {
  return element('path', {
    ...attributes,
    d: outlineOf(style.symbol),
    transform: `translate(${round(x)} ${round(y)})`,
    fill: style.hollow ? theme.paper : colour,
    stroke: style.hollow ? colour : theme.paper,
    'stroke-width': style.hollow ? 1.6 : 1
  })
}

/**
 * A name is placed where its curve leaves the plot or ends.
 *
 * @param {Curve[]} curves
 * @param {import('./frame.js').Plot} plot
 * @param {number} width
 * @param {import('./style.js').Theme} theme
 */
function labels (curves, plot, width, theme) {
  const ends = curves.flatMap(curve => {
    const end = endWithin(curve.places, plot)
    return end ? [{ curve, end, outside: end.x > plot.right - 60 }] : []
  })
  // A curve that ends early has its name beside its end, where there is room.
  const column = ends.filter(({ outside }) => outside)
  const rows = spread(column.map(({ end }) => end.y), LABEL_GAP, [plot.top, plot.bottom])
  return [
    ...column.flatMap(({ curve, end }, i) => [
      element('path', {
        d: `M${round(end.x + 6)},${round(end.y)}H${round(plot.right + 4)}L${round(plot.right + LABEL_OFFSET - 4)},${round(rows[i])}`,
        fill: 'none',
        stroke: curve.colour,
        'stroke-opacity': '0.6'
      }),
      symbol(curve, plot.right + LABEL_OFFSET + 2, rows[i], theme),
      label(curve, plot.right + LABEL_OFFSET + SYMBOL_WIDTH - 3, rows[i] + 4, width, theme)
    ]),
    ...spreadInside(ends.filter(({ outside }) => !outside), plot).map(({ curve, x, y }) => label(curve, x, y, width, theme))
  ]
}

/**
 * Curves may end early at the same point.
 *
 * @param {{curve: Curve, end: Place}[]} ends
 * @param {import('./frame.js').Plot} plot
 */
function spreadInside (ends, { top, bottom }) {
  return [...new Set(ends.map(({ end }) => end.x))].flatMap(x => {
    const here = ends.filter(({ end }) => end.x === x)
    const rows = spread(here.map(({ end }) => end.y), LABEL_GAP, [top, bottom])
    return here.map(({ curve }, i) => ({ curve, x: x + 10, y: rows[i] + 4 }))
  })
}

/**
 * @param {Curve[]} curves
 * @param {{columns: number, top: number}} legend
 * @param {number} width
 * @param {import('./style.js').Theme} theme
 */
function legendOf (curves, { columns, top }, width, theme) {
  return curves.flatMap((curve, i) => {
    const x = 14 + (i % columns) * (width - 16) / columns
    const y = top + Math.floor(i / columns) * LABEL_GAP
    return [symbol(curve, x, y, theme), label(curve, x + SYMBOL_WIDTH - 5, y + 4, width, theme)]
  })
}

/**
 * @param {Curve} curve
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {import('./style.js').Theme} theme
 */
function label (curve, x, y, width, theme) {
  return text(x, y, labelOf(curve, width), {
    fill: curve.colour,
    'font-weight': curve.control ? '700' : '500',
    // Lines that run below it stay legible around it.
    stroke: theme.paper,
    'stroke-width': 3,
    'paint-order': 'stroke'
  })
}

/**
 * The last point inside the plot, or where the curve crosses its right border.
 *
 * @param {Place[]} places  From left to right.
 * @param {import('./frame.js').Plot} plot
 */
function endWithin (places, { left, right, top, bottom }) {
  const beyond = places.findIndex(({ x }) => x > right + 0.5)
  let end = places.at(beyond === -1 ? -1 : beyond - 1)
  if (beyond > 0) {
    const [before, after] = [places[beyond - 1], places[beyond]]
    end = { ...after, x: right, y: before.y + (after.y - before.y) * (right - before.x) / (after.x - before.x) }
  }
  return beyond !== 0 && end && end.x >= left && end.y >= top - 6 && end.y <= bottom + 6 ? end : null
}
