/** The modules that each side of a gate loads, before anything is measured: does it run its own copy of the code? */
import os from 'node:os'
import pMap from 'p-map'
import { lookUp } from '../measure/look-up.js'
import { modulesOf } from '../measure/modules/user-modules.js'
import { placeOfCell } from '../model/cell.js'
import { MeasurementError, SampleError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { findForeign } from './sides.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { GatePlan, Sides } from '../plan/plan.js' */

/** @typedef {{cell: Cell, urls: string[], accuracy?: unknown}} Loaded  A side's modules, and the accuracy that it declares. */

/**
 * @param {GatePlan & {sides: Sides}} plan  Sides with folders.
 * @param {AbortSignal} [signal]
 * @returns {Promise<string[]>} warnings
 * @throws {MeasurementError} when a side runs the code of another
 */
export async function surveySides (plan, signal) {
  const sides = plan.cells.filter(({ side }) => side !== 'control')
  const modules = groupBy(sides, ({ scenario, queue, side }) => JSON.stringify([scenario, queue, side]))
  const cells = [...modules.values()].map(([cell]) => cell)
  const loaded = await pMap(cells, cell => loadSide(plan, cell, signal), { concurrency: os.availableParallelism() })
  for (const { cell, urls } of loaded) assertOwnCopy(plan, cell, urls)
  return [...groupBy(loaded, ({ cell }) => cell.queue)].flatMap(([queue, ofQueue]) => describeAccuracy(queue, ofQueue))
}

/**
 * @param {GatePlan & {sides: Sides}} plan
 * @param {Cell} cell
 * @param {AbortSignal} [signal]
 * @returns {Promise<Loaded>}
 */
async function loadSide (plan, cell, signal) {
  const { microTask, queue, runtime } = lookUp(plan, cell)
  try {
    // A server file is gated on Node's own timers.
    return { cell, ...(await modulesOf({ ...microTask, isServer: queue.origin === 'built-in' }, runtime, signal)) }
  } catch (error) {
    // A side that cannot be loaded fails when it is measured.
    if (error instanceof SampleError) return { cell, urls: [] }
    throw error
  }
}

/** @type {(plan: GatePlan & {sides: Sides}, cell: Cell, urls: string[]) => void} */
function assertOwnCopy ({ sides, gate: { root = '' } }, cell, urls) {
  const { side = 'head', queue } = placeOfCell(cell)
  const foreign = findForeign(urls, sides[side].folder ?? '', root)
  if (foreign) {
    throw new MeasurementError(`${side} of ${queue} runs ${foreign}, which is not its own copy of that file`)
  }
}

/**
 * A queue that promises less may do less: its firings are not compared with the model's.
 *
 * @param {string} queue
 * @param {Loaded[]} loaded
 */
function describeAccuracy (queue, loaded) {
  const [before, after] = ['base', 'head'].map(side =>
    JSON.stringify(loaded.find(({ cell }) => cell.side === side)?.accuracy)
  )
  if (before === after || before === undefined || after === undefined) return []
  return [
    `${queue} declares another accuracy than its base, ${after} instead of ${before}: the firings of both were not ` +
      'compared with the model; see timerq check'
  ]
}
