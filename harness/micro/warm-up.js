/** How long a workload runs before it is measured. */

/** A cycle that is faster by less is the same. */
const NOTABLE = 0.03
/** As long as one of this many cycles is notably the fastest so far, V8 may not be done. */
const CALM_CYCLES = 20
/** Times the least warm-up: a queue whose cycles are slow has run its loops often enough by then. */
const LONGEST = 10

/**
 * Runs cycles for some time, and until they no longer get faster. V8 optimizes what has run often, not what has run
 * long: where cycles are slow, as those of a hundred thousand timers are, a fixed time ends among them. Nor does it
 * always end in a steady state (E. Barrett et al., "Virtual Machine Warmup Blows Hot and Cold", OOPSLA 2017).
 *
 * @param {() => void} runCycle
 * @param {number} leastMs
 * @param {number} spentMs  Already, on cycles of the same kind.
 * @param {() => number} [now]  Milliseconds.
 * @returns {boolean} false when many cycles did not suffice
 */
export function warmUp (runCycle, leastMs, spentMs, now = () => performance.now()) {
  const start = now() - spentMs
  let fastest = Infinity
  let calm = 0
  let cycles = 0
  for (let last = now(); last - start < leastMs * LONGEST; cycles++) {
    if (calm >= CALM_CYCLES && last - start >= leastMs) return true
    runCycle()
    const end = now()
    if (end - last < fastest * (1 - NOTABLE)) {
      fastest = end - last
      calm = 0
    } else {
      calm++
    }
    last = end
  }
  return cycles < CALM_CYCLES
}
