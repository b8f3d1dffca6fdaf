/**
 * Who called whom and how much of the CPU it took: each function a bar as wide as its share, below its caller. The
 * queue's functions have thick borders, so they are seen without colour. Runs in the page too: imports nothing of Node.
 *
 * Drawn here for markdown, which runs no script, and for the page beside its other charts. The flame graph in a file of its
 * own (render/flame-graph/) is d3-flame-graph's, which also searches, zooms by function and shows differences.
 */
import { AXIS_HEIGHT, clipped, headerOf, LEGEND, legend, picture, swatch, WIDTH, widthOf, xAxis } from './frame.js'
import { OWNERS } from './owners.js'
import { createScale } from './scales.js'
import { element, text } from './svg.js'

/**
 * @typedef {object} Bar
 * @property {string} name
 * @property {string} owner
 * @property {number} depth  0 at the top.
 * @property {number} from  Per cent of busy CPU.
 * @property {number} to
 *
 * @typedef {import('./frame.js').Captioned & FlameContent} FlameFigure
 *
 * @typedef {object} FlameContent
 * @property {'flame'} kind
 * @property {Bar[]} bars  A bar after its caller.
 */

const ROW = 18
const MARGIN = 12
/** A narrower bar cannot be seen. */
const THINNEST = 0.4

/**
 * @param {FlameFigure} figure
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function layoutFlame (figure, { view, width = WIDTH } = {}) {
  const { bars } = figure
  const top = headerOf(figure, width) + LEGEND
  const depth = Math.max(0, ...bars.map(({ depth }) => depth))
  const plot = { left: MARGIN, right: width - MARGIN, top, bottom: top + (depth + 1) * ROW + 4 }
  const domain = view?.x ?? [0, Math.max(...bars.map(({ to }) => to))]
  return {
    plot,
    size: { width, height: plot.bottom + AXIS_HEIGHT },
    x: createScale({ domain, range: [plot.left, plot.right], log: false })
  }
}

/**
 * @param {FlameFigure} figure
 * @param {import('./style.js').Theme} theme
 * @param {import('./frame.js').Drawing} [drawing]
 */
export function drawFlame (figure, theme, drawing) {
  const { plot, size, x } = layoutFlame(figure, drawing)
  const styleOf = (/** @type {string} */ owner) => {
    const { hue, opacity } = OWNERS[owner]
    return { fill: theme.hues[hue], 'fill-opacity': opacity, stroke: owner === 'queue' ? theme.hues[hue] : undefined }
  }
  const owners = Object.keys(OWNERS).filter(owner => figure.bars.some(bar => bar.owner === owner))
  return picture(figure, theme, size, [
    ...legend(owners.map(owner => ({ title: OWNERS[owner].title, draw: (x, y) => swatch(x, y, styleOf(owner)) })), plot, theme),
    ...xAxis(x, plot, '% of the CPU that the server used', theme),
    ...clipped(figure.id, plot, { x: 0, y: 2 }, figure.bars.map(drawBar))
  ])

  /**
   * @param {Bar} bar
   * @param {number} index
   */
  function drawBar ({ name, owner, depth, from, to }, index) {
    const left = Math.max(x.at(from), plot.left)
    const width = Math.min(x.at(to), plot.right) - left
    if (width < THINNEST) return ''
    const y = plot.top + depth * ROW
    const letters = Math.floor((width - 9) / widthOf('m'))
    const shown = name.length > letters ? `${name.slice(0, letters - 1)}…` : name
    return element('g', { class: 'point', 'data-at': `${depth} ${index}` }, [
      element('rect', { x: left, y, width: Math.max(THINNEST, width - 0.6), height: ROW - 2, ...styleOf(owner), 'stroke-width': 1.6 }),
      ...(letters < 3 ? [] : [text(left + 4, y + 12, shown, { 'font-size': '11', 'font-weight': owner === 'queue' ? '700' : undefined })])
    ])
  }
}
