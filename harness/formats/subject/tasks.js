/**
 * Tasks that a benchmark file has registered. The shims in this folder convert the tasks of every format to one form:
 * the rest of timerq need not know the formats.
 *
 * @typedef {{name: string}} Group  Tasks that are compared with each other: a Bench, a suite, a describe block.
 *
 * @typedef {object} Timed
 * @property {(timer: Timer) => unknown} fn  The timed function; a promise is awaited.
 * @property {() => unknown} [before]  Runs before each call, and is not timed.
 * @property {() => unknown} [after]
 * @property {() => unknown} [end]  Runs after all calls.
 * @property {boolean} [isFixed]  `fn` runs a number of operations that cannot be set.
 * @property {boolean} [isManaged]  `fn` itself starts and ends the timer, and says how many operations it has run.
 * @property {boolean} [isPrompt]  A managed function takes no long time outside of its loop.
 *
 * @typedef {object} Timer
 * @property {number} count  Operations that a managed function should run.
 * @property {() => void} start
 * @property {(operations?: number) => void} end
 *
 * @typedef {object} BenchmarkTask
 * @property {string} format
 * @property {Group} group
 * @property {string} name
 * @property {(params?: Record<string, number>) => Timed | Promise<Timed>} prepare  Runs the hooks that come before all
 *   calls.
 * @property {boolean} [isBaseline]
 * @property {boolean} [isOnly]
 * @property {boolean} [isSkipped]
 * @property {string[]} [flags]  Flags of Node that the file asks for.
 * @property {boolean} [isRunByTool]  A tool loads the file and runs the task: what the file keeps open delays nothing.
 * @property {(url: string) => Promise<Fit>} [fit]  Finds out how fast the file is, and so how it must be run.
 * @property {(place: {url: string, params: Record<string, number>, of: Record<string, unknown>}) =>
 *   Promise<TaskWorkload | undefined>} [workload]  Default: the function in a loop.
 *
 * @typedef {object} Fit
 * @property {number} [depth]  Last parts of the file's path that name it; default 1.
 * @property {Record<string, {title: string, minimum?: number}>} [parameters]
 * @property {Record<string, number[]>} [values]  Values of the parameters.
 * @property {Partial<TurnTimes>} [timing]  As in ScenarioDescription.
 * @property {{name: string, title: string}} [mode]  Words for an unusual way of running, after name and title.
 * @property {Record<string, unknown>} [of]  Comes back to `workload`.
 */

/** @import { TurnTimes } from '../../measure/micro/queue-process.js' */
/** @import { TaskWorkload } from './workload.js' */

/**
 * One list a process: the shims are modules that the user's file imports, and share nothing else with timerq. A
 * function lists the tasks of a Bench or a suite as they are when it is called.
 *
 * @type {(BenchmarkTask | (() => BenchmarkTask[]))[]}
 */
const registered = []

/**
 * Tasks that the file has run so far, in this order.
 *
 * @type {BenchmarkTask[]}
 */
const ran = []

/** @typedef {{group: string, task: string, reached: (task: NamedTask) => void}} Sought */

/** @type {Sought | undefined} */
let sought

/** Thrown out of a run that cannot wait, so that the file goes no further. */
export const HELD = Symbol('held')

/** @param {BenchmarkTask | (() => BenchmarkTask[])} task */
export function register (task) {
  registered.push(task)
}

/** @param {Sought} task  Task that is measured when the file runs it. */
export function seek (task) {
  sought = task
}

/**
 * Called where the library would measure the task. The file is held where it runs the task that is measured in this
 * process: nothing that it does later can change the state that the task works on.
 *
 * @param {BenchmarkTask} task
 * @returns {Promise<never> | undefined} a promise to be awaited: it never settles
 */
export function run (task) {
  ran.push(task)
  const own = sought && taskIn(namedTasks(ran), sought)
  if (!own) return undefined
  sought?.reached(own)
  return new Promise(() => {})
}

/**
 * Does the same as `run`, for libraries that block.
 *
 * @type {(task: BenchmarkTask) => undefined}
 */
export function runSync (task) {
  if (run(task)) throw HELD
  return undefined
}

/** @type {(() => Promise<void>)[]} */
const collecting = []

/** @param {() => Promise<void>} read  Registers tasks, once the file is loaded. */
export function collect (read) {
  collecting.push(read)
}

/** Resolves when nothing collects tasks any more. */
export async function collected () {
  for (const read of collecting) await read()
}

/** @typedef {BenchmarkTask & {groupName: string}} NamedTask */

/** @type {(tasks: NamedTask[], name: {group: string, task: string}) => NamedTask | undefined} */
export const taskIn = (tasks, { group, task }) =>
  tasks.find(({ groupName, name }) => groupName === group && name === task)

/** @type {(() => void)[]}  Shims add their own. */
export const forgetting = [() => [registered, collecting].forEach(list => list.splice(0))]

/** A file that is loaded once more, by another loader, registers its tasks and hooks anew; so does the next file. */
export function forgetTasks () {
  for (const forget of forgetting) forget()
}

export const countRegistered = () => registeredTasks().length
export const hasRun = () => ran.length > 0

/**
 * Tasks of the file. Where it runs any, the library would measure no others; vitest and Node's own are run by their
 * tools.
 */
export const registeredTasks = () =>
  namedTasks(hasRun() ? ran : registered.flatMap(task => (typeof task === 'function' ? task() : task)))

/**
 * Tasks to run, each with a name that no other task of its group has, in groups with names that no other group has.
 * Later tasks do not change the names of earlier ones.
 *
 * @param {BenchmarkTask[]} tasks
 * @returns {NamedTask[]}
 */
function namedTasks (tasks) {
  const isChosen = tasks.some(({ isOnly }) => isOnly)
  const groups = namedApart([...new Set(tasks.map(({ group }) => group))])
  const names = new Map(
    [...groups.keys()].flatMap(group => [...namedApart(tasks.filter(task => task.group === group))])
  )
  return tasks
    .filter(({ isOnly, isSkipped }) => !isSkipped && (isOnly || !isChosen))
    .map(task => ({ ...task, name: names.get(task) ?? '', groupName: groups.get(task.group) ?? '' }))
}

/**
 * @template {{name: string}} T
 * @param {T[]} named
 * @param {string} [mark]  Before the number of a later one.
 * @returns {Map<T, string>}
 */
export function namedApart (named, mark = ' #') {
  /** @type {Map<string, number>} */
  const seen = new Map()
  return new Map(
    named.map(one => {
      const times = (seen.get(one.name) ?? 0) + 1
      seen.set(one.name, times)
      return [one, times === 1 ? one.name : `${one.name}${mark}${times}`.trim()]
    })
  )
}
