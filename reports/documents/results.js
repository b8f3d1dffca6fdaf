/** What was measured, scenario by scenario: in short for a terminal; with pictures and every figure for a report. */
import { cellId, tableId } from '../../harness/model/cell.js'
import { groupBy } from '../../harness/model/group-by.js'
import { metrics } from '../../harness/model/metrics.js'
import {
  capitalise, enumerate, formatCount, formatCoverage, formatGrowth, formatInterval, formatNumber, formatParam, formatRatioWithInterval, placeOf
} from '../../harness/model/numbers.js'
import { fold, list, number, paragraph, picture, section, warnings as warn, words } from '../blocks.js'
import { heatRatioOf, rank } from '../costs.js'
import { figuresOf } from '../figures/index.js'
import { contestsOf, shortAnswer } from '../findings/index.js'
import { growthAlong, isMapped, isShown, linesOf, rankedMetricsOf, sweepsOf } from '../sweeps.js'
import { growthTablesOf, tablesOf } from '../tables.js'
import { runtimeBlocks } from './runtimes.js'

/**
 * @typedef {import('../../harness/store/results.js').Results} Results
 * @typedef {import('../../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../../harness/judge/summary.js').CellSummary} CellSummary
 * @typedef {import('../blocks.js').Section} Section
 * @typedef {import('../blocks.js').Table} Table
 * @typedef {import('../blocks.js').TableCell} TableCell
 */

const SMALL_RATIO = 0.1
const LATENESS = 'virtualLatenessP99Ms'

/**
 * What a run shows at its end.
 *
 * @param {Summary} summary
 * @param {import('../../harness/judge/ratio.js').HeatRatios} [heatRatios]  To show how heats scatter.
 * @returns {import('../blocks.js').Document}
 */
export function summaryDocument (summary, heatRatios = () => []) {
  const tables = groupBy(tablesOf(summary), ({ scenario }) => scenario)
  const growth = growthTablesOf(summary)
  const numbers = numbersOf(summary)
  const { node } = summary.environment
  return {
    title: '',
    blocks: [],
    sections: [
      ...[...tables].map(([scenario, own]) => section(`${scenario}: ${own[0].title}`, [
        ...own.map(table => {
          const result = resultTable(table, summary, numbers)
          const alike = groupBy(table.skipped, ({ kind, reason }) => `${isLeftOut(kind) ? 'skipped' : 'failed'}, ${reason}`)
          const skipped = [...alike].map(([what, own]) => `${enumerate(own.map(({ queue }) => queue))}: ${what}`)
          return { ...result, short: nameOf(table, node), remarks: [...result.remarks ?? [], ...skipped] }
        }),
        ...aboutServers(scenario, summary, own.flatMap(({ columns }) => columns.filter(({ wide }) => !wide))),
        ...growth.filter(table => table.scenario === scenario).map(table => growthTable(table, node))
      ])),
      section('', [list(legend(summary, [...tables.values()].flat(), growth)), ...warn([...summary.warnings, ...fewHeats(summary), ...disturbance(summary), ...fewConnections(summary)])]),
      section('', [shortAnswer(summary, contestsOf(summary), heatRatios)])
    ]
  }
}

/** @param {Summary} summary */
const numbersOf = ({ cells }) => new Map(cells.map((cell, number) => [cellId(cell), number]))

/**
 * For lack of time, which is no fault of the queue's.
 *
 * @param {string} kind
 */
const isLeftOut = kind => kind === 'time-limit' || kind === 'out-of-time'

/**
 * @param {{params: Record<string, number>, side?: string, runtime: string}} place
 * @param {string} node  This needs no name.
 */
const nameOf = ({ params, side, runtime }, node) => placeOf({ params, side, runtime: runtime === node ? undefined : runtime })

/**
 * @param {import('../tables.js').GrowthTable} content
 * @param {string} node
 * @returns {Table}
 */
function growthTable ({ parameter, params, side, runtime, columns, rows }, node) {
  return {
    kind: 'table',
    caption: [`growth with ${parameter}`, nameOf({ params, side, runtime }, node)].filter(Boolean).join(', '),
    columns: [words('queue'), ...columns.map(title => number(title))],
    rows: rows.map(({ queue, isControl, values }) => ({
      isControl,
      cells: [{ text: queue }, ...values.map(value => ({ text: value ? formatGrowth(value) : '-' }))]
    }))
  }
}

/**
 * Explains the columns and marks that a terminal shows, and no others.
 *
 * @param {Summary} summary
 * @param {import('../tables.js').Table[]} tables
 * @param {import('../tables.js').GrowthTable[]} growth
 */
function legend ({ cells, environment, queues, settings }, tables, growth) {
  const values = tables.flatMap(({ columns, rows }) => rows.flatMap(row => row.values.flatMap((value, i) => value && !columns[i].wide ? [value] : [])))
  const controls = [...new Set(tables.flatMap(({ rows }) => rows.filter(({ isControl }) => isControl).map(({ queue }) => queue)))]
  const marks = [
    ...(values.some(({ best }) => best) ? ['* best'] : []),
    ...(controls.length > 0 ? [`= control (${controls.join(', ')})`] : []),
    ...(values.some(({ ratio }) => ratio) ? ['x ratio to the control'] : [])
  ]
  return [
    ...(marks.length > 0 ? [marks.join('   ')] : []),
    ...(values.length > 0 ? aboutIntervals(cells, values) : []),
    ...aboutGrowthShown(growth),
    ...aboutWork(tables, queues),
    ...(queues.some(({ breaks }) => breaks) ? ['! breaks the contract: its figures are not of the same work (timerq check).'] : []),
    [`${environment.cores} x ${environment.cpu}`, `Node ${environment.node}`, ...(environment.loadGenerator === 'none' ? [] : [environment.loadGenerator]), `seed ${settings.seed}`].join(', ')
  ]
}

/** @param {import('../tables.js').GrowthTable[]} tables */
function aboutGrowthShown (tables) {
  const shown = tables.flatMap(({ rows }) => rows.flatMap(({ values }) => values.flatMap(value => value ?? [])))
  if (shown.length === 0) return []
  const interval = shown.some(({ low, high }) => low !== high) ? ', its interval' : ''
  return [`Growth: e of cost ~ x^e${interval} (0 flat, 1 linear).`]
}

/**
 * @param {Summary} summary
 * @param {string} queue
 */
const breaksContract = ({ queues }, queue) => queues.some(({ name, breaks }) => name === queue && breaks !== undefined)

/**
 * @param {CellSummary[]} cells
 * @param {import('../tables.js').Value[]} shown
 */
function aboutIntervals (cells, shown) {
  const heats = heatsIn(cells)
  if (heats) {
    const alone = samplesIn(cellsWithoutHeats(cells))
    const controls = shown.filter(({ ratio, heats }) => ratio && !heats)
    return [
      `x is paired within ${heats.counts.join('–')} heats (${describeCoverage(heats)}).`,
      ...(controls.some(({ metric: { low, high } }) => low < high) ? ['Absolute times move with the machine: the interval of the control says how much.'] : []),
      ...(alone ? [`x without an interval: one queue after the other, ${alone.counts.join('–')} processes a cell (coverage ${formatCoverage(alone.coverage)}).`] : [])
    ]
  }
  const samples = samplesIn(cells)
  return [samples === null
    ? 'One sample a cell: no interval can be given.'
    : `Median and interval of ${samples.counts.join('–')} fresh processes a cell (coverage ${formatCoverage(samples.coverage)} or more).`]
}

/**
 * @param {import('../tables.js').Table[]} tables
 * @param {Summary['queues']} queues
 */
function aboutWork (tables, queues) {
  const isBuiltIn = (/** @type {string} */ queue) => queues.find(({ name }) => name === queue)?.origin === 'built-in'
  const lacking = (/** @type {import('../tables.js').Table} */ { columns, rows }) =>
    rows.filter(({ values }) => values.some((value, i) => value === null && metrics[columns[i].metric].role === 'count'))
  // Beside two phases there is no room for them in a terminal.
  const micro = tables.filter(({ kind, columns }) => kind === 'micro' && columns.some(({ metric, wide }) => metrics[metric].role === 'count' && !wide))
  const has = (/** @type {string} */ metric) => micro.some(({ columns }) => columns.some(column => column.metric === metric))
  const http = tables.filter(({ columns }) => columns.some(({ metric }) => metric === 'workPerRequest'))
  const isCutOff = micro.some(table => lacking(table).length > 0)
  const isUncounted = http.flatMap(lacking).some(({ queue }) => isBuiltIn(queue))
  const counted = [
    ...(has('workPerOp') ? ['Work: basic blocks executed.'] : []),
    ...(has('bytesPerTimer') ? ['Bytes: per pending timer.'] : [])
  ]
  return [
    ...(counted.length > 0 ? [`${counted.join(' ')} Exact${isCutOff ? ' (-: took too long)' : ''}.`] : []),
    ...(has(LATENESS) ? ['Late: how long after its time a timer expires, in virtual ms. Exact.'] : []),
    ...(http.length > 0 ? [`Work/request: basic blocks that the queue executes${isUncounted ? ' (-: not countable)' : ''}.`] : [])
  ]
}

/**
 * How many heats are behind the ratios, from the fewest to the most, and how far their intervals can be trusted. A ratio of one
 * heat shows none.
 *
 * @param {CellSummary[]} cells
 * @returns {{counts: number[], fewest: number, coverage: number} | null} `fewest` heats have an interval; 1: none has. null: there were no heats
 */
export function heatsIn (cells) {
  const ratios = cells.flatMap(({ metrics: own }) => Object.keys(own).flatMap(name => metrics[name].table === 'always' ? heatRatioOf(own[name]) ?? [] : []))
  if (ratios.length === 0) return null
  const counts = ratios.map(({ n }) => n)
  const withInterval = ratios.filter(({ n }) => n > 1)
  return {
    counts: [...new Set([Math.min(...counts), Math.max(...counts)])],
    fewest: Math.min(...(withInterval.length > 0 ? withInterval : ratios).map(({ n }) => n)),
    coverage: withInterval.length > 0 ? Math.min(...withInterval.map(({ coverage }) => coverage)) : 0
  }
}

/**
 * Some servers need all cores, and were measured one after the other though the run had heats.
 *
 * @param {CellSummary[]} cells
 */
export function cellsWithoutHeats (cells) {
  return [...groupBy(cells, tableId).values()].filter(own => own.length > 1 && !heatsIn(own)).flat()
}

/** The interval of three to eleven heats is by Student's t, and that of two is their range (see harness/judge/ratio.js). */
const BY_RANKS = 12
const BY_STUDENT = 3

/**
 * @param {{fewest: number, coverage: number}} heats
 */
export function describeCoverage ({ fewest, coverage }) {
  if (fewest === 1) return 'too few for an interval'
  const text = `coverage ${formatCoverage(coverage)}`
  return fewest >= BY_STUDENT && fewest < BY_RANKS ? `${text}, by Student's t` : text
}

/**
 * Two heats say little about how much heats scatter, one says nothing.
 *
 * @param {Summary} summary
 */
export function fewHeats ({ cells }) {
  const few = cells.filter(cell => heatsIn([cell])?.counts.some(count => count < BY_STUDENT))
  if (few.length === 0) return []
  const { counts, fewest, coverage } = /** @type {{counts: number[], fewest: number, coverage: number}} */ (heatsIn(few))
  const interval = fewest === 1 ? 'no interval can be given' : `the interval shown holds the true ratio with a probability of ${formatCoverage(coverage)} only`
  return [`${counts.map(count => count === 1 ? 'one' : 'two').join(' or ')} ${counts[counts.length - 1] === 1 ? 'heat' : 'heats'} in ${few.length} of ${formatCount(cells.length, 'cell')}: ${interval}, ` +
    'and only gross differences count; ask for more rounds, or for fewer cells']
}

/** What is measured in windows, where there are any, as a legend names it. */
const ALONE = [
  { title: 'requests/s', measured: ['requestsPerSecond'] },
  { title: 'latency', measured: ['latencyP50Ms', 'latencyP99Ms'] },
  { title: 'lateness', measured: ['latenessP99Ms'] },
  { title: 'GC', measured: ['gcCount', 'gcPauseMs'] }
]

/**
 * Where the figures of servers come from, once for all of them.
 *
 * @param {string} scenario
 * @param {Summary} summary
 * @param {import('../tables.js').Column[]} columns  That are shown.
 */
function aboutServers (scenario, { scenarios, cells }, columns) {
  const served = scenarios.filter(({ kind, name }) => kind === 'http' && heatsIn(cells.filter(cell => cell.scenario === name)))
  if (served[0]?.name !== scenario) return []
  const servers = cells.filter(cell => served.some(({ name }) => name === cell.scenario))
  const shown = ALONE.filter(({ measured }) => columns.some(({ metric }) => measured.includes(metric)))
  const [shared, alone] = [true, false].map(wanted => shown.filter(({ measured }) =>
    wanted === servers.some(({ metrics: own }) => measured.some(metric => own[metric]?.isShared))).map(({ title }) => title))
  return [paragraph([
    'CPU per request is from heats, in which the servers share a core.',
    ...(alone.length > 0 ? [`${capitalise(enumerate(alone))} are from windows in which each was alone: they rank no queues.`] : []),
    ...(shared.length > 0 ? [`${capitalise(enumerate(shared))} are from heats, too: compare them only with each other.`] : [])
  ].join('\n'))]
}

/**
 * How many samples the cells have, from the fewest to the most, and how far their intervals can be trusted.
 *
 * @param {CellSummary[]} cells
 * @returns {{counts: number[], coverage: number} | null} null: one sample each, which has no interval
 */
export function samplesIn (cells) {
  const repeated = cells.flatMap(({ metrics }) => Object.values(metrics).filter(({ n }) => n > 1))
  if (repeated.length === 0) return null
  const counts = repeated.map(({ n }) => n)
  return {
    counts: [...new Set([Math.min(...counts), Math.max(...counts)])],
    coverage: Math.min(...repeated.map(({ coverage }) => coverage))
  }
}

/** @param {Summary} summary */
function disturbance ({ cells }) {
  const disturbed = cells.filter(({ warnings }) => warnings.some(warning => warning.startsWith('shared core')))
  return disturbed.length === 0 ? [] : [`other programs ran on the measured core in ${disturbed.length} of ${cells.length} cells: repeat it on a quiet machine`]
}

/** @param {Summary} summary */
function fewConnections ({ cells }) {
  const few = cells.filter(({ warnings }) => warnings.some(warning => warning.startsWith('too few connections')))
  return few.length === 0 ? [] : [`many connections were never open in ${few.length} of ${cells.length} cells: give them more seconds`]
}

/**
 * @param {Results} results
 * @param {Summary} summary
 * @returns {Section[]} one for each scenario
 */
export function scenarioSections (results, summary) {
  const numbers = numbersOf(summary)
  const figures = figuresOf(results, summary)
  const tables = tablesOf(summary)
  const sweeps = sweepsOf(summary)
  return summary.scenarios.map(({ name, title }) => {
    const own = tables.filter(({ scenario }) => scenario === name)
    const all = own.map(table => resultTable(table, summary, numbers))
    const drawn = figures.filter(({ scenario }) => scenario === name)
    const lines = sweeps.filter(({ scenario }) => scenario === name).flatMap(linesOf).filter(({ parameter }) => parameter !== null)
    const mapped = lines.filter(({ sweep }) => isMapped(sweep))
    const pivots = lines.filter(line => !mapped.includes(line)).flatMap(line => pivotTables(line, summary, numbers))
    return section(name, [
      paragraph(`What is measured: ${title}.`),
      ...drawn.filter(({ line }) => line === null).map(({ figure }) => picture(figure)),
      ...pivots,
      ...mapped.map(line => fold(capitalise(fixedOn(line)), [
        ...drawn.filter(other => other.line !== null && isSameLine(other.line, line)).map(({ figure }) => picture(figure)),
        ...pivotTables(line, summary, numbers)
      ])),
      ...aboutGrowth(summary.growth.filter(({ scenario }) => scenario === name)),
      ...runtimeBlocks(own),
      ...(lines.length > 0 ? [fold('All figures, one by one', all)] : all),
      ...aboutServers(name, summary, own.flatMap(({ columns }) => columns)),
      ...(own.some(({ rows }) => rows.length > 0) ? [] : [paragraph('Nothing was measured here.')])
    ])
  })
}

/**
 * What is the same all along a line.
 *
 * @param {import('../sweeps.js').Line} line
 */
function fixedOn ({ sweep, others }) {
  return placeOf({ params: others, side: sweep.side, runtime: sweep.onlyRuntime ? undefined : sweep.runtime })
}

/** @param {Summary['growth']} growth */
function aboutGrowth (growth) {
  const timed = growth.filter(({ coverage }) => coverage < 1)
  if (timed.length === 0) return []
  return [paragraph('Growth is the exponent e of cost ~ x^e, where x heads the columns: 0 is flat, 1 is linear (a straight line through ' +
    `the medians in log-log). In brackets: its interval, with a coverage of ${formatCoverage(timed[0].coverage)} if the line is straight.`)]
}

/**
 * @param {import('../sweeps.js').Line} a
 * @param {import('../sweeps.js').Line} b
 */
function isSameLine (a, b) {
  return tableId({ ...a.sweep, params: a.others }) === tableId({ ...b.sweep, params: b.others })
}

/**
 * The ranked metrics over the swept parameter, and what may be traded for them: lateness.
 *
 * @param {import('../sweeps.js').Line} line
 * @param {Summary} summary
 * @param {Map<string, number>} numbers  Of its cells, by id.
 * @returns {Table[]}
 */
function pivotTables (line, summary, numbers) {
  return [...rankedMetricsOf(line), ...(isShown(LATENESS, line.cells) ? [LATENESS] : [])].map(metric => pivotTable(line, metric, summary, numbers))
}

/**
 * @param {import('../sweeps.js').Line} line
 * @param {string} metric
 * @param {Summary} summary
 * @param {Map<string, number>} numbers  Of its cells, by id.
 * @returns {Table}
 */
function pivotTable (line, metric, summary, numbers) {
  const { sweep, parameter, values, cells } = line
  const name = /** @type {string} */ (parameter)
  const measured = cells.filter(({ metrics }) => metrics[metric])
  const measuredAt = groupBy(measured, ({ params }) => params[name])
  const lowestAt = new Map(values.map(value => {
    const [first, second] = rank(measuredAt.get(value) ?? [], metric, sweep.control)
    return [value, first?.cost.median === second?.cost.median ? undefined : first?.cell]
  }))
  const largest = (/** @type {string} */ queue) => {
    const own = measured.filter(cell => cell.queue === queue).sort((a, b) => b.params[name] - a.params[name])
    return { reach: -own[0].params[name], median: own[0].metrics[metric].median }
  }
  const queues = [...new Set(measured.map(({ queue }) => queue))].map(queue => ({ queue, ...largest(queue) }))
    .sort((a, b) => a.reach - b.reach || a.median - b.median)
    .map(({ queue }) => ({ queue, growth: growthAlong(summary, line, queue, metric) }))
  const hasGrowth = queues.some(({ growth }) => growth)
  return {
    kind: 'table',
    caption: [`${capitalise(metrics[metric].title)}, ${measured[0].metrics[metric].unit}, by ${name}`, fixedOn(line)].filter(Boolean).join(', '),
    columns: [
      words('queue'),
      ...values.map(value => number(formatParam(value))),
      ...(hasGrowth ? [number('growth')] : [])
    ],
    rows: queues.map(({ queue, growth }) => ({
      isControl: queue === sweep.control,
      cells: [{ text: queue }, ...values.map(value => {
        const cell = measuredAt.get(value)?.find(({ queue: own }) => own === queue)
        return cell ? pivotCell(figureCell(cell, metric, cell === lowestAt.get(value), numbers), cell.metrics[metric]) : { text: '-' }
      }), ...(hasGrowth ? [growth ? { text: formatGrowth(growth), sort: growth.exponent } : { text: '-' }] : [])]
    }))
  }
}

/**
 * Adds the ratio to a time, where heats gave one: it is known better.
 *
 * @param {TableCell} cell
 * @param {import('../../harness/judge/summary.js').MetricSummary} figures
 * @returns {TableCell}
 */
function pivotCell (cell, figures) {
  const ratio = heatRatioOf(figures)
  return ratio ? { ...cell, text: `${formatNumber(figures.median)} ${formatRatioWithInterval(ratio)}` } : cell
}

/**
 * @param {import('../tables.js').Table} content
 * @param {Summary} summary
 * @param {Map<string, number>} numbers  Of its cells, by id.
 * @returns {Table}
 */
function resultTable ({ scenario, params, side, runtime, columns, leading, rows }, summary, numbers) {
  const cellOf = (/** @type {string} */ queue) => summary.cells[/** @type {number} */ (numbers.get(cellId({ scenario, params, queue, side, runtime })))]
  const heatsOf = (/** @type {import('../tables.js').Row} */ { values }) => values.flatMap(value => value?.heats?.n ?? [])
  const most = Math.max(0, ...rows.flatMap(heatsOf))
  return {
    kind: 'table',
    caption: capitalise(placeOf({ params, side, runtime })),
    columns: [
      words('queue'),
      ...columns.flatMap(({ title, ratio, wide }) => [number(title, { wide }), ...(ratio ? [number('ratio', { narrow: 'suffix' })] : [])]),
      number(most > 0 ? 'heats' : 'samples', { wide: true })
    ],
    rows: rows.map(({ queue, isControl, values }) => ({
      isControl,
      queue,
      cells: [
        { text: breaksContract(summary, queue) ? `${queue} !` : queue },
        ...values.flatMap((value, i) => {
          const figure = value ? figureCell(cellOf(queue), columns[i].metric, value.best, numbers) : { text: '-' }
          // In a terminal the interval of the ratio takes the room of the other.
          const cell = value?.heats ? { ...figure, short: formatNumber(value.metric.median) } : figure
          return columns[i].ratio ? [cell, value?.ratio ? ratioCell(value.ratio) : { text: '' }] : [cell]
        }),
        { text: String(countOf(values[leading]) ?? ''), sort: countOf(values[leading]) }
      ]
    })),
    remarks: [...groupBy(rows, row => Math.min(...heatsOf(row)))].sort(([one], [other]) => one - other)
      .flatMap(([own, alike]) => own < most ? [`${formatCount(own, 'heat')} instead of ${most}: ${enumerate(alike.map(({ queue }) => queue))}`] : [])
  }
}

/**
 * Small ratios have many zeros, which cost columns in a terminal: .0073x (.0066–.0081).
 *
 * @param {NonNullable<import('../tables.js').Value['ratio']>} ratio
 * @returns {TableCell}
 */
function ratioCell (ratio) {
  const text = formatRatioWithInterval(ratio)
  return { text, short: ratio.median < SMALL_RATIO ? text.replaceAll(/\b0\./g, '.') : text, sort: ratio.median }
}

/** @param {import('../tables.js').Value | null | undefined} value */
const countOf = value => value?.heats?.n ?? value?.metric.n

/**
 * @param {CellSummary} cell
 * @param {string} metric
 * @param {boolean} best
 * @param {Map<string, number>} numbers  Of cells, by id.
 * @returns {TableCell}
 */
function figureCell (cell, metric, best, numbers) {
  return { text: formatInterval(cell.metrics[metric]), best, sort: cell.metrics[metric].median, cell: numbers.get(cellId(cell)) }
}
