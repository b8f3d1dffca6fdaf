import fs from 'node:fs'
import { loadQueue } from '../modules/load-queue.js'
import { loadScenario } from '../modules/load-scenario.js'
import { plugSocketTimers } from './socket-timers.js'
import { TimerService } from './timer-service.js'

/**
 * @typedef {import('../modules/load-queue.js').TimerQueue} TimerQueue
 *
 * @typedef {object} ServerTask
 * @property {string | null} queueUrl  null: Node's own timers, untouched.
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params
 * @property {string | null} [directory]  Where the scenario's files are.
 *
 * @param {ServerTask} task
 * @param {import('../../../scenarios/contract.js').CreateServer} createServer
 * @returns {Promise<{server: import('node:http').Server, service: TimerService | null, Queue: (new () => TimerQueue) | null}>} the
 *   cell's server, not yet listening, with the cell's queue behind every socket of this process
 */
export async function createCellServer ({ queueUrl, scenarioUrl, params, directory }, createServer) {
  const scenario = /** @type {import('../modules/load-scenario.js').HttpScenario} */ (await loadScenario(scenarioUrl))
  const plugged = queueUrl === null ? { service: null, Queue: null } : await plugQueue(queueUrl)
  return { server: scenario.createServer(createServer, params, { fs, directory: directory ?? '' }), ...plugged }
}

/** @param {string} queueUrl */
async function plugQueue (queueUrl) {
  const { Queue } = await loadQueue(queueUrl)
  const service = new TimerService(new Queue())
  plugSocketTimers(service)
  return { service, Queue }
}
