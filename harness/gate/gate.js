/**
 * A gate: a run whose cells have sides. Their folders are made (sides.js) and surveyed (survey.js), the run is carried
 * out until every row is decided or the budget is spent (stop-rule.js), and the samples are judged (judge-gate.js).
 */
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MeasurementError, SideError, UsageError } from '../model/errors.js'
import { secondsCovered } from '../model/seconds-covered.js'
import { SIDE_URL } from '../plan/plan.js'
import { rowsOf } from '../plan/rows.js'
import { Budget } from '../run/budget.js'
import { readStopped } from '../run/continuation.js'
import { carryOut, openRun, reopenRun, tryOutProgram } from '../run/run.js'
import { Store } from '../store/results.js'
import { runInSide } from './commands.js'
import { diagnose, observeMachine } from './diagnosis.js'
import { assertSamePlan, assertSameTrees, besideEarlier } from './earlier.js'
import { drawBinaries } from './gated-runtimes.js'
import { Heats } from './heats.js'
import { judgeGate } from './judge-gate.js'
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
/** @import { Results, Sample } from '../store/results.js' */

/** @typedef {Pick<RunOptions, 'onProgress' | 'signal' | 'startedMs'>} GateOptions */

/** A gate that ends before it measures anything: no row is left, or (`cause`) a side cannot be completed. */
export class UnmeasuredGate extends MeasurementError {
  /**
   * @param {GatePlan} plan
   * @param {string[]} command
   * @param {string} [message]
   * @param {MeasurementError} [cause]
   */
  constructor (plan, command, message = plan.gate.unmatched[0]?.reason ?? 'nothing to measure', cause) {
    super(message, { cause })
    const rows = rowsOf(plan).map(row => ({ ...row, reason: message }))
    const gate = { ...plan.gate, unmatched: [...rows, ...plan.gate.unmatched] }
    this.record = judgeGate({ ...plan, cells: [], gate }, new Heats(), { command })
  }
}

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
 * @throws {UnmeasuredGate} when no row is left, or a side cannot be completed
 */
export async function startGate (plan, { directory, command, setup = {}, startedMs, ...options }) {
  let setupMs = 0
  if (plan.cells.length === 0) throw new UnmeasuredGate(plan, command)
  const store = await openRun(plan, {
    directory,
    command,
    prepare: async store => {
      setupMs = await prepare(store, setup, { startedMs, ...options })
    }
  }).catch(error => {
    const isOther = error instanceof UnmeasuredGate || !(error instanceof MeasurementError)
    throw isOther ? error : new UnmeasuredGate(plan, command, error.message, error)
  })
  // The budget is for measuring.
  return finishGate(store, { ...options, ...(startedMs !== undefined && { startedMs: startedMs + setupMs }) })
}

/**
 * @typedef {object} Prepared  Sides so far.
 * @property {string} directory
 * @property {GatePlan & {sides: Sides}} plan  With folders of sides.
 * @property {Setup} setup
 * @property {AbortSignal} [signal]
 * @property {number} startedMs  Start of the budget: commands of the setup take nothing from it.
 * @property {string[]} changed  Files that differ between base and head, relative to the root.
 * @property {string[]} own  Files by which each side has packages of its own.
 * @property {Sample[]} failed  Samples of cells that cannot be measured.
 *
 * @typedef {Partial<GatePlan['gate']>} Part  Lists are added to those of the earlier steps.
 */

/** Steps that prepare the sides, in order. Each returns its part of the gate. */
const STEPS = [checkOut, givePackages, runPrepare, surveyCode, describeShared]

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
  assertSamePlan(plan)
  if (plan.gate.root === undefined) return 0
  const commands = [setup.install, setup.prepare].filter(command => typeof command === 'string')
  let gate = { ...plan.gate, ...(commands.length > 0 && { commands }) }
  store.update({ plan: /** @type {GatePlan} */ ({ ...plan, gate }) })
  const sides = /** @type {Sides} */ ({})
  /** @type {Prepared} */
  const prepared = { directory, plan: { ...plan, sides }, setup, signal, startedMs, changed: [], own: [], failed: [] }
  for (const step of STEPS) gate = withPart(gate, await step(prepared))
  const cells = plan.cells.filter(({ scenario, queue }) =>
    gate.unmatched.every(row => row.scenario !== scenario || row.queue !== queue)
  )
  const complete = /** @type {GatePlan} */ ({ ...plan, settings: prepared.plan.settings, cells, gate })
  if (cells.length === 0) {
    const { queue, reason } = gate.unmatched[0]
    throw new UnmeasuredGate(complete, store.run.command, `${queue}: ${reason}: nothing to compare`)
  }
  // A gate that was killed here has no hashes of its sides yet, and is prepared again from the start.
  store.samples.length = 0
  store.append(prepared.failed)
  store.rewriteSamples()
  store.update({ plan: complete })
  return prepared.startedMs - startedMs
}

/**
 * @param {GatePlan['gate']} gate
 * @param {Part} part
 * @returns {GatePlan['gate']}
 */
function withPart (gate, part) {
  const before = /** @type {Record<string, any>} */ ({ ...gate })
  const added = Object.entries(part).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...(before[name] ?? []), ...value] : value
  ])
  return { ...gate, ...Object.fromEntries(added) }
}

/** @type {(prepared: Prepared) => Part} */
function checkOut (prepared) {
  const { directory, plan } = prepared
  const { gate } = plan
  const { root = '', earlier, isSelfCheck, baseCommit, gone = [] } = gate
  const folder = sidesIn(directory)
  const results = [directory, earlier?.directory ?? directory].flatMap(resultsBeside)
  const { trees, changed, warnings } = prepareSides(folder, gate, results)
  const headCommit = isSelfCheck ? baseCommit : commitWith(root, trees.head)
  assertSameTrees({ ...gate, trees })
  const renamed = gone.flatMap(({ file, now }) => (now === undefined ? [] : { file, now }))
  const { base, control } = foldersOf(folder)
  for (const { file, now } of renamed) {
    for (const side of [base, control]) cpSync(path.join(side, file), path.join(side, now))
  }
  warnings.push(...renamed.map(({ file, now }) => `${now} is ${file} of ${gate.baseRef}`))
  Object.assign(prepared, { changed, plan: { ...plan, sides: placesOf(folder, root) } })
  return { trees, warnings, ...(headCommit && { headCommit }) }
}

/** @type {(prepared: Prepared) => Promise<Part>} */
async function givePackages (prepared) {
  const { directory, plan, setup, signal, changed } = prepared
  const { install, onNote = () => {} } = setup
  const { root = '', isSelfCheck } = plan.gate
  const sides = foldersOf(sidesIn(directory))
  const asking = isSelfCheck ? [] : findAsking(changed, { root, sides, places: foldersOfCode(plan) })
  const differs = `base and head ask for other packages (${asking.join(', ')})`
  prepared.own = asking
  if (asking.length === 0 && !install) return {}
  if (install === false) {
    return { unmeasured: [`${differs}, and both ran those that are installed now, by --no-install`] }
  }
  onNote(asking.length > 0 ? `${differs}: each side gets its own` : `packages of each side: ${install}`)
  const options = { asking, root, command: install, signal }
  const installed = await apartFromBudget(prepared, () => installPackages(sides, options))
  if ('by' in installed) {
    return { warnings: asking.length > 0 ? [`${differs}: each side had its own, by ${installed.by}`] : [] }
  }
  const failed = asking.length > 0 ? differs : '--install failed'
  return { unmeasured: [`${failed}, and both ran those that are installed now: ${installed.fault}`] }
}

/**
 * @template T
 * @param {Prepared} prepared
 * @param {() => Promise<T>} run  A command of the user.
 */
async function apartFromBudget (prepared, run) {
  const started = performance.now()
  try {
    return await run()
  } finally {
    prepared.startedMs += performance.now() - started
  }
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
 * @type {(prepared: Prepared) => Promise<Part>}
 * @throws {MeasurementError} when the command fails in a side
 */
async function runPrepare (prepared) {
  const { plan, setup, signal } = prepared
  const { prepare: command, onNote = () => {} } = setup
  if (command === undefined) return {}
  for (const [side, { cwd = '' }] of Object.entries(plan.sides)) {
    onNote(`${side}: ${command}`)
    const { ok, words } = await apartFromBudget(prepared, () => runInSide(command, { cwd, signal }))
    if (!ok) throw new MeasurementError(`${side}: --prepare "${command}" failed: ${words}`)
  }
  return {}
}

/**
 * Loads the code of both sides, or starts a program.
 *
 * @type {(prepared: Prepared) => Promise<Part>}
 */
async function surveyCode (prepared) {
  const { plan, signal, startedMs, changed } = prepared
  const { gate, settings } = plan
  if (settings.program) {
    const found = await tryOutProgram(plan, signal).catch(explainIn(plan))
    prepared.plan = { ...plan, settings: { ...settings, program: { ...settings.program, ...found } } }
    return describeOutside(linkedFromOutside(gate.root ?? '', foldersOfCode(plan)), gate)
  }
  const budget = new Budget(gate.budgetSeconds, { startedMs })
  const { failed, outside, ...part } = await surveySides(plan, { changed, signal, budget })
  prepared.failed = failed
  const { unmeasured, shared } = describeOutside(outside, gate)
  return { ...part, unmeasured: [...part.unmeasured, ...unmeasured], shared: [...part.shared, ...shared] }
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

/** @type {(prepared: Prepared) => Part} */
function describeShared ({ plan, changed: all, own }) {
  const {
    gate: { root = '', baseRef },
    scenarios,
    settings: { trace }
  } = plan
  const changed = all.filter(file => !own.includes(file))
  const workload = [
    ...scenarios.flatMap(({ url }) => (url === SIDE_URL ? [] : [path.dirname(fileURLToPath(url))])),
    ...(trace ? [path.resolve(trace)] : [])
  ]
  const lockfiles = changed.filter(file => LOCKFILES.includes(path.basename(file)))
  const workloads = changed.filter(file => workload.some(place => isWithin(place, path.join(root, file))))
  const options = process.env.NODE_OPTIONS
  const shared = (/** @type {string[]} */ files, /** @type {string} */ what) =>
    files.length > 0 ? [`not as in ${baseRef}: ${files.join(', ')}; both sides were measured ${what}`] : []
  return {
    warnings: [
      ...shared(lockfiles, 'with the packages that are installed now'),
      ...shared(workloads, 'under the workload of the working tree'),
      ...(options ? [`NODE_OPTIONS is set, for both sides: ${options}`] : [])
    ]
  }
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

  const { root, trees, commands, gone } = plan.gate
  const areThere = root === undefined || (trees !== undefined && areSidesThere(sidesIn(directory)))
  if (!areThere && (trees || stopped.samples.some(({ kind }) => kind === 'heat'))) {
    throw new UsageError(`${directory} has lost the folders of its sides: start a new gate`)
  }
  // Neither commands nor lost files, which are loaded, can be named again.
  if (!areThere && (commands || gone)) {
    throw new UsageError(`${directory} was stopped before its sides were complete: start a new gate`)
  }
  const mine = {
    ...named,
    modules: [...(areThere ? [SIDE_URL] : []), ...(named?.modules ?? [])],
    ...(root !== undefined && { root: repositoryRoot(process.cwd()) })
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
