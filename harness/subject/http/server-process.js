/**
 * The measured process of a server. Only this process and its workers load the scenario, which may be a user's file.
 * The process checks the scenario, writes its files, starts its server or cluster, and replies with the server's needs
 * as data.
 *
 * Profiling tools start it with its job as an argument and without a channel; it then writes its reply to `readyFile`.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { answer } from '../../processes/answer.js'
import { loadScenario } from '../modules/load.js'
import { findScenarioFault } from '../modules/scenario-fault.js'
import { needsOf } from './needs.js'
import { MeasuredServer } from './server.js'
/** @import { HttpScenario } from '../../../scenarios/contract.js' */
/** @import { MeasuredCluster } from './cluster.js' */
/** @import { ServerJob } from './server.js' */

/** @typedef {ServerJob & {directory: string, cores?: string[][]}} ProcessJob  `cores`: see cluster.js. */

/** Requests that go on to the server, or to the cluster. */
const FORWARDED = ['rest', 'open', 'slice', 'close', 'count', 'call']

/** @type {MeasuredServer | MeasuredCluster} */
let server = new MeasuredServer()
/** @type {(counted: {received: Record<string, number>, answered: Record<string, number>}) => string | null} */
let findFault = () => null

/** @param {ProcessJob} job */
async function listen (job) {
  const { scenario, needs } = await prepareScenario(job)
  const { params, directory } = job
  const read = (/** @type {string} */ name) => readFileSync(path.join(directory, name), 'utf8')
  findFault = counted => scenario.findFault?.({ read, ...counted }, params) || null
  if (needs.workers !== undefined) {
    const { MeasuredCluster } = await import('./cluster.js')
    server = new MeasuredCluster(needs.workers)
  }
  return { ...(await server.listen(job)), needs }
}

async function settle () {
  const { pending, ...counted } = await server.settle()
  return { pending, fault: findFault(counted) }
}

/** @param {ProcessJob} job */
async function prepareScenario ({ scenarioUrl, params, directory }) {
  const scenario = /** @type {HttpScenario} */ (await loadScenario(scenarioUrl))
  const fault = findScenarioFault(scenario, ['http'])
  if (fault) throw new UsageError(`scenario ${fileURLToPath(scenarioUrl)}: ${fault}`)
  const needs = needsOf(scenario, params)
  const files = scenario.files?.(params) ?? {}
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(directory, name), content)
  return { scenario, needs }
}

/** @param {ProcessJob & {readyFile: string}} job */
async function standAlone ({ readyFile, ...job }) {
  const reply = await listenAlone(job).catch(({ message }) => ({ refusal: message }))
  process.once('SIGINT', () => process.exit())
  writeFileSync(`${readyFile}.new`, JSON.stringify(reply))
  renameSync(`${readyFile}.new`, readyFile)
}

/** @param {ProcessJob} job */
async function listenAlone (job) {
  const { needs } = await prepareScenario(job)
  if (needs.workers !== undefined && needs.workers > 1) {
    throw new UsageError('a profile covers one process: profile a cluster with one worker')
  }
  return { ...(await server.listen(job)), needs, pid: process.pid }
}

/** @type {(type: string) => [string, (message: object) => object]} */
const forwarded = type => [type, message => /** @type {any} */ (server)[type](message)]

if (process.argv.length > 2) await standAlone(JSON.parse(process.argv[2]))
else answer({ listen, settle, ...Object.fromEntries(FORWARDED.map(forwarded)) })
