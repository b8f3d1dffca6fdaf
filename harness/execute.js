/** Executes a plan: every sample in a fresh process of its own, one after the other, kept as soon as it is finished. */
import os from 'node:os'
import { SampleError } from './child.js'
import { createEta } from './eta.js'
import { groupBy } from './model/group-by.js'
import { measureHttp } from './http/measure.js'
import { expectedOutcome, measureExact, measureMicro } from './micro/measure.js'
import { choosePins } from './pinning.js'
import { orderSamples } from './plan.js'

/**
 * @typedef {import('./plan.js').Plan} Plan
 * @typedef {import('./plan.js').PlannedSample} PlannedSample
 * @typedef {import('./results.js').Sample} Sample
 *
 * @typedef {object} Progress
 * @property {PlannedSample} next  What is measured now.
 * @property {number} done  Samples.
 * @property {number} total
 * @property {number} cellsLeft  Cells that still miss samples.
 * @property {number} secondsLeft  About.
 */

/** Taken whatever they cost: one sample says nothing of its spread. */
const MIN_ROUNDS = 2

/**
 * A cell whose queue dies, or does not finish even once in time, is given up: it costs its time once.
 *
 * @param {Plan} plan
 * @param {object} options
 * @param {Sample[]} [options.finished]  Samples of the plan that are there already: a resumed run's.
 * @param {(sample: Sample) => void} options.keep  Called with each sample as it finishes.
 * @param {(progress: Progress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 */
export async function executePlan (plan, { finished = [], keep, onProgress = () => {}, signal }) {
  const isFinished = new Set(finished.map(({ cell, round, channel }) => sampleKey(cell, round, channel)))
  const taken = groupBy(finished, ({ cell }) => cell)
  const planned = orderSamples(plan)
  const missing = planned.filter(({ cell, round, channel }) => !isFinished.has(sampleKey(cell.id, round, channel)))
  const left = new Set(missing)
  const eta = createEta(missing, plan.settings)
  const measure = createMeasure(plan.settings, signal)

  /** @param {PlannedSample} next */
  async function take (next) {
    const { id } = next.cell
    const before = taken.get(id) ?? []
    if (!isHopeless(before)) {
      const cellsLeft = new Set([...left].map(({ cell }) => cell.id)).size
      onProgress({ next, done: planned.length - left.size, total: planned.length, cellsLeft, secondsLeft: eta.secondsLeft() })
      const sample = await takeSample(next, () => measure(lookUp(plan, next.cell), next.channel))
      keep(sample)
      taken.set(id, [...before, sample])
    }
    left.delete(next)
    eta.finish(next)
  }

  const exact = missing.filter(({ channel }) => channel === 'exact')
  const rounds = groupBy(missing.filter(({ channel }) => channel === 'time'), ({ round }) => round)
  const start = performance.now()
  let latestRound = start
  for (const [round, samples] of rounds) {
    // The next round takes about as long as the one before it.
    const now = performance.now()
    const seconds = (2 * now - start - latestRound) / 1000 + eta.secondsOf(exact)
    latestRound = now
    if (round < MIN_ROUNDS || seconds <= (plan.settings.budgetSeconds ?? Infinity)) await inTurn(samples, take, 1)
    else samples.forEach(sample => left.delete(sample))
  }
  // Nothing is timed here, so all cores may work.
  await inTurn(exact, take, os.availableParallelism())
}

/**
 * A sample that another program's load made too slow is only a sample lost.
 *
 * @param {Sample[]} samples  Of one cell.
 */
function isHopeless (samples) {
  if (samples.some(({ failure }) => failure && failure.kind !== 'time-limit')) return true
  return samples.length > 0 && samples.every(({ failure }) => failure)
}

/**
 * @param {string} cell
 * @param {number} round
 * @param {string} channel
 */
const sampleKey = (cell, round, channel) => `${cell} ${round} ${channel}`

/**
 * @param {PlannedSample[]} samples
 * @param {(sample: PlannedSample) => Promise<void>} take
 * @param {number} atOnce
 */
async function inTurn (samples, take, atOnce) {
  const waiting = samples.values()
  const takeNext = async () => {
    for (const sample of waiting) await take(sample)
  }
  await Promise.all(Array.from({ length: atOnce }, takeNext))
}

/**
 * @typedef {{metrics: Record<string, number>, warnings: string[], details?: object}} Measured
 *
 * @param {PlannedSample} planned
 * @param {() => Promise<Measured>} measure
 * @returns {Promise<Sample>}
 */
export async function takeSample (planned, measure) {
  const { cell: { id, scenario, params, queue, runtime }, round, channel } = planned
  const started = new Date()
  const measured = await measure().catch(failureOf)
  const seconds = (Date.now() - started.getTime()) / 1000
  return { cell: id, round, channel, scenario, params, queue, runtime, started: started.toISOString(), seconds, ...measured }
}

/** @param {unknown} error */
function failureOf (error) {
  if (!(error instanceof SampleError)) throw error
  return { metrics: {}, failure: { kind: error.kind, message: error.message }, warnings: [] }
}

/**
 * What a cell's ids stand for.
 *
 * @param {Plan} plan
 * @param {import('./verdict.js').RowCell} cell
 */
export function lookUp ({ settings, queues, scenarios, runtimes }, { scenario: scenarioName, queue: queueName, runtime: runtimeName, params }) {
  const find = (/** @type {any[]} */ entries, /** @type {string} */ name) => entries.find(entry => entry.name === name)
  const queue = /** @type {import('./plan.js').PlannedQueue} */ (find(queues, queueName))
  const scenario = /** @type {import('./plan.js').PlannedScenario} */ (find(scenarios, scenarioName))
  const runtime = /** @type {import('./child.js').Runtime} */ (find(runtimes, runtimeName))
  const { load, port, httpWarmupMs, seed, micro, trace = null } = settings
  const task = { scenarioUrl: scenario.url, params, seed, trace }
  const queueUrl = queue.origin === 'built-in' ? null : queue.url
  return {
    queue,
    scenario,
    runtime,
    httpTask: { ...task, queueUrl, coldStart: scenario.coldStart, port, load, warmupMs: httpWarmupMs },
    microTask: { ...task, queueUrl: queue.url, timing: micro }
  }
}

/**
 * @param {import('./plan.js').Settings} settings
 * @param {AbortSignal} [signal]
 * @returns {(found: ReturnType<typeof lookUp>, channel: PlannedSample['channel']) => Promise<Measured>}
 */
export function createMeasure ({ micro }, signal) {
  const pins = choosePins()
  /** @type {Map<string, Promise<import('./micro/measure.js').Fired>>} */
  const expectedOf = new Map()

  return ({ queue, scenario, runtime, httpTask, microTask }, channel) => {
    if (scenario.kind === 'http') return measureServer()
    return channel === 'exact' ? measureExact(microTask, runtime, micro.exactLimitMs, signal) : measureQueue()

    async function measureQueue () {
      const expected = queue.meta.accuracy === 'exact' ? await expect() : null
      const { metrics, warnings, cycles } = await measureMicro(microTask, expected, runtime, pins.subject, signal)
      return { metrics, warnings, details: { cycles } }
    }

    /** What fires in the verified cycles is the same for every exact queue: asked of the model once. */
    function expect () {
      const key = JSON.stringify([scenario.url, microTask.params])
      const expected = expectedOf.get(key) ?? expectedOutcome(microTask, { name: 'model', path: process.execPath, flags: [] }, signal)
      expectedOf.set(key, expected)
      return expected
    }

    async function measureServer () {
      const { metrics, warnings, client, window } = await measureHttp(httpTask, runtime, pins, signal)
      return { metrics, warnings, details: { client, window } }
    }
  }
}
