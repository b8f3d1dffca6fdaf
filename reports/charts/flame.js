/**
 * Who called whom and how much of the CPU it took: each function a bar as wide as its share, below its caller. The
 * queue's functions have thick borders, so they are seen without colour. Runs in the page too: imports nothing of Node.
 */
import { headerOf, picture, WIDTH, widthOf, xAxis } from './frame.js'
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
 * @typedef {object} FlameFigure
 * @property {'flame'} kind
 * @property {string} id
 * @property {string} title
 * @property {string} subtitle
 * @property {string} description  For who cannot see it.
 * @property {string} unit
 * @property {Bar[]} bars  A bar after its caller.
 */

const ROW = 18
const MARGIN = 12
const AXIS_HEIGHT = 46
const LEGEND = 24
/** Narrower, a bar is only its caller's texture. */
const THINNEST = 0.4

/** @type {Record<string, {title: string, hue: number, opacity: string}>} */
const OWNERS = {
  queue: { title: 'queue', hue: 1, opacity: '0.75' },
  service: { title: 'timer service', hue: 4, opacity: '0.5' },
  clock: { title: 'clock and timers of Node', hue: 2, opacity: '0.4' },
  other: { title: 'server', hue: 0, opacity: '0.22' },
  native: { title: 'native', hue: 5, opacity: '0.18' }
}

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
  const clip = `clip-${figure.id}`
  return picture(figure, theme, size, [
    element(
      'clipPath',
      { id: clip },
      element('rect', {
        x: plot.left,
        y: plot.top - 2,
        width: plot.right - plot.left,
        height: plot.bottom - plot.top + 4
      })
    ),
    ...legend(figure.bars, plot, theme),
    ...xAxis(x, plot, '% of the CPU that the server used', theme),
    element('g', { 'clip-path': `url(#${clip})` }, figure.bars.map(drawBar))
  ])

  /**
   * @param {Bar} bar
   * @param {number} index
   */
  function drawBar ({ name, owner, depth, from, to }, index) {
    const left = Math.max(x.at(from), plot.left)
    const right = Math.min(x.at(to), plot.right)
    const width = right - left
    if (width < THINNEST) return ''
    const { hue, opacity } = OWNERS[owner]
    const y = plot.top + depth * ROW
    const letters = Math.floor((width - 9) / widthOf('m'))
    const isCut = name.length > letters
    return element('g', { class: 'point', 'data-at': `${depth} ${index}` }, [
      element('rect', {
        x: left,
        y,
        width: Math.max(THINNEST, width - 0.6),
        height: ROW - 2,
        fill: theme.hues[hue],
        'fill-opacity': opacity,
        stroke: owner === 'queue' ? theme.hues[hue] : undefined,
        'stroke-width': 1.6
      }),
      ...(letters < 3
        ? []
        : [
            text(left + 4, y + 12, isCut ? `${name.slice(0, letters - 1)}…` : name, {
              'font-size': '11',
              'font-weight': owner === 'queue' ? '700' : undefined
            })
          ])
    ])
  }
}

/**
 * @param {Bar[]} bars
 * @param {import('./frame.js').Plot} plot
 * @param {import('./style.js').Theme} theme
 */
function legend (bars, { left, top }, theme) {
  let x = left
  return Object.entries(OWNERS)
    .filter(([owner]) => bars.some(bar => bar.owner === owner))
    .flatMap(([owner, { title, hue, opacity }]) => {
      const at = x
      x += widthOf(title) + 36
      return [
        element('rect', {
          x: at,
          y: top - LEGEND + 2,
          width: 14,
          height: 12,
          fill: theme.hues[hue],
          'fill-opacity': opacity,
          stroke: owner === 'queue' ? theme.hues[hue] : undefined
        }),
        text(at + 20, top - LEGEND + 12, title, { fill: theme.muted })
      ]
    })
}
