/** The queue, scenario and runtime that a cell's names stand for, as tasks that can be measured. */
/** @import { CellPlace } from '../model/cell.js' */
/** @import { Plan, PlannedQueue, PlannedScenario } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */

/** @typedef {ReturnType<typeof lookUp>} CellTask */

/**
 * @param {Pick<Plan, 'settings' | 'queues' | 'scenarios' | 'runtimes'>} plan
 * @param {CellPlace} cell
 */
export function lookUp (plan, cell) {
  const { settings } = plan
  const find = (/** @type {any[]} */ entries, /** @type {string} */ name) => entries.find(entry => entry.name === name)
  const queue = /** @type {PlannedQueue} */ (find(plan.queues, cell.queue))
  const scenario = /** @type {PlannedScenario} */ (find(plan.scenarios, cell.scenario))
  const runtime = /** @type {Runtime} */ (find(plan.runtimes, cell.runtime))
  const {
    load,
    loadCommand,
    listen,
    target,
    port,
    program,
    httpHeat,
    httpWarmupMs,
    seed,
    countSeed = seed,
    micro,
    trace = null,
    serverLimitMs,
    memoryMb
  } = settings
  // A program is measured alone for as long as in a heat.
  const params = program ? { seconds: httpHeat.seconds, ...cell.params } : cell.params
  const task = { scenarioUrl: scenario.url, params, seed, trace }
  const queueUrl = queue.origin === 'built-in' ? null : queue.url
  return {
    queue,
    scenario,
    runtime: memoryMb === undefined ? runtime : { ...runtime, memoryMb },
    countSeed,
    httpTask: {
      ...task,
      queueUrl,
      port,
      load,
      loadCommand,
      listen,
      target,
      program,
      warmupMs: httpWarmupMs,
      limitMs: serverLimitMs
    },
    microTask: { ...task, queueUrl: queue.url, ...(scenario.kind === 'code' && { isCode: true }), timing: micro }
  }
}
