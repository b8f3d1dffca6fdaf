/**
 * The exact channel of a server: basic blocks that the queue executes per request. Chance is taken out: a fixed number of
 * connections ask in turn, each when the one before it has its answer, and the server's clock is moved by the requests.
 */
import { Agent, get } from 'node:http'
import { Child, SampleError } from '../../processes/child.js'
import { COUNTED_CONNECTIONS } from '../../processes/open-files.js'
import { assertShape, listening, serverWork } from '../../processes/shapes.js'
import { LOOPBACK } from './loopback.js'
import { WORK_FLAGS } from '../work-counter.js'

const SERVER = new URL('./exact-server.js', import.meta.url)
/** Of every connection: the first opens it, and may make the queue's tables grow. */
const ROUNDS_BEFORE = 2
const REQUESTS = 2000

/**
 * Whether a scenario's requests can be counted: they are all alike, and answered at once.
 *
 * @param {import('../modules/load-scenario.js').HttpScenario} scenario
 */
export function isCountable ({ coldStart, requests, workers, idleConnections, pauseMs }) {
  return !coldStart && !requests && !workers && !idleConnections && !pauseMs
}

/**
 * @param {import('./measure.js').HttpTask & {queueUrl: string}} task
 * @param {import('../../processes/child.js').Runtime} runtime
 * @param {number} limitMs
 * @param {AbortSignal} [signal]
 * @returns {Promise<{metrics: Record<string, number>, warnings: string[]}>}
 * @throws {SampleError} when the server dies or takes too long
 */
export async function countServerWork ({ queueUrl, scenarioUrl, params }, runtime, limitMs, signal) {
  const connections = Math.min(params.connections, COUNTED_CONNECTIONS)
  const rounds = Math.ceil(REQUESTS / connections)
  const child = new Child(SERVER, { runtime, flags: WORK_FLAGS })
  // One socket each, so that the connections ask in the same order in every round.
  const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  try {
    const { port } = assertShape(await child.ask({ type: 'listen', queueUrl, scenarioUrl, params }, limitMs, signal), listening)
    await child.during(askInTurn(port, agents, ROUNDS_BEFORE))
    await child.ask({ type: 'count' }, limitMs, signal)
    await child.during(askInTurn(port, agents, rounds))
    const { blocks } = assertShape(await child.ask({ type: 'count' }, limitMs, signal), serverWork)
    await child.ask({ type: 'verify' }, limitMs, signal)
    return { metrics: { workPerRequest: blocks / (rounds * connections) }, warnings: [] }
  } finally {
    for (const agent of agents) agent.destroy()
    await child.end()
  }
}

/**
 * @param {number} port
 * @param {Agent[]} agents
 * @param {number} rounds
 */
async function askInTurn (port, agents, rounds) {
  for (let round = 0; round < rounds; round++) {
    for (const agent of agents) await request(port, agent)
  }
}

/**
 * @param {number} port
 * @param {Agent} agent
 * @returns {Promise<void>} when the answer has been read
 */
function request (port, agent) {
  return new Promise((resolve, reject) => {
    get({ host: LOOPBACK, port, agent }, response => response.resume().once('end', resolve))
      .once('error', ({ message }) => reject(new SampleError('crash', `the server broke a connection: ${message}`)))
  })
}
