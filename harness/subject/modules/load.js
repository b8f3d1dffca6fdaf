/**
 * Loads the modules of queues and scenarios. Measured processes load few files of timerq (see process.js), so rare
 * needs are imported late.
 */
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { shellQuoted } from '../../model/text.js'
/** @import { QueueMeta, TimerQueue } from '../../../queues/contract.js' */
/** @import { CodeScenario, CodeWorkload, HttpScenario } from '../../../scenarios/contract.js' */
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */
/** @import { TaskWorkload } from '../../formats/subject/workload.js' */
/** @import { MicroScenario, Workload } from '../../../scenarios/contract.js' */
/** @import { Random } from '../../model/random.js' */

const CONTRACT = [
  'createTimer',
  'releaseTimer',
  'insert',
  'cancel',
  'reschedule',
  'nextExpiry',
  'advance',
  'deadlineOf',
  'payloadOf',
  'isPending'
]

/**
 * Loads a queue module. Its class is the default export or the only exported class; `meta` is its declaration.
 *
 * @type {(url: string) => Promise<{Queue: new () => TimerQueue, meta: QueueMeta}>}
 * @throws {UsageError} when the module does not load, or its class lacks operations
 */
export async function loadQueue (url) {
  const module = await importModule(url)
  if (module.scenario) {
    throw new UsageError(`${url} is a scenario, not a queue (timerq run --scenario ${shellQuoted(fileURLToPath(url))})`)
  }
  // `module.exports = { MyQueue, meta }` of a CommonJS file is its default export.
  const named = typeof module.default === 'object' ? { ...module, default: undefined, ...module.default } : module
  const classes = named.default ? [named.default] : Object.values(named).filter(isClass)
  if (classes.length !== 1) {
    const hint = Object.keys(module).length === 0 ? `; ${A_PROGRAM}` : ''
    throw new UsageError(`${url}: a queue module exports one class (or a default one), found ${classes.length}${hint}`)
  }
  const [Queue] = classes
  const missing = CONTRACT.filter(method => typeof Queue.prototype?.[method] !== 'function')
  if (missing.length > 0) throw new UsageError(`${url}: the queue lacks ${missing.join(', ')} (see queues/contract.js)`)
  return { Queue, meta: named.meta }
}

/** @type {(url: string) => Promise<MicroScenario | HttpScenario | CodeScenario>} */
export async function loadScenario (url) {
  const { scenario } = await importModule(url, 'scenario')
  return scenario
}

/**
 * @typedef {object} CodeSource  Where a workload without a queue comes from.
 * @property {(random: Random) => Promise<CodeWorkload & Partial<TaskWorkload>>} create
 * @property {() => Promise<{groups: Map<string, string[]>, hasOwn: boolean, fault?: string}>} [read]  Reads a file
 *   of several workloads to its end: their names by group, whether the source's own is one, and the error of the file.
 * @property {() => string[]} [files]  Loaded files that V8 does not know.
 */

/**
 * `queueUrl` is the module of an alternative, or else the scenario's own. No module of the user is loaded yet.
 *
 * @param {Pick<MicroJob, 'scenarioUrl' | 'queueUrl' | 'params' | 'of' | 'kept'>} job
 * @returns {Promise<CodeSource>}
 */
export async function sourceOf ({ scenarioUrl, queueUrl, params, of, kept }) {
  if (of) return (await import('../../formats/subject/load.js')).sourceOfTask({ scenarioUrl, params, of, kept })
  return {
    async create (random) {
      const scenario = /** @type {any} */ (await loadScenario(scenarioUrl))
      return scenario.alternatives
        ? scenario.createWorkload(await importModule(queueUrl, 'alternative'), params, random)
        : scenario.createWorkload(params, random)
    }
  }
}

/**
 * Creates a workload without a queue.
 *
 * @param {Parameters<typeof sourceOf>[0]} job
 * @param {Random} random
 */
export const createCode = async (job, random) => (await sourceOf(job)).create(random)

/**
 * Loads a micro scenario.
 *
 * @param {{scenarioUrl: string, params: Record<string, number>, trace?: string | null}} task  `trace` is a file.
 * @returns {Promise<(queue: any, random: Random) => Workload>} creates the workload of a queue
 */
export async function loadWorkload ({ scenarioUrl, params, trace }) {
  const scenario = /** @type {MicroScenario} */ (await loadScenario(scenarioUrl))
  const recorded =
    scenario.needsTrace && trace ? (await import('../../store/trace-format.js')).readTrace(trace) : undefined
  return (queue, random) => scenario.createWorkload(queue, params, random, recorded)
}

/**
 * @param {string} url
 * @param {string} [what]  Name of such a module in messages.
 * @returns {Promise<any>}
 * @throws {UsageError} when the module does not load
 */
export async function importModule (url, what = 'queue') {
  try {
    return await import(url)
  } catch (error) {
    const { loadFailure } = await import('../../processes/load-failure.js')
    throw await loadFailure(/** @type {Error} */ (error), url, what)
  }
}

/** A file that exports nothing is likely to be one. */
export const A_PROGRAM = 'it may be a program (timerq try -- node server.js; timerq record -- node app.js)'
/** @param {unknown} value */
function isClass (value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}
