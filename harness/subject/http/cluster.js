/**
 * The server of one HTTP sample as a cluster: workers that share a port, each a server with its own queue. The cluster
 * replies like a single server, with sums over its workers.
 *
 * Workers are pinned to the cores in turn. When the kernel placed two workers, they shared one core for whole windows
 * of load, because another program kept the other core busy: they answered 290 requests a second instead of 640.
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

  /** @param {ServerJob & {cores?: string[][]}} job  `cores`: prefixes that pin to a core; the last has no load. */
  async listen ({ cores = [], ...job }) {
    await Promise.all(this.#workers.map(({ channel }) => channel.ready))
    await Promise.all(this.#workers.map(({ pid }, index) => pinProcess(pid, cores.at(-1 - (index % cores.length)))))
    // No worker can expect a number of connections: the system decides how workers share them.
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
 * Starts a worker. If it ends, so does the whole cluster: what is left is no longer the server to be measured.
 *
 * @type {(number: number, count: number) => {pid: number | undefined, channel: Channel}}
 */
function startWorker (number, count) {
  const { process: worker } = cluster.fork()
  supervise(worker).ended.then(({ ending }) => {
    process.stderr.write(`Fatal: worker ${number} of ${count} ${ending}\n`, () => process.exit(1))
  })
  const channel = new Channel(request => worker.send(request, () => {}))
  // A server may tell a process manager that it is ready: no reply.
  worker.on('message', message => Number.isInteger(/** @type {any} */ (message)?.id) && channel.receive(message))
  return { pid: worker.pid, channel }
}
