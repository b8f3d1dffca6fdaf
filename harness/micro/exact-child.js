/**
 * The exact channel of one micro cell: basic blocks per operation and bytes per timer. Nothing is timed, so that other
 * processes may run beside it.
 */
import { answer } from '../answer.js'
import { loadQueue } from '../load-queue.js'
import { loadScenario } from '../load-scenario.js'
import { createRandom } from '../random.js'
import { startWorkCounter } from '../work-counter.js'

const COUNTED_CYCLES = 2
/** A few timers alone would be lost in the noise of the heap: as many copies are made as hold this many. */
const TIMERS_WEIGHED = 10_000

answer({ measure })

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

/** @param {import('./measure.js').MicroTask} task */
async function measure ({ queueUrl, scenarioUrl, params, seed }) {
  const scenario = /** @type {import('../load-scenario.js').MicroScenario} */ (await loadScenario(scenarioUrl))
  // Only modules loaded from here on are counted: the queue's.
  const counter = startWorkCounter()
  const { Queue } = await loadQueue(queueUrl)
  const fill = (/** @type {any} */ queue) => scenario.createWorkload(queue, params, createRandom(seed))

  const workPerOp = countWork(fill(new Queue()), counter)
  const pending = pendingTimers(fill, new Queue())
  const copies = Math.ceil(TIMERS_WEIGHED / pending)
  const workloadBytes = retainedBytes(() => startTimers(fill(new NullQueue())), copies)
  const bytes = retainedBytes(() => startTimers(fill(new Queue())), copies)
  return { metrics: { workPerOp, bytesPerTimer: (bytes - workloadBytes) / (copies * pending) }, warnings: [] }
}

/**
 * @param {(queue: any) => import('../../scenarios/contract.js').Workload} fill
 * @param {import('../../queues/contract.js').TimerQueue} queue
 */
function pendingTimers (fill, queue) {
  startTimers(fill(queue))
  return queue.size
}

/**
 * @param {import('../../scenarios/contract.js').Workload} workload
 * @param {{count: () => number}} counter
 */
function countWork ({ phases }, counter) {
  const runCycle = () => phases.forEach(phase => phase.run())
  // The first cycle may grow arrays.
  runCycle()
  counter.count()
  for (let cycle = 0; cycle < COUNTED_CYCLES; cycle++) runCycle()
  return counter.count() / (COUNTED_CYCLES * phases[0].operations)
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
  // The first time allocates what belongs to the code, not to the copy.
  build()
  const built = new Array(copies).fill(null)
  const before = usedBytes()
  for (let i = 0; i < copies; i++) built[i] = build()
  const bytes = usedBytes() - before
  // Reading them here keeps them alive until after the measurement.
  return built.includes(null) ? NaN : bytes
}

function usedBytes () {
  const collect = /** @type {() => void} */ (globalThis.gc)
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
