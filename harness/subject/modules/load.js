/**
 * Loads the modules of queues and scenarios. Measured processes load few files of timerq (see process.js), so rare
 * needs are imported late.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingPackage, UsageError } from '../../model/errors.js'
import { shellQuoted } from '../../model/text.js'
/** @import { QueueMeta, TimerQueue } from '../../../queues/contract.js' */
/** @import { CodeScenario, CodeWorkload, HttpScenario } from '../../../scenarios/contract.js' */
/** @import { TaskName } from '../benchmarks/tasks.js' */
/** @import { TaskWorkload } from '../benchmarks/workload.js' */
/** @import { Lateness, MicroScenario, Workload } from '../../../scenarios/contract.js' */
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
  const classes = module.default ? [module.default] : Object.values(module).filter(isClass)
  if (classes.length !== 1) {
    const hint = Object.keys(module).length === 0 ? `; ${A_PROGRAM}` : ''
    throw new UsageError(`${url}: a queue module exports one class (or a default one), found ${classes.length}${hint}`)
  }
  const [Queue] = classes
  const missing = CONTRACT.filter(method => typeof Queue.prototype?.[method] !== 'function')
  if (missing.length > 0) throw new UsageError(`${url}: the queue lacks ${missing.join(', ')} (see queues/contract.js)`)
  return { Queue, meta: module.meta }
}

/** @type {(url: string) => Promise<MicroScenario | HttpScenario | CodeScenario>} */
export async function loadScenario (url) {
  const { scenario } = await importModule(url, 'scenario')
  return scenario
}

/**
 * Creates a workload without a queue. `queueUrl` is the module of an alternative, or else the scenario's own;
 * `benchmark` names a task of a benchmark file.
 *
 * @param {{scenarioUrl: string, queueUrl: string, params: Record<string, number>, benchmark?: TaskName}} task
 * @param {Random} random
 * @returns {Promise<CodeWorkload & Partial<TaskWorkload>>}
 */
export async function createCode ({ scenarioUrl, queueUrl, params, benchmark }, random) {
  if (benchmark) return (await import('../benchmarks/load.js')).createTaskWorkload({ scenarioUrl, params, benchmark })
  const scenario = /** @type {any} */ (await loadScenario(scenarioUrl))
  return scenario.alternatives
    ? scenario.createWorkload(await importModule(queueUrl, 'alternative'), params, random)
    : scenario.createWorkload(params, random)
}

/**
 * Loads a micro scenario.
 *
 * @param {{scenarioUrl: string, params: Record<string, number>, trace?: string | null}} task  `trace` is a file.
 * @returns {Promise<(queue: any, random: Random, lateness?: Lateness) => Workload>} creates the workload of a queue;
 *   lateness is recorded only where nothing is timed
 */
export async function loadWorkload ({ scenarioUrl, params, trace }) {
  const scenario = /** @type {MicroScenario} */ (await loadScenario(scenarioUrl))
  const recorded =
    scenario.needsTrace && trace ? (await import('../../trace/trace-format.js')).readTrace(trace) : undefined
  return (queue, random, lateness) => scenario.createWorkload(queue, params, random, recorded, lateness)
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
    throw await loadFailure(/** @type {Error} */ (error), url, what)
  }
}

/** @type {(error: Error, url: string, what: string) => Promise<UsageError>} */
export async function loadFailure (error, url, what) {
  return (
    missingPackage(error, `${what} "${path.basename(url, '.js').split('?').at(-1)}"`) ??
    new UsageError(await describeFailure(error, url, what), { cause: error })
  )
}

/** A file that exports nothing is likely to be one. */
export const A_PROGRAM = 'it may be a program (timerq try -- node server.js; timerq record -- node app.js)'
/** Ways to load TypeScript. */
const TYPESCRIPT =
  'Node 22.18 and newer run TypeScript (--runtime 24), older ones with a loader ' +
  "(npm install tsx, then --node-flags '--import tsx'; where there is no such option, in NODE_OPTIONS)"

/** @type {(error: Error, url: string, what: string) => Promise<string>} */
async function describeFailure (error, url, what) {
  // Node appends the modules that required a missing one.
  const [reason] = error.message.split('\n')
  const { commonJsDeclaration } = await import('../../processes/package-type.js')
  const file = url.startsWith('file:') ? fileURLToPath(url) : ''
  const commonJs = error instanceof SyntaxError && file.endsWith('.js') ? commonJsDeclaration(path.dirname(file)) : null
  if (commonJs) {
    return (
      `${file}: cannot be loaded: ${reason}; ${commonJs.file}:${commonJs.line} says "type": "commonjs", ` +
      `and a ${what} is an ES module (rename it to ${path.basename(file, '.js')}.mjs, or write "type": "module")`
    )
  }
  if (/** @type {any} */ (error).code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?tsx?["']/.test(reason)) {
    return `${url}: cannot be loaded: ${reason}; ${TYPESCRIPT}`
  }
  const { placeOfError } = await import('./place-of-error.js')
  return `${(await placeOfError(error, url)) ?? url}: cannot be loaded: ${reason}`
}

/** @param {unknown} value */
function isClass (value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}
