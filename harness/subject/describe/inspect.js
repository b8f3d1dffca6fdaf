/** Tells the host about modules: what a queue declares, and which files a subject loads. */
import { existsSync, realpathSync } from 'node:fs'
import { Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { createRandom } from '../../model/random.js'
import { cpuMs } from '../../processes/clock.js'
import { loadQueue, loadScenario, loadWorkload, sourceOf } from '../modules/load.js'
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */
/** @import { Executed, Touch } from './executed.js' */

const HARNESS = new URL('../../', import.meta.url).href

/** @param {{url: string}} job */
export async function declare ({ url }) {
  try {
    const { meta } = await loadQueue(url)
    // Written to run.json later, which loses functions, for example.
    return { meta: JSON.parse(JSON.stringify(meta ?? null)) }
  } catch (error) {
    if (error instanceof UsageError) return { refusal: error.message }
    throw error
  }
}

/**
 * @typedef {MicroJob & {isServer?: boolean, jobs?: MicroJob[], touch?: Touch}} InspectedJob `jobs`: all that are of
 *   the same file; `touch`: asks which changed functions run.
 */

/**
 * Lists the files of a queue. Also works with the queue, as a module may load others late. With code without a queue,
 * and with a server, all modules are the user's.
 *
 * @param {InspectedJob} job
 * @returns {Promise<{urls: string[], preloaded: string[], accuracy?: unknown, groups?: Map<string, string[]>,
 *   executed?: Executed}>} `preloaded`: modules that NODE_OPTIONS loads, for example; `groups`: names of tasks
 */
export async function modules (job) {
  const preloaded = loadedModules().filter(url => !url.startsWith(HARNESS))
  return { ...(await modulesOf(job)), preloaded }
}

/** @param {InspectedJob} job */
async function modulesOf (job) {
  if (job.isCode || job.isServer) return modulesOfScenario(job)
  const isTimed = 'createWorkload' in (await loadScenario(job.scenarioUrl))
  const createWorkload = isTimed ? await loadWorkload(job) : null
  // Later modules are the queue's; earlier ones are timerq, which may be the repository that is gated.
  const ours = new Set(loadedModules())
  const execution = job.touch && (await watching(job.touch))
  const { Queue, meta } = await loadQueue(job.queueUrl)
  const queue = new Queue()
  for (const phase of createWorkload?.(queue, createRandom(job.seed)).phases ?? []) phase.run()
  return {
    urls: loadedModules().filter(url => !ours.has(url)),
    accuracy: meta?.accuracy,
    ...(execution && { executed: execution.end() })
  }
}

/**
 * With a benchmark file, also lists its tasks by group, and the fault of the file or of the task. After the end of its
 * file, a task may fail that runs well where the file runs it: its fault says no more than which file it lacks.
 *
 * @param {InspectedJob} job
 */
async function modulesOfScenario (job) {
  const { jobs = [job], touch } = job
  const { runOnce } = await import('../micro/code-subject.js')
  const sources = await Promise.all(jobs.map(sourceOf))
  const execution = touch && (await watching(touch))
  // The shims are timerq's.
  const ours = new Set(loadedModules())
  const [{ create, read, files }] = sources
  const found = await read?.()
  const work = async () => runOnce((await create(createRandom(job.seed))).phases)
  /** @type {{taskFault?: string}} */
  let failed = {}
  if (!job.isCode) await loadScenario(job.scenarioUrl)
  else if (!found) await work()
  else if (found.hasOwn) {
    await work().catch(error => {
      failed = { taskFault: String(error?.message ?? error) }
    })
  }
  const others = files?.().flatMap(file => (existsSync(file) ? realpathSync(file) : [])) ?? []
  const loadMs = cpuMs()
  execution?.noteHidden(others)
  const executed = execution && (execution.mayRunMore() ? await execution.runAll(sources, jobs) : execution.end())
  return {
    urls: [...loadedModules().filter(url => !ours.has(url)), ...others.map(file => pathToFileURL(file).href)],
    ...found,
    ...failed,
    loadMs,
    ...(executed && { executed })
  }
}

/**
 * Runs one task as its file does, and watches what it executes.
 *
 * @param {InspectedJob & {touch: Touch}} job
 */
export async function executedAlone (job) {
  const source = await sourceOf(job)
  return (await watching(job.touch)).runAll([source], [job])
}

/** @param {Touch} touch */
const watching = async touch => (await import('./executed.js')).watchExecution(touch)

/**
 * ECMAScript and CommonJS modules that this process has loaded so far, as URLs of files with symbolic links resolved.
 * The debugger announces them when it is switched on, so nothing has to watch while code runs.
 */
function loadedModules () {
  /** @type {Set<string>} */
  const urls = new Set()
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => urls.add(params.url))
  session.post('Debugger.enable')
  session.disconnect()
  return [...urls].filter(url => url.startsWith('file:'))
}
