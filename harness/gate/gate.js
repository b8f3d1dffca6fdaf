/**
 * The gate: a plan whose cells have sides (gate-plan.js, sides.js), a stop rule (stop-rule.js), a verdict
 * (judge-gate.js) and a diagnosis of the machine (diagnosis.js).
 */
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MeasurementError, UsageError } from '../model/errors.js'
import { continueRun, readStopped } from '../run/continuation.js'
import { execute } from '../run/execute.js'
import { openRun } from '../run/run.js'
import { Store } from '../store/results.js'
import { diagnose, observeMachine } from './diagnosis.js'
import { rowOf, SIDE_URL, stagesOf, timedRowsOf } from './gate-plan.js'
import { assertOwnModules, sideTaskOf } from './side-tasks.js'
import { areSidesThere, foldersOf, isWithin, prepareSides } from './sides.js'
import { GateStopRule } from './stop-rule.js'

/**
 * @import { ComparisonRecord } from '../judge/compare.js'
 * @import { Cell, CellPlace } from '../model/cell.js'
 * @import { Named } from '../run/continuation.js'
 * @import { Results } from '../store/results.js'
 * @import { GatePlan } from './gate-plan.js'
 * @import { Folders } from './sides.js'
 *
 * @typedef {object} GateProgress
 * @property {{cell: CellPlace, round: number}} heat  Next heat.
 * @property {number} open  Undecided rows.
 * @property {number} total
 * @property {number} rounds
 * @property {number} secondsLeft
 *
 * @typedef {{onProgress?: (progress: GateProgress) => void, signal?: AbortSignal}} GateOptions
 *
 * @typedef {object} ResumeOptions
 * @property {Named} [named]  Programs, modules and addresses that the gate may use, besides its sides.
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
  const store = await openRun(plan, { directory, command })
  try {
    prepare(store)
    if (plan.settings.program) await tryOutSides(plan, foldersOf(sidesIn(directory)), options.signal)
  } catch (error) {
    // Without samples the directory cannot be resumed; it would only block the next attempt.
    store.discard()
    throw error
  }
  return finishGate(store, options)
}

/**
 * @param {GatePlan} plan
 * @param {Folders} folders
 * @param {AbortSignal} [signal]
 * @throws {MeasurementError} when a side cannot be measured
 */
async function tryOutSides (plan, folders, signal) {
  const { tryOut } = await import('../measure/program/try-out.js')
  for (const side of /** @type {const} */ (['base', 'head'])) {
    const cell = /** @type {Cell} */ (plan.cells.find(cell => cell.side === side))
    const { httpTask, runtime } = sideTaskOf(plan, folders, cell)
    await tryOut(httpTask, runtime, signal).catch(error => {
      throw error instanceof MeasurementError
        ? new MeasurementError(`${side}: ${error.message} (a side has the files that git knows, and node_modules)`)
        : error
    })
  }
}

/**
 * Makes the folders of sides, and notes which differences between base and working tree they share.
 *
 * @param {Store} store
 */
function prepare (store) {
  const {
    directory,
    run: { plan }
  } = store
  const {
    gate,
    scenarios,
    settings: { trace }
  } = /** @type {GatePlan} */ (plan)
  const { root } = gate
  if (root === undefined) return
  const { trees, changed } = prepareSides(sidesIn(directory), gate)
  const workload = [
    ...scenarios.flatMap(({ url }) => (url === SIDE_URL ? [] : [path.dirname(fileURLToPath(url))])),
    ...(trace ? [path.resolve(trace)] : [])
  ]
  const lockfiles = changed.filter(file => LOCKFILES.includes(path.basename(file)))
  const workloads = changed.filter(file => workload.some(place => isWithin(place, path.join(root, file))))
  const options = process.env.NODE_OPTIONS
  const warnings = [
    ...(lockfiles.length > 0
      ? [
          `not as in ${gate.baseRef}: ${lockfiles.join(', ')}; both sides were measured with the packages that are installed now`
        ]
      : []),
    ...(workloads.length > 0
      ? [
          `not as in ${gate.baseRef}: ${workloads.join(', ')}; both sides were measured under the workload of the working tree`
        ]
      : []),
    ...(options ? [`NODE_OPTIONS is set, for both sides: ${options}`] : [])
  ]
  store.update({ plan: /** @type {GatePlan} */ ({ ...plan, gate: { ...gate, trees, warnings } }) })
}

/**
 * Continues a stopped gate with the same plan and sides, or judges an ended gate again. An ended gate gets no more
 * heats: its looks have spent alpha.
 *
 * @param {string} directory
 * @param {GateOptions & ResumeOptions} options
 * @returns {Promise<ComparisonRecord>}
 */
export async function resumeGate (directory, { named, onNote, ...options }) {
  const stopped = readStopped(directory, 'gate')
  const plan = /** @type {GatePlan} */ (stopped.run.plan)
  assertAsPlanned(directory, plan)
  if (stopped.run.ended !== null) return finishGate(stopped, options)

  const areThere = plan.gate.root === undefined || areSidesThere(sidesIn(directory))
  if (!areThere && stopped.samples.length > 0) {
    throw new UsageError(`${directory} has lost the folders of its sides: start a new gate`)
  }
  const store = await continueRun(stopped, {
    named: { ...named, modules: [SIDE_URL, ...(named?.modules ?? [])] },
    onNote
  })
  // The gate was killed while its sides were prepared, unless another process has ended it since.
  if (!areThere && store.run.ended === null) prepare(store)
  return finishGate(store, options)
}

/**
 * More rounds than looks were planned for would spend alpha twice; a file elsewhere was not planned.
 *
 * @param {string} directory
 * @param {GatePlan} plan
 * @throws {UsageError}
 */
function assertAsPlanned (directory, { settings: { rounds }, queues, scenarios, gate: { looks, sides } }) {
  if (sides?.head.url !== undefined) {
    throw new UsageError(`${directory} compares two files, and is not continued: start a new gate`)
  }
  const outside = [...queues, ...scenarios].find(
    ({ file = '' }) => path.isAbsolute(file) || path.normalize(file).startsWith('..')
  )
  const lost = sides ? -1 : queues.findIndex(({ url, file }) => url === SIDE_URL && file === undefined)
  if (lost !== -1) throw new UsageError(`${directory}/run.json: /plan/queues/${lost} has no file`)
  if (outside) throw new UsageError(`${directory}/run.json: ${outside.file} is outside of the repository`)
  const spent = looks.reduce((sum, { share }) => sum + share, 0)
  if (looks.at(-1)?.rounds === rounds && spent < 1 + Number.EPSILON * looks.length) return
  throw new UsageError(
    `${directory}/run.json: its looks are not those of ${rounds} rounds; a gate keeps the plan that it began with: start a new gate`
  )
}

/**
 * @param {Store | Results} gate  A store, unless the gate had ended before.
 * @param {GateOptions} options
 */
async function finishGate (gate, options) {
  const {
    directory,
    samples,
    run: { ended, command, environment }
  } = gate
  const plan = /** @type {GatePlan} */ (gate.run.plan)
  const stopRule = new GateStopRule(plan, samples)
  const isEnded = ended !== null
  const before = isEnded ? null : observeMachine()
  if (!isEnded && gate instanceof Store) {
    for await (const measured of measureMissing(plan, { directory, stopRule, samples: [...samples], ...options })) {
      gate.append(measured)
      stopRule.see(measured)
    }
    gate.update({ ended: new Date().toISOString() })
  }
  const judged = stopRule.judge(command)
  const record = {
    ...judged,
    warnings: [
      ...(plan.gate.warnings ?? []),
      ...judged.warnings,
      ...diagnose({ record: judged, samples, before, after: isEnded ? null : observeMachine(), environment }),
      ...(judged.verdict === 'inconclusive' ? [describeMore(plan, ended)] : [])
    ]
  }
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
 * @param {{directory: string, stopRule: GateStopRule, samples: Results['samples']} & GateOptions} options
 */
function measureMissing (plan, { directory, stopRule, samples, onProgress = () => {}, signal }) {
  const folders = foldersOf(sidesIn(directory))
  const total = timedRowsOf(plan).length
  return execute(plan, stopRule, {
    finished: samples,
    stages: stagesOf(plan),
    taskOf: cell => sideTaskOf(plan, folders, cell),
    beforeCount: (task, cell, signal) => assertOwnModules(plan, folders, { task, cell, signal }),
    onStep: ({ kind, cells: [cell], round }) => {
      if (kind === 'heat') {
        onProgress({
          heat: { cell: rowOf(cell), round },
          open: stopRule.open,
          total,
          rounds: plan.settings.rounds,
          secondsLeft: stopRule.secondsLeft
        })
      }
    },
    signal
  })
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
