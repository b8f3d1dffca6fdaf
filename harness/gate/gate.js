/**
 * A gate: a run whose cells have sides. A gate of revisions makes their folders step by step (STEPS). The run is
 * carried out until every row is decided or the budget is spent (stop-rule.js), and the samples are judged
 * (judge-gate.js).
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MeasurementError, UsageError } from '../model/errors.js'
import { formatCount } from '../model/numbers.js'
import { secondsCovered } from '../model/seconds-covered.js'
import { rowId, rowsOf, timedRowsOf } from '../plan/rows.js'
import { machineTimes } from '../processes/proc-stat.js'
import { readStopped } from '../run/continuation.js'
import { carryOut, openRun, reopenRun } from '../run/run.js'
import { Store } from '../store/results.js'
import { diagnose } from './diagnosis.js'
import { assertSamePlan, besideEarlier } from './earlier.js'
import { copyBinaries } from './gated-runtimes.js'
import { Heats } from './heats.js'
import { judgeGate } from './judge-gate.js'
import { givePackages, runPrepare } from './packages.js'
import { describeShared } from './shared-code.js'
import { areSidesThere, checkOutSides, placesOf, sidesIn } from './sides.js'
import { gateStages } from './steps.js'
import { GateStopRule } from './stop-rule.js'
import { surveyCode } from './survey.js'
/** @import { ComparisonRecord } from '../judge/records.js' */
/** @import { Sides } from '../plan/plan.js' */
/** @import { RunOptions } from '../run/run.js' */
/** @import { Results, Sample } from '../store/results.js' */
/** @import { GatePlan, GateSettings, SidedPlan } from './gate-plan.js' */

/** @typedef {Pick<RunOptions, 'onProgress' | 'signal' | 'startedMs'>} GateRunOptions */

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
  let { startedMs } = options
  const store = await openRun(plan, {
    directory,
    command,
    onNote: setup.onNote,
    stages: gateStages(plan),
    prepare: async store => {
      startedMs = await prepare(store, setup, options)
    }
  }).catch(error => {
    const isOther = error instanceof UnmeasuredGate || !(error instanceof MeasurementError)
    throw isOther ? error : new UnmeasuredGate(plan, command, error.message, error)
  })
  return finishGate(store, { ...options, startedMs })
}

/**
 * @typedef {object} Prepared  A gate of revisions so far.
 * @property {string} directory
 * @property {SidedPlan} plan  Its sides are there after the first step.
 * @property {Setup} setup
 * @property {AbortSignal} [signal]
 * @property {number} startedMs  Start of the budget.
 * @property {string[]} changed  Files that differ between base and head, relative to the root.
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
const SETUP = [givePackages, runPrepare]
/** Steps that prepare the sides, in order. */
const STEPS = [checkOutSides, ...SETUP, surveyCode, describeShared]

/**
 * Prepares the sides of a gate of revisions.
 *
 * @param {Store} store
 * @param {Setup} setup
 * @param {GateRunOptions} options
 * @returns {Promise<number>} the start of the budget
 */
async function prepare (store, setup, { signal, startedMs = performance.now() }) {
  const plan = /** @type {SidedPlan} */ (store.run.plan)
  const { gate } = plan.of
  if (gate.earlier) assertSamePlan(plan, gate.earlier)
  if (gate.root === undefined) return startedMs
  const commands = [setup.install, setup.prepare].filter(command => typeof command === 'string')
  /** @type {Prepared} */
  let prepared = {
    directory: store.directory,
    plan: withPart(plan, commands.length > 0 ? { commands } : {}),
    setup,
    signal,
    startedMs,
    changed: [],
    failed: []
  }
  store.update({ plan: prepared.plan })
  for (const step of STEPS) {
    const begunMs = performance.now()
    const { gate = {}, ...found } = await step(prepared)
    prepared = { ...prepared, ...found }
    prepared.plan = withPart(prepared.plan, gate)
    if (SETUP.includes(step)) prepared.startedMs += performance.now() - begunMs
  }
  const { sides, ...complete } = prepared.plan
  const { unmatched } = complete.of.gate
  complete.cells = plan.cells.filter(({ scenario, queue }) =>
    unmatched.every(row => row.scenario !== scenario || row.queue !== queue)
  )
  if (complete.cells.length === 0) {
    const [{ queue, reason }] = unmatched
    throw new UnmeasuredGate(complete, store.run.command, `${queue}: ${reason}: nothing to compare`)
  }
  // A gate that was killed here has no hashes of its sides yet, and is prepared again from the start.
  store.samples.length = 0
  store.append(prepared.failed)
  store.rewriteSamples()
  store.update({ plan: complete })
  return prepared.startedMs
}

/**
 * @param {SidedPlan} plan
 * @param {Part} part
 * @returns {SidedPlan}
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
 * @param {string} directory
 * @returns {Results | null} null: the gate has not ended
 */
export function readEnded (directory) {
  const results = readStopped(directory, 'gate')
  return results.run.ended === null ? null : results
}

/**
 * Judges the samples of a gate again, also of a stopped one. Writes nothing.
 *
 * @param {string} directory
 * @returns {Promise<ComparisonRecord>}
 */
export async function judgedAgain (directory) {
  const results = readStopped(directory, 'gate')
  return finishGate({ ...results, run: { ...results.run, ended: results.run.ended ?? results.run.started } }, {})
}

/**
 * Continues a stopped gate with the same plan and sides, or judges an ended gate again. An ended gate gets no more
 * heats: its looks have spent alpha.
 *
 * @param {Results} stopped
 * @param {{plan?: GatePlan, setup?: Setup} & GateRunOptions} [options]  `plan`: that of its command line, made again;
 *   an ended gate needs none.
 * @returns {Promise<ComparisonRecord>}
 */
export async function resumeGate (stopped, { plan: planned, setup = {}, ...options } = {}) {
  const { directory, run: { ended }, samples } = stopped
  const plan = /** @type {GatePlan} */ (stopped.run.plan)
  assertLooks(directory, plan)
  if (ended !== null) return finishGate(stopped, options)
  const { root, trees } = plan.of.gate
  const areThere = root === undefined || (trees !== undefined && areSidesThere(sidesIn(directory)))
  if (!areThere && (trees || samples.some(({ kind }) => kind === 'heat'))) {
    throw new UsageError(`${directory} has lost the folders of its sides: start a new gate`)
  }
  const store = await reopenRun(stopped, { plan: /** @type {GatePlan} */ (planned), onNote: setup.onNote })
  // The gate was killed while its sides were prepared, unless another process has ended it since.
  if (!areThere && store.run.ended === null) await prepare(store, setup, options)
  return finishGate(store, options)
}

/**
 * More rounds than looks were planned for would spend alpha twice.
 *
 * @param {string} directory
 * @param {GatePlan} plan
 * @throws {UsageError}
 */
function assertLooks (directory, { end: { rounds }, of: { gate: { looks } } }) {
  const spent = looks.reduce((sum, { share }) => sum + share, 0)
  if (looks.at(-1)?.rounds === rounds && spent < 1 + Number.EPSILON * looks.length) return
  throw new UsageError(
    `${directory}/run.json: --rounds and --budget of a gate cannot change ` +
      `(${rounds} rounds are not those that it began with): start a new gate`
  )
}

/**
 * @param {Store | Results} gate  A store, unless the gate had ended before.
 * @param {GateRunOptions} options
 */
async function finishGate (gate, options) {
  const {
    directory,
    run: { ended, command, environment }
  } = gate
  const plan = /** @type {GatePlan} */ (gate.run.plan)
  const isEnded = ended !== null
  const { sides, warnings } = isEnded ? { warnings: [] } : await placeSides(plan, sidesIn(directory))
  const before = isEnded ? null : machineTimes()
  const stopRule = new GateStopRule(plan, { finished: gate.samples, startedMs: options.startedMs })
  if (!isEnded && gate instanceof Store) {
    await carryOut(gate, { ...options, plan: { ...plan, sides }, stages: gateStages(plan), stopRule })
    gate.update({ ended: new Date().toISOString() })
  } else {
    stopRule.see([...gate.samples])
  }
  const { samples } = gate
  const judged = stopRule.judge(command)
  const { baseCommit, headCommit, trees, earlier } = plan.of.gate
  const beside = earlier && existsSync(earlier.directory) ? { earlier: besideEarlier(judged, earlier, gate.run) } : {}
  const after = isEnded ? null : machineTimes()
  const record = {
    ...judged,
    seconds: Math.round(secondsCovered([...samples])),
    receipt: {
      seed: plan.settings.seed,
      ...(baseCommit && { baseCommit, trees }),
      ...(headCommit && { headCommit }),
      environment
    },
    ...beside,
    warnings: [
      ...(earlier && !beside.earlier ? [`${earlier.directory} is gone: nothing to compare this gate with`] : []),
      ...(plan.of.gate.warnings ?? []),
      ...warnings,
      ...(plan.of.benchmarks?.leftOut ?? []),
      ...judged.warnings,
      ...describeUncounted(plan, samples),
      ...diagnose({ record: judged, samples, before, after, environment }),
      ...(judged.verdict === 'inconclusive' && !judged.unmeasured ? [describeMore(plan, ended)] : [])
    ]
  }
  if (isEnded) return record
  try {
    writeFileSync(path.join(directory, RECORD_FILE), JSON.stringify(record, null, 2) + '\n')
  } catch (error) {
    // A full disk must not cost the verdict.
    record.warnings.push(`${RECORD_FILE} was not written: ${/** @type {Error} */ (error).message}`)
  }
  rmSync(sidesIn(directory), { recursive: true, force: true })
  return record
}

/**
 * @param {GatePlan} plan
 * @param {string} folder  Folder of all sides.
 * @returns {Promise<{sides?: Sides, warnings: string[]}>}
 */
async function placeSides ({ runtimes, of: { gate: { root, sides } } }, folder) {
  if (sides?.base.runtime !== undefined) return copyBinaries(runtimes, sides, path.resolve(folder))
  return { sides: sides ?? (root === undefined ? undefined : placesOf(folder, root)), warnings: [] }
}

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

/**
 * @param {GatePlan} plan
 * @param {string | null} ended  When the gate had ended before, if it had.
 */
function describeMore ({ end: { rounds }, of: { gate: { budgetSeconds } } }, ended) {
  const again = ended === null ? '' : `this gate ended at ${ended} and was only judged again; `
  return `${again}more heats need a new gate, with a --budget above ${budgetSeconds}s and --rounds above ${rounds}`
}
