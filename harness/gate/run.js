/**
 * The gate, from beginning to end: a plan whose cells have sides, and a stop rule.
 *
 *   plan.js        which steps, in which order, and when rows are looked at
 *   sides.js       base, head and control as folders
 *   measure.js     steps in, samples out
 *   stop-rule.js   which rows need more heats
 *   judge-gate.js  regression, pass, inconclusive or invalid
 *   diagnosis.js   what disturbed the machine
 */
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeLoadGenerator } from '../measure/http/load-generator.js'
import { UsageError } from '../model/errors.js'
import { captureEnvironment } from '../processes/environment.js'
import { assertOpenFiles } from '../processes/open-files.js'
import { choosePins } from '../processes/pinning.js'
import { assertContinuable } from '../run/continuation.js'
import { lockResults, unlockResults } from '../store/lock.js'
import { appendSamples, createResults, dropUnfinished, readResults, RUN_FORMAT, writeRun } from '../store/results.js'
import { diagnose, observeMachine } from './diagnosis.js'
import { Heats } from './heats.js'
import { measureSteps } from './measure.js'
import { rowOf, rowsOf, SIDE_URL, stepsOf } from './plan.js'
import { areSidesThere, foldersOf, isWithin, prepareSides } from './sides.js'
import { GateStopRule } from './stop-rule.js'

/**
 * @import { ComparisonRecord } from '../judge/compare.js'
 * @import { CellPlace } from '../model/cell.js'
 * @import { Named } from '../run/continuation.js'
 * @import { Run, Sample } from '../store/results.js'
 * @import { GatePlan, GateStep } from './plan.js'
 */

/**
 * @typedef {object} GateProgress
 * @property {{cell: CellPlace, round: number}} heat  The next one.
 * @property {number} open  Rows that are not decided yet.
 * @property {number} total
 * @property {number} rounds  At most.
 * @property {number} secondsLeft  Of the budget.
 *
 * @typedef {{onProgress?: (progress: GateProgress) => void, signal?: AbortSignal}} GateOptions
 *
 * @typedef {object} ResumeOptions
 * @property {Omit<Named, 'modules'>} [named]  Programs and addresses that the gate may use, besides its sides.
 * @property {(note: string) => void} [onNote]
 */

const LOCKFILES = ['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb']
/** Kept beside a gate's samples. */
const RECORD_FILE = 'comparison.json'

/**
 * @param {GatePlan} plan
 * @param {{directory: string, command: string[]} & GateOptions} options
 * @returns {Promise<ComparisonRecord>}
 */
export async function startGate (plan, { directory, command, ...options }) {
  assertOpenFiles(plan)
  const usesServers = plan.scenarios.some(({ kind }) => kind === 'http')
  const started = new Date().toISOString()
  const environment = captureEnvironment({
    pinning: choosePins().note,
    loadGenerator: usesServers ? await describeLoadGenerator(plan.settings) : 'none'
  })
  const run = { format: RUN_FORMAT, id: path.basename(directory), command, started, ended: null, environment, plan }
  createResults(directory, run)
  let prepared
  try {
    prepared = prepare(directory, run)
  } catch (error) {
    // Without samples the directory cannot be resumed; it would only block the next attempt.
    unlockResults(directory)
    rmSync(directory, { recursive: true })
    throw error
  }
  return finishGate(directory, prepared, [], options)
}

/**
 * Makes the sides, and notes which differences between base and working tree they share.
 *
 * @template {Run & {plan: GatePlan}} R
 * @param {string} directory
 * @param {R} run
 * @returns {R}
 */
function prepare (directory, run) {
  const { plan: { gate, scenarios, settings: { trace } } } = run
  const changed = prepareSides(sidesIn(directory), gate)
  const workload = [...scenarios.map(({ url }) => path.dirname(fileURLToPath(url))), ...(trace ? [path.resolve(trace)] : [])]
  const lockfiles = changed.filter(file => LOCKFILES.includes(path.basename(file)))
  const workloads = changed.filter(file => workload.some(place => isWithin(place, path.join(gate.root, file))))
  const options = process.env.NODE_OPTIONS
  const warnings = [
    ...(lockfiles.length > 0 ? [`not as in ${gate.baseRef}: ${lockfiles.join(', ')}; both sides were measured with the packages that are installed now`] : []),
    ...(workloads.length > 0 ? [`not as in ${gate.baseRef}: ${workloads.join(', ')}; both sides were measured under the workload of the working tree`] : []),
    ...(options ? [`NODE_OPTIONS is set, for both sides: ${options}`] : [])
  ]
  const noted = { ...run, plan: { ...run.plan, gate: { ...gate, warnings } } }
  writeRun(directory, noted)
  return noted
}

/**
 * Continues a gate that was stopped, by the same plan and on the same sides; or judges an ended one again. An ended gate is never
 * continued: its looks have spent alpha, so heats added after a look at the verdict would make it worthless.
 *
 * @param {string} directory
 * @param {GateOptions & ResumeOptions} options
 * @returns {Promise<ComparisonRecord>}
 */
export async function resumeGate (directory, { named, onNote = () => {}, ...options }) {
  const results = readResults(directory)
  const plan = /** @type {GatePlan} */ (results.run.plan)
  if (!plan.gate) throw new UsageError(`${directory} holds a run, not a gate: continue it with timerq run --resume`)
  assertAsPlanned(directory, plan)
  if (results.run.ended !== null) return finishGate(directory, { ...results.run, plan }, [...results.samples], options)

  const areThere = areSidesThere(sidesIn(directory))
  if (!areThere && results.samples.length > 0) throw new UsageError(`${directory} has lost the folders of its sides: start a new gate`)
  await assertContinuable(results, { ...named, modules: [SIDE_URL] })
  assertOpenFiles(plan)
  const dead = lockResults(directory)
  if (dead) onNote(`the gate of process ${dead.pid}, begun ${dead.since}, was killed: continuing it`)
  const locked = dropUnfinished(directory)
  const run = { ...locked.run, plan }
  // Another process may have ended the gate before it was locked.
  if (run.ended !== null) unlockResults(directory)
  return finishGate(directory, run.ended === null && !areThere ? prepare(directory, run) : run, [...locked.samples], options)
}

/**
 * More rounds than looks were planned for would spend alpha twice.
 *
 * @param {string} directory
 * @param {GatePlan} plan
 * @throws {UsageError}
 */
function assertAsPlanned (directory, { settings: { rounds }, gate: { looks } }) {
  const spent = looks.reduce((sum, { share }) => sum + share, 0)
  if (looks.at(-1)?.rounds === rounds && spent < 1 + Number.EPSILON * looks.length) return
  throw new UsageError(`${directory}/run.json: its looks are not those of ${rounds} rounds; a gate keeps the plan that it began with: start a new gate`)
}

/**
 * @param {string} directory
 * @param {Run & {plan: GatePlan}} run
 * @param {Sample[]} samples  Finished.
 * @param {GateOptions} options
 */
async function finishGate (directory, run, samples, { onProgress = () => {}, signal }) {
  const { plan, command, environment, ended } = run
  const folder = sidesIn(directory)
  const stopRule = new GateStopRule(plan, samples)
  const before = ended === null ? observeMachine() : null
  if (ended === null) {
    const finished = new Heats(samples)
    const missing = stepsOf(plan).filter(step => !finished.hasMeasured(step))
    const progressAt = (/** @type {GateStep} */ { cells: [cell], round }) =>
      ({ heat: { cell: rowOf(cell), round }, open: stopRule.open, total: rowsOf(plan).length, rounds: plan.settings.rounds, secondsLeft: stopRule.secondsLeft })
    const steps = measureSteps(plan, missing, { folders: foldersOf(folder), stopRule, onProgress: step => onProgress(progressAt(step)), signal })
    for await (const measured of steps) {
      appendSamples(directory, measured)
      samples.push(...measured)
      stopRule.see(measured)
    }
    writeRun(directory, { ...run, ended: new Date().toISOString() })
  }
  const judged = stopRule.judge(command)
  const record = {
    ...judged,
    warnings: [
      ...(plan.gate.warnings ?? []),
      ...judged.warnings,
      ...diagnose({ record: judged, samples, before, after: before && observeMachine(), environment }),
      ...(judged.verdict === 'inconclusive' ? [describeMore(plan, ended)] : [])
    ]
  }
  try {
    writeFileSync(path.join(directory, RECORD_FILE), JSON.stringify(record, null, 2) + '\n')
  } catch (error) {
    // A full disk must not cost the verdict.
    record.warnings.push(`${RECORD_FILE} was not written: ${/** @type {Error} */ (error).message}`)
  }
  rmSync(folder, { recursive: true, force: true })
  return record
}

/**
 * @param {GatePlan} plan
 * @param {string | null} ended  When the gate had ended before, if it had.
 */
function describeMore ({ settings: { rounds }, gate: { budgetSeconds } }, ended) {
  const again = ended === null ? '' : `this gate ended at ${ended} and was only judged again; `
  return `${again}an ended gate cannot be continued, because its looks have spent alpha: for more heats start a new gate with a larger --budget than ${budgetSeconds}s and --rounds above ${rounds}`
}

/** @param {string} directory */
const sidesIn = directory => path.join(directory, 'sides')
