/** Ends a function that would run forever, in the same process. */
import vm from 'node:vm'
import { tickedMs } from '../../processes/clock.js'

const context = vm.createContext({ operate: () => {} })
const call = new vm.Script('operate()')

/** The watchdog gives up at this multiple of the limit in wall time: the process gets too small a share of a core. */
const MAX_WALL_FACTOR = 64

/**
 * Limits CPU time, although V8 can only limit wall time: if the process got less than half of a core, `operate` is
 * called again with more wall time. A watch starts a thread, which takes 0.1 ms, so short operations should share a
 * watch.
 *
 * @param {() => void} operate
 * @param {number} limitMs
 * @returns {boolean} whether it returned in time
 */
export function returnsWithin (operate, limitMs) {
  for (let wallMs = limitMs; wallMs <= MAX_WALL_FACTOR * limitMs; wallMs *= 2) {
    const start = tickedMs()
    if (returnsWithinWall(operate, wallMs)) return true
    if (tickedMs() - start >= limitMs / 2) return false
  }
  return false
}

/** A call that does not return. */
export class Endless extends Error {}

/**
 * @template T
 * @param {string} what
 * @param {number} limitMs  CPU time.
 * @param {() => T} operate
 * @returns {T}
 * @throws {Endless} when it does not return in time
 */
export function mustReturn (what, limitMs, operate) {
  /** @type {T[]} */
  const results = []
  if (!returnsWithin(() => { results.push(operate()) }, limitMs)) {
    throw new Endless(`${what} did not return within ${Number((limitMs / 1000).toPrecision(2))} s of CPU time`)
  }
  return results[0]
}

/**
 * @param {() => void} operate
 * @param {number} wallMs
 */
function returnsWithinWall (operate, wallMs) {
  context.operate = operate
  try {
    call.runInContext(context, { timeout: Math.ceil(wallMs) })
    return true
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return false
  }
}
