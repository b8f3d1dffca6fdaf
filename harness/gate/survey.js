/**
 * The modules that each side of a gate loads, before anything is measured: does it run its own copy of the code, and
 * which tasks does its benchmark file have?
 */
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pMap from 'p-map'
import { lookUp } from '../measure/look-up.js'
import { modulesOf } from '../measure/modules/user-modules.js'
import { takeSamples } from '../measure/sample.js'
import { SampleError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { isChosenTask } from '../plan/scenarios.js'
import { explainMissing } from './missing-files.js'
import { findForeign, findOutside } from './sides.js'
/** @import { ComparisonRecord } from '../judge/compare.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { Budget } from '../run/budget.js' */
/** @import { GatePlan, Sides } from '../plan/plan.js' */
/** @import { Sample } from '../store/results.js' */

/**
 * @typedef {object} Loaded
 * @property {Cell} cell
 * @property {string[]} urls  Modules of the side.
 * @property {string[]} [preloaded]  Modules that NODE_OPTIONS loads before, for example.
 * @property {unknown} [accuracy]  Accuracy that it declares.
 * @property {string} [lack]  File that it lacks, in words.
 * @property {string[]} [tasks]  Tasks of the benchmark file, in the cell's group.
 *
 * @typedef {object} Survey
 * @property {string[]} warnings
 * @property {ComparisonRecord['unmatched']} unmatched  Tasks that only one side has.
 * @property {Sample[]} failed  Samples of the cells that lack a file or run the code of another side.
 * @property {string[]} outside  Loaded files outside of the repository, which both sides run.
 */

/** timerq's own modules. */
const OWN = fileURLToPath(new URL('../../', import.meta.url))

/**
 * @param {GatePlan & {sides: Sides}} plan  Sides with folders.
 * @param {{signal?: AbortSignal, budget?: Budget}} [options]
 * @returns {Promise<Survey>}
 */
export async function surveySides (plan, options = {}) {
  const cells = plan.cells.filter(({ side }) => side !== 'control')
  const benchmarks = new Set(plan.scenarios.filter(({ benchmark }) => benchmark).map(({ name }) => name))
  // A benchmark file is loaded once for all of its tasks.
  const copies = groupBy(cells, ({ scenario, queue, side }) =>
    JSON.stringify(benchmarks.has(scenario) ? [scenario, side] : [scenario, queue, side])
  )
  const loadAll = (/** @type {Cell[]} */ [cell]) => loadSide(plan, cell, options)
  const loaded = await pMap([...copies.values()], loadAll, { concurrency: os.availableParallelism() })
  const failed = [...copies.values()].map((own, i) => failIfFaulty(plan, own, loaded[i]))
  const folder = path.dirname(plan.sides.head.folder ?? '')
  const outside = findOutside(
    loaded.flatMap(({ urls }) => urls),
    folder,
    plan.gate.root ?? ''
  )
  return {
    warnings: [...groupBy(loaded, ({ cell }) => cell.queue)].flatMap(([queue, own]) => describeAccuracy(queue, own)),
    unmatched: [...groupBy(loaded, ({ cell }) => cell.scenario).values()].flatMap(own => tasksOfOneSide(own, plan)),
    failed: (await Promise.all(failed)).flat(),
    outside: outside.filter(file => !file.startsWith(OWN))
  }
}

/**
 * @param {Loaded[]} loaded  Both sides of a scenario.
 * @param {GatePlan} plan
 * @returns {ComparisonRecord['unmatched']}
 */
function tasksOfOneSide (loaded, { queues, scenarios, settings, gate: { baseRef } }) {
  const [base, head] = ['base', 'head'].map(side => loaded.find(({ cell }) => cell.side === side))
  if (!base?.tasks || !head?.tasks) return []
  const { scenario, params, runtime } = base.cell
  const { group = '' } = scenarios.find(({ name }) => name === scenario)?.benchmark ?? {}
  const chosen = queues.filter(queue => queue.scenarios?.includes(scenario)).map(({ name }) => name)
  const [before, after] = [new Set(base.tasks), new Set(head.tasks)]
  const row = (/** @type {string} */ queue, /** @type {string} */ reason) => ({
    scenario,
    params,
    queue,
    runtime,
    reason
  })
  return [
    ...chosen.filter(task => !before.has(task)).map(task => row(task, `${baseRef} has no such task`)),
    ...base.tasks
      .filter(task => !after.has(task) && isChosenTask(settings.task, { group, task }))
      .map(task => row(task, `only ${baseRef} has this task`))
  ]
}

/**
 * @param {GatePlan & {sides: Sides}} plan
 * @param {Cell} cell
 * @param {{signal?: AbortSignal, budget?: Budget}} options
 * @returns {Promise<Loaded>}
 */
async function loadSide (plan, cell, { signal, budget }) {
  const { microTask, queue, runtime } = lookUp(plan, cell)
  // A server file is gated on Node's own timers.
  const task = { ...microTask, isServer: queue.origin === 'built-in' }
  try {
    const reply = await modulesOf(task, runtime, { signal, budgetSeconds: budget?.secondsLeft })
    const lack = reply.taskFault && explainMissing(reply.taskFault, cell.side ?? 'head', plan)
    return { cell, ...reply, ...(lack && { lack }) }
  } catch (error) {
    if (!(error instanceof SampleError)) throw error
    // A side that cannot be loaded for another reason fails when it is measured.
    return { cell, urls: [], lack: explainMissing(error.message, cell.side ?? 'head', plan) }
  }
}

/** @type {(plan: GatePlan & {sides: Sides}, cells: Cell[], loaded: Loaded) => Promise<Sample[]>} */
async function failIfFaulty ({ sides, gate: { root = '' } }, cells, { urls, preloaded = [], lack }) {
  const foreign = findForeign([...urls, ...preloaded], sides[cells[0].side ?? 'head'].folder ?? '', root)
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
