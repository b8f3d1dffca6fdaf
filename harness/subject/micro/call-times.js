/**
 * Times of a queue's slowest calls, which means and medians hide. A wheel's cascade is one call in thousands, and it
 * holds up the event loop.
 *
 * Every call of the queue is timed by itself, and the same sequence of calls is repeated with a fresh queue and the
 * same seed. The fastest repeat of each call counts: preemption and interrupts hit other calls in every repeat, so the
 * calls that stay slow are slow themselves.
 *
 * - A timed call is never inlined, and short calls cost a few nanoseconds more than in a loop: this measures tails, not
 *   means.
 * - Callbacks inside advance() belong to the advance, as they do for a server's event loop.
 * - Rare code is timed as V8 runs it, perhaps in the interpreter. A server would run it the same way.
 * - The heap is collected before every repeat. A queue that allocates enough to need another collection meets it at the
 *   same call each time, where it counts.
 */
import { cpuMs, wallMs } from '../../processes/clock.js'
import { loadQueue, loadWorkload } from '../modules/load.js'
import { assertPunctual } from '../trust/punctuality.js'
import { createRandom } from '../../model/random.js'
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */

const METHODS = /** @type {const} */ (['insert', 'cancel', 'reschedule', 'nextExpiry', 'advance'])
/** Enough to turn the second level of a wheel of 256 slots: ten thousand timers that expire one a millisecond. */
const OPERATIONS = 2 ** 16
/** A million timers that start and expire; later calls are not timed. */
const MOST_CALLS = 2 ** 21
const REPEATS = 15
const FEWEST_REPEATS = 5
/** CPU time. Only a queue that takes over two microseconds a call runs fewer cycles in it. */
const LONGEST_REPEAT_MS = 150
const CALIBRATION_CALLS = 4096

/** Taken before a queue can replace it. */
const collect = /** @type {() => void} */ (globalThis.gc)

/** Times the calls of a queue and remembers the fastest repeat of each. */
class CallTimer {
  #fastestMs = new Float32Array(MOST_CALLS).fill(Infinity)
  /** By call: index of its method. */
  #methods = new Uint8Array(MOST_CALLS)
  #next = 0
  #isOn = false

  /**
   * Shadows the queue's methods with timed ones.
   *
   * @param {any} queue
   */
  attach (queue) {
    for (const [index, name] of METHODS.entries()) queue[name] = this.#timed(queue, queue[name], index)
  }

  start () {
    this.#next = 0
    this.#isOn = true
  }

  stop () {
    this.#isOn = false
  }

  /** @returns {Float32Array} milliseconds of all calls, in the order called */
  times () {
    return this.#fastestMs.slice(0, this.#next)
  }

  /**
   * @param {typeof METHODS[number]} name
   * @returns {Float32Array} milliseconds of the calls of a method, in the order called
   */
  timesOf (name) {
    const method = METHODS.indexOf(name)
    return this.times().filter((_, call) => this.#methods[call] === method)
  }

  /**
   * @param {any} queue
   * @param {Function} method
   * @param {number} index  Index of the method.
   */
  #timed (queue, method, index) {
    return (/** @type {any} */ first, /** @type {any} */ second, /** @type {any} */ third) => {
      // Calls inside a call are a part of it.
      if (!this.#isOn) return method.call(queue, first, second, third)
      this.#isOn = false
      const start = wallMs()
      const result = method.call(queue, first, second, third)
      const elapsedMs = wallMs() - start
      this.#isOn = true
      this.#note(elapsedMs, index)
      return result
    }
  }

  /**
   * @param {number} elapsedMs
   * @param {number} method  Index of the method.
   */
  #note (elapsedMs, method) {
    const call = this.#next
    if (call === MOST_CALLS) return
    if (elapsedMs < this.#fastestMs[call]) this.#fastestMs[call] = elapsedMs
    this.#methods[call] = method
    this.#next++
  }
}

/** @typedef {MicroJob & {budgetMs: number}} TailJob  `budgetMs`: CPU time after which no repeat begins. */

/**
 * Needs --expose-gc.
 *
 * @param {TailJob} job
 * @returns {Promise<{metrics: Record<string, number>}>}
 */
export async function timeCalls (job) {
  const { timer, nsAt } = await repeatCalls(job)
  const [all, advances] = [timer.times().sort(), timer.timesOf('advance').sort()]
  if (all.length === 0) return { metrics: {} }
  return {
    metrics: {
      ...(advances.length > 0 ? { longestAdvanceNs: nsAt(advances, 1) } : {}),
      opP99Ns: nsAt(all, 0.99),
      opP999Ns: nsAt(all, 0.999)
    }
  }
}

/**
 * Repeats the calls. `nsAt` returns the time below which a share of ascending times lies, in nanoseconds without the
 * cost of the clock.
 *
 * @param {TailJob} job
 */
async function repeatCalls ({ budgetMs, ...job }) {
  const createWorkload = await loadWorkload(job)
  const { Queue } = await loadQueue(job.queueUrl)
  const timer = new CallTimer()
  const clockBeforeMs = clockCost()
  const start = cpuMs()
  // A slow queue runs fewer cycles, the same number in every repeat.
  const cycles = repeat(Infinity, LONGEST_REPEAT_MS)
  for (let repeats = 1; repeats < REPEATS && (repeats < FEWEST_REPEATS || cpuMs() - start < budgetMs); repeats++) {
    repeat(cycles)
  }

  assertPunctual(Queue)
  // On a slow core, reading the clock may cost more than the call.
  const clockMs = Math.min(clockBeforeMs, clockCost())
  const nsAt = (/** @type {Float32Array} */ times, /** @type {number} */ share) =>
    Math.max(0, Math.round((times[Math.ceil(share * times.length) - 1] - clockMs) * 1e6))
  return { timer, nsAt }

  /**
   * @param {number} mostCycles
   * @param {number} [longestMs]  CPU time after which no cycle begins.
   * @returns {number} cycles that ran
   */
  function repeat (mostCycles, longestMs = Infinity) {
    const queue = new Queue()
    timer.attach(queue)
    const { phases } = createWorkload(queue, createRandom(job.seed))
    const runCycle = () => phases.forEach(phase => phase.run())
    const most = Math.min(mostCycles, Math.ceil(OPERATIONS / phases[0].operations))
    // The first cycle may grow arrays.
    runCycle()
    collect()
    const start = cpuMs()
    let cycles = 0
    timer.start()
    do {
      runCycle()
      cycles++
    } while (cycles < most && cpuMs() - start < longestMs)
    timer.stop()
    return cycles
  }
}

/** @returns {number} milliseconds that timing an empty call takes */
function clockCost () {
  const timer = new CallTimer()
  const nothing = Object.fromEntries(METHODS.map(name => [name, () => 0]))
  timer.attach(nothing)
  for (let i = 0; i < REPEATS; i++) {
    timer.start()
    for (let call = 0; call < CALIBRATION_CALLS; call++) nothing.insert()
    timer.stop()
  }
  const times = timer.times().sort()
  return times[times.length >> 1]
}
