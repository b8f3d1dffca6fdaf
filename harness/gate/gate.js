/**
 * A gate: a run whose cells have sides. Their folders are made (sides.js) and surveyed (survey.js), the run is carried
 * out until every row is decided or the budget is spent (stop-rule.js), and the samples are judged (judge-gate.js).
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MeasurementError, SideError, UsageError } from '../model/errors.js'
import { secondsCovered } from '../model/seconds-covered.js'
import { SIDE_URL } from '../plan/plan.js'
import { Budget } from '../run/budget.js'
import { readStopped } from '../run/continuation.js'
import { carryOut, openRun, reopenRun, tryOutProgram } from '../run/run.js'
import { Store } from '../store/results.js'
import { runInSide } from './commands.js'
import { diagnose, observeMachine } from './diagnosis.js'
import { assertSamePlan, assertSameTrees, besideEarlier } from './earlier.js'
import { drawBinaries } from './gated-runtimes.js'
import { findAsking, installPackages, linkedFromOutside, LOCKFILES } from './packages.js'
import { explainMissing } from './missing-files.js'
import { commitWith, repositoryRoot } from './revisions.js'
import { describeOutside } from './shared-code.js'
import { areSidesThere, foldersOf, isWithin, placesOf, prepareSides, resultsBeside } from './sides.js'
import { GateStopRule } from './stop-rule.js'
import { surveySides } from './survey.js'
/** @import { ComparisonRecord } from '../judge/compare.js' */
/** @import { Side } from '../model/cell.js' */
/** @import { GatePlan, Sides } from '../plan/plan.js' */
/** @import { Named } from '../run/trust.js' */
/** @import { RunOptions } from '../run/run.js' */
/** @import { Results } from '../store/results.js' */

/** @typedef {Pick<RunOptions, 'onProgress' | 'signal' | 'startedMs'>} GateOptions */

/** Kept beside a gate's samples. */
const RECORD_FILE = 'comparison.json'

/**
 * @typedef {object} Setup  How sides are completed, beside the files that git knows.
 * @property {string | false} [install]  Command that installs the packages of a side; false: both share the installed.
 * @property {string} [prepare]  Command that makes what git does not know.
 * @property {(note: string) => void} [onNote]
 */

/**
 * @param {GatePlan} plan
 * @param {{directory: string, command: string[], setup?: Setup} & GateOptions} options
 * @returns {Promise<ComparisonRecord>}
 */
export async function startGate (plan, { directory, command, setup = {}, startedMs, ...options }) {
  let setupMs = 0
  const store = await openRun(plan, {
    directory,
    command,
    prepare: async store => {
      setupMs = await prepare(store, setup, { startedMs, ...options })
    }
  })
  // The budget is for measuring.
  return finishGate(store, { ...options, ...(startedMs !== undefined && { startedMs: startedMs + setupMs }) })
}

/**
 * Makes the folders of sides, and notes which differences between base and working tree they share.
 *
 * @param {Store} store
 * @param {Setup} setup
 * @param {GateOptions} options
 * @returns {Promise<number>} milliseconds that commands of the setup took
 */
async function prepare (store, setup, { signal, startedMs = performance.now() }) {
  const { directory } = store
  const plan = /** @type {GatePlan} */ (store.run.plan)
  const { gate, settings } = plan
  assertSamePlan(plan)
  if (gate.root === undefined) return 0
  const folder = sidesIn(directory)
  const commands = [setup.install, setup.prepare].filter(command => typeof command === 'string')
  const planned = { ...gate, ...(commands.length > 0 && { commands }) }
  store.update({ plan: /** @type {GatePlan} */ ({ ...plan, gate: planned }) })
  const { trees, changed, warnings } = prepareSides(
    folder,
    gate,
    [directory, gate.earlier?.directory ?? directory].flatMap(resultsBeside)
  )
  const headCommit = gate.isSelfCheck ? gate.baseCommit : commitWith(gate.root, trees.head)
  assertSameTrees({ ...gate, trees })
  const placed = { ...plan, sides: placesOf(folder, gate.root) }
  writeFileSync(unfinishedIn(directory), '')
  const started = performance.now()
  const packages = await givePackages(plan, { folder, changed }, setup, signal)
  await runPrepare(placed.sides, setup, signal)
  const setupMs = performance.now() - started
  rmSync(unfinishedIn(directory))
  const program = settings.program && {
    ...settings.program,
    ...(await tryOutProgram(placed, signal).catch(explainIn(placed)))
  }
  const survey = program
    ? { warnings: [], unmatched: [], failed: [], outside: linkedFromOutside(gate.root, foldersOfCode(plan)) }
    : await surveySides(placed, { signal, budget: new Budget(gate.budgetSeconds, { startedMs: startedMs + setupMs }) })
  const shared = describeShared(
    plan,
    changed.filter(file => !packages.own.includes(file))
  )
  const outside = describeOutside(survey.outside, gate)
  const unmatched = [...gate.unmatched, ...survey.unmatched]
  const cells = plan.cells.filter(({ scenario, queue }) =>
    survey.unmatched.every(row => row.scenario !== scenario || row.queue !== queue)
  )
  if (cells.length === 0) {
    throw new MeasurementError(`${unmatched[0].queue}: ${unmatched[0].reason}: nothing to compare`)
  }
  store.update({
    plan: /** @type {GatePlan} */ ({
      ...plan,
      cells,
      settings: { ...settings, ...(program && { program }) },
      gate: {
        ...planned,
        unmatched,
        trees,
        ...(headCommit && { headCommit }),
        unmeasured: [...packages.unmeasured, ...outside.unmeasured, ...describeOtherWorkloads(plan, changed)],
        shared: outside.shared,
        warnings: [...(gate.warnings ?? []), ...warnings, ...packages.warnings, ...shared, ...survey.warnings]
      }
    })
  })
  if (survey.failed.length > 0) store.append(survey.failed)
  return setupMs
}

/**
 * @param {GatePlan} plan
 * @param {{folder: string, changed: string[]}} prepared  Folder of all sides, and files in which they differ.
 * @param {Setup} setup
 * @param {AbortSignal} [signal]
 * @returns {Promise<{own: string[], warnings: string[], unmeasured: string[]}>} `own`: files by which each side has
 *   packages of its own
 */
async function givePackages (plan, { folder, changed }, { install, onNote = () => {} }, signal) {
  const { root = '', isSelfCheck } = plan.gate
  const sides = foldersOf(folder)
  const asking = isSelfCheck ? [] : findAsking(changed, { root, sides, places: foldersOfCode(plan) })
  const differs = `base and head ask for other packages (${asking.join(', ')})`
  const unmeasured = (/** @type {string} */ reason) => ({ own: asking, warnings: [], unmeasured: [reason] })
  if (asking.length === 0 && !install) return { own: [], warnings: [], unmeasured: [] }
  if (install === false) return unmeasured(`${differs}, and both ran those that are installed now, by --no-install`)
  onNote(asking.length > 0 ? `${differs}: each side gets its own` : `packages of each side: ${install}`)
  const installed = await installPackages(sides, { asking, root, command: install, signal })
  if ('by' in installed) {
    return {
      own: asking,
      warnings: asking.length > 0 ? [`${differs}: each side had its own, by ${installed.by}`] : [],
      unmeasured: []
    }
  }
  return unmeasured(
    `${asking.length > 0 ? differs : '--install failed'}, and both ran those that are installed now: ${installed.fault}`
  )
}

/**
 * Names a file that a side of the program lacks.
 *
 * @type {(plan: GatePlan & {sides: Sides}) => (error: Error) => never}
 */
const explainIn = plan => error => {
  if (!(error instanceof SideError)) throw error
  const { side, reason } = error
  const lack = explainMissing(reason, /** @type {Side} */ (side), plan)
  throw lack ? new SideError(side, lack) : error
}

/**
 * @param {Sides} sides
 * @param {Setup} setup
 * @param {AbortSignal} [signal]
 * @throws {MeasurementError} when the command fails in a side
 */
async function runPrepare (sides, { prepare, onNote = () => {} }, signal) {
  if (prepare === undefined) return
  for (const [side, { cwd = '' }] of Object.entries(sides)) {
    onNote(`${side}: ${prepare}`)
    const { ok, words } = await runInSide(prepare, { cwd, signal })
    if (!ok) throw new MeasurementError(`${side}: --prepare "${prepare}" failed: ${words}`)
  }
}

/**
 * Folders of the gated code, relative to the root.
 *
 * @param {GatePlan} plan
 */
function foldersOfCode ({ queues, scenarios, settings: { program }, gate: { root = '' } }) {
  if (program) return [path.relative(root, program.cwd) || '.']
  return [...queues, ...scenarios].flatMap(({ file }) => (file === undefined ? [] : [path.dirname(file)]))
}

/**
 * Each side runs its own copy of a workload. A gain of another workload is not a gain of the code.
 *
 * @param {GatePlan} plan
 * @param {string[]} changed  Files that differ between base and head, relative to the root.
 */
function describeOtherWorkloads ({ gate: { expect }, scenarios }, changed) {
  const files = scenarios
    .flatMap(({ file = '' }) => file.split(path.sep).join('/'))
    .filter(file => changed.includes(file))
  return expect && files.length > 0
    ? [`the workload itself changed (${files.join(', ')}), and --expect needs the same one on both sides`]
    : []
}

/**
 * @param {GatePlan} plan
 * @param {string[]} changed  Files that differ between base and head, relative to the root.
 */
function describeShared ({ gate: { root = '', baseRef }, scenarios, settings: { trace } }, changed) {
  const workload = [
    ...scenarios.flatMap(({ url }) => (url === SIDE_URL ? [] : [path.dirname(fileURLToPath(url))])),
    ...(trace ? [path.resolve(trace)] : [])
  ]
  const lockfiles = changed.filter(file => LOCKFILES.includes(path.basename(file)))
  const workloads = changed.filter(file => workload.some(place => isWithin(place, path.join(root, file))))
  const options = process.env.NODE_OPTIONS
  const shared = (/** @type {string[]} */ files, /** @type {string} */ what) =>
    files.length > 0 ? [`not as in ${baseRef}: ${files.join(', ')}; both sides were measured ${what}`] : []
  return [
    ...shared(lockfiles, 'with the packages that are installed now'),
    ...shared(workloads, 'under the workload of the working tree'),
    ...(options ? [`NODE_OPTIONS is set, for both sides: ${options}`] : [])
  ]
}

/**
 * Continues a stopped gate with the same plan and sides, or judges an ended gate again. An ended gate gets no more
 * heats: its looks have spent alpha.
 *
 * @param {string} directory
 * @param {GateOptions & {named?: Named, onNote?: (note: string) => void}} options `named`: programs, modules and
 *   addresses that the gate may use, besides its sides.
 * @returns {Promise<ComparisonRecord>}
 */
export async function resumeGate (directory, { named, onNote, ...options }) {
  const stopped = readStopped(directory, 'gate')
  const plan = /** @type {GatePlan} */ (stopped.run.plan)
  assertAsPlanned(directory, plan)
  if (stopped.run.ended !== null) return finishGate(stopped, options)

  const areThere =
    plan.gate.root === undefined || (areSidesThere(sidesIn(directory)) && !existsSync(unfinishedIn(directory)))
  if (!areThere && stopped.samples.length > 0) {
    throw new UsageError(`${directory} has lost the folders of its sides: start a new gate`)
  }
  if (!areThere && plan.gate.commands) {
    throw new UsageError(`${directory} was stopped before its sides were complete: start a new gate`)
  }
  const mine = {
    ...named,
    modules: [...(areThere ? [SIDE_URL] : []), ...(named?.modules ?? [])],
    ...(plan.gate.root !== undefined && { root: repositoryRoot(process.cwd()) })
  }
  const store = await reopenRun(stopped, { named: mine, onNote })
  // The gate was killed while its sides were prepared, unless another process has ended it since.
  if (!areThere && store.run.ended === null) await prepare(store, {}, options)
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
  const lost = sides
    ? -1
    : queues.findIndex(({ origin, url, file }) => origin !== 'code' && url === SIDE_URL && file === undefined)
  if (lost !== -1) throw new UsageError(`${directory}/run.json: /plan/queues/${lost} has no file`)
  if (outside) throw new UsageError(`${directory}/run.json: ${outside.file} is outside of the repository`)
  const spent = looks.reduce((sum, { share }) => sum + share, 0)
  if (looks.at(-1)?.rounds === rounds && spent < 1 + Number.EPSILON * looks.length) return
  throw new UsageError(
    `${directory}/run.json: --rounds and --budget of a gate cannot change ` +
      `(${rounds} rounds are not those that it began with): start a new gate`
  )
}

/**
 * @param {Store | Results} gate  A store, unless the gate had ended before.
 * @param {GateOptions} options
 */
async function finishGate (gate, options) {
  const {
    directory,
    run: { ended, command, environment }
  } = gate
  const plan = /** @type {GatePlan} */ (gate.run.plan)
  const isEnded = ended !== null
  const { sides, warnings } = isEnded ? { warnings: [] } : await placeSides(plan, sidesIn(directory))
  const before = isEnded ? null : observeMachine()
  const stopRule = new GateStopRule(plan, { finished: gate.samples, startedMs: options.startedMs })
  if (!isEnded && gate instanceof Store) {
    await carryOut(gate, { ...options, plan: { ...plan, sides }, stopRule })
    gate.update({ ended: new Date().toISOString() })
  } else {
    stopRule.see([...gate.samples])
  }
  const { samples } = gate
  const judged = stopRule.judge(command)
  const { baseCommit, headCommit, trees, earlier } = plan.gate
  const beside = earlier && existsSync(earlier.directory) ? { earlier: besideEarlier(judged, earlier, gate.run) } : {}
  const after = isEnded ? null : observeMachine()
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
      ...(earlier && !beside.earlier ? [`${earlier.directory} is gone: nothing to set beside this gate`] : []),
      ...(plan.gate.warnings ?? []),
      ...warnings,
      ...(plan.leftOut ?? []),
      ...judged.warnings,
      ...diagnose({ record: judged, samples, before, after, environment }),
      ...(judged.verdict === 'inconclusive' && !judged.unmeasured ? [describeMore(plan, ended)] : [])
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
 * @param {string} folder  Folder of all sides.
 * @returns {Promise<{sides?: Sides, warnings: string[]}>}
 */
async function placeSides ({ runtimes, gate: { root, sides } }, folder) {
  if (sides?.base.runtime !== undefined) return drawBinaries(runtimes, sides, path.resolve(folder))
  return { sides: sides ?? (root === undefined ? undefined : placesOf(folder, root)), warnings: [] }
}

/**
 * @param {GatePlan} plan
 * @param {string | null} ended  When the gate had ended before, if it had.
 */
function describeMore ({ settings: { rounds }, gate: { budgetSeconds } }, ended) {
  const again = ended === null ? '' : `this gate ended at ${ended} and was only judged again; `
  return `${again}more heats need a new gate, with a --budget above ${budgetSeconds}s and --rounds above ${rounds}`
}

/** @param {string} directory */
const sidesIn = directory => path.join(directory, 'sides')

/**
 * A file that is there while commands complete the sides.
 *
 * @param {string} directory
 */
const unfinishedIn = directory => path.join(sidesIn(directory), 'unfinished')
