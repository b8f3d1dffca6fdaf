/**
 * Script of the page: sorts tables, shows samples, picks queues, and lets charts be explored and enlarged. Needs no
 * network.
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/* global Element, MouseEvent */
{
  /**
   * @typedef {{scenario: string, params: Record<string, number>, queue: string, side?: string, runtime: string}} Cell
   *
   * @typedef {{count: number, low: number, high: number}} Span  Slices of a heat.
   *
   * @typedef {[
   *   cell: number,
   *   line: number,
   *   round: number,
   *   kind: string,
   *   started: string,
   *   seconds: number,
   *   metrics: Record<string, number>,
   *   spans: Record<string, Span>,
   *   failure: string
   * ]} Row
   *
   * @typedef {{cells: Cell[], samples: Row[]}} SampleData
   */

  /** Pixels: a pointer this near selects a point. */
  const REACH = 30
  /** Pixels: points nearer than this cover each other. */
  const SAME_PLACE = 5
  const ZOOM_STEP = 1.5
  const LARGEST_ZOOM = 8

  const all = (/** @type {string} */ selector, /** @type {ParentNode} */ root = document) =>
    /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)])
  const find = (/** @type {string} */ selector, /** @type {ParentNode} */ root = document) =>
    /** @type {HTMLElement} */ (root.querySelector(selector))

  all('.chart').forEach(startChart)
  startPicker()
  startSamples()
  for (const button of all('th button')) {
    button.addEventListener('click', () => sortBy(/** @type {HTMLTableCellElement} */ (button.parentElement)))
  }
  // A link to a folded section unfolds it.
  for (const link of all('nav a')) {
    link.addEventListener('click', () =>
      document.querySelector(`${link.getAttribute('href')} > details`)?.setAttribute('open', '')
    )
  }
  document.documentElement.classList.add('alive')

  /** @param {HTMLElement} chart */
  function startChart (chart) {
    const canvases = all('.canvas', chart)
    const readout = find('.readout', chart)
    let zoom = 1
    for (const choice of /** @type {HTMLInputElement[]} */ (all('input[type=radio]', chart))) {
      choice.addEventListener('change', () =>
        canvases.forEach((canvas, i) => {
          canvas.hidden = i !== Number(choice.value)
        })
      )
    }
    for (const button of all('[data-zoom]', chart)) {
      button.addEventListener('click', () => enlarge(Number(button.dataset.zoom)))
    }
    for (const canvas of canvases) {
      // Screen readers pass arrow keys on to an application only.
      canvas.tabIndex = 0
      const label = canvas.querySelector('svg')?.getAttribute('aria-label') ?? ''
      for (const [name, value] of [
        ['role', 'application'],
        ['aria-roledescription', 'chart'],
        ['aria-describedby', 'how-to-use'],
        ['aria-label', label]
      ]) {
        canvas.setAttribute(name, value)
      }
      canvas.addEventListener('pointermove', event => activate(canvas, nearest(canvas, event)))
      canvas.addEventListener('pointerleave', () => activate(canvas, []))
      canvas.addEventListener('keydown', event => onKey(canvas, event))
    }

    /** @param {number} direction  1 enlarges, -1 reduces, 0 fits the column. */
    function enlarge (direction) {
      zoom = direction === 0 ? 1 : Math.max(1, Math.min(LARGEST_ZOOM, zoom * ZOOM_STEP ** direction))
      for (const svg of all('svg', chart)) {
        Object.assign(
          svg.style,
          zoom === 1 ? { width: '', maxWidth: '' } : { width: `${100 * zoom}%`, maxWidth: 'none' }
        )
      }
    }

    /**
     * @param {HTMLElement} canvas
     * @param {Element[]} points  The first is selected; the others cover it.
     */
    function activate (canvas, points) {
      for (const active of all('.active', canvas)) active.classList.remove('active')
      points[0]?.classList.add('active')
      readout.textContent = points.map(point => point.querySelector('title')?.textContent).join('\n')
    }

    /**
     * @param {HTMLElement} canvas
     * @param {KeyboardEvent} event
     */
    function onKey (canvas, event) {
      const active = canvas.querySelector('.active')
      const zooms = { '+': 1, '-': -1, 0: 0 }
      if (event.key.startsWith('Arrow')) activate(canvas, [neighbour(canvas, active, event.key)])
      else if (event.key === 'Enter' && active) active.dispatchEvent(new MouseEvent('click', { bubbles: true }))
      else if (event.key === 'Escape') activate(canvas, [])
      else if (event.key in zooms) enlarge(zooms[/** @type {'+'} */ (event.key)])
      else return
      event.preventDefault()
    }
  }

  /** @param {HTMLElement} canvas */
  const pointsIn = canvas => all('.point', canvas).filter(point => !point.closest('[hidden]'))

  /**
   * @param {HTMLElement} canvas
   * @param {PointerEvent} event
   */
  function nearest (canvas, { clientX, clientY }) {
    const places = pointsIn(canvas)
      .map(point => {
        const { left, right, top, bottom } = point.getBoundingClientRect()
        const distance = Math.hypot(
          Math.max(left - clientX, 0, clientX - right),
          Math.max(top - clientY, 0, clientY - bottom)
        )
        return { point, distance, x: (left + right) / 2, y: (top + bottom) / 2 }
      })
      .sort((a, b) => a.distance - b.distance)
    const [best] = places
    if (!best || best.distance > REACH) return []
    return places.filter(({ x, y }) => Math.hypot(x - best.x, y - best.y) < SAME_PLACE).map(({ point }) => point)
  }

  /**
   * Left and right stay with a queue; up and down go to another.
   *
   * @param {HTMLElement} canvas
   * @param {Element | null} active
   * @param {string} key
   */
  function neighbour (canvas, active, key) {
    const points = pointsIn(canvas)
    if (!active) return points[0]
    const groups = [...new Set(points.map(point => point.parentElement))].map(parent =>
      points.filter(point => point.parentElement === parent)
    )
    const group = groups.findIndex(group => group.includes(/** @type {HTMLElement} */ (active)))
    const index = groups[group].indexOf(/** @type {HTMLElement} */ (active))
    const step = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1
    const next =
      key === 'ArrowLeft' || key === 'ArrowRight'
        ? groups[group][index + step]
        : groups[group + step]?.[Math.min(index, groups[group + step].length - 1)]
    return next ?? active
  }

  /** Picked queues show in charts and tables alike. */
  function startPicker () {
    const boxes = /** @type {HTMLInputElement[]} */ (all('.picker input'))
    const update = () => {
      const picked = new Set(boxes.filter(({ checked }) => checked).map(({ value }) => value))
      for (const part of all('tr[data-queue], svg [data-queue]')) {
        part.toggleAttribute('hidden', !picked.has(part.dataset.queue ?? ''))
      }
    }
    for (const box of boxes) box.addEventListener('change', update)
    for (const button of all('.picker button')) {
      button.addEventListener('click', () => {
        for (const box of boxes) box.checked = button.dataset.pick === 'all'
        update()
      })
    }
    // Going back in history restores the picked queues.
    if (boxes.some(({ checked }) => !checked)) update()
  }

  /** Figures in tables and points of charts lead to their samples. */
  function startSamples () {
    const dialog = /** @type {HTMLDialogElement} */ (find('#samples'))
    /** @type {SampleData | undefined} */
    let report
    document.addEventListener('click', ({ target }) => {
      const source = target instanceof Element ? target.closest('[data-cell]') : null
      const canvas = target instanceof Element ? target.closest('.canvas') : null
      const cell = (source ?? canvas?.querySelector('.active[data-cell]'))?.getAttribute('data-cell')
      if (!cell) return
      report ??= /** @type {SampleData} */ (JSON.parse(find('#sample-data').textContent ?? ''))
      const { queue, scenario, params, side, runtime } = report.cells[Number(cell)]
      const values = Object.entries(params).map(([name, value]) => `${name} ${value}`)
      const place = [scenario, ...values, ...(side ? [side] : []), `Node ${runtime}`].join(', ')
      find('h2', dialog).textContent = `${queue} on ${place}`
      find('.content', dialog).replaceChildren(tableOf(report.samples.filter(([of]) => of === Number(cell))))
      dialog.showModal()
    })
  }

  /** @param {Row[]} rows */
  function tableOf (rows) {
    const metrics = [...new Set(rows.flatMap(([, , , , , , metrics]) => Object.keys(metrics)))]
    const table = document.createElement('table')
    addRow(table.createTHead(), 'th', ['line', 'round', 'kind', 'started', 'seconds', ...metrics])
    const body = table.createTBody()
    for (const [, line, round, kind, started, seconds, measured, spans, failure] of rows) {
      const figures = failure
        ? [failure]
        : metrics.map(metric => (metric in measured ? describe(measured[metric], spans[metric]) : ''))
      addRow(body, 'td', [
        String(line),
        String(round + 1),
        kind,
        started.slice(11, 19),
        seconds.toPrecision(3),
        ...figures
      ])
    }
    return table
  }

  /**
   * 31.41234 (16 slices, 30.9–33.0)
   *
   * @param {number} value
   * @param {Span} [span]
   */
  function describe (value, span) {
    const figure = String(Number(value.toPrecision(7)))
    return span
      ? `${figure} (${span.count} slices, ${Number(span.low.toPrecision(3))}–${Number(span.high.toPrecision(3))})`
      : figure
  }

  /**
   * @param {HTMLTableSectionElement} section
   * @param {'th' | 'td'} kind
   * @param {string[]} texts
   */
  function addRow (section, kind, texts) {
    section.insertRow().append(...texts.map(text => Object.assign(document.createElement(kind), { textContent: text })))
  }

  /**
   * A second click reverses the order. Cells without a figure stay at the end.
   *
   * @param {HTMLTableCellElement} heading
   */
  function sortBy (heading) {
    const table = /** @type {HTMLTableElement} */ (heading.closest('table'))
    const sign = heading.getAttribute('aria-sort') === 'ascending' ? -1 : 1
    for (const other of all('th[aria-sort]', table)) other.removeAttribute('aria-sort')
    heading.setAttribute('aria-sort', sign === 1 ? 'ascending' : 'descending')
    const cellOf = (/** @type {HTMLTableRowElement} */ row) => row.cells[heading.cellIndex]
    table.tBodies[0].append(
      ...[...table.tBodies[0].rows].sort((a, b) => {
        const [one, other] = [cellOf(a), cellOf(b)]
        const [first, second] = [one.dataset.sort, other.dataset.sort]
        if (first !== undefined && second !== undefined) return sign * (Number(first) - Number(second))
        if (first !== undefined || second !== undefined) return first !== undefined ? -1 : 1
        return sign * (one.textContent ?? '').localeCompare(other.textContent ?? '')
      })
    )
  }
}
