/** What Linux has and this system lacks: see docs/reference/systems.md. */
import { compact } from '../model/compact.js'
import { enumerate } from '../model/numbers.js'
import { isCoarse } from './clock.js'
import { residentMbOf } from './proc-stat.js'
/** @import { Pins } from './pinning.js' */

/**
 * @param {Pick<Pins, 'canPin'>} pins
 * @returns {string | null} null where nothing is missing
 */
export function describeLacks ({ canPin }) {
  const lacks = compact(
    !canPin && 'processes are not pinned to cores',
    isCoarse && 'the wall clock times turns',
    residentMbOf(process.pid) === null && "only V8's heap has a limit"
  )
  return lacks.length > 0 ? `less than on Linux: ${enumerate(lacks)} (docs/reference/systems.md)` : null
}
