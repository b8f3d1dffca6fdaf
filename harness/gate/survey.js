/** The modules that each side of a gate loads, before anything is measured: does it run its own copy of the code? */
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pMap from 'p-map'
import { lookUp } from '../measure/look-up.js'
import { modulesOf } from '../measure/modules/user-modules.js'
import { takeSamples } from '../measure/sample.js'
import { SampleError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { explainMissing } from './missing-files.js'
import { findForeign, findOutside } from './sides.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { GatePlan, Sides } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */

/**
 * @typedef {object} Loaded
 * @property {Cell} cell
 * @property {string[]} urls  Modules of the side.
 * @property {unknown} [accuracy]  Accuracy that it declares.
 * @property {string} [lack]  File that it lacks, in words.
 */

/** timerq's own modules. */
const OWN = fileURLToPath(new URL('../../', import.meta.url))

/**
 * @param {GatePlan & {sides: Sides}} plan  Sides with folders.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{warnings: string[], failed: Sample[], outside: string[]}>} `failed`: samples of the cells that lack
 *   a file or run the code of another side; `outside`: loaded files outside of the repository, which both sides run
 */
export async function surveySides (plan, signal) {
  const cells = plan.cells.filter(({ side }) => side !== 'control')
  const copies = groupBy(cells, ({ scenario, queue, side }) => JSON.stringify([scenario, queue, side]))
  const loadAll = (/** @type {Cell[]} */ [cell]) => loadSide(plan, cell, signal)
  const loaded = await pMap([...copies.values()], loadAll, { concurrency: os.availableParallelism() })
  const failed = [...copies.values()].map((own, i) => failIfFaulty(plan, own, loaded[i]))
  const folder = path.dirname(plan.sides.head.folder ?? '')
  const outside = findOutside(loaded.flatMap(({ urls }) => urls), folder, plan.gate.root ?? '')
  return {
    warnings: [...groupBy(loaded, ({ cell }) => cell.queue)].flatMap(([queue, own]) => describeAccuracy(queue, own)),
    failed: (await Promise.all(failed)).flat(),
    outside: outside.filter(file => !file.startsWith(OWN))
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
    if (!(error instanceof SampleError)) throw error
    // A side that cannot be loaded for another reason fails when it is measured.
    return { cell, urls: [], lack: explainMissing(error.message, cell.side ?? 'head', plan) }
  }
}

/** @type {(plan: GatePlan & {sides: Sides}, cells: Cell[], loaded: Loaded) => Promise<Sample[]>} */
async function failIfFaulty ({ sides, gate: { root = '' } }, cells, { urls, lack }) {
  const foreign = findForeign(urls, sides[cells[0].side ?? 'head'].folder ?? '', root)
  const fault = foreign ? `it runs ${foreign}, which is not its own copy of that file` : lack
  if (fault === undefined) return []
  const failure = new SampleError('wrong', fault)
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
