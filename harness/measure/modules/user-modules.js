/**
 * Asks a fresh process about modules of a user: what a queue declares, what a scenario describes, which files they
 * load. A module may do anything, so the measuring process never loads it.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { FileError, SampleError } from '../../model/errors.js'
import { callOnce, LOADING_AT_ONCE } from '../../processes/child.js'
import { within } from '../../processes/limits.js'
import { keptFolder } from './kept.js'
/** @import { QueueMeta } from '../../../queues/contract.js' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Described } from '../../subject/describe/describe-scenario.js' */
/** @import { InspectedJob } from '../../subject/describe/inspect.js' */
/** @import { Executed } from '../../subject/describe/executed.js' */

export { LOADING_AT_ONCE }

const COMMON_SCHEMA = new URL('../../store/schema/common.schema.json', import.meta.url)
/** CPU time to load the module of a queue and its imports. */
const LOAD_LIMIT_MS = 3000
/** CPU time to load modules and work with the queue, or to prepare a workload. */
const WORK_LIMIT_MS = 60_000
const SEE = '(see scenarios/contract.js; timerq new --scenario makes one that works)'
/** Wall time to load modules, on a busy machine, without a budget. */
const LONGEST_SECONDS = 1200
/** Another program may have ended the first process. */
const ATTEMPTS = 2
/** Flags that heats have, too, and that a file may need. */
const LIKE_MEASURED = ['--expose-gc']
const INSPECT = new URL('../../subject/describe/inspect.js', import.meta.url)
const TYPES = new URL('../../subject/describe/types.js', import.meta.url)
const DESCRIBE = new URL('../../subject/describe/describe-scenario.js', import.meta.url)

/**
 * @typedef {object} AskOptions
 * @property {Runtime} [runtime]  Default: this process's own Node.
 * @property {AbortSignal} [signal]
 * @property {number} [budgetSeconds]  Wall time by this process's clock: the child may have replaced its own.
 */

/**
 * @type {(url: string, options?: AskOptions) => Promise<QueueMeta>}
 * @throws {UsageError} when the module cannot be loaded in time, is no queue, or declares what no results directory can
 *   hold
 */
export async function declarationOf (url, options) {
  const { meta, refusal } = await askToLoad(INSPECT, 'declare', url, { url }, { limitMs: LOAD_LIMIT_MS, ...options })
  if (refusal !== undefined) throw new FileError(refusal)
  if (meta === null) throw new FileError(`${url}: a queue module exports \`meta\` (see queues/contract.js)`)
  const ajv = new Ajv()
  const { definitions } = JSON.parse(readFileSync(COMMON_SCHEMA, 'utf8'))
  if (ajv.validate(definitions.meta, meta)) return /** @type {QueueMeta} */ (meta)
  throw new FileError(
    `${url}: ${ajv.errorsText(ajv.errors, { dataVar: 'meta' })} (timerq check shows all that is wrong with it)`
  )
}

/**
 * @param {string} url
 * @param {AskOptions} [options]
 * @returns {Promise<Described>}
 * @throws {UsageError} when the module cannot be loaded in time, or is a scenario with faults
 */
export async function describedOrNot (url, options) {
  const [described] = await describeFirst([url], options)
  if (described instanceof FileError) throw described
  return described
}

/**
 * Describes files in one process, as long as it can read another.
 *
 * @param {string[]} urls
 * @param {AskOptions} [options]
 * @returns {Promise<(Described | FileError)[]>} of the first files, one at least; an error where the module cannot be
 *   loaded in time, or is a scenario with faults
 */
export async function describeFirst (urls, options) {
  const describe = (/** @type {string[]} */ flags) =>
    askToLoad(DESCRIBE, 'describeFiles', urls[0], { urls }, { limitMs: WORK_LIMIT_MS, flags, ...options })
  try {
    let { described } = await describe(LIKE_MEASURED)
    if (described[0].flags) described = (await describe([...LIKE_MEASURED, ...described[0].flags])).described
    return described.map((/** @type {Described} */ one, /** @type {number} */ i) =>
      one.refusal === undefined ? one : refused(urls[i], one)
    )
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    // Any of them may have ended the process.
    return urls.length === 1 ? [error] : describeFirst(urls.slice(0, urls.length >> 1), options)
  }
}

/**
 * @param {string} url
 * @param {Described} described
 */
export function refused (url, { refusal, leftOut, isNamed, isAdvised }) {
  const reason = refusal ?? leftOut
  return new FileError(
    isNamed ? String(reason) : `scenario ${fileURLToPath(url)}: ${reason}${isAdvised ? '' : ` ${SEE}`}`
  )
}

/**
 * The files of a queue and its declared accuracy, from a process that works with the queue.
 *
 * @param {InspectedJob} job
 * @param {Runtime} runtime
 * @param {{signal?: AbortSignal, budgetSeconds?: number}} [options]
 * @returns {Promise<{urls: string[], preloaded: string[], accuracy?: QueueMeta['accuracy'],
 *   groups?: Map<string, string[]>, fault?: string, taskFault?: string, loadMs?: number, executed?: Executed}>}
 *   `groups`: names of the benchmark file's tasks; `fault`: error of the file, `taskFault`: of the task
 * @throws {SampleError} when the queue cannot be loaded, or dies
 */
export function modulesOf (job, runtime, options) {
  const limits = { limitMs: WORK_LIMIT_MS, flags: LIKE_MEASURED }
  const asked = askInTime(INSPECT, 'modules', job, { runtime, ...limits, ...options })
  return job.isServer ? asked.catch(nameScenario(job.scenarioUrl)) : asked
}

/**
 * What one task of a benchmark file executes.
 *
 * @param {InspectedJob} job  With `touch`.
 * @param {Runtime} runtime
 * @param {{signal?: AbortSignal, budgetSeconds?: number}} [options]
 * @returns {Promise<Executed>}
 */
export const executedAlone = (job, runtime, options) =>
  askInTime(INSPECT, 'executedAlone', job, { runtime, limitMs: WORK_LIMIT_MS, ...options })

/**
 * @param {string} root  Folder of a project.
 * @param {string[]} texts  TypeScript.
 * @returns {Promise<string[]>} each as it was where its types cannot be taken out
 */
export async function withoutTypes (root, texts) {
  const stripped = await askInTime(TYPES, 'withoutTypes', { root, texts }, { limitMs: WORK_LIMIT_MS }).catch(() => ({}))
  return stripped.texts ?? texts
}

/**
 * Names the scenario whose process has ended.
 *
 * @type {(url: string) => (error: unknown) => never}
 */
export const nameScenario = url => error => {
  const isDeath = error instanceof SampleError && error.code === 'died'
  throw isDeath ? new SampleError(error.kind, `${fileURLToPath(url)}: ${error.message}`) : error
}

/** @typedef {AskOptions & {limitMs: number, flags?: string[]}} LimitedOptions */

/** @type {(module: URL, name: string, url: string, argument: object, options: LimitedOptions) => Promise<any>} */
async function askToLoad (module, name, url, argument, options) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askInTime(module, name, { ...argument, kept: keptFolder() }, options)
    } catch (error) {
      if (!(error instanceof SampleError)) throw error
      if (error.kind !== 'crash' || attempt === ATTEMPTS) {
        throw new FileError(`${url}: cannot be loaded: ${error.message}`)
      }
    }
  }
}

/**
 * @type {(module: URL, name: string, argument: object, options: LimitedOptions) => Promise<any>}
 * @throws {SampleError} also when the budget is over
 */
function askInTime (module, name, argument, { budgetSeconds = LONGEST_SECONDS, signal, ...options }) {
  const wallMs = 1000 * Math.max(0, Math.min(budgetSeconds, LONGEST_SECONDS))
  return within(wallMs, 'gave no answer', over =>
    callOnce(module, name, argument, { ...options, signal: signal ? AbortSignal.any([signal, over]) : over })
  )
}
