/**
 * The door of the harness: everything that the command line and programs may call. Their only other import from here is
 * harness/model, the vocabulary that all rooms share.
 */

// Plan
export { createPlan, MOST_ROUNDS, shardPlan, SIDE_URL } from './plan/plan.js'
export { chooseTasks, planScenarios, planSubjects } from './plan/scenarios.js'
export { loadOwnMeta, loadOwnScenario } from './measure/modules/own-modules.js'
export { resolveRuntime } from './processes/runtimes.js'

export { assertTimeForHeat } from './plan/step-seconds.js'

// Measure
export { resumeRun, startRun } from './run/run.js'

// Store
export { readResults, writeResults } from './store/results.js'
export { readBeginning } from './store/input.js'
export { claimDirectory } from './store/claim.js'
export { makeFolder } from './store/make-folder.js'
export { writing } from './store/writing.js'

// Judge
export { summarise } from './judge/summary.js'

/** Rooms that few commands need, each loaded by the commands that do. */
export const rooms = {
  compare: async () => ({
    ...(await import('./judge/compare.js')),
    ...(await import('./judge/verdict.js'))
  }),
  conformance: () => import('./conformance/index.js'),
  gate: async () => ({
    ...(await import('./gate/gate.js')),
    ...(await import('./judge/expectation.js')),
    ...(await import('./gate/earlier.js')),
    ...(await import('./gate/gate-plan.js')),
    ...(await import('./gate/gated-files.js')),
    ...(await import('./gate/gated-runtimes.js')),
    ...(await import('./gate/heats.js')),
    ...(await import('./gate/judge-gate.js')),
    ...(await import('./gate/revisions.js'))
  }),
  history: () => import('./judge/history.js'),
  merge: () => import('./store/merge.js'),
  profile: async () => ({
    ...(await import('./profile/recorded.js')),
    ...(await import('./profile/record-profile.js')),
    ...(await import('./profile/tools/index.js'))
  }),
  programs: async () => ({
    ...(await import('./processes/hooked.js')),
    ...(await import('./profile/program-shares.js')),
    RECORDER: new URL('./trace/subject/hook.js', import.meta.url),
    PROFILER: new URL('./profile/subject/program-hook.js', import.meta.url)
  }),
  recommend: () => import('./trace/recommend.js'),
  reproduce: async () => ({
    ...(await import('./reproduce/index.js')),
    ...(await import('./reproduce/judge-claims.js')),
    ...(await import('./reproduce/observe.js')),
    ...(await import('./reproduce/plan-claims.js'))
  }),
  servers: async () => ({
    ...(await import('./measure/load/load-command.js')),
    ...(await import('./measure/load/load-generator.js'))
  }),
  trace: () => import('./trace/trace-format.js'),
  userModules: async () => ({
    ...(await import('./processes/package-type.js')),
    ...(await import('./measure/modules/user-modules.js'))
  })
}
