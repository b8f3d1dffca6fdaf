/** The pictures of a run, as data: what each shows, of which cells. How they look is up to charts/. */
import { styleOf } from '../charts/style.js'
import { formatInterval, formatNumber, formatParams } from '../../harness/model/numbers.js'
import { isApart } from '../findings/intervals.js'
import { metricAxis, metricTitle } from '../metric-names.js'
import { combinationsOf, isMapped, isTold, linesOf, sweepsOf } from '../sweeps.js'

/**
 * @typedef {import('../../harness/results.js').Results} Results
 * @typedef {import('../../harness/results.js').Sample} Sample
 * @typedef {import('../../harness/summary.js').Summary} Summary
 * @typedef {import('../../harness/summary.js').CellSummary} CellSummary
 * @typedef {import('../charts/index.js').Figure} Figure
 * @typedef {import('../sweeps.js').Line} Line
 * @typedef {import('../sweeps.js').Sweep} Sweep
 *
 * @typedef {{scenario: string, line: Line | null, figure: Figure}} PlacedFigure  `line`: of a map, that it shows more of.
 */

/** Drawn over the swept parameter, in this order. */
const METRICS = {
  micro: ['nsPerOp', 'startNsPerTimer', 'expireNsPerTimer', 'nextExpiryNsPerCall', 'advanceNsPerCall', 'workPerOp', 'bytesPerTimer'],
  http: ['cpuMicrosPerRequest', 'latenessP99Ms', 'queueShare']
}
const COUNTED = ['workPerOp', 'bytesPerTimer']
/** On a linear axis, values further apart than this crowd near zero. */
const LOG_FROM = 12

const PERCENTILES = [
  { name: 'p50', title: '50 %', symbol: 'circle' },
  { name: 'p90', title: '90 %', symbol: 'diamond' },
  { name: 'p99', title: '99 %', symbol: 'square' },
  { name: 'p999', title: '99.9 %', symbol: 'triangle' }
]
const COLLECTIONS = ['minor', 'incremental', 'major', 'weakcb']

/**
 * @param {Results} results
 * @param {Summary} summary
 * @returns {PlacedFigure[]}
 */
export function figuresOf ({ samples }, summary) {
  const styles = new Map(summary.queues.map(({ name }, index) => [name, styleOf(index)]))
  const taken = new Set()
  const draw = createDrawing(styles, summary)
  return sweepsOf(summary).flatMap(sweep => {
    const own = samples.filter(({ scenario, runtime, failure }) => scenario === sweep.scenario && runtime === sweep.runtime && !failure)
    const lines = linesOf(sweep)
    const placed = isMapped(sweep)
      ? [
          ...draw.maps(sweep).map(figure => ({ line: null, figure })),
          ...lines.flatMap(line => metricsOf(line).slice(0, 1).map(metric => ({ line, figure: draw.metric(line, metric) })))
        ]
      : lines.flatMap(line => [
        ...metricsOf(line).map(metric => draw.metric(line, metric)),
        ...draw.percentiles(line, own),
        ...draw.collections(line, own)
      ]).map(figure => ({ line: null, figure }))
    return placed.map(({ line, figure }) => {
      const id = uniqueId(taken, figure.title)
      return { scenario: sweep.scenario, line, figure: /** @type {Figure} */ ({ id, ...figure }) }
    })
  })
}

/** @param {Line} line */
function metricsOf ({ sweep, cells }) {
  return METRICS[sweep.kind].filter(name => isTold(name, cells))
}

/**
 * @param {Map<string, import('../charts/style.js').Style>} styles
 * @param {Summary} summary
 */
function createDrawing (styles, { queues, cells: allCells }) {
  const numberOf = (/** @type {CellSummary} */ cell) => allCells.indexOf(cell)
  const style = (/** @type {string} */ queue) => /** @type {import('../charts/style.js').Style} */ (styles.get(queue))
  const inOrder = (/** @type {CellSummary[]} */ cells) => queues.flatMap(({ name }) => cells.filter(({ queue }) => queue === name))
  return { maps, metric, percentiles, collections }

  /**
   * @param {Line} line
   * @param {string} metric
   */
  function metric (line, metric) {
    const measured = line.cells.filter(({ metrics }) => metrics[metric])
    return line.parameter === null ? dots(line, measured, metric) : curves(line, measured, metric)
  }

  /**
   * @param {Line} line
   * @param {CellSummary[]} cells
   * @param {string} metric
   */
  function curves ({ sweep, parameter, others }, cells, metric) {
    const name = /** @type {string} */ (parameter)
    const isPositive = cells.every(({ metrics }) => metrics[metric].low > 0)
    const series = queues.flatMap(({ name: queue }) => {
      const points = cells.filter(cell => cell.queue === queue).sort((a, b) => a.params[name] - b.params[name])
        .map(cell => ({ x: cell.params[name], ...figuresIn(cell, metric) }))
      return points.length === 0 ? [] : [{ name: queue, control: queue === sweep.control, style: style(queue), points }]
    })
    const last = Math.max(...cells.map(({ params }) => params[name]))
    return {
      kind: /** @type {const} */ ('lines'),
      title: `${sweep.scenario}: ${metricTitle(metric)}`,
      subtitle: subtitle(sweep, others, intervalNote(cells, metric, 'bands')),
      description: `At ${formatParams({ [name]: last })}: ${ranking(cells.filter(({ params }) => params[name] === last), metric)}.`,
      unit: cells[0].metrics[metric].unit,
      x: { title: name === 'size' ? 'pending timers' : name, log: cells.every(({ params }) => params[name] > 0) },
      y: { title: metricAxis(metric), log: isPositive },
      series
    }
  }

  /**
   * @param {Line} line
   * @param {CellSummary[]} cells
   * @param {string} metric
   */
  function dots ({ sweep, others }, cells, metric) {
    const rows = [...cells].sort((a, b) => a.metrics[metric].median - b.metrics[metric].median)
    const medians = rows.map(({ metrics }) => metrics[metric].median)
    const control = rows.find(({ queue }) => queue === sweep.control)
    return {
      kind: /** @type {const} */ ('dots'),
      title: `${sweep.scenario}: ${metricTitle(metric)}`,
      subtitle: subtitle(sweep, { ...cells[0].params, ...others }, intervalNote(cells, metric, 'whiskers')),
      description: `${ranking(cells, metric)}.`,
      unit: cells[0].metrics[metric].unit,
      x: { title: metricAxis(metric), log: medians[0] > 0 && medians[medians.length - 1] / medians[0] > LOG_FROM },
      marks: [{ title: metricTitle(metric), symbol: 'circle' }],
      rows: rows.map(cell => {
        const { cell: number, ...dot } = figuresIn(cell, metric)
        return { name: cell.queue, control: cell.queue === sweep.control, hue: style(cell.queue).hue, dots: [dot], cell: number }
      }),
      reference: control ? { value: control.metrics[metric].median, title: sweep.control } : null
    }
  }

  /**
   * @param {CellSummary} cell
   * @param {string} metric
   */
  function figuresIn (cell, metric) {
    const { median: value, low, high } = cell.metrics[metric]
    return { value, low, high, cell: numberOf(cell) }
  }

  /**
   * The cheapest queue over the two longest sweeps, a map for each combination of the others.
   *
   * @param {Sweep} sweep
   */
  function maps (sweep) {
    const [x, y, ...more] = Object.entries(sweep.swept)
    const metric = METRICS[sweep.kind][0]
    return combinationsOf(more).map(others => {
      const here = sweep.cells.filter(({ params, metrics }) => metrics[metric] && Object.entries(others).every(([name, value]) => params[name] === value))
      const fields = y[1].flatMap(yValue => x[1].flatMap(xValue => {
        const [best, ...rest] = here.filter(({ params }) => params[x[0]] === xValue && params[y[0]] === yValue)
          .sort((a, b) => a.metrics[metric].median - b.metrics[metric].median)
        if (!best) return []
        const level = rest.filter(({ metrics }) => !isApart(best.metrics[metric], metrics[metric])).map(({ queue }) => queue)
        return [{
          x: xValue,
          y: yValue,
          name: best.queue,
          hue: style(best.queue).hue,
          value: best.metrics[metric].median,
          cell: numberOf(best),
          tiedWith: level.length > 1 ? `${level[0]} and ${level.length - 1} more` : level[0] ?? null
        }]
      }))
      const winners = [...new Set(fields.map(({ name }) => name))]
      return {
        kind: /** @type {const} */ ('map'),
        title: `${sweep.scenario}: the cheapest queue`,
        subtitle: [formatParams(others), `Node ${sweep.runtime}`, metricTitle(metric), '≈ and dashes: level with others'].filter(Boolean).join('; '),
        description: winners.map(winner => {
          const own = fields.filter(({ name }) => name === winner)
          return `${winner} is the cheapest in ${own.length} of ${fields.length} fields`
        }).join(', ') + '.',
        unit: here[0]?.metrics[metric].unit ?? '',
        x: { title: x[0] === 'size' ? 'pending timers' : x[0], values: x[1] },
        y: { title: y[0], values: y[1] },
        fields
      }
    })
  }

  /**
   * Latencies that the load generator saw.
   *
   * @param {Line} line
   * @param {Sample[]} samples
   */
  function percentiles ({ sweep, parameter, cells }, samples) {
    const seen = inOrder(cells).flatMap(cell => {
      const latencies = samplesOf(samples, cell).flatMap(({ details }) => details?.client?.latencyMs?.p99 > 0 ? [details.client.latencyMs] : [])
      return latencies.length === 0 ? [] : [{ cell, latencies }]
    })
    if (parameter !== null || seen.length === 0) return []
    const rows = seen.map(({ cell, latencies }) => ({
      name: cell.queue,
      control: cell.queue === sweep.control,
      hue: style(cell.queue).hue,
      dots: PERCENTILES.map(({ name }) => {
        const values = latencies.map(latency => latency[name]).filter(value => value > 0)
        return values.length === 0 ? null : flat(median(values))
      }),
      cell: numberOf(cell)
    })).sort((a, b) => (a.dots[2]?.value ?? 0) - (b.dots[2]?.value ?? 0))
    return [{
      kind: /** @type {const} */ ('dots'),
      title: `${sweep.scenario}: latency`,
      subtitle: subtitle(sweep, cells[0].params, 'so many requests were answered within'),
      description: `99 % of the requests were answered within ${spanOf(rows, ({ dots }) => dots[2]?.value ?? 0, 'ms')}.`,
      unit: 'ms',
      x: { title: 'ms', log: true },
      marks: PERCENTILES.map(({ title, symbol }) => ({ title, symbol })),
      rows,
      reference: null
    }]
  }

  /**
   * @param {Line} line
   * @param {Sample[]} samples
   */
  function collections ({ sweep, parameter, cells }, samples) {
    const seen = inOrder(cells).flatMap(cell => {
      const windows = samplesOf(samples, cell).flatMap(({ details }) => details?.window?.collections ? [details.window] : [])
      return windows.length === 0 ? [] : [{ cell, windows }]
    })
    if (parameter !== null || seen.length === 0) return []
    const kinds = COLLECTIONS.filter(kind => seen.some(({ windows }) => windows.some(({ collections }) => collections[kind])))
    if (kinds.length === 0) return []
    const rows = seen.map(({ cell, windows }) => ({
      name: cell.queue,
      control: cell.queue === sweep.control,
      values: kinds.map(kind => median(windows.map(({ collections, windowMs }) => 1000 * (collections[kind]?.pauseMs ?? 0) / windowMs))),
      cell: numberOf(cell)
    })).sort((a, b) => sum(a.values) - sum(b.values))
    return [{
      kind: /** @type {const} */ ('bars'),
      title: `${sweep.scenario}: garbage collection pauses`,
      subtitle: subtitle(sweep, cells[0].params, 'by kind of collection'),
      description: `From ${spanOf(rows, ({ values }) => sum(values), 'ms a second')}.`,
      unit: 'ms/s',
      x: { title: 'ms of pause per second of load', log: false },
      parts: kinds,
      rows
    }]
  }
}

/**
 * @param {Sweep} sweep
 * @param {Record<string, number>} params
 * @param {string} note
 */
function subtitle ({ runtime, control, cells }, params, note) {
  const isThere = cells.some(({ queue }) => queue === control)
  return [formatParams(params), `Node ${runtime}`, note, isThere ? '= control' : ''].filter(Boolean).join('; ')
}

/**
 * @param {CellSummary[]} cells
 * @param {string} metric
 */
function ranking (cells, metric) {
  const ranked = [...cells].sort((a, b) => a.metrics[metric].median - b.metrics[metric].median)
  return ranked.map(({ queue, metrics: { [metric]: figures } }) => `${queue} ${formatInterval(figures)} ${figures.unit}`.trim()).join(', ')
}

/**
 * @param {CellSummary[]} cells
 * @param {string} metric
 * @param {string} drawn  How intervals are drawn.
 */
function intervalNote (cells, metric, drawn) {
  if (COUNTED.includes(metric)) return 'counted, the same every time'
  return cells.some(({ metrics }) => metrics[metric].n > 1) ? `${drawn} are intervals of the medians` : 'one sample each: no intervals'
}

/**
 * @param {Sample[]} samples
 * @param {CellSummary} cell
 */
function samplesOf (samples, { queue, params }) {
  const key = JSON.stringify(params)
  return samples.filter(sample => sample.queue === queue && JSON.stringify(sample.params) === key)
}

/** @param {number[]} values */
function median (values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * From the first to the last of sorted rows.
 *
 * @template {{name: string}} T
 * @param {T[]} rows
 * @param {(row: T) => number} valueOf
 * @param {string} unit
 */
function spanOf (rows, valueOf, unit) {
  return [rows[0], rows[rows.length - 1]].map(row => `${formatNumber(valueOf(row))} ${unit} (${row.name})`).join(' to ')
}

/** @param {number} value */
const flat = value => ({ value, low: value, high: value })

/** @param {number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)

/**
 * A file name and an element's id, whatever the scenario is called.
 *
 * @param {Set<string>} taken
 * @param {string} title
 */
export function uniqueId (taken, title) {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'figure'
  let id = slug
  for (let i = 2; taken.has(id); i++) id = `${slug}-${i}`
  taken.add(id)
  return id
}
