/**
 * The exact channel of a server: basic blocks that the queue executes per request. A fixed number of connections send
 * requests in turn, each after the answer to the one before, and the requests move the server's clock: nothing depends
 * on time.
 */
import { Agent, get } from 'node:http'
import { SampleError } from '../../model/errors.js'
import { LOOPBACK } from '../../model/machine.js'
import { Child } from '../../processes/child.js'
import { SERVER } from '../../processes/entries.js'
import { COUNTED_CONNECTIONS } from '../../processes/open-files.js'
import { isCount, listening } from '../../processes/shapes.js'
import { withFolder } from '../http/running-server.js'
import { WORK_FLAGS } from '../micro/count.js'
import { nameScenario } from '../modules/user-modules.js'
/** @import { MeasureCell } from '../instruments.js' */

/** Rounds that are not counted: the first opens the connections, and may make the queue's tables grow. */
const ROUNDS_BEFORE = 2
const REQUESTS = 2000
/** CPU time of thousands of requests, interpreted. */
const LIMIT_MS = 60_000

/** @type {MeasureCell} */
export function measureCell ({ httpJob: { scenarioUrl, params }, microJob: { queueUrl }, runtime }, { signal }) {
  const connections = Math.min(params.connections, COUNTED_CONNECTIONS)
  const rounds = Math.ceil(REQUESTS / connections)
  return withFolder(async directory => {
    const child = new Child(SERVER, { runtime, flags: WORK_FLAGS, signal })
    // One socket each, so that the connections send in the same order in every round.
    const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    try {
      const job = { queueUrl, scenarioUrl, params, directory, countsWork: true }
      const listen = child.ask({ type: 'listen', ...job }, LIMIT_MS, listening)
      const { port } = await listen.catch(nameScenario(scenarioUrl))
      await child.during(sendInTurn(port, agents, ROUNDS_BEFORE))
      await child.ask({ type: 'count' }, LIMIT_MS)
      await child.during(sendInTurn(port, agents, rounds))
      const { blocks } = await child.ask({ type: 'count' }, LIMIT_MS, { blocks: isCount })
      await child.ask({ type: 'settle' }, LIMIT_MS)
      return { metrics: { workPerRequest: blocks / (rounds * connections) }, warnings: [] }
    } finally {
      for (const agent of agents) agent.destroy()
      await child.end()
    }
  })
}

/** @type {(port: number, agents: Agent[], rounds: number) => Promise<void>} */
async function sendInTurn (port, agents, rounds) {
  for (let round = 0; round < rounds; round++) {
    for (const agent of agents) await request(port, agent)
  }
}

/** @type {(port: number, agent: Agent) => Promise<void>}  Resolves when the answer has been read. */
function request (port, agent) {
  return new Promise((resolve, reject) => {
    get({ host: LOOPBACK, port, agent }, response => response.resume().once('end', resolve)).once(
      'error',
      ({ message }) => reject(new SampleError('crash', `the server broke a connection: ${message}`))
    )
  })
}
