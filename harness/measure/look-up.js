/**
 * The queue, scenario and runtime that a cell's names stand for, as jobs that can be measured. Each side of a gate
 * runs its own copy of the code, in the folder of its side, or its own runtime.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
/** @import { CellPlace } from '../model/cell.js' */
/** @import { GatedQueue, GatedScenario, Plan, SideChoice, Sides } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */

/** @typedef {ReturnType<typeof lookUp>} CellJob */

/**
 * @param {Pick<Plan, 'settings' | 'queues' | 'scenarios' | 'runtimes'> & {sides?: Sides}} plan
 * @param {CellPlace} cell
 */
export function lookUp ({ settings, sides, ...plan }, cell) {
  const side = sides && cell.side ? sides[cell.side] : {}
  const find = (/** @type {any[]} */ entries, /** @type {string} */ name) => entries.find(entry => entry.name === name)
  const queue = /** @type {GatedQueue} */ (onSide(find(plan.queues, cell.queue), side))
  const scenario = /** @type {GatedScenario} */ (onSide(find(plan.scenarios, cell.scenario), side))
  const runtime = /** @type {Runtime} */ (find(plan.runtimes, side.runtime ?? cell.runtime))
  const { load, loadCommand, listen, port, program, httpHeat, httpWarmupMs: warmupMs } = settings
  const { seed, countSeed = seed, micro: timing, trace = null, serverLimitMs: limitMs, memoryMb } = settings
  // A program is measured alone for as long as in a heat.
  const params = program ? { seconds: httpHeat.seconds, ...cell.params } : cell.params
  const job = { scenarioUrl: scenario.url, params, seed, trace }
  const queueUrl = queue.origin === 'built-in' ? null : queue.url
  return {
    queue,
    scenario,
    runtime: {
      ...runtime,
      ...(scenario.flags && { flags: [...runtime.flags, ...scenario.flags] }),
      ...(memoryMb && { memoryMb }),
      ...(side.cwd && { cwd: side.cwd })
    },
    copies: side.copies,
    countSeed,
    folder: side.folder,
    httpJob: { ...job, queueUrl, port, load, loadCommand, listen, program, warmupMs, limitMs },
    microJob: {
      ...job,
      queueUrl: queue.url,
      ...(scenario.kind === 'code' && { isCode: true }),
      ...(scenario.of && { of: { ...scenario.of, task: queue.name } }),
      timing: { ...timing, ...scenario.timing }
    }
  }
}

/**
 * @param {GatedQueue | GatedScenario} module
 * @param {Partial<SideChoice>} side
 */
function onSide (module, { folder }) {
  if (folder === undefined || module.file === undefined) return module
  return { ...module, url: pathToFileURL(path.join(folder, module.file)).href }
}
