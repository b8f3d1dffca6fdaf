/**
 * The gate, from beginning to end:
 *
 *   plan.js          which heats, in which order, and when they are looked at
 *   sides.js         base, head and sham head as folders
 *   measure-heat.js  fresh processes, at the same time
 *   evidence.js      heats as rows to judge, and the control
 *   budget.js        keeps the time
 *   diagnosis.js     what disturbed the machine
 *   ../verdict.js    regression, pass, inconclusive or invalid
 */
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pMap from 'p-map'
import { continueRun, readStopped } from '../run/continuation.js'
import { openRun } from '../run/run.js'
import { UsageError } from '../model/errors.js'
import { onAllCores } from '../processes/pinning.js'
import { Store } from '../store/results.js'
import { startBudget } from './budget.js'
import { diagnose, observeMachine } from './diagnosis.js'
import { decidedCells, Evidence } from './evidence.js'
import { cellOf, createArmMeasure } from './measure-heat.js'
import { ARM_URL, armName, gatedCells, orderPairs, turnOf } from './plan.js'
import { changedFiles, isWithin, LOCKFILES, Sides } from './sides.js'

/**
 * @typedef {import('./plan.js').GatePlan} GatePlan
 * @typedef {import('../store/results.js').Sample} Sample
 * @typedef {import('../judge/compare.js').ComparisonRecord} ComparisonRecord
 *
 * @typedef {object} GateProgress
 * @property {import('./plan.js').PlannedPair} pair  What is measured now.
 * @property {number} open  Cells not decided yet.
 * @property {number} total
 * @property {number} rounds  At most.
 * @property {number} secondsLeft  Of the budget.
 *
 * @typedef {{onProgress?: (progress: GateProgress) => void, signal?: AbortSignal}} GateOptions
 *
 * @typedef {object} ResumeOptions
 * @property {Omit<import('../run/continuation.js').Named, 'modules'>} [named]  What the gate may start, besides its sides.
 * @property {(note: string) => void} [onNote]
 */

/** Kept beside a gate's samples. */
const RECORD_FILE = 'comparison.json'

/**
 * @param {GatePlan} plan
 * @param {{root: string, directory: string, command: string[]} & GateOptions} options
 * @returns {Promise<ComparisonRecord>}
 */
export async function startGate (plan, { root, directory, command, ...options }) {
  // Of a self-check nothing is the working tree's.
  const gate = { ...plan.gate, root, warnings: plan.gate.isSelfCheck ? [] : commonToBothSides(root, plan) }
  /** @type {GatePlan} */
  const whole = { ...plan, gate }
  const store = await openRun(whole, { directory, command })
  try {
    sidesOf(directory).prepare(root, plan.gate.baseCommit, plan.gate)
  } catch (error) {
    store.discard()
    throw error
  }
  return finishGate(store, options)
}

/**
 * What may have changed with the head and yet is the same for both sides.
 *
 * @param {string} root
 * @param {GatePlan} plan
 */
function commonToBothSides (root, { gate: { baseRef, baseCommit }, scenarios, settings: { trace } }) {
  const changed = (/** @type {string[]} */ wanted) => changedFiles(root, baseCommit, wanted).join(', ')
  const lockfiles = changed(LOCKFILES)
  const workload = [...new Set(scenarios.map(({ url }) => path.dirname(fileURLToPath(url)))), ...(trace ? [path.resolve(trace)] : [])]
  const workloads = changed(workload.filter(file => isWithin(root, file)))
  const options = process.env.NODE_OPTIONS
  return [
    ...(lockfiles ? [`not as in ${baseRef}: ${lockfiles}; both sides were measured with the packages that are installed now`] : []),
    ...(workloads ? [`not as in ${baseRef}: ${workloads}; both sides were measured under the workload of the working tree`] : []),
    ...(options ? [`NODE_OPTIONS is set, for both sides: ${options}`] : [])
  ]
}

/**
 * Continues a gate that was stopped, by the same plan and on the same sides; or judges a finished one again. A finished one
 * is never continued: its looks have spent alpha, and heats added after a look at the verdict would make it worthless.
 *
 * @param {string} directory
 * @param {GateOptions & ResumeOptions} options
 * @returns {Promise<ComparisonRecord>}
 */
export async function resumeGate (directory, { named, onNote = () => {}, ...options }) {
  const stopped = readStopped(directory, 'gate')
  const plan = /** @type {GatePlan} */ (stopped.run.plan)
  assertAsPlanned(directory, plan)
  if (stopped.run.ended !== null) return finishGate(stopped, options)

  const sides = sidesOf(directory)
  if (!sides.areThere && stopped.samples.length > 0) throw new UsageError(`${directory} has lost the folders of its sides: start a new gate`)
  const store = await continueRun(stopped, { named: { ...named, modules: [ARM_URL] }, onNote })
  // It was killed while they were prepared, or another process has ended it since.
  if (!sides.areThere && store.run.ended === null) sides.prepare(String(plan.gate.root), plan.gate.baseCommit, plan.gate)
  return finishGate(store, options)
}

/**
 * More rounds than looks were planned for would spend alpha twice.
 *
 * @param {string} directory
 * @param {GatePlan} plan
 * @throws {UsageError}
 */
function assertAsPlanned (directory, { settings: { rounds }, cells, gate: { looks, queues } }) {
  const unplanned = queues.find(({ name }) => !cells.some(({ queue }) => queue === armName(name, 'head')))
  if (unplanned) throw new UsageError(`${directory}/run.json: its plan has no cell of ${unplanned.name}, which it gates: start a new gate`)
  const spent = looks.reduce((sum, { share }) => sum + share, 0)
  if (looks.at(-1)?.rounds === rounds && spent < 1 + Number.EPSILON * looks.length) return
  throw new UsageError(`${directory}/run.json: its looks are not those of ${rounds} rounds; a gate keeps the plan that it began with: start a new gate`)
}

/**
 * @param {Store | import('../store/results.js').Results} gate  A store, unless the gate had ended before.
 * @param {GateOptions} options
 */
async function finishGate (gate, options) {
  const { directory, samples, run: { command, environment, ended } } = gate
  const plan = /** @type {GatePlan} */ (gate.run.plan)
  const sides = sidesOf(directory)
  const observed = ended === null ? observeMachine() : null
  if (ended === null && gate instanceof Store) {
    await measureGate({ plan, sides, samples, keep: taken => gate.append(taken), ...options })
    gate.update({ ended: new Date().toISOString() })
  }
  const judged = new Evidence(plan, samples).judge({ command })
  const warnings = [
    ...(plan.gate.warnings ?? []),
    ...judged.warnings,
    ...diagnose({ record: judged, samples, observed, environment, directory }),
    ...(judged.verdict === 'inconclusive' ? [describeMore(plan, ended)] : [])
  ]
  const record = { ...judged, warnings }
  try {
    writeFileSync(path.join(directory, RECORD_FILE), JSON.stringify(record, null, 2) + '\n')
  } catch (error) {
    // The verdict is what was waited for; a full disk must not cost it.
    warnings.push(`${RECORD_FILE} was not written: ${/** @type {Error} */ (error).message}`)
  }
  sides.remove()
  return record
}

/**
 * @param {GatePlan} plan
 * @param {string | null} ended  When the gate had ended before, if it had.
 */
function describeMore ({ settings: { rounds }, gate: { budgetSeconds } }, ended) {
  const again = ended === null ? '' : `this gate ended at ${ended} and was only judged again; `
  return `${again}a finished gate cannot be continued, because its looks have spent alpha: for more heats start a new gate with a larger --budget than ${budgetSeconds}s and --rounds above ${rounds}`
}

/**
 * Counts first, which costs seconds; then measures round after round until every cell is decided, the plan is through, or
 * the budget is spent. Cells are decided at planned looks only, and on what had been measured by then: a gate that was
 * stopped in between decides as if it had not been.
 *
 * @param {object} options
 * @param {GatePlan} options.plan
 * @param {Sides} options.sides
 * @param {Sample[]} options.samples  Finished.
 * @param {(samples: Sample[]) => void} options.keep  Called with all samples of a heat at once.
 * @param {GateOptions['onProgress']} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 */
async function measureGate ({ plan, sides, samples, keep, onProgress = () => {}, signal }) {
  const cells = gatedCells(plan)
  const open = new Set(cells.map(cell => cellOf(cell, 'head').id))
  const budget = startBudget(plan.gate.budgetSeconds, samples)
  const evidence = new Evidence(plan, samples)
  const measure = createArmMeasure(plan, sides, signal)
  const isHttp = (/** @type {{scenario: string}} */ cell) => plan.scenarios.some(({ name, kind }) => name === cell.scenario && kind === 'http')
  const note = (/** @type {Sample[]} */ taken) => {
    keep(taken)
    evidence.add(taken)
    budget.note(taken)
  }

  let round = 0
  try {
    await countCells()
    await measureRounds()
  } finally {
    await measure.end()
  }

  async function measureRounds () {
    for (const look of plan.gate.looks) {
      for (; round < look.rounds; round++) {
        const isInTime = await measureRound()
        if (!isInTime) return
      }
      for (const id of decidedCells(evidence.judge({ command: [], rounds: look.rounds }))) open.delete(id)
      if (open.size === 0) return
    }
  }

  /** False when the budget is spent. */
  async function measureRound () {
    const folders = sides.place(turnOf(round))
    const pairs = orderPairs(plan, round).filter(({ cell }) => isOpen(cell))
    const missing = pairs.filter(pair => !evidence.isMeasured(pair))
    // Micro heats run on all cores; a server has the machine to itself.
    const [alone, beside] = [missing.filter(({ cell }) => isHttp(cell)), missing.filter(({ cell }) => !isHttp(cell))]
    const done = await onAllCores(beside, measure.cores, (pair, pin) => measureHeat(pair, folders, pin))
    for (const pair of alone) done.push(await measureHeat(pair, folders))
    for (const { cell } of pairs) isOpen(cell)
    return done.every(Boolean)
  }

  /** @param {import('../judge/verdict.js').RowCell} cell */
  function isOpen (cell) {
    const { id } = cellOf(cell, 'head')
    if (evidence.isBroken(cell)) open.delete(id)
    return open.has(id)
  }

  /**
   * @param {import('./plan.js').PlannedPair} pair
   * @param {import('./sides.js').Folders} folders
   * @param {string[]} [pin]
   * @returns {Promise<boolean>} false when there is no time left for it
   */
  async function measureHeat (pair, folders, pin) {
    signal?.throwIfAborted()
    if (budget.secondsLeft() < budget.secondsOf(pair)) return false
    onProgress({ pair, open: open.size, total: cells.length, rounds: plan.settings.rounds, secondsLeft: budget.secondsLeft() })
    note(await measure.heat(pair, folders, pin))
    return true
  }

  /** Nothing is timed here, so all cores may work. */
  async function countCells () {
    const folders = sides.place(0)
    const missing = cells.flatMap(cell => /** @type {const} */ (['base', 'head']).map(arm => ({ cell, arm })))
      .filter(({ cell, arm }) => !evidence.sampleOf(cell, arm, 0, 'count'))
    await pMap(missing, async ({ cell, arm }) => note(await measure.counts(cell, arm, folders[arm])), { concurrency: os.availableParallelism() })
  }
}

/** @param {string} directory */
const sidesOf = directory => new Sides(path.join(directory, 'sides'))
