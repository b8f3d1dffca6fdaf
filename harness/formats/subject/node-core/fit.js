/** How many operations a run of one of Node's benchmark files should have. */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuMs } from '../../../processes/clock.js'
/** @import { BenchmarkTask, Timed } from '../tasks.js' */

/**
 * @typedef {object} NodeTask
 * @property {BenchmarkTask['prepare']} prepare
 * @property {Record<string, any>} config
 * @property {number} [mostOperations]  The file's own parameter n: no run has more. Without it, a
 *   run has one operation.
 */

/** The file cannot be measured, however it is run. */
export class Unsupported extends Error {}

const FIRST_N = 100
const RUN_MS = 1
/** Runs after which a file is known to run again and again. */
const FEWEST_RUNS = 2
/** CPU time after which V8 has probably optimised the code: first calls cost many times what later ones do. */
const FIT_MS = 30
/** Most idle time of the event loop, as a multiple of the CPU time used. */
const MOST_WAITING = 15
/** Wall time after which a run that has not ended never will. */
const LONGEST_MS = 3000

/**
 * The number of operations that takes about a millisecond of CPU time, of the first configuration: the same for all of
 * a file, and for both sides of a gate.
 *
 * @param {NodeTask} task
 * @returns {Promise<number>}
 * @throws {Error} when the file cannot run again and again, or mostly waits
 */
export async function fittingOperations ({ prepare, mostOperations = 1 }) {
  let n = Math.min(FIRST_N, mostOperations)
  let spentMs = 0
  for (let runs = 1; ; runs++) {
    const timed = await prepare({ n })
    const [before, start] = [performance.eventLoopUtilization().idle, cpuMs()]
    const ms = await runMs(timed, n)
    const used = cpuMs() - start
    spentMs += used
    const isFitted = n === mostOperations || isNear(ms, RUN_MS)
    const isWarm = spentMs > FIT_MS && runs >= FEWEST_RUNS
    if (isWarm && isFitted) {
      // On a busy machine, wall time passes without waiting.
      if (performance.eventLoopUtilization().idle - before <= MOST_WAITING * used) return n
      throw new Unsupported('it waits nearly all of its time, and timerq measures CPU time')
    }
    if (!isFitted) n = more(n, ms, RUN_MS, mostOperations)
  }
}

/** @type {(timed: Timed, count: number) => Promise<number>} */
async function runMs ({ fn }, count) {
  let [start, ms] = [0, 0]
  const timer = {
    count,
    start () {
      start = cpuMs()
    },
    end () {
      ms = cpuMs() - start
    }
  }
  const late = new AbortController()
  const tooLate = wait(LONGEST_MS, undefined, { signal: late.signal }).then(() => {
    throw new Error(`it had not ended its timer after ${LONGEST_MS / 1000} s: perhaps it does when its process exits`)
  })
  await Promise.race([fn(timer), tooLate]).finally(() => late.abort())
  return ms
}

/** Largest factor between two results of `rounded`: from 2 to 5. */
const LARGEST_STEP = 2.5
/** Growth of n after a run, at most. */
const MOST_GROWTH = 10

/**
 * Whether the next n might take longer than the time.
 *
 * @type {(ms: number, aimMs: number) => boolean}
 */
export const isNear = (ms, aimMs) => ms * LARGEST_STEP >= aimMs

/** @type {(n: number, ms: number, aimMs: number, most: number) => number}  A larger n. */
export const more = (n, ms, aimMs, most) =>
  Math.min(most, rounded(n * Math.min(MOST_GROWTH, aimMs / ms)))

/** @param {number} value  Rounded down to 1, 2 or 5 times a power of ten. */
function rounded (value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return [5, 2, 1].map(digit => digit * power).find(step => step <= value) ?? 1
}
