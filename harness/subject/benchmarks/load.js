/** Loads a benchmark file and finds its tasks. Nothing of the file's own measuring and printing runs to harm. */
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { loadFailure } from '../modules/load.js'
import { answerImports } from './hooks.js'
import { loadersOf } from './loaders.js'
import { collected, countRegistered, forgetTasks, registeredTasks } from './tasks.js'
import { workloadOf } from './workload.js'
/** @import { TaskName } from './tasks.js' */

/** Wall time without another task after which a file that keeps its process alive, such as a server, is left. */
const PATIENCE_MS = 5000
/** Tools that load a file, and run its tasks, from outside: nothing that the file keeps open delays them. */
const LOADING_TOOLS = ['vitest', 'node']

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
  const file = watch()
  try {
    const module = await importFile(url, file)
    return { tasks: registeredTasks(), module }
  } catch (error) {
    throw error instanceof UsageError ? error : await loadFailure(/** @type {Error} */ (error), url, 'scenario')
  } finally {
    file.stop()
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
 * @param {ReturnType<typeof watch>} file
 */
async function importFile (url, file) {
  /** @type {unknown[]} */
  const failures = []
  for (const load of loadersOf(url)) {
    try {
      // A file may wait at its top level for what never comes, as its tasks are not run.
      const module = await Promise.race([load(url), file.ended.then(() => ({}))])
      if (!module.scenario) await untilRegistered(file)
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

/** @param {ReturnType<typeof watch>} file  Evaluated, but perhaps one of its functions is waiting. */
async function untilRegistered (file) {
  await collected()
  const tasks = registeredTasks()
  if (tasks.length > 0 && tasks.every(({ format }) => LOADING_TOOLS.includes(format))) return
  await Promise.race([file.ended, patience()])
  if (file.fault && countRegistered() === 0) throw file.fault
}

async function patience () {
  for (let seen = -1; seen !== countRegistered();) {
    seen = countRegistered()
    await wait(PATIENCE_MS, undefined, { ref: false })
  }
}

/**
 * Finds the end of a file: the moment when Node would end the process, as nothing is left to run, or the file ends it.
 * Once there are tasks, neither an exit nor an error that nobody catches ends it in truth.
 */
function watch () {
  const { exit, channel } = process
  let end = () => {}
  const file = {
    /** @type {Promise<void>} */
    ended: new Promise(resolve => {
      end = resolve
    }),
    /** @type {unknown} */
    fault: undefined,
    stop () {
      for (const event of FAULTS) process.off(event, note)
      process.off('beforeExit', drained)
      channel?.ref()
    }
  }
  const note = (/** @type {unknown} */ error) => {
    file.fault ??= error
    if (countRegistered() === 0) end()
  }
  const drained = () => {
    channel?.ref()
    end()
  }
  for (const event of FAULTS) process.on(event, note)
  process.once('beforeExit', drained)
  // The host's requests must not keep the loop alive.
  channel?.unref()
  process.exit =
    /** @type {typeof exit} */
    code => {
      if (countRegistered() === 0) exit(code)
      end()
      throw new Exit()
    }
  return file
}

const FAULTS = /** @type {const} */ (['unhandledRejection', 'uncaughtException'])
