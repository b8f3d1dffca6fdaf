/**
 * The door of the harness: everything that the command line and programs may call. They also import harness/model, the
 * vocabulary that all rooms share, and two small files: processes/open-files.js and profile/tools.js.
 */

// Plan
export { createPlan, MOST_ROUNDS, shardPlan } from './plan/plan.js'
export { planScenarios, planSubjects } from './plan/scenarios.js'
export { chooseTasks, faultyFile, toldApart, unreadFile } from './formats/choose-tasks.js'
export { loadOwnMeta, loadOwnScenario } from './measure/modules/own-modules.js'
export { resolveRuntime } from './processes/runtimes.js'

export { assertTimeForHeat } from './plan/step-seconds.js'

// Measure
export { resumeRun, startRun } from './run/run.js'

// Store
export { readResults, writeResults } from './store/results.js'
export { readBeginning } from './store/input.js'
export { claimDirectory, makeFolder, move, writing } from './store/folders.js'
export { lock, unlock } from './store/lock.js'

// Judge
export { summarise } from './judge/summary.js'

// Record
/** Loaded into the program of `timerq record`. */
export const RECORDER = new URL('./trace/subject/hook.js', import.meta.url)

/** Rooms that few commands need, each loaded by the commands that do. */
export const rooms = {
  compare: () => import('./judge/compare.js'),
  continuation: () => import('./run/continuation.js'),
  conformance: () => import('./conformance/index.js'),
  findFiles: () => import('./formats/find-files.js'),
  formats: () => import('./formats/registry.js'),
  gate: () => import('./gate/index.js'),
  hooked: () => import('./processes/hooked.js'),
  kept: () => import('./measure/modules/kept.js'),
  load: () => import('./measure/load/load-generator.js'),
  merge: () => import('./store/merge.js'),
  packageType: () => import('./processes/package-type.js'),
  profile: () => import('./profile/index.js'),
  recommend: () => import('./trace/recommend.js'),
  reproduce: () => import('./reproduce/index.js'),
  sketch: () => import('./run/sketch.js'),
  trace: () => import('./store/trace-format.js'),
  userModules: () => import('./measure/modules/user-modules.js'),
  decision: () => import('./judge/decision.js')
}
