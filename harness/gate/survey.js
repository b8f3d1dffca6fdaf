/** The modules that each side of a gate loads, before anything is measured: does it run its own copy of the code? */
import os from 'node:os'
import pMap from 'p-map'
import { lookUp } from '../measure/look-up.js'
import { modulesOf } from '../measure/modules/user-modules.js'
import { takeSamples } from '../measure/sample.js'
import { SampleError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { findForeign } from './sides.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { GatePlan, Sides } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */

/** @typedef {{cell: Cell, urls: string[], accuracy?: unknown}} Loaded  A side's modules, and the accuracy that it declares. */

/**
 * @param {GatePlan & {sides: Sides}} plan  Sides with folders.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{warnings: string[], failed: Sample[]}>} `failed`: samples of the cells that run the code of another
 *   side
 */
export async function surveySides (plan, signal) {
  const cells = plan.cells.filter(({ side }) => side !== 'control')
  const copies = groupBy(cells, ({ scenario, queue, side }) => JSON.stringify([scenario, queue, side]))
  const loadAll = (/** @type {Cell[]} */ [cell]) => loadSide(plan, cell, signal)
  const loaded = await pMap([...copies.values()], loadAll, { concurrency: os.availableParallelism() })
  const failed = [...copies.values()].map((own, i) => failIfForeign(plan, own, loaded[i].urls))
  return {
    warnings: [...groupBy(loaded, ({ cell }) => cell.queue)].flatMap(([queue, own]) => describeAccuracy(queue, own)),
    failed: (await Promise.all(failed)).flat()
  }
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

/** @type {(plan: GatePlan & {sides: Sides}, cells: Cell[], urls: string[]) => Promise<Sample[]>} */
async function failIfForeign ({ sides, gate: { root = '' } }, cells, urls) {
  const foreign = findForeign(urls, sides[cells[0].side ?? 'head'].folder ?? '', root)
  if (!foreign) return []
  const failure = new SampleError('wrong', `it runs ${foreign}, which is not its own copy of that file`)
  return takeSamples({ kind: 'count', cells, round: 0, id: '' }, async () => cells.map(() => failure))
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
