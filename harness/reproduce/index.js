/** Reproduces claims of source documents: a run of their cells, a stop rule, and a verdict for each claim. */
import { recordProfile } from '../profile/run.js'
import { resumeRun, startRun } from '../run/run.js'
import { judgeClaim } from './judge.js'
import { UndecidedClaims } from './stop-rule.js'

/** @import { Claim } from '../../scenarios/claims/claim.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Tool } from '../profile/tools/index.js' */
/** @import { ResumeOptions, RunOptions } from '../run/run.js' */
/** @import { Row } from './judge.js' */

/**
 * Five times the usual ticks, for queues that take less than 1 % of a server's CPU. They slow a request down by a quarter and make all shares
 * a tenth smaller, which leaves the ratios of shares as they are.
 */
const SAMPLING_MICROS = 100

/** @typedef {RunOptions & {directory: string, profiler: Tool}} ReproduceOptions */

/**
 * @param {Plan} plan  Of planClaims.
 * @param {Claim[]} claims @param {ReproduceOptions & {command: string[]}} options @returns {Promise<Row[]>}
 */
export async function reproduce (plan, claims, { profiler, ...options }) {
  if (plan.cells.length === 0) return claims.map(claim => judgeClaim(claim, plan, []))
  const { run, samples } = await startRun(plan, { ...options, ...measuring(plan, claims, profiler, options.directory) })
  return claims.map(claim => judgeClaim(claim, run.plan, samples))
}

/**
 * Continues a stopped run.
 * @param {Plan} plan  Of the run.
 * @param {Claim[]} claims @param {ReproduceOptions & ResumeOptions} options @returns {Promise<Row[]>}
 */
export async function resumeReproduction (plan, claims, { profiler, directory, ...options }) {
  const { run, samples } = await resumeRun(directory, { ...options, ...measuring(plan, claims, profiler, directory) })
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
