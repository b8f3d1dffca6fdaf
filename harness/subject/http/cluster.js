/**
 * The server of one HTTP sample as a cluster: workers that share a port, each a server with its own queue. It replies
 * as a single server does, with the sums over its workers.
 *
 * Workers are spread over the cores, one after the other, and stay there. Left to the kernel, two workers spent whole
 * windows on one core because another program was busy on the other: they answered 290 requests a second instead of
 * 640.
 */
import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { SampleError } from '../../model/errors.js'
import { Channel } from '../../processes/channel.js'
import { pinProcess } from '../../processes/pinning.js'
import { supervise } from '../../processes/processes.js'
import { addUp } from './add-up.js'
/** @import { ServerJob } from './server.js' */

cluster.setupPrimary({
  exec: fileURLToPath(new URL('./worker-process.js', import.meta.url)),
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'pipe', 'ipc']
})

export class MeasuredCluster {
  #workers

  /** @param {number} count  Workers. */
  constructor (count) {
    this.#workers = Array.from({ length: count }, (_, index) => startWorker(index + 1, count))
  }

  /** @param {ServerJob & {cores?: string[][]}} job  `cores`: command prefixes; the last core runs no load. */
  async listen ({ cores = [], ...job }) {
    await Promise.all(this.#workers.map(({ channel }) => channel.ready))
    await Promise.all(this.#workers.map(({ pid }, index) => pinProcess(pid, cores.at(-1 - (index % cores.length)))))
    // The system decides how workers share the connections.
    const [reply] = await this.#askAll({ ...job, expectedConnections: 0, type: 'listen' })
    return reply
  }

  /** @param {{connections: number}} message  Connections that stay open at each worker. */
  async rest ({ connections }) {
    await this.#askAll({ type: 'rest', connections })
    return {}
  }

  async open () {
    await this.#askAll({ type: 'open' })
    return {}
  }

  async close () {
    return addUp(await this.#askAll({ type: 'close' }))
  }

  async settle () {
    return addUp(await this.#askAll({ type: 'settle' }))
  }

  /** @param {object} message */
  async call (message) {
    if (this.#workers.length > 1) throw new Error('a profile covers one process: profile a cluster with one worker')
    const [reply] = await this.#askAll({ ...message, type: 'call' })
    return reply
  }

  /** @type {(request: {type: string, [option: string]: unknown}) => Promise<any[]>} */
  #askAll (request) {
    return Promise.all(
      this.#workers.map(({ channel }, index) =>
        channel.ask(request).catch(({ kind, message }) => {
          throw new SampleError(kind, `worker ${index + 1} of ${this.#workers.length}: ${message}`)
        })
      )
    )
  }
}

/**
 * Starts a worker. The whole cluster ends with it: the other workers are not the server to be measured.
 *
 * @type {(number: number, count: number) => {pid: number | undefined, channel: Channel}}
 */
function startWorker (number, count) {
  const { process: worker } = cluster.fork()
  supervise(worker).ended.then(({ ending }) => {
    process.stderr.write(`Fatal: worker ${number} of ${count} ${ending}\n`, () => process.exit(1))
  })
  return { pid: worker.pid, channel: new Channel(worker) }
}
