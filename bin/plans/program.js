/** Plans that measure a user's program: other timers under its sockets, or (in gate.js) its base against its head. */
import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'
import { CONTROL, TRY } from '../presets.js'
import { resolveQueues, TRIED } from '../request/catalogue.js'
import { declared, measuredBy, planOf, resolveRuntimes } from './parts.js'

/** @import { Plan, PlannedQueue } from '../../harness/plan/plan.js' */
/** @import { Kind } from '../../harness/plan/steps.js' */
/** @import { Preset } from '../presets.js' */
/** @import { ResolvedQueue } from '../request/catalogue.js' */
/** @import { Request } from '../request/request.js' */
/** @import { Choices } from './parts.js' */

/**
 * @typedef {object} ProgramOptions
 * @property {string} [path]  Path of the requests.
 * @property {number} [connections]  Open connections to each copy of the program.
 * @property {number} [port]  Port that the program asks for, if it has several servers. 0: any.
 * @property {number} [timeLimit]  Seconds until the program must answer.
 *
 * @typedef {Choices & ProgramOptions & Pick<Request, 'command'>} ProgramChoices
 */

/** Name of the second copy of Node's own timers, where a machine is checked. */
const AGAIN = 'node-again'

/**
 * @param {ProgramChoices} request
 * @returns {Promise<Plan>}
 * @throws {UsageError}
 */
export async function planTry ({ selfCheck, queue, program = [], ...request }) {
  if (program.length === 0) throw new UsageError('try needs a program (try timerq try -- node server.js)')
  const { rounds, until } = request
  const { budget = rounds === undefined && until === undefined ? TRY.budgetSeconds : undefined } = request
  if (selfCheck && queue) throw new UsageError('--self-check cannot be combined with --queue (leave one of them out)')
  const queues = selfCheck ? await copiesOfNode() : await chooseQueues(queue)
  const parts = await partsOfProgram(program, { ...request, budget }, TRY.preset)
  return planOf({ ...parts, end: { ...parts.end, ...(until === undefined && { enough: TRY.enough }) }, queues })
}

/**
 * The parts of a plan that measures a program, without queues.
 *
 * @param {string[]} command
 * @param {ProgramChoices} request
 * @param {Preset} preset
 */
export async function partsOfProgram (
  command,
  { path: url = '/', port = 0, connections = TRY.connections, timeLimit = TRY.startSeconds, ...request },
  preset
) {
  const { of, ...measured } = await measuredBy(request, request.command.name, preset, true)
  return {
    question: request.command.name,
    ...measured,
    scenarios: [
      {
        name: nameOf(command),
        kind: /** @type {const} */ ('http'),
        title: `${command.join(' ')}, ${of.load.command?.join(' ') ?? `GET ${url}`}`,
        source: 'your program',
        steps: /** @type {Kind[]} */ (['heat', 'alone']),
        url: '',
        values: { connections: [connections] }
      }
    ],
    runtimes: await resolveRuntimes({}),
    of: {
      ...of,
      program: { command, cwd: process.cwd(), path: url, startSeconds: timeLimit, ...(port > 0 && { port }) }
    }
  }
}

/**
 * The control is always measured.
 *
 * @param {ResolvedQueue[]} [named]
 * @returns {Promise<PlannedQueue[]>}
 */
async function chooseQueues (named = resolveQueues(TRY.queues, undefined, TRIED)) {
  const isComplete = named.some(({ name }) => name === CONTROL.http)
  if (isComplete && named.length === 1) {
    throw new UsageError(`try compares queues with ${CONTROL.http} (name another queue, or use --self-check)`)
  }
  return declared(isComplete ? named : [...resolveQueues([CONTROL.http]), ...named])
}

async function copiesOfNode () {
  const [node] = await declared(resolveQueues([CONTROL.http]))
  return [node, { ...node, name: AGAIN }]
}

/**
 * The script, or else the command.
 *
 * @param {string[]} command
 */
function nameOf (command) {
  const script = command.find(word => /\.[cm]?[jt]s$/.test(word)) ?? command.slice(0, 2).join('-')
  return path.basename(script)
}
