/** How long a workload runs before it is measured. */
import { INTERRUPTED, isCoarse } from '../../processes/clock.js'

/** Smaller gains do not count: the cycles are as fast as before. */
const NOTABLE = 0.03
/** V8 may still be optimizing while one of this many cycles is notably faster than all before it. */
const CALM_CYCLES = 20
/** Slow cycles run their loops so often that fewer will do, if they take this many times the shortest warm-up. */
const FEWEST_CALM_CYCLES = 5
const CALM = 2
/** Times the shortest warm-up. By then a queue with slow cycles has run its loops often enough. */
const LONGEST = 10

/**
 * Runs cycles for a minimum time, and until they no longer get faster. V8 optimizes what has run often, not what has
 * run long: where cycles are slow, as with a hundred thousand timers, a fixed time can end halfway. Nor does a warm-up
 * always reach a steady state (E. Barrett et al., "Virtual Machine Warmup Blows Hot and Cold", OOPSLA 2017).
 *
 * @param {() => number | Promise<number>} timeCycle  Runs a cycle and returns its milliseconds of CPU time: another
 *   program on the same core must not look like a slow cycle.
 * @param {number} minMs
 * @param {number} spentMs  Time that cycles of the same kind have already taken.
 * @param {boolean} [isWall]  Whether the wall clock times cycles.
 * @returns {Promise<boolean>} false when many cycles ran and they were still getting faster
 */
export async function warmUp (timeCycle, minMs, spentMs, isWall = isCoarse) {
  let fastestMs = Infinity
  let calm = 0
  let calmMs = 0
  let cycles = 0
  while (spentMs < minMs * LONGEST) {
    const isCalm = calm >= CALM_CYCLES || (calm >= FEWEST_CALM_CYCLES && calmMs >= CALM * minMs)
    if (isCalm && spentMs >= minMs) return true
    const timed = await timeCycle()
    // While something else has the core, nothing warms up, but the wall clock goes on.
    const ms = isWall ? Math.min(timed, INTERRUPTED * fastestMs) : timed
    cycles++
    spentMs += ms
    const isFaster = ms < fastestMs * (1 - NOTABLE)
    calm = isFaster ? 0 : calm + 1
    calmMs = isFaster ? 0 : calmMs + ms
    if (isFaster) fastestMs = ms
  }
  return cycles < CALM_CYCLES
}
