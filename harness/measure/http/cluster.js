/**
 * The server of one HTTP sample as a cluster: workers that share a port, each a server.js with its own queue. It replies as a
 * single server does, with the sums over its workers.
 *
 * Workers are spread over the cores, one after the other, and stay there. Left to the kernel, two workers spent whole windows on
 * one core because another program was busy on the other: they answered 290 requests a second instead of 640.
 */
import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { SampleError } from '../../model/errors.js'
import { answer } from '../../processes/answer.js'
import { Channel } from '../../processes/channel.js'
import { pinProcess } from '../../processes/pinning.js'
import { supervise } from '../../processes/processes.js'
import { addCounts, sumWindows } from './sum-windows.js'
/** @import { ServerTask } from './server.js' */

/** @type {ReturnType<typeof startWorker>[]} */
const workers = []

cluster.setupPrimary({
  exec: fileURLToPath(new URL('./server.js', import.meta.url)),
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'pipe', 'ipc']
})

answer({ listen, rest, open, close, settle, call })

/** @param {ServerTask & {workers: number, cores?: string[][]}} task  `cores`: command prefixes; the last core has no load. */
async function listen ({ cores = [], ...task }) {
  while (workers.length < task.workers) workers.push(startWorker(workers.length + 1, task.workers))
  await Promise.all(workers.map(({ channel }) => channel.ready))
  await Promise.all(workers.map(({ pid }, index) => pinProcess(pid, cores.at(-1 - index % cores.length))))
  const [reply] = await askAll({ ...task, type: 'listen' })
  return reply
}

/** @param {{connections: number}} message  Connections that stay open at each worker. */
async function rest ({ connections }) {
  await askAll({ type: 'rest', connections })
  return {}
}

async function open () {
  await askAll({ type: 'open' })
  return {}
}

async function close () {
  return sumWindows(await askAll({ type: 'close' }))
}

async function settle () {
  const replies = await askAll({ type: 'settle' })
  return {
    pending: replies.reduce((sum, { pending }) => sum + pending, 0),
    received: addCounts(replies.map(({ received }) => received)),
    answered: addCounts(replies.map(({ answered }) => answered))
  }
}

/** @param {object} message */
async function call (message) {
  if (workers.length > 1) throw new Error('a profile covers one process: profile a cluster with one worker')
  const [reply] = await askAll({ ...message, type: 'call' })
  return reply
}

/** @type {(request: {type: string, [option: string]: unknown}) => Promise<any[]>} */
function askAll (request) {
  return Promise.all(workers.map(({ channel }, index) => channel.ask(request).catch(({ kind, message }) => {
    throw new SampleError(kind, `worker ${index + 1} of ${workers.length}: ${message}`)
  })))
}

/**
 * When a worker ends, so does the whole cluster: the rest of it is not the server to be measured.
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
