/**
 * A gate: a run whose cells have sides. A gate of revisions makes their folders step by step (STEPS). The run is
 * carried out until every row is decided or the budget is spent (stop-rule.js), and the samples are judged
 * (judge-gate.js).
 */
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MeasurementError } from '../model/errors.js'
import { formatCount } from '../model/numbers.js'
import { secondsCovered } from '../model/seconds-covered.js'
import { rowId, rowsOf, timedRowsOf } from '../plan/rows.js'
import { machineTimes } from '../processes/proc-stat.js'
import { carryOut, openRun } from '../run/run.js'
import { readResults } from '../store/results.js'
import { diagnose } from './diagnosis.js'
import { copyBinaries } from './gated-runtimes.js'
import { Heats } from './heats.js'
import { judgeGate } from './judge-gate.js'
import { keepRows } from './gate-plan.js'
import { build, install } from './setup.js'
import { findShared } from './shared-code.js'
import { checkOutSides, homeOf } from './sides.js'
import { gateStages } from './stages.js'
import { GateStopRule } from './stop-rule.js'
import { surveyCode } from './survey.js'
/** @import { ComparisonRecord } from '../judge/records.js' */
/** @import { Sides } from '../plan/plan.js' */
/** @import { OnRead } from '../run/progress.js' */
/** @import { RunOptions } from '../run/run.js' */
/** @import { MachineTimes } from '../processes/proc-stat.js' */
/** @import { Run, Sample, Store } from '../store/results.js' */
/** @import { Difference } from './differences.js' */
/** @import { GatePlan, GateSettings, SidedPlan } from './gate-plan.js' */

/** @typedef {Pick<RunOptions, 'onProgress' | 'signal' | 'startedMs'> & {onRead?: OnRead}} GateRunOptions */

/** A gate that ends before it measures anything: no row is left, or (`cause`) a side cannot be completed. */
export class UnmeasuredGate extends MeasurementError {
  /**
   * @param {GatePlan} plan
   * @param {string[]} command
   * @param {string} [message]
   * @param {MeasurementError} [cause]
   */
  constructor (plan, command, message = plan.of.gate.unmatched[0]?.reason ?? 'nothing to measure', cause) {
    super(message, { cause })
    const rows = rowsOf(plan).map(row => ({ ...row, reason: message }))
    const gate = { ...plan.of.gate, unmatched: [...rows, ...plan.of.gate.unmatched] }
    this.record = judgeGate({ ...plan, cells: [], of: { ...plan.of, gate } }, new Heats(), { command })
  }
}

/** File of the verdict, in the folder of the gate's samples. */
const RECORD_FILE = 'comparison.json'

/**
 * @typedef {object} Setup  How sides get the files that git does not know.
 * @property {string | false} [install]  Command that installs the packages of a side; false: both share the installed.
 * @property {string} [prepare]  Command that makes what git does not know.
 * @property {(note: string) => void} [onNote]
 */

/**
 * @param {GatePlan} plan
 * @param {{directory: string, command: string[], setup?: Setup} & GateRunOptions} options
 * @returns {Promise<ComparisonRecord>}
 * @throws {UnmeasuredGate} when no row is left, or a side cannot be completed
 */
export async function startGate (plan, { directory, command, setup = {}, ...options }) {
  if (plan.cells.length === 0) throw new UnmeasuredGate(plan, command)
  /** @type {Sided} */
  let sided = { startedMs: options.startedMs }
  const store = await openRun(plan, {
    directory,
    command,
    isResumable: false,
    onNote: setup.onNote,
    stages: gateStages(plan),
    prepare: async store => {
      if (plan.of.gate.root !== undefined) sided = await prepare(store, setup, options)
    }
  }).catch(error => {
    const isOther = error instanceof UnmeasuredGate || !(error instanceof MeasurementError)
    throw isOther ? error : new UnmeasuredGate(plan, command, error.message, error)
  })
  return carryOutGate(store, { ...options, ...sided })
}

/**
 * @typedef {{startedMs?: number, sides?: Sides}} Sided  `startedMs`: start of the budget.
 *
 * @typedef {object} Prepared  A gate of revisions so far.
 * @property {SidedPlan} plan  Its sides are there after the first step.
 * @property {Setup} setup
 * @property {AbortSignal} [signal]
 * @property {OnRead} [onRead]
 * @property {number} startedMs  Start of the budget.
 * @property {string} directory  Results.
 * @property {Difference[]} differences  Files that differ between base and head.
 * @property {Sample[]} failed  Samples of cells that cannot be measured.
 *
 * @typedef {Partial<Prepared> & {gate?: Part}} Found
 *
 * @typedef {(prepared: Prepared) => Found | Promise<Found>} SideStep
 *
 * @typedef {Partial<GateSettings>} Part  Lists are added to those of the earlier steps.
 */

/**
 * Commands of the user take nothing from the budget, which is for measuring.
 *
 * @type {SideStep[]}
 */
const SETUP = [install, build]
/** Steps that prepare the sides, in order. */
const STEPS = [checkOutSides, ...SETUP, surveyCode, findShared]

/**
 * Prepares the sides of a gate of revisions.
 *
 * @param {Store} store
 * @param {Setup} setup
 * @param {GateRunOptions} options
 * @returns {Promise<Sided>}
 */
async function prepare (store, setup, { signal, onRead, startedMs = performance.now() }) {
  const plan = /** @type {SidedPlan} */ (store.run.plan)
  const commands = [setup.install, setup.prepare].filter(command => typeof command === 'string')
  /** @type {Prepared} */
  let prepared = {
    plan: withPart(plan, commands.length > 0 ? { commands } : {}),
    setup,
    signal,
    onRead,
    startedMs,
    directory: store.directory,
    differences: [],
    failed: []
  }
  for (const step of STEPS) {
    const begunMs = performance.now()
    const { gate = {}, ...found } = await step(prepared)
    prepared = { ...prepared, ...found }
    prepared.plan = withPart(prepared.plan, gate)
    if (SETUP.includes(step)) prepared.startedMs += performance.now() - begunMs
  }
  const { sides, ...complete } = keepRows(prepared.plan)
  const { unmatched, touched } = complete.of.gate
  if (complete.cells.length === 0 && !touched) {
    const [{ queue, reason }] = unmatched
    throw new UnmeasuredGate(complete, store.run.command, `${queue}: ${reason}: nothing to compare`)
  }
  const { leastSeconds = Infinity, budgetSeconds } = complete.of.gate
  if (budgetSeconds > leastSeconds) {
    setup.onNote?.(
      `${formatCount(rowsOf(complete).length, 'cell')} need more than the usual ${leastSeconds} s: ` +
        `the budget is ${budgetSeconds} s (--budget sets it)`
    )
  }
  store.append(prepared.failed)
  store.update({ plan: complete })
  return { startedMs: prepared.startedMs, sides }
}

/**
 * @template {GatePlan} P
 * @param {P} plan
 * @param {Part} part
 * @returns {P}
 */
function withPart (plan, part) {
  const before = /** @type {Record<string, any>} */ (plan.of.gate)
  const added = Object.entries(part).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...(before[name] ?? []), ...value] : value
  ])
  return { ...plan, of: { ...plan.of, gate: { ...plan.of.gate, ...Object.fromEntries(added) } } }
}

/**
 * Judges the samples of a gate again, also those of a gate that was killed.
 *
 * @param {string} directory  Its results.
 * @returns {ComparisonRecord}
 */
export function judgedAgain (directory) {
  const { run, samples } = readResults(directory)
  const stopRule = new GateStopRule(/** @type {GatePlan} */ (run.plan))
  stopRule.see([...samples])
  return recordOf(run, samples, stopRule.judge(run.command))
}

/**
 * @param {Store} store
 * @param {GateRunOptions & Sided} options
 */
async function carryOutGate (store, { sides: folders, ...options }) {
  const plan = /** @type {GatePlan} */ (store.run.plan)
  const { sides, warnings } = folders ? { sides: folders, warnings: [] } : await placeRuntimes(plan, store.directory)
  const before = machineTimes()
  const stopRule = new GateStopRule(plan, options.startedMs)
  await carryOut(store, { ...options, plan: { ...plan, sides }, stages: gateStages(plan), stopRule })
  const judged = stopRule.judge(store.run.command)
  const { samples, run: { environment } } = store
  const found = [...warnings, ...diagnose({ record: judged, samples, before, after: machineTimes(), environment })]
  // Nothing tells them from the samples when the gate is judged again.
  store.update({ ended: new Date().toISOString(), plan: withPart(plan, { warnings: found }) })
  for (const place of [folders && homeOf(folders), binariesIn(store.directory)]) {
    if (place) rmSync(place, { recursive: true, force: true })
  }
  const record = recordOf(store.run, samples, judged)
  try {
    writeFileSync(path.join(store.directory, RECORD_FILE), JSON.stringify(record, null, 2) + '\n')
  } catch (error) {
    // A full disk must not cost the verdict.
    record.warnings.push(`${RECORD_FILE} was not written: ${/** @type {Error} */ (error).message}`)
  }
  return record
}

/**
 * @param {Run} run
 * @param {Iterable<Sample>} samples
 * @param {ComparisonRecord} judged
 * @returns {ComparisonRecord}
 */
function recordOf ({ plan: planned, environment }, samples, judged) {
  const plan = /** @type {GatePlan} */ (planned)
  const { settings: { seed }, of: { gate, benchmarks } } = plan
  const { baseCommit, headCommit, trees, loadSeconds } = gate
  const taken = [...samples]
  return {
    ...judged,
    seconds: Math.round(secondsCovered(taken)),
    ...(loadSeconds && { loadSeconds }),
    receipt: { seed, ...(baseCommit && { baseCommit, trees }), ...(headCommit && { headCommit }), environment },
    warnings: [
      ...(gate.warnings ?? []),
      ...(benchmarks?.leftOut ?? []),
      ...judged.warnings,
      ...describeUncounted(plan, taken),
      ...(judged.verdict === 'inconclusive' && !judged.unmeasured ? [describeMore(plan)] : [])
    ]
  }
}

/**
 * @param {GatePlan} plan
 * @param {string} directory  Results.
 * @returns {Promise<{sides?: Sides, warnings: string[]}>}
 */
async function placeRuntimes ({ runtimes, of: { gate: { sides } } }, directory) {
  if (sides?.base.runtime === undefined) return { sides, warnings: [] }
  return copyBinaries(runtimes, sides, binariesIn(directory))
}

/** @param {string} directory  Results. */
const binariesIn = directory => path.resolve(directory, 'binaries')

/**
 * Rows without times are judged by their counts alone, and name those that are missing.
 *
 * @param {GatePlan} plan
 * @param {Iterable<Sample>} samples
 */
function describeUncounted (plan, samples) {
  if (plan.of.gate.isUncounted) return []
  const counted = new Set([...samples].filter(({ kind }) => kind === 'count').map(rowId))
  const rows = timedRowsOf(plan)
  const missing = rows.filter(row => !counted.has(rowId(row)))
  if (missing.length === 0) return []
  const share = `${missing.length} of ${formatCount(rows.length, 'row')}`
  return [`no time was left to count ${share}, so only times decide them: give it a longer --budget`]
}

/** @param {GatePlan} plan */
const describeMore = ({ end: { rounds }, of: { gate: { budgetSeconds } } }) =>
  `more heats need a new gate, with a --budget above ${budgetSeconds}s and --rounds above ${rounds}`
