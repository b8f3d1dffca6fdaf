/**
 * The exact channel of one micro cell: basic blocks per operation, or bytes per timer. Nothing is timed, so that other
 * processes may run beside it.
 */
import { answer } from '../answer.js'
import { loadQueue } from '../load-queue.js'
import { createWorkload, loadScenario } from '../load-scenario.js'
import { startWorkCounter } from '../work-counter.js'

const COUNTED_CYCLES = 2
/** A few timers alone would be lost in the noise of the heap: as many copies are made as hold this many. */
const TIMERS_WEIGHED = 400

answer({ count, weigh })

/** Does nothing: what a workload takes on top of its queue. */
class NullQueue {
  size = 0
  createTimer () { return 0 }
  insert () {}
  cancel () { return true }
  reschedule () {}
  advance () {}
  nextExpiry () { return Infinity }
}

/**
 * In a child with WORK_FLAGS.
 *
 * @param {import('./measure.js').MicroTask} task
 */
async function count (task) {
  const scenario = /** @type {import('../load-scenario.js').MicroScenario} */ (await loadScenario(task.scenarioUrl))
  // Only modules loaded from here on are counted: the queue's.
  const counter = startWorkCounter()
  const { Queue } = await loadQueue(task.queueUrl)
  const { phases } = createWorkload(scenario, new Queue(), task, createCheapRandom(task.seed))
  const runCycle = () => phases.forEach(phase => phase.run())
  // The first cycle may grow arrays.
  runCycle()
  counter.count()
  for (let cycle = 0; cycle < COUNTED_CYCLES; cycle++) runCycle()
  return { workPerOp: counter.count() / (COUNTED_CYCLES * phases[0].operations) }
}

/**
 * In a child with --expose-gc.
 *
 * @param {import('./measure.js').MicroTask} task
 */
async function weigh (task) {
  const scenario = /** @type {import('../load-scenario.js').MicroScenario} */ (await loadScenario(task.scenarioUrl))
  const { Queue } = await loadQueue(task.queueUrl)
  const fill = (/** @type {any} */ queue) => startTimers(createWorkload(scenario, queue, task, createCheapRandom(task.seed)))

  const filled = new Queue()
  fill(filled)
  const pending = filled.size
  if (pending === 0) return {}
  const copies = Math.ceil(TIMERS_WEIGHED / pending)
  // The first time settles the heap: what loading has left behind goes.
  retainedBytes(() => fill(new Queue()), copies)
  const workloadBytes = retainedBytes(() => fill(new NullQueue()), copies)
  const bytes = retainedBytes(() => fill(new Queue()), copies)
  return { bytesPerTimer: (bytes - workloadBytes) / (copies * pending) }
}

/**
 * Every workload has its timers pending after the first phase.
 *
 * @param {import('../../scenarios/contract.js').Workload} workload
 */
function startTimers (workload) {
  workload.phases[0].run()
  return workload
}

/**
 * What the heap and the array buffers keep of many copies of something built.
 *
 * @param {() => object} build
 * @param {number} copies
 */
function retainedBytes (build, copies) {
  // The first time allocates what belongs to the code.
  build()
  const built = new Array(copies).fill(null)
  const before = usedBytes()
  for (let i = 0; i < copies; i++) built[i] = build()
  const bytes = usedBytes() - before
  // Reading them here keeps them alive until after the measurement.
  return built.includes(null) ? NaN : bytes
}

/**
 * In an interpreter, a hundred thousand good draws would take longer than all the rest. These are good enough to count by
 * (D. H. Lehmer, 1951).
 *
 * @param {number} seed
 * @returns {import('../random.js').Random}
 */
function createCheapRandom (seed) {
  let state = seed | 1
  return limit => {
    state = Math.imul(state, 48_271)
    return (state >>> 8) % limit
  }
}

function usedBytes () {
  const collect = /** @type {() => void} */ (globalThis.gc)
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
