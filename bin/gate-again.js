/**
 * A gate of the same sides as an earlier one: --confirm and --repeat. The earlier command line is planned again, with
 * other draws and as the only try. Results may be a stranger's, so files and programs to run must be named again.
 */
import { rooms } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { commandLine } from '../reports/blocks.js'
import { scenarios as ownScenarios } from '../scenarios/index.js'
import { commands } from './commands/index.js'
import { planGate } from './plans/gate.js'
import { renewingOf, retyped } from './request/again.js'
import { parseRequest, split } from './request/request.js'

/** @import { Asked, GatePlan } from '../harness/plan/plan.js' */
/** @import { GateRequest } from './commands/gate.js' */
/** @import { Command } from './commands/index.js' */

const { isCommitHere, readEarlier, repositoryRoot } = await rooms.gate()

const GATE = /** @type {Command} */ (commands.find(({ name }) => name === 'gate'))
/** Values that may differ from those of the earlier gate. */
const RENEWED = ['seed', 'rounds', 'budget']

/**
 * @param {Asked} asked
 * @param {string} directory  Results of the earlier gate.
 * @param {GateRequest} request
 * @returns {Promise<{plan: GatePlan, chosen: GateRequest}>} `chosen`: the request that the plan comes from
 * @throws {UsageError} when it cannot be measured again, or starts something that the user has not named
 */
export async function planAgain (asked, directory, request) {
  const { run, plan: before } = readEarlier(directory)
  const { baseRef, baseCommit } = before.gate
  const [needed, all] = [neededFor(asked, before, run.command), renewingOf(run.command)]
  const typed = renewingOf(request.commandLine)
  if (![needed, all].some(words => words.join('\0') === typed.join('\0'))) {
    throw new UsageError(
      `${directory} ran files or programs of its own. For safety, name them as they were: ` +
        againWith(asked, directory, needed)
    )
  }
  if (baseCommit && !isCommitHere(repositoryRoot(process.cwd()), baseCommit)) {
    throw new UsageError(
      `${directory} has a base that this repository does not have: ${baseRef}, commit ${baseCommit} ` +
        `(git fetch origin ${baseCommit})`
    )
  }
  const values = split(request.commandLine.slice(1)).typed.filter(({ name }) => RENEWED.includes(name))
  const changes = Object.fromEntries(values.map(({ name, value }) => [name, String(value)]))
  const words = retyped(run.command, { seed: null, attempt: null, out: null, ...changes })
  const chosen = /** @type {GateRequest} */ (parseRequest(GATE, words.slice(1)))
  if (chosen.seed === before.settings.seed) {
    throw new UsageError(`--seed must be another than that of ${directory}, got ${chosen.seed} (leave it out)`)
  }
  const plan = await planGate({ ...chosen, ...(baseCommit && { base: baseCommit }) })
  const gate = { ...plan.gate, ...(baseCommit && { baseRef }), earlier: { asked, directory } }
  return { plan: { ...plan, gate }, chosen }
}

/**
 * The command that measures the sides of an ended gate again.
 *
 * @param {Asked} asked
 * @param {string} directory
 * @param {string[]} [more]  Further options.
 */
export function describeAgain (asked, directory, more = []) {
  const { run, plan } = readEarlier(directory)
  return againWith(asked, directory, [...more, ...neededFor(asked, plan, run.command)])
}

/** @type {(asked: Asked, directory: string, words: string[]) => string} */
const againWith = (asked, directory, words) => commandLine(['timerq', 'gate', `--${asked}`, directory, ...words]).text

/**
 * The words of a command that must be named again. Files of sides need no name in one's own gate; a stranger's could
 * name any file of the repository, which would be loaded.
 *
 * @param {Asked} asked
 * @param {GatePlan} plan
 * @param {string[]} command
 */
function neededFor (asked, { gate: { root }, scenarios, queues }, command) {
  if (asked === 'repeat') return renewingOf(command)
  const isOwn = (/** @type {string} */ name) => ownScenarios.some(own => own.name === name)
  const isFromSides = /** @type {Record<string, boolean>} */ ({
    queue: queues.every(({ file, origin }) => file !== undefined || origin !== 'user'),
    scenario: scenarios.every(({ file, name }) => file !== undefined || isOwn(name))
  })
  return renewingOf(command, { isFromSides: option => root !== undefined && isFromSides[option] })
}
