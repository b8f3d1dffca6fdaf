/**
 * Stop rule of a recommendation: gives up a queue as soon as it is shown to be far slower than the control, and leaves
 * its time to queues that may gain something.
 */
import { ratioOf } from '../judge/pairs.js'
import { controlsOrFirst } from '../judge/precision.js'
import { tableId } from '../model/cell.js'
import { collected } from '../run/stop-rules.js'
/** @import { Ratio } from '../judge/records.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { StopRule } from '../run/execute.js' */

/** Times as slow as the control. */
const HOPELESS = 2

/**
 * A queue is hopeless if it is so slow that more heats would not change the advice. One heat shows it: none was seen
 * further off than 40 %.
 *
 * @param {Pick<Ratio, 'low'>} ratio
 */
export const isHopeless = ({ low }) => low > HOPELESS

/**
 * @param {Plan} plan  Plan without servers.
 * @returns {StopRule}
 */
export function giveUpHopeless (plan) {
  const standards = controlsOrFirst(plan)
  const standardOf = (/** @type {Cell} */ cell) => /** @type {Cell} */ (standards.get(tableId(cell)))
  const { see, samplesIn } = collected()
  return {
    see,
    wants: (cell, { kind, cells }) =>
      kind === 'count' || (cell === standardOf(cell) ? cells.some(mayGain) : mayGain(cell))
  }

  /** @param {Cell} cell */
  function mayGain (cell) {
    const standard = standardOf(cell)
    if (cell === standard) return false
    const ratio = ratioOf(samplesIn(cell), { to: standard.queue, samples: samplesIn(standard) }, 'nsPerOp')
    return ratio === null || !isHopeless(ratio)
  }
}
