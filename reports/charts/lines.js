/** Curves over a swept parameter, each with the band of its intervals, its symbol, and its name at its end. */
import { formatInterval, formatNumber } from '../../harness/model/numbers.js'
import { AXIS_HEIGHT, headerOf, labelOf, picture, point, series, WIDTH, widthOf, xAxis, yAxis } from './frame.js'
import { createScale, domainOf } from './scales.js'
import { spread } from './spread.js'
import { outlineOf } from './style.js'
import { element, round, text } from './svg.js'

/**
 * @import { Captioned, Plot } from './frame.js'
 * @import { Style, Theme } from './style.js'
 *
 * @typedef {{x: number, value: number, low: number, high: number, cell: number | null}} Point `cell`: its number in the
 *   summary.
 *
 * @typedef {{name: string, control: boolean, style: Style, points: Point[]}} Series
 *
 * @typedef {{title: string, log: boolean}} Axis
 *
 * @typedef {Captioned & LinesContent} LinesFigure
 *
 * @typedef {object} LinesContent
 * @property {'lines'} kind
 * @property {Axis} x
 * @property {Axis} y
 * @property {Series[]} series
 *
 * @typedef {{x: number, y: number, low: number, high: number}} Place  In pixels.
 *
 * @typedef {Series & {places: Place[], colour: string}} Curve
 */

const PLOT_HEIGHT = 314
const LABEL_GAP = 15
const AXIS_WIDTH = 62
const LABEL_OFFSET = 14
const SYMBOL_WIDTH = 14
/** A curve that ends this far from the right border has its name beside its end. */
const EARLY = 60

/**
 * @param {LinesFigure} figure
 * @param {Theme} theme
 */
export function drawLines (figure, theme) {
  const points = figure.series.flatMap(({ points }) => points)
  const labels = Math.max(0, ...figure.series.map(series => widthOf(labelOf(series)))) + SYMBOL_WIDTH
  const top = headerOf(figure) + 8
  const plot = { left: AXIS_WIDTH, right: WIDTH - labels - LABEL_OFFSET - 8, top, bottom: top + PLOT_HEIGHT }
  const x = createScale({
    domain: domainOf(
      points.map(({ x }) => x),
      figure.x.log
    ),
    range: [plot.left, plot.right],
    log: figure.x.log
  })
  const y = createScale({
    domain: domainOf(
      points.flatMap(({ value, low, high }) => [value, low, high]),
      figure.y.log
    ),
    range: [plot.bottom, plot.top],
    log: figure.y.log
  })
  const place = (/** @type {Point} */ { x: at, value, low, high }) => ({
    x: x.at(at),
    y: y.at(value),
    low: y.at(low),
    high: y.at(high)
  })
  const curves = figure.series.map(series => ({
    ...series,
    places: series.points.map(place),
    colour: theme.hues[series.style.hue]
  }))
  const labelsOf = placeLabels(curves, plot)
  // Bands lie below all curves, and curves below all symbols.
  return picture(figure, theme, plot.bottom + AXIS_HEIGHT, [
    ...xAxis(x, plot, figure.x.title, theme),
    ...yAxis(y, plot, figure.y.title, theme),
    ...curves.map(curve => series(curve.name, [band(curve)])),
    ...curves.map(curve => series(curve.name, [line(curve), ...label(curve, labelsOf.get(curve), plot, theme)])),
    ...curves.map(curve => series(curve.name, symbols(curve, figure, theme)))
  ])
}

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
 * @param {LinesFigure} figure
 * @param {Theme} theme
 */
function symbols (curve, { unit }, theme) {
  return curve.places.map(({ x, y }, i) => {
    const { x: at, value, low, high, cell } = curve.points[i]
    return point(
      'path',
      symbol(curve, x, y, theme),
      cell,
      `${curve.name} at ${formatNumber(at)}: ${formatInterval({ median: value, low, high })} ${unit}`
    )
  })
}

/**
 * @param {Curve} curve
 * @param {number} x
 * @param {number} y
 * @param {Theme} theme
 */
function symbol ({ colour, style }, x, y, theme) {
  return {
    d: outlineOf(style.symbol),
    transform: `translate(${round(x)} ${round(y)})`,
    fill: style.hollow ? theme.paper : colour,
    stroke: style.hollow ? colour : theme.paper,
    'stroke-width': style.hollow ? 1.6 : 1
  }
}

/**
 * Heights of the names, moved apart where curves end close to each other.
 *
 * @param {Curve[]} curves
 * @param {Plot} plot
 * @returns {Map<Curve, number>}
 */
function placeLabels (curves, { right, top, bottom }) {
  const ends = curves.map(({ places }) => /** @type {Place} */ (places.at(-1)))
  const columns = ends.map(({ x }) => (x > right - EARLY ? right : x))
  return new Map(
    [...new Set(columns)].flatMap(column => {
      const here = curves.filter((_, i) => columns[i] === column)
      const rows = spread(
        here.map(({ places }) => Number(places.at(-1)?.y)),
        LABEL_GAP,
        [top, bottom]
      )
      return here.map((curve, i) => /** @type {[Curve, number]} */ ([curve, rows[i]]))
    })
  )
}

/**
 * @param {Curve} curve
 * @param {number | undefined} row
 * @param {Plot} plot
 * @param {Theme} theme
 */
function label (curve, row = 0, { right }, theme) {
  const end = /** @type {Place} */ (curve.places.at(-1))
  const isEarly = end.x <= right - EARLY
  const name = text(isEarly ? end.x + 10 : right + LABEL_OFFSET + SYMBOL_WIDTH - 3, row + 4, labelOf(curve), {
    fill: curve.colour,
    'font-weight': curve.control ? '700' : '500',
    // Lines that run below it stay legible around it.
    stroke: theme.paper,
    'stroke-width': 3,
    'paint-order': 'stroke'
  })
  if (isEarly) return [name]
  const start = `M${round(end.x + 6)},${round(end.y)}`
  const leader = `${start}H${round(right + 4)}L${round(right + LABEL_OFFSET - 4)},${round(row)}`
  return [
    element('path', { d: leader, fill: 'none', stroke: curve.colour, 'stroke-opacity': '0.6' }),
    element('path', symbol(curve, right + LABEL_OFFSET + 2, row, theme)),
    name
  ]
}
