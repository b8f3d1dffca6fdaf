/** Plans to try queues under the sockets of a user's program. */
import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'
import { CONTROL, TRY } from '../presets.js'
import { resolveQueues } from './catalogue.js'
import { declared, planOf, resolveRuntimes, settingsOf } from './plan.js'

/** @import { Plan, PlannedQueue } from '../../harness/plan/plan.js' */
/** @import { Request } from './request.js' */

/** @typedef {Partial<Omit<Request, 'connections'>> & {connections?: number, path?: string, program?: string[]}} TryRequest */

/** Name of the second copy of Node's own timers, where a machine is checked. */
const AGAIN = 'node-again'

/** @param {TryRequest} request @returns {Promise<Plan>} @throws {UsageError} */
export async function planTry ({ program: command = [], path: url = '/', port, connections = TRY.connections, timeLimit = TRY.startSeconds, selfCheck, queue, ...request }) {
  if (command.length === 0) throw new UsageError('try needs a program (try timerq try -- node server.js)')
  const queues = selfCheck ? await copiesOfNode() : await chooseQueues(queue)
  const { timing, enough } = TRY
  const { rounds, until, budget = rounds === undefined && until === undefined ? TRY.budgetSeconds : undefined } = request
  const settings = await settingsOf({ ...request, budget }, 'try', timing, true)
  return planOf({
    settings: {
      ...settings,
      ...(until === undefined && { enough }),
      program: { command, cwd: process.cwd(), path: url, startSeconds: timeLimit, ...(port !== undefined && { port }) }
    },
    queues,
    scenarios: [{
      name: nameOf(command),
      kind: 'http',
      title: `${command.join(' ')}, ${request.loadCommand ?? `GET ${url}`}`,
      source: 'your program',
      usesAllCores: false,
      isCounted: false,
      url: '',
      values: { connections: [connections] }
    }],
    runtimes: await resolveRuntimes()
  })
}

/** The control is always measured. @param {Request['queue']} [named] @returns {Promise<PlannedQueue[]>} */
async function chooseQueues (named = resolveQueues(TRY.queues)) {
  const isComplete = named.some(({ name }) => name === CONTROL.http)
  if (isComplete && named.length === 1) throw new UsageError(`try compares queues with ${CONTROL.http} (name another queue, or use --self-check)`)
  return declared(isComplete ? named : [...resolveQueues([CONTROL.http]), ...named])
}

async function copiesOfNode () {
  const [node] = await declared(resolveQueues([CONTROL.http]))
  return [node, { ...node, name: AGAIN }]
}

/** The script, or else the command. @param {string[]} command */
function nameOf (command) {
  const script = command.find(word => /\.[cm]?[jt]s$/.test(word)) ?? command.slice(0, 2).join('-')
  return path.basename(script)
}
