/**
 * The queue, scenario and runtime that a cell's names stand for, as jobs that can be measured. Each side of a gate
 * runs its own copy of the code, in the folder of its side, or its own runtime.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { kinds } from '../model/kinds.js'
import { keptFolder } from './modules/kept.js'
/** @import { CellPlace } from '../model/cell.js' */
/** @import { Plan, PlannedQueue, PlannedScenario, SideChoice, Sides } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */

/** @typedef {ReturnType<typeof lookUp>} CellJob */

/**
 * @param {Pick<Plan, 'settings' | 'queues' | 'scenarios' | 'runtimes' | 'of'> & {sides?: Sides}} plan
 * @param {CellPlace} cell
 */
export function lookUp ({ settings, sides, of, ...plan }, cell) {
  const side = sides && cell.side ? sides[cell.side] : {}
  const find = (/** @type {any[]} */ entries, /** @type {string} */ name) => entries.find(entry => entry.name === name)
  const queue = /** @type {PlannedQueue} */ (onSide(find(plan.queues, cell.queue), side))
  const scenario = /** @type {PlannedScenario} */ (onSide(find(plan.scenarios, cell.scenario), side))
  const runtime = /** @type {Runtime} */ (find(plan.runtimes, side.runtime ?? cell.runtime))
  const { seed, micro: timing, httpHeat, httpWarmupMs: warmupMs, serverLimitMs: limitMs, memoryMb } = settings
  const { program, load } = of
  // A program is measured alone for as long as in a heat.
  const params = program ? { seconds: httpHeat.seconds, ...cell.params } : cell.params
  const job = { scenarioUrl: scenario.url, params, seed, trace: of.trace?.file ?? null }
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
    folder: side.folder,
    httpJob: {
      ...job,
      queueUrl,
      hasAllCores: !scenario.steps.includes('heat'),
      load,
      port: load?.port,
      listen: load?.listen,
      program,
      warmupMs,
      limitMs
    },
    microJob: {
      ...job,
      queueUrl: queue.url,
      ...(kinds[scenario.kind].isCode && { isCode: true }),
      ...(scenario.of && { of: { ...scenario.of, task: queue.name }, kept: keptFolder() }),
      timing: { ...timing, ...scenario.timing }
    }
  }
}

/**
 * @param {PlannedQueue | PlannedScenario} module
 * @param {Partial<SideChoice>} side
 */
function onSide (module, { folder }) {
  if (folder === undefined || module.file === undefined) return module
  return { ...module, url: pathToFileURL(path.join(folder, module.file)).href }
}
