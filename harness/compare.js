/**
 * Two runs, or two queues of one run, compared cell by cell. Sample k of the one is paired with sample k of the other,
 * which in one run were measured in the same round. What does not match is listed, never averaged over.
 */
import { tableId } from './model/cell.js'
import { groupBy } from './model/group-by.js'
import { machinesOf } from './model/machine.js'
import { judge, judgeExact, judgeFailed, overallVerdict } from './verdict.js'

/**
 * @typedef {import('./results.js').Results} Results
 * @typedef {import('./results.js').Sample} Sample
 * @typedef {import('./verdict.js').RowCell} RowCell
 * @typedef {import('./verdict.js').Rules} Rules
 *
 * @typedef {object} Control  The base against itself, measured among the pairs.
 * @property {number} ratio
 * @property {number} low
 * @property {number} high
 * @property {number} pairs
 * @property {boolean} moved  Though nothing changed: the run is contaminated.
 *
 * @typedef {object} ComparisonRecord
 * @property {'timerq-comparison/1'} format
 * @property {import('./verdict.js').Verdict} verdict
 * @property {string} base
 * @property {string} head
 * @property {Rules} rules
 * @property {import('./verdict.js').Comparison[]} comparisons
 * @property {(RowCell & {reason: string})[]} unmatched
 * @property {Control | null} control
 * @property {string[]} warnings
 * @property {string[]} command
 *
 * @typedef {{cell: RowCell, base: Sample[], head: Sample[]}} Match
 */

/** What decides a verdict, by the clock or by counting, and what is shown beside it. */
export const TIMED = ['nsPerOp', 'cpuMicrosPerRequest']
export const COUNTED = ['workPerOp', 'bytesPerTimer']
export const BESIDE = ['startNsPerTimer', 'expireNsPerTimer', 'nextExpiryNsPerCall', 'advanceNsPerCall', 'requestsPerSecond', 'latencyP99Ms']

/** Two random workloads of one kind differ this much in what they count. */
const COUNT_TOLERANCE = 0.02

/**
 * @param {Results} base
 * @param {Results} head
 * @param {{rules: Rules, command: string[]}} options
 * @returns {ComparisonRecord}
 */
export function compareRuns (base, head, { rules, command }) {
  const headCells = new Map(head.run.plan.cells.map(cell => [cell.id, cell]))
  const baseCells = new Map(base.run.plan.cells.map(cell => [cell.id, cell]))
  const samples = { base: groupBy(base.samples, ({ cell }) => cell), head: groupBy(head.samples, ({ cell }) => cell) }
  const isSameMachine = machinesOf(base.run, head.run).length === 1
  const matches = [...baseCells.values()].filter(({ id }) => headCells.has(id)).map(cell =>
    ({ cell, base: samples.base.get(cell.id) ?? [], head: samples.head.get(cell.id) ?? [] }))
  const comparable = matches.filter(match => isSameMachine || wasCounted(match))
  const unmatched = [
    ...matches.filter(match => !comparable.includes(match)).map(({ cell }) =>
      ({ ...rowCell(cell), reason: 'only timed, and times of different machines are not compared' })),
    ...base.run.plan.cells.filter(({ id }) => !headCells.has(id)).map(cell => ({ ...rowCell(cell), reason: `only in ${base.directory}` })),
    ...head.run.plan.cells.filter(({ id }) => !baseCells.has(id)).map(cell => ({ ...rowCell(cell), reason: `only in ${head.directory}` }))
  ]
  const comparisons = compareMatches(comparable, {
    rules,
    timed: isSameMachine,
    tolerance: base.run.plan.settings.seed === head.run.plan.settings.seed ? 0 : COUNT_TOLERANCE
  })
  return {
    ...recordOf(comparisons, unmatched, rules, command),
    base: base.directory,
    head: head.directory,
    warnings: [...differences(base, head), ...base.warnings, ...head.warnings]
  }
}

/**
 * @param {Results} results
 * @param {string} base  Name of a queue.
 * @param {string} head
 * @param {{rules: Rules, command: string[]}} options
 * @returns {ComparisonRecord}
 */
export function compareQueues (results, base, head, { rules, command }) {
  const { plan } = results.run
  const samples = groupBy(results.samples, ({ cell }) => cell)
  const places = groupBy(plan.cells.filter(({ queue }) => queue === base || queue === head),
    tableId)
  /** @type {Match[]} */
  const matches = []
  const unmatched = []
  for (const cells of places.values()) {
    const ofBase = cells.find(({ queue }) => queue === base)
    const ofHead = cells.find(({ queue }) => queue === head)
    if (ofBase && ofHead) matches.push({ cell: ofHead, base: samples.get(ofBase.id) ?? [], head: samples.get(ofHead.id) ?? [] })
    else unmatched.push({ ...rowCell(cells[0]), reason: `${ofBase ? head : base} was not measured here` })
  }
  const comparisons = compareMatches(matches, { rules, timed: true, tolerance: 0 })
  return { ...recordOf(comparisons, unmatched, rules, command), base, head, warnings: results.warnings }
}

/**
 * @param {import('./verdict.js').Comparison[]} comparisons
 * @param {ComparisonRecord['unmatched']} unmatched
 * @param {Rules} rules
 * @param {string[]} command
 */
export function recordOf (comparisons, unmatched, rules, command) {
  return {
    format: /** @type {const} */ ('timerq-comparison/1'),
    verdict: overallVerdict(comparisons),
    rules,
    comparisons,
    unmatched,
    control: null,
    command
  }
}

/**
 * @param {Match[]} matches
 * @param {{rules: Rules, timed: boolean, tolerance: number}} options
 */
function compareMatches (matches, { rules, timed, tolerance }) {
  const rows = timed ? matches.flatMap(timedRows) : []
  return [...judge(rows, [], rules), ...matches.flatMap(match => countedComparisons(match, !timed, tolerance))]
}

/**
 * A cell that failed on one side has a row nevertheless: it must not disappear.
 *
 * @param {Match} match
 * @returns {import('./verdict.js').Row[]}
 */
function timedRows ({ cell, base, head }) {
  const valid = (/** @type {Sample[]} */ samples) => samples.filter(({ channel, failure }) => channel === 'time' && !failure)
  const failure = failureOf('base', base) ?? failureOf('head', head)
  const baseOf = new Map(valid(base).map(({ round, metrics }) => [round, metrics]))
  const measured = [...base, ...head].flatMap(({ metrics }) => Object.keys(metrics))
  // A cell of which no sample is left tells no metric; it stands for the first.
  const metrics = [...TIMED, ...BESIDE].filter(metric => measured.includes(metric))
  return (metrics.length > 0 ? metrics : TIMED.slice(0, 1)).map(metric => {
    const pairs = valid(head).flatMap(({ round, metrics }) => {
      const pair = { round, base: baseOf.get(round)?.[metric] ?? 0, head: metrics[metric] ?? 0 }
      return pair.base > 0 && pair.head > 0 ? [pair] : []
    })
    const rounds = Math.max(0, ...pairs.map(({ round }) => round + 1))
    return { ...rowCell(cell), metric, gates: TIMED.includes(metric), pairs, rounds, failure }
  })
}

/**
 * A sample lost to the clock is only a sample lost; anything else condemns the cell.
 *
 * @param {'base' | 'head'} side
 * @param {Sample[]} samples
 */
function failureOf (side, samples) {
  const fatal = samples.find(({ channel, failure }) => channel === 'time' && failure && failure.kind !== 'time-limit')
  return fatal ? `${side}: ${fatal.failure?.message}` : undefined
}

/**
 * @param {Match} match
 * @param {boolean} gates  Then a cell that was not counted on one side has a row nevertheless: it must not disappear.
 * @param {number} tolerance
 */
function countedComparisons ({ cell, base, head }, gates, tolerance) {
  const before = exactSampleOf(base)?.metrics ?? {}
  const after = exactSampleOf(head)?.metrics ?? {}
  const counted = COUNTED.filter(metric => metric in before && metric in after)
  if (gates && counted.length === 0) {
    const failure = uncounted('base', base) ?? uncounted('head', head)
    return [judgeFailed({ ...rowCell(cell), metric: COUNTED[0], gates, pairs: [], rounds: 0, failure })]
  }
  return counted.map(metric => judgeExact({ ...rowCell(cell), metric, gates }, before[metric], after[metric], tolerance))
}

/** @param {Sample[]} samples */
function exactSampleOf (samples) {
  return samples.find(({ channel }) => channel === 'exact')
}

/**
 * On either side: what is never counted, a server, has no such sample at all.
 *
 * @param {Match} match
 */
function wasCounted ({ base, head }) {
  return exactSampleOf([...base, ...head]) !== undefined
}

/**
 * @param {'base' | 'head'} side
 * @param {Sample[]} samples
 */
function uncounted (side, samples) {
  const sample = exactSampleOf(samples)
  if (!sample) return `${side}: not counted, its run ended before`
  return sample.failure && `${side}: ${sample.failure.message}`
}

/**
 * What makes two runs measure different things.
 *
 * @param {Results} base
 * @param {Results} head
 */
function differences ({ run: a }, { run: b }) {
  const warnings = []
  const machines = machinesOf(a, b)
  if (machines.length > 1) {
    warnings.push(`different machines (${machines.join('; ')}): times are not compared, only what is counted`)
  } else {
    warnings.push('the runs were measured one after the other: what changed between them besides the code looks like the code; timerq gate measures pairs')
  }
  const runtimes = [a, b].map(({ plan }) => plan.runtimes.map(({ name }) => name).join(', '))
  if (runtimes[0] !== runtimes[1]) warnings.push(`different runtimes (${runtimes.join('; ')}): cells of different runtimes do not match`)
  if (a.plan.settings.seed !== b.plan.settings.seed) warnings.push(`different seeds (${a.plan.settings.seed}; ${b.plan.settings.seed}): counts within ${COUNT_TOLERANCE * 100} % are taken for equal`)
  for (const what of /** @type {const} */ (['pinning', 'loadGenerator'])) {
    if (a.environment[what] !== b.environment[what]) warnings.push(`different ${what === 'pinning' ? what : 'load generators'} (${a.environment[what]}; ${b.environment[what]})`)
  }
  const timing = [a, b].map(({ plan }) => JSON.stringify([plan.settings.micro, plan.settings.httpWarmupMs]))
  if (timing[0] !== timing[1]) warnings.push('samples of different lengths: warm-up or measuring time differ')
  return warnings
}

/**
 * @param {RowCell} cell
 * @returns {RowCell}
 */
function rowCell ({ scenario, params, queue, runtime }) {
  return { scenario, params, queue, runtime }
}
