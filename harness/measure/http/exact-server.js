/**
 * A server whose queue's work is counted, in a child with WORK_FLAGS. Its clock is moved by the requests, so that the same
 * requests make the same deadlines on every machine.
 */
import fs from 'node:fs'
import { createServer } from 'node:http'
import { answer } from '../../processes/answer.js'
import { loadQueue } from '../modules/load-queue.js'
import { loadScenario } from '../modules/load-scenario.js'
import { findBlocks } from '../micro/find-blocks.js'
import { assertPunctual } from '../trust/punctuality.js'
import { createRandom } from '../../model/random.js'
import { assertUntouched } from '../trust/tampering.js'
import { startWorkCounter } from '../work-counter.js'
import { LOOPBACK } from './loopback.js'
import { plugSocketTimers } from './socket-timers.js'
import { TimerService } from './timer-service.js'

const EXERCISE_SEED = 1
/** As on a busy server. */
const REQUESTS_PER_MS = 10

/** @type {ReturnType<typeof startWorkCounter>} */
let counter

/** @type {new () => import('../modules/load-queue.js').TimerQueue} */
let Queue

answer({ listen, count: () => ({ blocks: counter.count() }), verify })

/** @param {import('./create-server.js').ServerTask & {queueUrl: string}} task */
async function listen ({ queueUrl, scenarioUrl, params }) {
  const scenario = /** @type {import('../modules/load-scenario.js').HttpScenario} */ (await loadScenario(scenarioUrl))
  // Only modules loaded from here on are counted: the queue and what it imports.
  counter = startWorkCounter()
  Queue = (await loadQueue(queueUrl)).Queue
  findBlocks(new Queue(), createRandom(EXERCISE_SEED), counter.count)
  let requests = 0
  plugSocketTimers(new TimerService(new Queue(), () => requests / REQUESTS_PER_MS))
  const counting = (/** @type {import('node:http').RequestListener} */ handler) =>
    createServer((request, response) => {
      requests++
      handler(request, response)
    })
  const server = scenario.createServer(counting, params, { fs, directory: '' })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, LOOPBACK, () => resolve({ port: server.address().port }))
  })
}

/** After all that is counted. */
function verify () {
  assertPunctual(Queue)
  assertUntouched()
  return {}
}
