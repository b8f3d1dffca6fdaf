/** Reproduces claims of source documents: a run of their cells, a stop rule, and a verdict for each claim. */
import { recordProfile } from '../profile/record-profile.js'
import { resumeRun, startRun } from '../run/run.js'
import { judgeClaim } from './judge-claims.js'
import { UndecidedClaims } from './stop-rule.js'

/** @import { Claim } from '../../scenarios/claims/claim.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Tool } from '../profile/tools/index.js' */
/** @import { ResumeOptions, RunOptions } from '../run/run.js' */
/** @import { Row } from './judge-claims.js' */

/**
 * A fifth of the usual interval, for queues that take less than 1 % of a server's CPU. Requests take a quarter longer and all shares shrink by
 * a tenth, which does not change ratios of shares.
 */
const SAMPLING_MICROS = 100

/** @typedef {RunOptions & {directory: string, profiler: Tool}} ReproduceOptions */

/**
 * @param {Plan} plan  Of planClaims. @param {Claim[]} claims @param {ReproduceOptions & {command: string[]}} options @returns {Promise<Row[]>}
 */
export async function reproduce (plan, claims, { profiler, ...options }) {
  if (plan.cells.length === 0) return claims.map(claim => judgeClaim(claim, plan, []))
  const { run, samples } = await startRun(plan, { ...options, ...measuring(plan, claims, profiler, options.directory) })
  return claims.map(claim => judgeClaim(claim, run.plan, samples))
}

/**
 * @param {Plan} plan  Of the stopped run. @param {Claim[]} claims @param {ReproduceOptions & ResumeOptions} options @returns {Promise<Row[]>}
 */
export async function resumeReproduction (plan, claims, { profiler, directory, ...options }) {
  const { run, samples } = await resumeRun(directory, { kind: 'findings', ...options, ...measuring(plan, claims, profiler, directory) })
  return claims.map(claim => judgeClaim(claim, run.plan, samples))
}

/**
 * @param {Plan} plan @param {Claim[]} claims @param {Tool} tool @param {string} directory
 * @returns {Pick<RunOptions, 'stopRule' | 'profile'>}
 */
const measuring = (plan, claims, tool, directory) => ({
  stopRule: new UndecidedClaims(plan, claims),
  profile: (step, signal) => recordProfile(plan, step, { tool, directory, samplingMicros: SAMPLING_MICROS, signal })
})
