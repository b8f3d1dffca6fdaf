/**
 * The queue, scenario and runtime that a cell's names stand for, as tasks that can be measured. Each side of a gate
 * runs its own copy of the code, in the folder of its side, or its own runtime.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
/** @import { CellPlace } from '../model/cell.js' */
/** @import { GatedQueue, GatedScenario, Plan, SideChoice, Sides } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */

/** @typedef {ReturnType<typeof lookUp>} CellTask */

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
  const { load, loadCommand, listen, target, port, program, httpHeat, httpWarmupMs: warmupMs } = settings
  const { seed, countSeed = seed, micro: timing, trace = null, serverLimitMs: limitMs, memoryMb } = settings
  // A program is measured alone for as long as in a heat.
  const params = program ? { seconds: httpHeat.seconds, ...cell.params } : cell.params
  const task = { scenarioUrl: scenario.url, params, seed, trace }
  const queueUrl = queue.origin === 'built-in' ? null : queue.url
  return {
    queue,
    scenario,
    runtime: {
      ...runtime,
      ...(scenario.benchmark?.flags && { flags: [...runtime.flags, ...scenario.benchmark.flags] }),
      ...(memoryMb && { memoryMb }),
      ...(side.cwd && { cwd: side.cwd })
    },
    countSeed,
    folder: side.folder,
    httpTask: { ...task, queueUrl, port, load, loadCommand, listen, target, program, warmupMs, limitMs },
    microTask: {
      ...task,
      queueUrl: queue.url,
      ...(scenario.kind === 'code' && { isCode: true }),
      ...(scenario.benchmark && { benchmark: { group: scenario.benchmark.group, task: queue.name } }),
      timing
    }
  }
}

/**
 * @param {GatedQueue | GatedScenario} module
 * @param {Partial<SideChoice>} side
 */
function onSide (module, { folder, url }) {
  if (folder !== undefined && module.file !== undefined) {
    return { ...module, url: pathToFileURL(path.join(folder, module.file)).href }
  }
  return url !== undefined && module.url === '' ? { ...module, url } : module
}
