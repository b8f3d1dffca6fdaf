/** Reproduces claims of source documents: a run of their cells, a stop rule, and a verdict for each claim. */
import { recordProfile } from '../profile/record-profile.js'
import { Schedule } from './schedule.js'
export { judgeClaim } from './judge-claims.js'
export { specsIn } from './observe.js'
export { planClaims } from './plan-claims.js'
/** @import { Claim } from '../../scenarios/claims/claim.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Tool } from '../profile/tools.js' */
/** @import { RunOptions } from '../run/run.js' */

/**
 * A fifth of the usual interval, for queues that take less than 1 % of a server's CPU. Requests take a quarter longer
 * and all shares shrink by a tenth, which does not change ratios of shares.
 */
const SAMPLING_MICROS = 100

/**
 * How a run of claims measures: its stop rule, its steps and their order.
 *
 * @param {Plan} plan  Plan from planClaims.
 * @param {Claim[]} claims
 * @param {{profiler: Tool, directory: string}} options
 * @returns {Pick<RunOptions, 'stopRule' | 'stages' | 'order' | 'profile'>}
 */
export function measuringOf (plan, claims, { profiler, directory }) {
  const schedule = new Schedule(plan, claims)
  return {
    stopRule: schedule,
    stages: schedule.stages,
    order: schedule.order(),
    profile: (step, signal) =>
      recordProfile(plan, step, { tool: profiler, directory, samplingMicros: SAMPLING_MICROS, signal })
  }
}
