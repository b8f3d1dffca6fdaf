/**
 * The server of one HTTP sample as a cluster: workers that share a port, each a server (server.js) with its own queue.
 * It answers messages as a single server does, with the sums over its workers.
 *
 * Workers are spread over the cores, one after the other, and stay there. Left to the kernel, two workers spent whole windows on
 * one core because another program was busy on the other: they answered 290 requests a second instead of 640.
 */
import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { answer } from '../../processes/answer.js'
import { Answers } from '../../processes/answers.js'
import { pinProcess } from '../../processes/pinning.js'
import { WindowCheck } from '../trust/cpu-check.js'
import { SampleError, supervise } from '../../processes/processes.js'
import { assertShape, window } from '../../processes/shapes.js'
import { addCounts, sumWindows } from './sum-windows.js'

/** @type {{worker: import('node:cluster').Worker, answers: Answers, check: WindowCheck}[]} */
const workers = []

cluster.setupPrimary({
  exec: fileURLToPath(new URL('./server.js', import.meta.url)),
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe']
})

answer({ listen, rest, open, close, settle, call })

/**
 * @param {import('./create-server.js').ServerTask & {port: number, workers: number, cores?: string[][]}} task  `cores`: command
 *   prefixes, that of the core without the load last.
 */
async function listen ({ cores = [], ...task }) {
  while (workers.length < task.workers) workers.push(startWorker(workers.length + 1, task.workers))
  // Messages sent before a worker listens are lost.
  await Promise.all(workers.map(({ answers }) => answers.ready))
  await Promise.all(workers.map(({ worker }, index) => pinProcess(worker.process.pid, cores.at(-1 - index % cores.length))))
  const [reply] = await askAll({ ...task, type: 'listen' })
  return reply
}

/** @param {{connections: number}} message  How many each worker keeps open. */
async function rest ({ connections }) {
  await askAll({ type: 'rest', connections })
  return {}
}

async function open () {
  await ofAll((worker, ask) => worker.check.open(() => ask({ type: 'open' })))
  return {}
}

async function close () {
  return sumWindows(await ofAll((worker, ask) => worker.check.close(async () => assertShape(await ask({ type: 'close' }), window))))
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

/**
 * @param {object} message
 * @returns {Promise<any[]>}
 */
function askAll (message) {
  return ofAll((_worker, ask) => ask(message))
}

/**
 * @template T
 * @param {(worker: typeof workers[number], ask: (message: object) => Promise<any>) => Promise<T>} of
 * @returns {Promise<T[]>} errors say of which worker they are
 */
function ofAll (of) {
  return Promise.all(workers.map(async (each, index) => {
    try {
      return await of(each, message => each.answers.next(id => each.worker.send({ ...message, id })))
    } catch (error) {
      const { kind, message } = /** @type {SampleError} */ (error)
      throw new SampleError(kind, `worker ${index + 1} of ${workers.length}: ${message}`)
    }
  }))
}

/**
 * When a worker ends, so does the whole cluster: what is left is not what was to be measured.
 *
 * @param {number} number
 * @param {number} count
 */
function startWorker (number, count) {
  const worker = cluster.fork()
  supervise(worker.process).ended.then(({ ending }) => {
    process.stderr.write(`Fatal: worker ${number} of ${count} ${ending}\n`, () => process.exit(1))
  })
  return { worker, answers: new Answers(worker.process), check: new WindowCheck(worker.process.pid) }
}
