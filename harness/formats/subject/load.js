/**
 * Loads a benchmark file, and finds its tasks, or one of them: the file is then held where it runs that task, in the
 * state in which its library would measure the task.
 */
import { realpathSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { groupBy } from '../../model/group-by.js'
import { holdProcess } from '../../processes/answer.js'
import { loadFailure, reasonOf } from '../../processes/load-failure.js'
import { placeOfError } from '../../processes/place-of-error.js'
import { Kept } from '../kept.js'
import { answerImports } from './hooks.js'
import { loadersOf } from './loaders.js'
import { MADE_UP } from './results.js'
import { collected, countRegistered, forgetTasks, hasRun, HELD, registeredTasks, seek, taskIn } from './tasks.js'
import { countTransformed, filesOfVite, placeInSources } from './vite.js'
import { workloadOf } from './workload.js'
/** @import { CodeSource } from '../../subject/modules/load.js' */
/** @import { TaskName } from '../choose-tasks.js' */
/** @import { NamedTask } from './tasks.js' */

/** Wall time without another task after which a file that keeps its process alive, such as a server, is left. */
const PATIENCE_MS = 5000

/** The file's process would end before the file is evaluated. */
const WAITING = {}

const { exit } = process

/** Thrown in place of an exit. */
class Exit extends Error {}

/**
 * @typedef {NamedTask} LoadedTask
 *
 * @typedef {{scenarioUrl: string, params: Record<string, number>, of: TaskName, kept?: string}} TaskPlace
 *
 * @typedef {object} LoadedFile
 * @property {LoadedTask[]} tasks  Empty: it is no benchmark file.
 * @property {any} module
 * @property {string[]} notes  What its library would do otherwise.
 * @property {boolean} hasWorker  The file has started a thread, which may have failed, as nothing in it is answered.
 * @property {string} [fault]  Error that the file's process would end with, or has shown, and its place.
 */

/**
 * Reads a file to its end.
 *
 * @param {string} url
 * @param {string} [folder]  Folder of what is kept.
 * @returns {Promise<LoadedFile>}
 */
export function loadBenchmarks (url, folder) {
  return reading(url, folder, async file => {
    const module = await importFile(url, file).catch(error => {
      if (!file.hasWorker) throw error
      return {}
    })
    const tasks = registeredTasks()
    const { hasWorker, notes } = file
    if (file.fault === undefined) return { tasks, module, hasWorker, notes }
    return { tasks, module, hasWorker, notes, fault: (await inWords(file.fault, url)) + (hasRun() ? MADE_UP : '') }
  })
}

/**
 * Forgets the file that was read, if it has done nothing but register tasks, for a tool that runs them.
 *
 * @returns {boolean} whether this process can read another file
 */
export function forgetFile () {
  const tasks = registeredTasks()
  const isQuiet = !hasRun() && tasks.length > 0 && tasks.every(({ isRunByTool, fit }) => isRunByTool && !fit)
  if (isQuiet) forgetTasks()
  return isQuiet
}

/**
 * @template T
 * @param {string} url
 * @param {string | undefined} folder
 * @param {(file: ReturnType<typeof watch>) => Promise<T>} read
 */
async function reading (url, folder, read) {
  await answerImports()
  const file = watch(url, new Kept(folder))
  try {
    return await read(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    placeInSources(error, file.kept)
    throw await loadFailure(/** @type {Error} */ (error), url, 'scenario')
  } finally {
    file.stop()
  }
}

/**
 * @param {any} error
 * @param {string} url
 */
async function inWords (error, url) {
  return `${(await placeOfError(Object(error), url)) ?? fileURLToPath(url)}: ${reasonOf(error, url)}`
}

/**
 * @param {TaskPlace} place
 * @returns {CodeSource}
 */
export function sourceOfTask ({ scenarioUrl: url, params, of, kept }) {
  const { group, task: name } = of
  return {
    async create () {
      const task = await found(url, of, kept)
      if (!task) throw new UsageError(`${fileURLToPath(url)} has no task "${name}"${group && ` in "${group}"`}`)
      const workload = (await task.workload?.({ url, params, of })) ?? (await workloadOf(task, params))
      const known = countTransformed()
      return Object.assign(workload, { countLate: () => countTransformed() - known })
    },
    async read () {
      whole ??= loadBenchmarks(url, kept)
      const { tasks, fault } = await whole
      const groups = new Map()
      for (const [groupName, own] of groupBy(tasks, task => task.groupName)) groups.set(groupName, own.map(nameOf))
      return { groups, hasOwn: taskIn(tasks, of) !== undefined, ...(fault !== undefined && { fault }) }
    },
    files: filesOfVite
  }
}

/** @param {NamedTask} task */
const nameOf = ({ name }) => name

/**
 * The file that this process has read to its end, as it cannot be read twice.
 *
 * @type {Promise<LoadedFile> | undefined}
 */
let whole
/** @type {Promise<LoadedTask | undefined> | undefined} */
let held

/** @type {(url: string, name: TaskName, folder?: string) => Promise<LoadedTask | undefined>} */
async function found (url, name, folder) {
  if (!whole) return (held ??= untilRun(url, name, folder))
  return taskIn((await whole).tasks, name)
}

/**
 * Reads a file until it runs the task, or else to its end.
 *
 * @type {(url: string, name: TaskName, folder?: string) => Promise<LoadedTask | undefined>}
 */
function untilRun (url, name, folder) {
  /** @type {Promise<LoadedTask>} */
  const reached = new Promise(resolve => seek({ ...name, reached: resolve }))
  return reading(url, folder, async file => {
    const ended = importFile(url, file).then(() => taskIn(registeredTasks(), name))
    const own = await Promise.race([reached, ended])
    // The library, too, lets the file finish this turn. An exception that holds the file is seen by then.
    await nextTurn()
    if (own || file.fault === undefined) return own
    throw new UsageError(await inWords(file.fault, url))
  })
}

/**
 * @param {string} url
 * @param {ReturnType<typeof watch>} file
 */
async function importFile (url, file) {
  /** @type {unknown[]} */
  const failures = []
  for (const { name, load, notes } of await loadersOf(url, file.kept)) {
    try {
      const module = await Promise.race([load(), file.ended.then(isDrained => isDrained && WAITING)])
      if (module === WAITING) file.note(new Error('it waits at its top level for something that never comes'))
      else if (module && !module.scenario) await untilRegistered(file)
      file.notes = notes ?? []
      if (failures.length > 0) file.kept.write(name, 'loader', process.version, fileURLToPath(url))
      return module || {}
    } catch (error) {
      if (countRegistered() > 0) {
        file.note(error)
        return {}
      }
      failures.push(error)
      forgetTasks()
    }
  }
  // One that comes from evaluating the file says more than one that a loader gives before.
  throw failures.findLast(isOwn) ?? failures.find(error => codeOf(error) !== UNKNOWN_EXTENSION) ?? failures[0]
}

/** @param {any} error */
const codeOf = error => error?.code
/** @param {any} error */
const isOwn = error => ![UNKNOWN_EXTENSION, 'ERR_MODULE_NOT_FOUND'].includes(error?.code) && error?.plugin === undefined
const UNKNOWN_EXTENSION = 'ERR_UNKNOWN_FILE_EXTENSION'

/** @param {ReturnType<typeof watch>} file  Evaluated, but perhaps one of its functions is waiting. */
async function untilRegistered (file) {
  const isCollected = await Promise.race([collected().then(() => true), file.ended.then(() => false)])
  if (!isCollected) file.note(new Error('a suite or test in it waits for something that never comes'))
  const tasks = registeredTasks()
  if (tasks.length > 0 && tasks.every(({ isRunByTool }) => isRunByTool)) return
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
 * Once there are tasks, neither an exit nor an uncaught error really ends the process.
 *
 * @param {string} url
 * @param {Kept} kept
 */
function watch (url, kept) {
  // Files that run as the main program alone ask for it. Shims look for the versions of libraries from there.
  process.argv[1] = realpathSync(fileURLToPath(url))
  let end = (/** @type {boolean} */ _isDrained) => {}
  const file = {
    /** @type {Promise<boolean>}  Whether nothing is left to run. */
    ended: new Promise(resolve => {
      end = resolve
    }),
    /** @type {unknown} */
    fault: undefined,
    hasWorker: false,
    kept,
    /** @type {string[]} */
    notes: [],
    /** @param {unknown} error  The first is told. */
    note (error) {
      if (error === HELD || error instanceof Exit) return
      placeInSources(error, kept)
      file.fault ??= error
    },
    stop () {
      for (const event of FAULTS) process.off(event, uncaught).off(event, lateRejection)
      process.on('unhandledRejection', lateRejection)
      process.off('beforeExit', drained)
      process.off('worker', started)
      holdProcess(true)
    }
  }
  const uncaught = (/** @type {unknown} */ error) => {
    file.note(error)
    // Node ends the process.
    if (error !== HELD) end(false)
  }
  const started = (/** @type {object} */ worker) => {
    // Node's own threads load modules.
    file.hasWorker ||= worker.constructor.name !== 'InternalWorker'
  }
  const drained = () => {
    holdProcess(true)
    end(true)
  }
  for (const event of FAULTS) process.on(event, uncaught)
  process.once('beforeExit', drained)
  process.on('worker', started)
  // The host's requests must not keep the loop alive.
  holdProcess(false)
  process.exit =
    /** @type {typeof exit} */
    code => {
      if (countRegistered() === 0) exit(code)
      const status = Number(code ?? process.exitCode ?? 0)
      if (status !== 0) file.note(new Error(`it ends its process with exit code ${status}`))
      else if (!hasRun()) file.note(new Error('it ends its process before it runs its tasks'))
      end(false)
      throw new Exit()
    }
  return file
}

/** @param {unknown} error */
function lateRejection (error) {
  if (error !== HELD) throw error
}

const FAULTS = /** @type {const} */ (['unhandledRejection', 'uncaughtException'])
