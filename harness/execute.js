/**
 * Executes a plan, every measurement in fresh processes, kept as soon as it is finished:
 *
 *   the first rounds of heats    cells that are compared run at the same time
 *   windows                      one cell alone: a server's throughput, latency, lateness and collections; a queue's slowest calls
 *   counts                       what is the same every time; nothing is timed beside it
 *   more rounds of heats         as many as planned, or as the time budget allows
 */
import os from 'node:os'
import { createEta } from './eta.js'
import { groupBy } from './model/group-by.js'
import { fatalFailure } from './pairs.js'
import { onAllCores } from './pinning.js'
import { orderRounds, planHeats } from './plan.js'
import { createMeasure, lookUp, takeHeat, takeSample } from './sample.js'

/**
 * @typedef {import('./plan.js').Plan} Plan
 * @typedef {import('./plan.js').Cell} Cell
 * @typedef {import('./plan.js').PlannedHeat} PlannedHeat
 * @typedef {import('./plan.js').PlannedSample} PlannedSample
 * @typedef {import('./results.js').Sample} Sample
 *
 * @typedef {object} Step  What is measured in one go.
 * @property {import('./plan.js').Channel} channel
 * @property {Cell[]} cells
 * @property {number} round
 * @property {string} [id]  Of a heat.
 *
 * @typedef {object} Progress
 * @property {Step} next  What is measured now.
 * @property {number} done  Steps.
 * @property {number} total
 * @property {number} secondsLeft  About.
 */

/** Taken whatever they cost: one heat says nothing about the spread between heats. */
const MIN_ROUNDS = 2

/**
 * @param {Plan} plan
 * @param {object} options
 * @param {Sample[]} [options.finished]  Samples of the plan that are there already: a resumed run's.
 * @param {(samples: Sample[]) => void} options.keep  Called with what a step has measured, all of it at once.
 * @param {(progress: Progress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 */
export async function executePlan (plan, { finished = [], keep, onProgress = () => {}, signal }) {
  const { settings, scenarios } = plan
  const taken = groupBy(finished, ({ cell }) => cell)
  const measure = createMeasure(settings, signal)
  const isHttp = (/** @type {Step} */ { cells: [{ scenario }] }) => scenarios.some(({ name, kind }) => name === scenario && kind === 'http')
  const stages = planStages(plan).map(stage => ({ ...stage, steps: stage.steps.filter(step => !isFinished(step, finished)) }))
  const total = stages.reduce((sum, { steps }) => sum + steps.length, 0)
  const eta = createEta(stages.flatMap(({ steps }) => steps), settings, isHttp)
  let done = 0

  const start = performance.now()
  let lastRoundSeconds = 0
  for (const { round, steps } of stages) {
    const stageStart = performance.now()
    // A round takes about as long as the one before it.
    const isAffordable = (stageStart - start) / 1000 + lastRoundSeconds <= (settings.budgetSeconds ?? Infinity)
    if (round !== null && round >= MIN_ROUNDS && !isAffordable) break
    await takeAll(steps)
    if (round !== null) lastRoundSeconds = (performance.now() - stageStart) / 1000
  }

  /** @param {Step[]} steps */
  async function takeAll (steps) {
    // What needs no load and shares no core runs on all of them; servers have the machine to themselves.
    const isAlone = (/** @type {Step} */ step) => isHttp(step) && step.channel !== 'exact'
    const [alone, beside] = [steps.filter(isAlone), steps.filter(step => !isAlone(step))]
    const isCounting = beside.some(({ channel }) => channel === 'exact')
    const cores = isCounting ? Array.from({ length: os.availableParallelism() }, () => []) : measure.pins.cores
    await onAllCores(beside, cores, take)
    for (const step of alone) await take(step)
  }

  /**
   * @param {Step} step
   * @param {string[]} [pin]
   */
  async function take (step, pin) {
    signal?.throwIfAborted()
    const cells = step.cells.filter(({ id }) => isWorthwhile(step, taken.get(id) ?? []))
    if (cells.length > 0) {
      onProgress({ next: { ...step, cells }, done, total, secondsLeft: eta.secondsLeft() })
      const samples = await takeStep({ ...step, cells }, pin)
      keep(samples)
      for (const sample of samples) taken.set(sample.cell, [...(taken.get(sample.cell) ?? []), sample])
    }
    done++
    eta.finish(step)
  }

  /**
   * @param {Step} step
   * @param {Sample[]} before  Of a cell of it.
   */
  function isWorthwhile ({ channel, round }, before) {
    if (fatalFailure(before)) return false
    // When time is short, it is not spent on a queue that is many times slower than the others.
    const isExtra = channel === 'exact' || round >= MIN_ROUNDS
    return settings.budgetSeconds === null || !isExtra || !isSlow(before)
  }

  /**
   * @param {Step} step
   * @param {string[]} [pin]
   * @returns {Promise<Sample[]>}
   */
  async function takeStep ({ channel, cells, round, id }, pin) {
    const found = cells.map(cell => lookUp(plan, cell))
    if (id !== undefined) return takeHeat({ id, cells, round }, () => measure.heat(found, { seed: seedOf(settings.seed, id), pin }))
    return [await takeSample({ cell: cells[0], round, channel }, () => channel === 'exact' ? measure.count(found[0]) : measure.window(found[0], pin))]
  }
}

/**
 * @param {Plan} plan
 * @returns {{round: number | null, steps: Step[]}[]} with the round where it is one of heats
 */
function planStages (plan) {
  const { cells, queues, scenarios, settings: { rounds, windows = 1, seed, micro } } = plan
  const namesOf = (/** @type {(scenario: import('./plan.js').PlannedScenario) => boolean} */ isWanted) => new Set(scenarios.filter(isWanted).map(({ name }) => name))
  const micros = namesOf(({ kind }) => kind === 'micro')
  const sharing = namesOf(({ usesAllCores }) => !usesAllCores)
  const isShownAlone = (/** @type {Cell} */ { scenario }) => !micros.has(scenario) || micro.tailMs > 0
  const heats = Array.from({ length: rounds }, (_, round) =>
    ({ round, steps: planHeats(plan, round).map(heat => ({ channel: /** @type {const} */ ('heat'), ...heat })) }))
  // What shares no heat is measured alone as often as the others are in heats.
  const alone = orderRounds(cells.filter(isShownAlone), { rounds: Math.max(rounds, windows), seed })
    .filter(({ cell, round }) => round < (sharing.has(cell.scenario) ? windows : rounds))
  const countable = namesOf(({ isCounted }) => isCounted === true)
  const builtIn = new Set(queues.filter(({ origin }) => origin === 'built-in').map(({ name }) => name))
  const counted = micro.exactLimitMs > 0 ? cells.filter(({ scenario, queue }) => countable.has(scenario) && !builtIn.has(queue)) : []
  return [
    ...heats.slice(0, MIN_ROUNDS),
    { round: null, steps: alone.map(({ cell, round }) => ({ channel: 'time', cells: [cell], round })) },
    { round: null, steps: counted.map(cell => ({ channel: 'exact', cells: [cell], round: 0 })) },
    ...heats.slice(MIN_ROUNDS)
  ]
}

/**
 * @param {Step} step
 * @param {Sample[]} samples
 */
function isFinished ({ id, channel, cells, round }, samples) {
  if (id !== undefined) return samples.some(({ heat }) => heat === id)
  return samples.some(sample => sample.cell === cells[0].id && sample.round === round && sample.channel === channel)
}

/**
 * A queue that sat out most slices of a heat, because its cycles are so long.
 *
 * @param {Sample[]} samples  Of one cell.
 */
function isSlow (samples) {
  return samples.some(({ slices = {} }) => Object.values(slices).some(values => values.filter(value => value === null).length > values.length / 2))
}

/**
 * Every heat draws its own layout and hashes.
 *
 * @param {number} seed
 * @param {string} id
 */
function seedOf (seed, id) {
  let hash = seed
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash >>> 0
}
