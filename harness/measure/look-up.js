/**
 * The queue, scenario and runtime that a cell's names stand for, as jobs that can be measured. Each side of a gate
 * runs its own copy of the code, in the folder of its side, or its own runtime.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
/** @import { CellPlace } from '../model/cell.js' */
/** @import { GatedQueue, GatedScenario, Plan, SideChoice, Sides } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */
/** @import { TurnTimes } from './micro/queue-process.js' */

/** Processes of a heat for each entrant, after the first two, where every run is a process. */
const ONCE_TURNS = 4

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
      ...(scenario.benchmark?.flags && { flags: [...runtime.flags, ...scenario.benchmark.flags] }),
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
      ...(scenario.benchmark && { benchmark: { ...taskIn(scenario.benchmark), task: queue.name } }),
      timing: timingOf(timing, scenario.benchmark?.runMs)
    }
  }
}

/** @param {NonNullable<GatedScenario['benchmark']>} benchmark */
const taskIn = ({ group, runMs }) => ({ group, ...(runMs && { runMs }) })

/**
 * A turn of code that runs once a process is a run, or several short ones.
 *
 * @type {(timing: TurnTimes, runMs?: number) => TurnTimes}
 */
const timingOf = (timing, runMs) => (runMs ? { ...timing, turns: ONCE_TURNS, leadMs: 0, turnMs: runMs / 2 } : timing)

/**
 * @param {GatedQueue | GatedScenario} module
 * @param {Partial<SideChoice>} side
 */
function onSide (module, { folder }) {
  if (folder === undefined || module.file === undefined) return module
  return { ...module, url: pathToFileURL(path.join(folder, module.file)).href }
}
