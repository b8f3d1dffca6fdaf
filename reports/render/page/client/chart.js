/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/* global ResizeObserver */
import { drawFigure, layoutFigure } from '../../../charts/index.js'
import { pageTheme } from '../../../charts/style.js'
import { describePoint, pickQueues, pointsOf } from './points.js'

/**
 * @typedef {import('../../../charts/index.js').Figure} Figure
 * @typedef {import('./points.js').Point} Point
 * @typedef {{x: [number, number], y?: [number, number]}} View
 */

/** A pointer within this many pixels of a point selects it. */
const REACH = 40
/** Points nearer than this cover each other. */
const SAME_PLACE = 5
/** A smaller drag counts as a click. */
const SMALLEST_DRAG = 8
const ZOOM_STEP = 2
const WIDEST = 1400
const KEYS = new Map(Object.entries({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }))

/**
 * A chart that is drawn again when the reader picks queues or a metric, zooms, or turns the phone.
 *
 * @param {HTMLElement} element  With the chart that the page came with.
 * @param {Figure[]} figures  One for each metric that can be chosen.
 * @param {(cell: number) => void} showSamples
 */
export function startChart (element, figures, showSamples) {
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (element.querySelector(selector))
  const [canvas, tip, readout, frame] = ['.canvas', '.tip', '.readout', '.frame'].map(find)
  let chosen = figures[0]
  let shown = chosen
  /** @type {View | undefined} */
  let view
  /** @type {Point[]} */
  let points = []
  /** @type {Point | null} */
  let active = null
  /** @type {Set<string> | null} */
  let picked = null
  let width = 0
  /** A click that ends a drag selects nothing. */
  let hasDragged = false

  // Set here, for they are false without the script. Screen readers pass arrow keys on to an application only, but hide
  // what is inside it: its label says what the picture shows.
  canvas.tabIndex = 0
  for (const [name, value] of [['role', 'application'], ['aria-roledescription', 'chart'], ['aria-describedby', 'how-to-use']]) {
    canvas.setAttribute(name, value)
  }

  for (const choice of element.querySelectorAll('input[type=radio]')) {
    choice.addEventListener('change', () => {
      chosen = figures[Number(/** @type {HTMLInputElement} */ (choice).value)]
      view = undefined
      draw()
    })
  }
  for (const [name, factor] of /** @type {const} */ ([
    ['in', 1 / ZOOM_STEP],
    ['out', ZOOM_STEP],
    ['all', 0]
  ])) {
    find(`[data-zoom=${name}]`).addEventListener('click', () => zoom(factor))
  }
  canvas.addEventListener('keydown', onKey)
  canvas.addEventListener('pointermove', event => {
    if (frame.hidden) activate(nearest(event), false)
  })
  canvas.addEventListener('pointerleave', () => activate(null, false))
  canvas.addEventListener('click', event => {
    const point = hasDragged ? null : nearest(event)
    if (point && point.cell !== null) showSamples(point.cell)
  })
  canvas.addEventListener('dblclick', () => zoom(0))
  dragToZoom()
  new ResizeObserver(() => {
    const available = Math.min(WIDEST, Math.floor(canvas.clientWidth))
    if (available > 0 && available !== width) {
      width = available
      draw()
    }
  }).observe(canvas)

  return {
    pick (/** @type {Set<string>} */ queues) {
      picked = queues
      draw()
    }
  }

  function draw () {
    shown = picked ? pickQueues(chosen, picked) : chosen
    points = pointsOf(shown)
    canvas.setAttribute('aria-label', `${shown.title}. ${shown.description}`)
    canvas.innerHTML =
      points.length > 0
        ? drawFigure(shown, pageTheme, { view, width: width || undefined })
        : '<p>No queue of this chart is picked.</p>'
    find('.zoom').hidden = points.length === 0 || layoutFigure(shown) === null
    activate(null, false)
  }

  /** @param {Point} point */
  function markOf ({ series, index }) {
    return /** @type {SVGGraphicsElement | null} */ (canvas.querySelector(`[data-at="${series} ${index}"]`))
  }

  /** @param {Point} point */
  function centreOf (point) {
    const box = markOf(point)?.getBoundingClientRect()
    return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null
  }

  /** @param {MouseEvent} event */
  function nearest ({ clientX, clientY }) {
    const distances = points.map(point => {
      const centre = centreOf(point)
      return { point, distance: centre ? Math.hypot(centre.x - clientX, centre.y - clientY) : Infinity }
    })
    const best = distances.reduce((a, b) => (b.distance < a.distance ? b : a), {
      point: /** @type {Point | null} */ (null),
      distance: REACH
    })
    return best.point
  }

  /**
   * Points too close together to be pointed at one by one.
   *
   * @param {{x: number, y: number}} place
   */
  function coincident ({ x, y }) {
    return points.filter(point => {
      const centre = centreOf(point)
      return centre !== null && Math.hypot(centre.x - x, centre.y - y) < SAME_PLACE
    })
  }

  /**
   * @param {Point | null} point
   * @param {boolean} isSpoken
   */
  function activate (point, isSpoken) {
    active = point
    canvas.querySelector('.active')?.classList.remove('active')
    const centre = point && centreOf(point)
    tip.hidden = !centre
    // A point may be out of view, or too small to be drawn.
    if (point && isSpoken) readout.textContent = describePoint(shown, point)
    if (!point || !centre) return
    markOf(point)?.classList.add('active')
    tip.textContent = coincident(centre)
      .map(each => describePoint(shown, each))
      .join('\n')
    const box = canvas.getBoundingClientRect()
    tip.style.left = `${Math.min(Math.max(0, centre.x - box.x + 12), Math.max(0, box.width - tip.offsetWidth))}px`
    tip.style.top = `${centre.y - box.y + 14}px`
  }

  /** @param {KeyboardEvent} event */
  function onKey (event) {
    const step = KEYS.get(event.key)
    if (step) activate(active ? neighbour(active, step) : (points[0] ?? null), true)
    else if (event.key === 'Enter' && active && active.cell !== null) showSamples(active.cell)
    else if (event.key === 'Escape') activate(null, false)
    else if (event.key === '+') zoom(1 / ZOOM_STEP)
    else if (event.key === '-') zoom(ZOOM_STEP)
    else if (event.key === '0') zoom(0)
    else return
    event.preventDefault()
  }

  /**
   * The next point of the same queue, or of the next queue.
   *
   * @param {Point} from
   * @param {number[]} step
   */
  function neighbour (from, [along, across]) {
    const mine = points.filter(({ series }) => series === from.series)
    if (along !== 0) return mine[mine.indexOf(from) + along] ?? from
    const here = points.filter(({ place }) => place === from.place)
    return here[here.indexOf(from) + across] ?? from
  }

  /** @param {number} factor  0 shows all again. */
  function zoom (factor) {
    const layout = layoutFigure(shown, { view, width: width || undefined })
    if (factor === 0) view = undefined
    else if (layout) {
      const { plot } = layout
      const around = (/** @type {number} */ from, /** @type {number} */ to) => {
        const middle = (from + to) / 2
        return [middle - (to - middle) * factor, middle + (to - middle) * factor]
      }
      const [left, right] = around(plot.left, plot.right)
      const [top, bottom] = around(plot.top, plot.bottom)
      show({ left, right, top, bottom })
    }
    draw()
  }

  /** @param {{left: number, right: number, top: number, bottom: number}} part  In pixels of the drawing. */
  function show ({ left, right, top, bottom }) {
    const layout = layoutFigure(shown, { view, width: width || undefined })
    if (!layout) return
    view = { x: [layout.x.invert(left), layout.x.invert(right)] }
    if (layout.y) view.y = [layout.y.invert(bottom), layout.y.invert(top)]
  }

  /** With a mouse or a pen; a finger scrolls the page. */
  function dragToZoom () {
    /** @type {{x: number, y: number} | null} */
    let start = null
    const at = (/** @type {PointerEvent} */ event) => {
      const box = canvas.getBoundingClientRect()
      return { x: event.clientX - box.x, y: event.clientY - box.y }
    }
    canvas.addEventListener('pointerdown', event => {
      hasDragged = false
      if (event.pointerType !== 'touch' && event.button === 0 && layoutFigure(shown)) start = at(event)
    })
    canvas.addEventListener('pointermove', event => {
      if (!start) return
      const end = at(event)
      frame.hidden = Math.hypot(end.x - start.x, end.y - start.y) < SMALLEST_DRAG
      if (frame.hidden) return
      activate(null, false)
      if (!canvas.hasPointerCapture(event.pointerId)) canvas.setPointerCapture(event.pointerId)
      Object.assign(frame.style, {
        left: `${Math.min(start.x, end.x)}px`,
        top: `${Math.min(start.y, end.y)}px`,
        width: `${Math.abs(end.x - start.x)}px`,
        height: `${Math.abs(end.y - start.y)}px`
      })
    })
    canvas.addEventListener('pointerup', event => {
      const from = start
      start = null
      if (!from || frame.hidden) return
      frame.hidden = true
      const end = at(event)
      show({
        left: Math.min(from.x, end.x),
        right: Math.max(from.x, end.x),
        top: Math.min(from.y, end.y),
        bottom: Math.max(from.y, end.y)
      })
      draw()
      hasDragged = true
    })
  }
}
