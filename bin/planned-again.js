/** Plans of stored command lines: of a stopped run that goes on, and of a gate whose sides are measured again. */
import { rooms } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { requestAgain } from './request/again.js'
import { optionsOf } from './request/options.js'
import { typedIn } from './request/request.js'

/** @import { GatePlan } from '../harness/gate/gate-plan.js' */
/** @import { Plan } from '../harness/plan/plan.js' */
/** @import { Results } from '../harness/store/results.js' */
/** @import { ProgramOptions } from './plans/program.js' */
/** @import { Request } from './request/request.js' */

/** @typedef {Request & ProgramOptions} GateRequest */

/**
 * Reads a stopped run, and plans its command line again, with its seed.
 *
 * @template {Plan} P
 * @param {any} request  Has `resume`.
 * @param {(chosen: any, stopped: Results) => Promise<P>} plan
 * @returns {Promise<{stopped: Results, plan: P}>}
 * @throws {UsageError} when it used what the user has not typed
 */
export async function planStopped (request, plan) {
  const { readStopped } = await rooms.continuation()
  const stopped = readStopped(request.resume, request.command.name)
  const { command, plan: { settings: { seed } } } = stopped.run
  const stored = { directory: stopped.directory, command }
  const chosen = requestAgain(stored, request, { seed: String(seed), out: null })
  return { stopped, plan: await plan(chosen, stopped) }
}

/**
 * Plans the sides of a stored gate: its base is a commit by now.
 *
 * @param {GateRequest} chosen
 * @param {Results} stored
 * @returns {Promise<GatePlan>}
 */
export async function planSides (chosen, { directory, run }) {
  const { baseRef, baseCommit, behind } = run.plan.of.gate
  const [{ isCommitHere, repositoryRoot }, { planGate }] = await Promise.all([rooms.gate(), import('./plans/gate.js')])
  if (baseCommit && !isCommitHere(repositoryRoot(process.cwd()), baseCommit)) {
    throw new UsageError(
      `${directory} has a base that this repository does not have: ${baseRef}, commit ${baseCommit} ` +
        `(git fetch origin ${baseCommit})`
    )
  }
  const plan = await planGate({ ...chosen, base: baseCommit })
  return withGate(plan, { ...(baseCommit && { baseRef }), ...(behind && { behind }) })
}

/**
 * Plans a gate of the same sides as an earlier one, with other draws.
 *
 * @param {string} directory  Results of the earlier gate.
 * @param {GateRequest} request
 * @returns {Promise<{plan: GatePlan, chosen: GateRequest}>} `chosen`: the request that the plan comes from
 * @throws {UsageError} when it cannot be measured again, or starts something that the user has not typed
 */
export async function planAgain (directory, request) {
  const { readEarlier } = await rooms.gate()
  const earlier = readEarlier(directory)
  const { run, plan: before } = earlier
  const typed = typedIn(request.commandLine.slice(1))
  const renewed = optionsOf(request.command).filter(({ name, isRenewed }) => isRenewed && name in typed)
  const changes = Object.fromEntries(renewed.map(({ name }) => [name, typed[name]]))
  const stored = { directory, command: run.command }
  const others = { seed: null, ...changes, out: null }
  const chosen = /** @type {GateRequest} */ (requestAgain(stored, request, others))
  if (chosen.seed === before.settings.seed) {
    throw new UsageError(`--seed must be another than that of ${directory}, got ${chosen.seed} (leave it out)`)
  }
  const plan = await planSides(chosen, earlier)
  return { plan: withGate(plan, { earlier: { directory } }), chosen }
}

/** @type {(plan: GatePlan, changes: Partial<GatePlan['of']['gate']>) => GatePlan} */
const withGate = (plan, changes) => ({ ...plan, of: { ...plan.of, gate: { ...plan.of.gate, ...changes } } })
