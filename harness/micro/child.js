/** One micro sample in a process of its own: load, fill, verify, measure with tinybench, answer. */
import { Bench } from 'tinybench'
import { answer } from '../answer.js'
import { loadQueue } from '../load-queue.js'
import { createWorkload, loadScenario } from '../load-scenario.js'
import { createRandom } from '../random.js'
import { describeSharedCore } from '../shared-core.js'
import { medianInterval } from '../statistics/median-interval.js'
import { warmUp } from './warm-up.js'

/** Cycles whose outcome is compared with the reference model's. */
const VERIFIED_CYCLES = 2
/** Of fewer cycles one that met a collection or a recompilation is the median. */
const MIN_CYCLES = 3
/** A mean so far above the median tells of rare slow cycles: cascades, growth, garbage collection. */
const RARE_SLOW_CYCLES = 1.25
const STILL_WARMING = 'not steady: cycles still became faster when the longest warm-up ended'

/** The queue that was measured. @type {any} */
let subject

answer({ verify, measure, drain })

/**
 * What the first cycles fire: the same for every exact queue.
 *
 * @param {import('./measure.js').MicroTask} task
 */
async function verify (task) {
  const { workload, queue } = await fill(task)
  return runVerifiedCycles(workload, queue)
}

/**
 * @param {import('./measure.js').MicroTask & {timing: import('./measure.js').Timing}} task
 */
async function measure (task) {
  const { workload, queue } = await fill(task)
  subject = queue
  const start = performance.now()
  const outcome = runVerifiedCycles(workload, queue)
  const { phases } = workload
  const runCycle = () => phases.forEach(phase => phase.run())
  const isWarm = warmUp(runCycle, task.timing.warmupMs, performance.now() - start)
  /** @type {number[][]} */
  const nsPerOperation = phases.map(() => [])
  const operationsPerCycle = phases[0].operations

  // A clock read costs as much as several operations: a cycle of thousands is timed at once and divided.
  const bench = new Bench({
    time: task.timing.measureMs,
    iterations: MIN_CYCLES,
    warmup: false
  })
  bench.add('cycle', () => {
    let cycleMs = 0
    for (let i = 0; i < phases.length; i++) {
      const phase = phases[i]
      const start = performance.now()
      phase.run()
      const elapsedMs = performance.now() - start
      nsPerOperation[i].push(elapsedMs * 1e6 / phase.operations)
      cycleMs += elapsedMs
    }
    return { overriddenDuration: cycleMs / operationsPerCycle, overriddenIterationCost: cycleMs }
  })
  const usedBefore = process.cpuUsage()
  const wallBefore = performance.now()
  await bench.run()
  const sharedCore = describeSharedCore(process.cpuUsage(usedBefore), performance.now() - wallBefore)

  const { state, latency, error } = /** @type {any} */ (bench.tasks[0].result)
  if (state !== 'completed') throw error ?? new Error(`the benchmark ended ${state}`)
  /** @type {Record<string, number>} */
  const metrics = { nsPerOp: latency.p50 * 1e6 }
  if (outcome.spuriousWakeups !== undefined) metrics.spuriousWakeups = outcome.spuriousWakeups
  if (phases.length > 1) phases.forEach((phase, i) => { metrics[phase.metric] = medianInterval(nsPerOperation[i]).median })
  return {
    metrics,
    outcome,
    cycles: { count: latency.samplesCount, meanNs: latency.mean * 1e6, relativeErrorPercent: latency.rme },
    warnings: [...sharedCore, ...(isWarm ? [] : [STILL_WARMING]), ...describeSlowCycles(latency)]
  }
}

/**
 * @param {{mean: number, p50: number}} latency  Milliseconds.
 * @returns {string[]}
 */
function describeSlowCycles ({ mean, p50 }) {
  if (mean <= p50 * RARE_SLOW_CYCLES) return []
  return [`rare slow cycles: mean ${(mean * 1e6).toFixed(1)} ns an operation against a median of ${(p50 * 1e6).toFixed(1)} ns`]
}

/**
 * @param {import('./measure.js').MicroTask} task
 * @returns {Promise<{workload: import('../../scenarios/contract.js').Workload, queue: any}>}
 */
async function fill (task) {
  const { Queue } = await loadQueue(task.queueUrl)
  const scenario = /** @type {import('../load-scenario.js').MicroScenario} */ (await loadScenario(task.scenarioUrl))
  const queue = new Queue()
  return { workload: createWorkload(scenario, queue, task, createRandom(task.seed)), queue }
}

/**
 * @param {import('../../scenarios/contract.js').Workload} workload
 * @param {any} queue
 */
function runVerifiedCycles ({ phases, outcome }, queue) {
  for (let cycle = 0; cycle < VERIFIED_CYCLES; cycle++) {
    for (const phase of phases) phase.run()
  }
  const { fired, checksum, spuriousWakeups } = outcome
  return { fired, checksum, pending: queue.size, spuriousWakeups }
}

/**
 * Lets all time pass. In many workloads next to nothing expires, so that a queue which never fires would do as well
 * there as any other, and faster.
 *
 * @returns {import('./measure.js').Drained}
 */
function drain () {
  const pending = subject.size
  const fired = new Set()
  subject.advance(Number.MAX_SAFE_INTEGER, (/** @type {any} */ timer) => fired.add(subject.payloadOf(timer)))
  return { pending, fired: fired.size, left: subject.size }
}
