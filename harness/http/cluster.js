/**
 * The server of one HTTP sample as a cluster: workers that share a port, each a server (server.js) with its own queue.
 * It answers messages as a single server does, with the sums over its workers.
 */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { answer } from '../answer.js'
import { supervise } from '../processes.js'
import { addCounts, sumWindows } from './sum-windows.js'

/** @type {import('node:cluster').Worker[]} */
const workers = []

cluster.setupPrimary({
  exec: fileURLToPath(new URL('./worker.js', import.meta.url)),
  serialization: 'advanced',
  silent: true
})

answer({ listen, rest, open, close, settle, call })

/** @param {import('./create-server.js').ServerTask & {port: number, workers: number}} task */
async function listen (task) {
  while (workers.length < task.workers) workers.push(startWorker(workers.length + 1, task.workers))
  await Promise.all(workers.map(worker => once(worker, 'message')))
  const [reply] = await askAll({ ...task, type: 'listen' })
  return reply
}

/** @param {{connections: number}} message  How many each worker keeps open. */
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

/**
 * @param {object} message
 * @returns {Promise<any[]>}
 */
function askAll (message) {
  return Promise.all(workers.map(async (worker, index) => {
    const replied = once(worker, 'message')
    worker.send(message)
    const [reply] = await replied
    if (reply.error) throw new Error(`worker ${index + 1} of ${workers.length}: ${reply.error}`)
    return reply
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
  return worker
}
