/**
 * Compares two runs, or two queues of one run, cell by cell. What cannot be compared becomes a row without a verdict or is
 * listed with its reason; it is never averaged over.
 *
 * Queues of one run were measured in the same heats or rounds, so their times are compared. Runs were measured one after
 * the other, and a change of the machine in between would look like a change of the code: for runs only counts decide.
 */
import { placeOfCell, tableId } from '../model/cell.js'
import { UsageError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { machinesOf } from '../model/machine.js'
import { countedMetrics, isGuard, measuredMetrics, metrics } from '../model/metrics.js'
import { isLost, pairedRatios, samplesOf } from './pairs.js'
import { controlsOf, countSeedOf } from '../plan/plan.js'
import { judge, judgeBriefly, judgeErrors, judgeExact, judgeFailed, overallVerdict } from './verdict.js'

/**
 * @typedef {import('../store/results.js').Results} Results
 * @typedef {import('../store/results.js').Sample} Sample
 * @typedef {import('./verdict.js').RowCell} RowCell
 * @typedef {import('./verdict.js').Rules} Rules
 *
 * @typedef {object} Control  The base against itself, measured among the pairs.
 * @property {number} ratio
 * @property {number} low
 * @property {number} high
 * @property {number} pairs
 * @property {boolean} moved  It differs from itself, so the run is contaminated.
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
 * @typedef {{cell: RowCell, base: Sample[], head: Sample[], control?: Sample[]}} Match  `control`: of its table, where a table
 *   may have been split into several heats.
 */

/**
 * @typedef {object} SideOptions
 * @property {boolean} isSameQueue  Then both sides measure the same: what one of them lacks is missing.
 * @property {boolean} [areRuns]  Heats of two runs are not the same heat, whatever their names: their samples are paired by round.
 * @property {{base: string, head: string}} [names]  What the sides are called where something is wrong with one.
 */

const SIDES = { base: 'base', head: 'head' }

const ONE_AFTER_THE_OTHER = 'runs measured one after the other cannot decide on time; timerq gate measures both sides together'

/**
 * @param {Results} base
 * @param {Results} head
 * @param {{rules: Rules, command: string[], allowMissing?: boolean}} options  `allowMissing`: cells that only the base has
 *   are listed; else they are invalid.
 * @returns {ComparisonRecord}
 * @throws {UsageError} when both hold the same samples
 */
export function compareRuns (base, head, { rules, command, allowMissing = false }) {
  const headCells = new Map(head.run.plan.cells.map(cell => [cell.id, cell]))
  const baseCells = new Map(base.run.plan.cells.map(cell => [cell.id, cell]))
  const machines = machinesOf(base.run, head.run)
  const isSameMachine = machines.length === 1
  const matched = base.run.plan.cells.filter(({ id }) => headCells.has(id))
  const onlyInBase = base.run.plan.cells.filter(({ id }) => !headCells.has(id))
  const unlike = otherWork(base, head)
  const conditions = isSameMachine ? otherConditions(base, head) : []
  const [countSeed, otherSeed] = [base.run.plan, head.run.plan].map(countSeedOf)
  const times = new Times({ isSameQueue: true, areRuns: true })
  const counts = []
  const incomparable = []
  let shared = 0
  for (const match of matchesOf(matched, base, head)) {
    const { cell } = match
    shared += countShared(match)
    if (unlike(cell)) continue
    if (isSameMachine && conditions.length === 0) times.add(match)
    if (wasCounted(match)) counts.push(...judgeCounts(match, { gates: countSeed === otherSeed }))
    else if (!isSameMachine) incomparable.push({ ...rowCell(cell), reason: 'only timed, and times of different machines are not compared' })
  }
  assertOtherSamples(base, head, shared)
  const comparisons = [
    ...(conditions.length > 0 ? matched.filter(cell => !unlike(cell)).map(cell => invalidRow(cell, `times are not compared: ${conditions.join(', ')}`)) : []),
    ...times.judge(rules, judgeBriefly).map(row => ({ ...row, ...undecided(row) })),
    ...counts,
    ...matched.flatMap(cell => unlike(cell) ?? []).map(({ cell, reason }) => invalidRow(cell, reason)),
    ...(allowMissing ? [] : onlyInBase.map(cell => invalidRow(cell, `only in ${base.directory}`)))
  ]
  const unmatched = [
    ...incomparable,
    ...(allowMissing ? onlyInBase.map(cell => ({ ...rowCell(cell), reason: `only in ${base.directory}` })) : []),
    ...head.run.plan.cells.filter(({ id }) => !baseCells.has(id)).map(cell => ({ ...rowCell(cell), reason: `only in ${head.directory}` }))
  ]
  return {
    ...recordOf(comparisons, unmatched, rules, command),
    base: base.directory,
    head: head.directory,
    warnings: [
      isSameMachine ? ONE_AFTER_THE_OTHER : `different machines (${machines.join('; ')}): times are not compared, only what is counted`,
      ...differences(base, head),
      ...base.warnings,
      ...head.warnings
    ]
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
  const places = groupBy(plan.cells.filter(({ queue }) => queue === base || queue === head), tableId)
  const controls = controlsOf(plan)
  const times = new Times({ isSameQueue: false, names: { base, head } })
  const counts = []
  const unmatched = []
  for (const [table, cells] of places) {
    const ofBase = cells.find(({ queue }) => queue === base)
    const ofHead = cells.find(({ queue }) => queue === head)
    if (!ofBase || !ofHead) {
      unmatched.push({ ...rowCell(cells[0]), reason: `${ofBase ? head : base} was not measured here` })
      continue
    }
    const standard = controls.get(table)
    const taken = results.samples.byCell([ofBase, ofHead, ...(standard ? [standard] : [])])
    const samplesIn = (/** @type {import('../plan/plan.js').Cell | undefined} */ cell) => taken.get(cell?.id ?? '') ?? []
    const match = { cell: ofHead, base: samplesIn(ofBase), head: samplesIn(ofHead), control: samplesIn(standard) }
    times.add(match)
    // Queues count differently by nature: shown beside their times, as an explanation.
    if (wasCounted(match)) counts.push(...judgeCounts(match, { gates: false }).filter(({ verdict }) => verdict !== 'invalid'))
  }
  return { ...recordOf([...times.judge(rules, judge), ...counts], unmatched, rules, command), base, head, warnings: results.warnings }
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

/** What matches show of times, one after the other: their samples together may not fit into memory. */
class Times {
  #options
  /** @type {import('./verdict.js').Row[]} */
  #measured = []
  /** @type {import('./verdict.js').Comparison[]} */
  #errors = []

  /** @param {SideOptions} options */
  constructor (options) {
    this.#options = options
  }

  /** @param {Match} match */
  add (match) {
    this.#measured.push(...measuredRows(match, this.#options).map(withPackedPairs))
    this.#errors.push(...errorRows(match))
  }

  /**
   * @param {Rules} rules
   * @param {typeof judge} by
   */
  judge (rules, by) {
    return [...by(this.#measured, [], rules), ...this.#errors]
  }
}

/**
 * Its pairs are outside of the heap: there may be millions of them in all rows, and the heap would grow by a multiple of that.
 *
 * @param {import('./verdict.js').Row} row
 * @returns {import('./verdict.js').Row}
 */
function withPackedPairs ({ pairs, ...row }) {
  const numbers = Float64Array.from(pairs.flatMap(({ round, base, head, ratio = head / base }) => [round, base, head, ratio]))
  return {
    ...row,
    get pairs () {
      return Array.from({ length: numbers.length / 4 }, (_, i) => ({ round: numbers[4 * i], base: numbers[4 * i + 1], head: numbers[4 * i + 2], ratio: numbers[4 * i + 3] }))
    }
  }
}

/**
 * A cell that failed on one side has a row nevertheless: it must not disappear.
 *
 * @param {Match} match
 * @param {SideOptions} options
 * @returns {import('./verdict.js').Row[]}
 */
export function measuredRows ({ cell, base, head, control }, { isSameQueue, areRuns = false, names = SIDES }) {
  const [ofBase, ofHead] = areRuns ? [base, head].map(samples => samples.map(withoutHeat)) : [base, head]
  const failure = failureOf(names.base, base) ?? failureOf(names.head, head)
  const measured = measuredMetrics.filter(metric => [...base, ...head].some(sample => metric in sample.metrics))
  // A cell that has lost all its samples shows no metric; the first one stands for it.
  return (measured.length > 0 ? measured : measuredMetrics.slice(0, 1)).flatMap(metric => {
    const missing = isSameQueue ? missingOn(names.head, metric, base, head) ?? missingOn(names.base, metric, head, base) : undefined
    const pairs = pairedRatios(ofBase, ofHead, metric, control)
    // A guard never measured on both sides, for example because no timer fired, is ignored.
    if (isGuard(metric) && !failure && !missing && !pairs.some(({ ratio }) => ratio > 0 && ratio < Infinity)) return []
    const lostOf = (/** @type {Sample[]} */ samples) => samplesOf(samples, metric).filter(isLost).length
    return [{
      ...rowCell(cell),
      metric,
      gates: true,
      pairs,
      rounds: pairs.reduce((rounds, { round }) => Math.max(rounds, round + 1), 0),
      lost: { base: lostOf(base), head: lostOf(head) },
      failure: failure ?? missing
    }]
  })
}

/**
 * @param {Sample} sample
 * @returns {Sample}
 */
const withoutHeat = ({ heat, ...sample }) => sample

/**
 * Some failures cost only their own sample (see isLost); any other makes the cell invalid.
 *
 * @param {string} side
 * @param {Sample[]} samples
 */
function failureOf (side, samples) {
  const fatal = samples.find(sample => sample.channel !== 'exact' && sample.channel !== 'profile' && sample.failure && !isLost(sample))
  return fatal ? `${side}: ${fatal.failure?.message}` : undefined
}

/**
 * @param {string} side
 * @param {string} metric
 * @param {Sample[]} there
 * @param {Sample[]} here
 */
function missingOn (side, metric, there, here) {
  const valid = (/** @type {Sample[]} */ samples) => samplesOf(samples, metric).filter(({ failure }) => !failure)
  const isAlwaysThere = valid(there).length > 0 && valid(there).every(sample => metric in sample.metrics)
  const isNeverHere = valid(here).length > 0 && !valid(here).some(sample => metric in sample.metrics)
  return isAlwaysThere && isNeverHere ? `${side}: ${metrics[metric].title} is missing` : undefined
}

/**
 * Shown where a client saw any.
 *
 * @param {Match} match
 */
export function errorRows ({ cell, base, head }) {
  const [before, now] = [base, head].map(samples => {
    const served = samplesOf(samples, 'errors').filter(({ metrics: { errors, requestsPerSecond } }) => errors !== undefined && requestsPerSecond !== undefined)
    return {
      errors: served.reduce((sum, { metrics: { errors } }) => sum + errors, 0),
      requests: served.reduce((sum, { metrics: { requestsPerSecond } }) => sum + requestsPerSecond * (cell.params.seconds ?? 1), 0)
    }
  })
  const isKnown = before.requests + before.errors > 0 && before.errors + now.errors > 0
  return isKnown ? [judgeErrors({ ...rowCell(cell), gates: true }, before, now)] : []
}

/**
 * @param {import('./verdict.js').Comparison} row  Of two runs, one after the other.
 * @returns {Partial<import('./verdict.js').Comparison>}
 */
function undecided ({ verdict }) {
  return verdict === 'invalid' ? {} : { verdict: 'inconclusive', detectable: null, morePairs: null, reason: ONE_AFTER_THE_OTHER }
}

/**
 * A metric that one side did not count has a row nevertheless: it must not disappear.
 *
 * @param {Match} match  Counted on one side at least.
 * @param {{gates: boolean}} options  Whether both sides counted the same workload.
 */
function judgeCounts ({ cell, base, head }, { gates }) {
  const before = exactSampleOf(base)?.metrics ?? {}
  const after = exactSampleOf(head)?.metrics ?? {}
  const failure = uncounted('base', base) ?? uncounted('head', head)
  if (failure) return [invalidRow(cell, failure, countedMetrics[0])]
  return countedMetrics.filter(metric => metric in before || metric in after).map(metric => {
    if (!(metric in before)) return invalidRow(cell, `base: ${metrics[metric].title} is missing`, metric)
    if (!(metric in after)) return invalidRow(cell, `head: ${metrics[metric].title} is missing`, metric)
    return judgeExact({ ...rowCell(cell), metric, gates }, before[metric], after[metric])
  })
}

/**
 * @param {RowCell} cell
 * @param {string} failure
 * @param {string} [metric]
 */
function invalidRow (cell, failure, metric = measuredMetrics[0]) {
  return judgeFailed({ ...rowCell(cell), metric, gates: true, pairs: [], rounds: 0, failure })
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
 * Table by table: only the samples of one are in memory.
 *
 * @param {import('../plan/plan.js').Cell[]} cells  Of both.
 * @param {Results} base
 * @param {Results} head
 * @returns {Generator<Match & {cell: import('../plan/plan.js').Cell}>}
 */
function * matchesOf (cells, base, head) {
  for (const table of groupBy(cells, tableId).values()) {
    const [ofBase, ofHead] = [base, head].map(({ samples }) => samples.byCell(table))
    for (const cell of table) yield { cell, base: ofBase.get(cell.id) ?? [], head: ofHead.get(cell.id) ?? [] }
  }
}

/**
 * Samples that are on both sides.
 *
 * @param {Match} match
 */
function countShared ({ base, head }) {
  const keyOf = (/** @type {Sample} */ { round, channel, started, metrics }) => JSON.stringify([round, channel, started, metrics])
  const known = new Set(base.filter(({ started }) => started).map(keyOf))
  return head.filter(sample => known.has(keyOf(sample))).length
}

/**
 * A copy always agrees with its original, so comparing them says nothing.
 *
 * @param {Results} base
 * @param {Results} head
 * @param {number} shared
 * @throws {UsageError}
 */
function assertOtherSamples (base, head, shared) {
  if (shared > 0) {
    throw new UsageError(`${base.directory} and ${head.directory} share ${shared} of ${head.samples.length} samples: a run cannot be compared with itself (compare two queues of it with --queue a,b)`)
  }
}

/**
 * Where two runs did not measure the same work at all: no figure of such a cell can be compared.
 *
 * @param {Results} base
 * @param {Results} head
 * @returns {(cell: RowCell) => {cell: RowCell, reason: string} | null}
 */
function otherWork ({ directory: a, run: base }, { directory: b, run: head }) {
  const whole = base.environment.timerq !== head.environment.timerq
    ? `measured by timerq ${base.environment.timerq} and ${head.environment.timerq}`
    : base.ended === null
      ? `${a} did not end: continue it with timerq run --resume`
      : head.ended === null ? `${b} did not end: continue it with timerq run --resume` : null
  const hashesOf = (/** @type {import('../store/results.js').Run} */ { plan }) =>
    new Map(plan.scenarios.map(({ name, sha256 }) => [name, sha256]))
  const [before, now] = [base, head].map(hashesOf)
  return cell => {
    const [one, other] = [before, now].map(hashes => hashes.get(cell.scenario))
    const reason = whole ?? (one && other && one !== other ? `${cell.scenario} is another workload in ${b}: its file has changed` : null)
    return reason === null ? null : { cell, reason }
  }
}

/**
 * What makes times of one machine incomparable, though the work is the same.
 *
 * @param {Results} base
 * @param {Results} head
 */
function otherConditions ({ run: a }, { run: b }) {
  const kept = /** @type {const} */ ([['kernels', 'kernel'], ['CPU governors', 'governor'], ['V8', 'v8'], ['pinning', 'pinning'], ['load generators', 'loadGenerator']])
  const timings = [a, b].map(({ plan: { settings: { preset, seed, countSeed, rounds, windows, budgetSeconds, until, enough, load, port, trace, control, ...timing } } }) => JSON.stringify(timing))
  return [
    ...kept.filter(([, name]) => a.environment[name] !== b.environment[name])
      .map(([what, name]) => `different ${what} (${a.environment[name]}; ${b.environment[name]})`),
    ...(timings[0] !== timings[1] ? [`samples of different lengths (presets ${a.plan.settings.preset}; ${b.plan.settings.preset})`] : [])
  ]
}

/**
 * What a reader should know about two runs that are compared nevertheless.
 *
 * @param {Results} base
 * @param {Results} head
 */
function differences ({ run: a }, { run: b }) {
  const warnings = []
  const runtimes = [a, b].map(({ plan }) => plan.runtimes.map(({ name }) => name).join(', '))
  if (runtimes[0] !== runtimes[1]) warnings.push(`different runtimes (${runtimes.join('; ')}): cells of different runtimes do not match`)
  const seeds = [a.plan, b.plan].map(countSeedOf)
  if (seeds[0] !== seeds[1]) warnings.push(`counted with different seeds (${seeds.join('; ')}), so of different workloads: counts are shown, but decide nothing`)
  return warnings
}

/**
 * @param {RowCell} cell
 * @returns {RowCell}
 */
function rowCell (cell) {
  return placeOfCell(cell)
}
