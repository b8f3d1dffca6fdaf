/** Reproduces claims of source documents: a run of their cells, a stop rule, and a verdict for each claim. */
import { recordProfile } from '../profile/record-profile.js'
import { resumeRun, startRun } from '../run/run.js'
import { groupStages } from './groups.js'
import { judgeClaim } from './judge-claims.js'
import { inOrder } from './order.js'
import { UndecidedClaims } from './stop-rule.js'
export { judgeClaim } from './judge-claims.js'
export { specsIn } from './observe.js'
export { planClaims } from './plan-claims.js'
/** @import { Claim } from '../../scenarios/claims/claim.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Tool } from '../profile/tools.js' */
/** @import { ResumeOptions, RunOptions } from '../run/run.js' */
/** @import { Results } from '../store/results.js' */
/** @import { JudgedClaim } from './judge-claims.js' */

/**
 * A fifth of the usual interval, for queues that take less than 1 % of a server's CPU. Requests take a quarter longer
 * and all shares shrink by a tenth, which does not change ratios of shares.
 */
const SAMPLING_MICROS = 100

/** @typedef {RunOptions & {directory: string, profiler: Tool}} ReproduceOptions */

/**
 * @param {Plan} plan  Plan from planClaims.
 * @param {Claim[]} claims
 * @param {ReproduceOptions & {command: string[]}} options
 * @returns {Promise<JudgedClaim[]>}
 */
export async function reproduce (plan, claims, options) {
  if (plan.cells.length === 0) return claims.map(claim => judgeClaim(claim, plan, []))
  const { run, samples } = await startRun(plan, { ...options, ...measuring(plan, claims, options) })
  return claims.map(claim => judgeClaim(claim, run.plan, samples))
}

/**
 * @param {Results} stopped
 * @param {Plan} plan  Plan of its command line, made again.
 * @param {Claim[]} claims
 * @param {ReproduceOptions & Omit<ResumeOptions, 'plan'>} options
 * @returns {Promise<JudgedClaim[]>}
 */
export async function resumeReproduction (stopped, plan, claims, options) {
  const { run, samples } = await resumeRun(stopped, { ...options, plan, ...measuring(plan, claims, options) })
  return claims.map(claim => judgeClaim(claim, run.plan, samples))
}

/**
 * @param {Plan} plan
 * @param {Claim[]} claims
 * @param {ReproduceOptions} options
 * @returns {Pick<RunOptions, 'stopRule' | 'stages' | 'order' | 'profile'>}
 */
function measuring (plan, claims, { profiler, directory }) {
  const undecided = new UndecidedClaims(plan, claims)
  const stages = groupStages(plan)
  return {
    stopRule: undecided,
    stages,
    order: inOrder(plan, stages, undecided),
    profile: (step, signal) =>
      recordProfile(plan, step, { tool: profiler, directory, samplingMicros: SAMPLING_MICROS, signal })
  }
}
