/** Loads a benchmark file and finds its tasks. Nothing of the file's own measuring and printing runs to harm. */
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { loadFailure } from '../modules/load.js'
import { answerImports } from './hooks.js'
import { loadersOf } from './loaders.js'
import { countRegistered, forgetTasks, registeredTasks } from './tasks.js'
import { workloadOf } from './workload.js'
/** @import { TaskName } from './tasks.js' */

/** A file may register tasks after an await; it has this long for the first, and between two. */
const PATIENCE_MS = 2000
const POLL_MS = 10
/** Polls without another task, after which none is expected. */
const CALM_POLLS = 3

/** Thrown in place of an exit. */
class Exit extends Error {}

/**
 * @typedef {ReturnType<typeof registeredTasks>[number]} LoadedTask
 *
 * @typedef {{scenarioUrl: string, params: Record<string, number>, benchmark: TaskName}} BenchmarkPlace
 */

/**
 * @param {string} url
 * @param {string[]} [set]  Values of configs that the user chose: `type=depth`.
 * @returns {Promise<{tasks: LoadedTask[], module: any}>} no tasks: it is no benchmark file
 */
export async function loadBenchmarks (url, set = []) {
  answerImports()
  // Files of Node's take values of their configs from there.
  process.argv.push(...set)
  const faults = watch()
  try {
    const module = await importFile(url, faults)
    return { tasks: registeredTasks(), module }
  } catch (error) {
    throw error instanceof UsageError ? error : await loadFailure(/** @type {Error} */ (error), url, 'scenario')
  } finally {
    faults.stop()
  }
}

/**
 * @param {BenchmarkPlace} place
 * @throws {UsageError} when the file has no such task
 */
export async function createTaskWorkload ({ scenarioUrl, params, benchmark: { group, task: name, set, runMs } }) {
  const { tasks } = await loaded(scenarioUrl, set)
  const task = tasks.find(task => task.groupName === group && task.name === name)
  if (task) return workloadOf(runMs ? (await import('./node-once.js')).onceAProcess(task, scenarioUrl) : task, params)
  throw new UsageError(`${fileURLToPath(scenarioUrl)} has no task "${name}"${group && ` in "${group}"`}`)
}

/**
 * Names of the tasks in a group.
 *
 * @param {Partial<BenchmarkPlace> & {scenarioUrl: string}} place
 */
export async function tasksOf ({ scenarioUrl, benchmark }) {
  const { tasks } = await loaded(scenarioUrl, benchmark?.set)
  return tasks.filter(({ groupName }) => groupName === benchmark?.group).map(({ name }) => name)
}

/** @type {Map<string, ReturnType<typeof loadBenchmarks>>} */
const files = new Map()

/** @type {(url: string, set?: string[]) => ReturnType<typeof loadBenchmarks>} */
function loaded (url, set) {
  const found = files.get(url) ?? loadBenchmarks(url, set)
  files.set(url, found)
  return found
}

/**
 * @param {string} url
 * @param {ReturnType<typeof watch>} faults
 */
async function importFile (url, faults) {
  /** @type {unknown[]} */
  const failures = []
  for (const load of loadersOf(url)) {
    try {
      const module = await load(url)
      if (!module.scenario) await untilRegistered(faults)
      return module
    } catch (error) {
      // What a file does after its tasks were run is of no interest, even where it fails.
      if (countRegistered() > 0) return {}
      failures.push(error)
      forgetTasks()
    }
  }
  const isTold = (/** @type {any} */ error) => error?.code !== 'ERR_UNKNOWN_FILE_EXTENSION'
  throw failures.find(isTold) ?? failures[0]
}

/** @param {ReturnType<typeof watch>} faults */
async function untilRegistered (faults) {
  let [seen, calm] = [countRegistered(), 0]
  for (let waited = 0; waited < PATIENCE_MS && calm < CALM_POLLS; waited += POLL_MS) {
    await wait(POLL_MS)
    if (faults.first && countRegistered() === 0) throw faults.first
    calm = countRegistered() > 0 && countRegistered() === seen ? calm + 1 : 0
    seen = countRegistered()
    if (seen === 0 && !hasWork()) return
  }
}

/** Whether anything but the wait and the host's channel keeps this process alive. */
function hasWork () {
  const resources = process.getActiveResourcesInfo()
  return resources.some(resource => !['Timeout', 'PipeWrap', 'MessagePort', 'Worker'].includes(resource))
}

/** Keeps the file from ending the process, by an exit or an error that nobody catches, once it has tasks. */
function watch () {
  const { exit } = process
  const faults = {
    /** @type {unknown} */
    first: undefined,
    stop () {
      for (const event of EVENTS) process.off(event, note)
    }
  }
  const note = (/** @type {unknown} */ error) => {
    faults.first ??= error
  }
  for (const event of EVENTS) process.on(event, note)
  process.exit =
    /** @type {typeof exit} */
    code => {
      if (countRegistered() === 0) exit(code)
      throw new Exit()
    }

  return faults
}

const EVENTS = /** @type {const} */ (['unhandledRejection', 'uncaughtException'])
