/**
 * A gate of the same sides as an earlier one: --confirm. The earlier command line is planned again, with other draws.
 * Results may be a stranger's, so files and programs to run must be named again.
 */
import { rooms } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { commandLine } from '../reports/blocks.js'
import { planGate } from './plans/gate.js'
import { renewingOf, retyped } from './request/again.js'
import { parse, typedIn } from './request/request.js'

/** @import { GatePlan } from '../harness/plan/plan.js' */
/** @import { GateRequest } from './commands/gate.js' */

const { isCommitHere, readEarlier, repositoryRoot } = await rooms.gate()

/** Options that may differ from the earlier gate's. */
const RENEWED = ['seed', 'rounds', 'budget']

/**
 * @param {string} directory  Results of the earlier gate.
 * @param {GateRequest} request
 * @returns {Promise<{plan: GatePlan, chosen: GateRequest}>} `chosen`: the request that the plan comes from
 * @throws {UsageError} when it cannot be measured again, or starts something that the user has not named
 */
export async function planAgain (directory, request) {
  const { run, plan: before } = readEarlier(directory)
  const { baseRef, baseCommit, behind } = before.gate
  const typed = typedIn(request.commandLine.slice(1))
  const changes = Object.fromEntries(RENEWED.flatMap(name => (name in typed ? [[name, typed[name]]] : [])))
  const words = retyped(run.command, { seed: null, out: null, ...changes })
  const named = renewingOf(request.commandLine).join('\0')
  // Words that others hide are seen, too.
  if ([run.command, words].some(command => renewingOf(command).join('\0') !== named)) {
    throw new UsageError(
      `${directory} ran files or programs that are not part of timerq. For safety, name them again: ` +
        describeAgain(directory)
    )
  }
  if (baseCommit && !isCommitHere(repositoryRoot(process.cwd()), baseCommit)) {
    throw new UsageError(
      `${directory} has a base that this repository does not have: ${baseRef}, commit ${baseCommit} ` +
        `(git fetch origin ${baseCommit})`
    )
  }
  const chosen = /** @type {GateRequest} */ (parse(words.slice(1)).request)
  if (chosen.seed === before.settings.seed) {
    throw new UsageError(`--seed must be another than that of ${directory}, got ${chosen.seed} (leave it out)`)
  }
  const plan = await planGate({ ...chosen, ...(baseCommit && { base: baseCommit }) })
  const gate = { ...plan.gate, ...(baseCommit && { baseRef }), ...(behind && { behind }), earlier: { directory } }
  return { plan: { ...plan, gate }, chosen }
}

/**
 * The command that measures the sides of an ended gate again.
 *
 * @param {string} directory
 * @param {string[]} [more]  Further options.
 */
export function describeAgain (directory, more = []) {
  const again = renewingOf(readEarlier(directory).run.command)
  return commandLine(['timerq', 'gate', '--confirm', directory, ...more, ...again]).text
}
