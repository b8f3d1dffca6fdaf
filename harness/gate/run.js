/**
 * The gate, from beginning to end:
 *
 *   plan.js          which pairs, in which order, and when they are looked at
 *   sides.js         base and head as folders
 *   measure-pair.js  fresh processes, one after the other
 *   evidence.js      pairs as rows to judge, and the control
 *   budget.js        keeps the time
 *   diagnosis.js     whether the machine was fit for it
 *   ../verdict.js    regression, pass, inconclusive or invalid
 */
import { rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { assertContinuable } from '../continuation.js'
import { captureEnvironment } from '../environment.js'
import { UsageError } from '../model/errors.js'
import { describeLoadGenerator } from '../http/load-generator.js'
import { choosePins } from '../pinning.js'
import { appendSample, createResults, dropUnfinishedSample, readResults, RUN_FORMAT, writeRun } from '../results.js'
import { startBudget } from './budget.js'
import { diagnose, observeMachine } from './diagnosis.js'
import { decidedCells, indexSamples, isBroken, judgeGate } from './evidence.js'
import { cellOf, createPairMeasure } from './measure-pair.js'
import { gatedCells, orderPairs } from './plan.js'
import { Sides } from './sides.js'

/**
 * @typedef {import('./plan.js').GatePlan} GatePlan
 * @typedef {import('../results.js').Sample} Sample
 * @typedef {import('../compare.js').ComparisonRecord} ComparisonRecord
 *
 * @typedef {object} GateProgress
 * @property {import('./plan.js').PlannedPair} pair  What is measured now.
 * @property {number} open  Cells not decided yet.
 * @property {number} total
 * @property {number} rounds  At most.
 * @property {number} secondsLeft  Of the budget.
 *
 * @typedef {{onProgress?: (progress: GateProgress) => void, signal?: AbortSignal}} GateOptions
 */

/** What is kept of a gate beside its samples. */
export const RECORD_FILE = 'comparison.json'

/**
 * @param {GatePlan} plan
 * @param {{root: string, directory: string, command: string[]} & GateOptions} options
 * @returns {Promise<ComparisonRecord>}
 */
export async function startGate (plan, { root, directory, command, ...options }) {
  const usesServers = plan.scenarios.some(({ kind }) => kind === 'http')
  const started = new Date().toISOString()
  const environment = captureEnvironment({
    pinning: choosePins().note,
    loadGenerator: usesServers ? await describeLoadGenerator(plan.settings.load) : 'none'
  })
  const run = { format: RUN_FORMAT, id: path.basename(directory), command, started, ended: null, environment, plan }
  createResults(directory, run)
  try {
    sidesOf(directory).prepare(root, plan.gate.baseCommit, plan.gate.queues.map(({ file }) => file))
  } catch (error) {
    // It holds no samples and could not be resumed: it would only be in the way of the next try.
    rmSync(directory, { recursive: true })
    throw error
  }
  return finishGate(directory, run, [], options)
}

/**
 * Takes up a gate that was stopped, by the same plan and on the same sides; or judges a finished one again.
 *
 * @param {string} directory
 * @param {GateOptions} options
 * @returns {Promise<ComparisonRecord>}
 */
export async function resumeGate (directory, options) {
  const results = readResults(directory)
  const { run, samples } = results
  const plan = /** @type {GatePlan} */ (run.plan)
  if (!plan.gate) throw new UsageError(`${directory} holds a run, not a gate: continue it with timerq run --resume`)
  if (run.ended === null) {
    if (!sidesOf(directory).areThere) throw new UsageError(`${directory} has lost the folders of its two sides: start a new gate`)
    await assertContinuable(results)
    dropUnfinishedSample(directory)
  }
  return finishGate(directory, { ...run, plan }, samples, options)
}

/**
 * @param {string} directory
 * @param {import('../results.js').Run & {plan: GatePlan}} run
 * @param {Sample[]} samples  Finished.
 * @param {GateOptions} options
 */
async function finishGate (directory, run, samples, options) {
  const { plan, command, environment } = run
  const sides = sidesOf(directory)
  const observed = run.ended === null ? observeMachine() : null
  if (run.ended === null) {
    const keep = (/** @type {Sample} */ sample) => {
      appendSample(directory, sample)
      samples.push(sample)
    }
    await measureGate({ plan, sides, samples, keep, ...options })
    writeRun(directory, { ...run, ended: new Date().toISOString() })
  }
  const judged = judgeGate(plan, samples, { command })
  const record = { ...judged, warnings: diagnose({ record: judged, samples, observed, environment, directory }) }
  writeFileSync(path.join(directory, RECORD_FILE), JSON.stringify(record, null, 2) + '\n')
  sides.remove()
  return record
}

/**
 * Counts first, which costs seconds; then pair after pair until every cell is decided, the plan is through, or the budget
 * is spent. Cells are decided at planned looks only, and on what was there to be seen then: a gate that was stopped in
 * between decides as if it had not been.
 *
 * @param {object} options
 * @param {GatePlan} options.plan
 * @param {Sides} options.sides
 * @param {Sample[]} options.samples
 * @param {(sample: Sample) => void} options.keep  Adds one to the samples.
 * @param {GateOptions['onProgress']} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 */
async function measureGate ({ plan, sides, samples, keep, onProgress = () => {}, signal }) {
  const cells = gatedCells(plan)
  const open = new Set(cells.map(cell => cellOf(cell, 'head').id))
  const budget = startBudget(plan.gate.budgetSeconds, samples)
  const measure = createPairMeasure(plan, signal)

  await countCells()
  let round = 0
  for (const look of plan.gate.looks) {
    for (; round < look.rounds; round++) {
      const isInTime = await measureRound()
      if (!isInTime) return
    }
    const seen = samples.filter(({ round }) => round < look.rounds)
    for (const id of decidedCells(judgeGate(plan, seen, { command: [] }))) open.delete(id)
    if (open.size === 0) return
  }

  /** False when the budget is spent. */
  async function measureRound () {
    for (const pair of orderPairs(plan, round)) {
      const { id } = cellOf(pair.cell, 'head')
      if (!open.has(id)) continue
      if (!isMeasured(pair, samples)) {
        if (budget.secondsLeft() < budget.secondsOf(pair)) return false
        onProgress({ pair, open: open.size, total: cells.length, rounds: plan.settings.rounds, secondsLeft: budget.secondsLeft() })
        const taken = await measure.pair(pair, sides.place(pair.swapped))
        taken.forEach(keep)
        budget.note(pair, taken)
      }
      if (isBroken(plan, pair.cell, samples)) open.delete(id)
    }
    return true
  }

  /** Nothing is timed here, so all cores may work. */
  async function countCells () {
    const isMicro = new Set(plan.scenarios.filter(({ kind }) => kind === 'micro').map(({ name }) => name))
    const { base, head } = sides.place(false)
    const sampleOf = indexSamples(samples)
    const waiting = cells.filter(({ scenario }) => isMicro.has(scenario))
      .flatMap(cell => [{ cell, arm: /** @type {const} */ ('base'), folder: base }, { cell, arm: /** @type {const} */ ('head'), folder: head }])
      .filter(({ cell, arm }) => !sampleOf(cell, arm, 0, 'exact'))
      .values()
    const countNext = async () => {
      for (const { cell, arm, folder } of waiting) keep(await measure.counts(cell, arm, folder))
    }
    await Promise.all(Array.from({ length: os.availableParallelism() }, countNext))
  }
}

/**
 * All samples of the pair are there, or one that failed.
 *
 * @param {import('./plan.js').PlannedPair} pair
 * @param {Sample[]} samples
 */
function isMeasured ({ cell, order, round }, samples) {
  const sampleOf = indexSamples(samples)
  const taken = order.map(arm => sampleOf(cell, arm, round, 'time'))
  return taken.every(Boolean) || taken.some(sample => sample?.failure)
}

/** @param {string} directory */
const sidesOf = directory => new Sides(path.join(directory, 'sides'))
