/** Tasks of benchmark files: the names by which processes ask for them, and the pattern that chooses some. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { FileError, UsageError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
/** @import { DescribedScenario } from '../plan/scenarios.js' */
/** @import { ScenarioDescription } from '../subject/describe/describe-scenario.js' */

/**
 * @typedef {{group: string, task: string, [own: string]: unknown}} TaskName  With fields of its format.
 */

/** Suffixes of file names that add no information. */
export const SUFFIXES = /([._-](bench|benchmark|perf|test|spec))*\.[cm]?[jt]sx?$/
/** Names of tasks in a message. */
const MOST_NAMES = 5

/**
 * Keeps the tasks of benchmark files that a pattern chooses, in the groups that have any.
 *
 * @template {DescribedScenario} T
 * @param {T[]} described
 * @param {string} pattern
 * @returns {T[]}
 * @throws {UsageError} when no task matches
 */
export function chooseTasks (described, pattern) {
  const chosen = described.flatMap(scenario => {
    const { declared } = scenario
    const { tasks = [], control = '', refusal } = declared
    const kept = tasks.filter(task => refusal || isChosenTask(pattern, declared, task))
    if (kept.length === 0) return []
    return { ...scenario, declared: { ...declared, tasks: kept, control: kept.includes(control) ? control : kept[0] } }
  })
  if (chosen.some(({ declared }) => !declared.refusal)) return chosen
  const known = [...new Set(described.flatMap(({ declared }) => declared.tasks ?? []))]
  // Some of all files, rather than the first.
  const some = known.filter((_, i) => i % Math.ceil(known.length / MOST_NAMES) === 0)
  throw new FileError(
    known.length === 0
      ? '--task is for benchmark files (--scenario ./bench/parse.js)'
      : `--task ${pattern} matches no task (${some.join(', ')}${known.length > some.length ? ' ...' : ''})`
  )
}

/** @type {(pattern: string | undefined, scenario: {of?: {group: string}} | undefined, task: string) => boolean} */
export const isChosenTask = (pattern = '', scenario, task) =>
  [task, `${scenario?.of?.group ?? ''} > ${task}`].some(name => new RegExp(pattern).test(name))

/**
 * A row for a file that matches a pattern and cannot be loaded: only this row fails when it is measured.
 *
 * @param {string} spec
 * @param {unknown} error
 * @returns {ScenarioDescription}
 */
export function faultyFile (spec, error) {
  if (!(error instanceof UsageError)) throw error
  return { ...unreadFile(spec), subject: 'task', of: { format: FAULTY, group: '' }, refusal: error }
}

/**
 * A row for a file that need not be read.
 *
 * @param {string} spec
 * @returns {ScenarioDescription}
 */
export function unreadFile (spec) {
  const file = path.basename(spec)
  return {
    name: kebab(file),
    title: file,
    kind: 'code',
    source: file,
    parameters: {},
    presets: { quick: {}, documented: {}, ci: {} },
    control: file,
    tasks: [file],
    of: { format: UNREAD, group: '' }
  }
}

/** Stand for the format of a file that cannot be loaded, and of one that was not. */
export const FAULTY = 'unknown'
export const UNREAD = 'unread'

/** @param {string} text */
export const kebab = text =>
  (text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-')

/** @typedef {(scenario: DescribedScenario) => string} NameOf */

/** @type {NameOf} */
const stemOf = ({ url }) => path.basename(fileURLToPath(url)).replace(SUFFIXES, '')
/** @type {NameOf} */
const folderOf = ({ url }) => path.relative('', path.dirname(fileURLToPath(url)))

/**
 * Longer names of a group of tasks, shortest first.
 *
 * @type {NameOf[]}
 */
const LONGER = [
  one => `${stemOf(one)} ${one.declared.of?.group}`,
  one => `${folderOf(one)} ${one.declared.name}`,
  one => `${folderOf(one)} ${stemOf(one)} ${one.declared.of?.group}`
]

/**
 * Groups of tasks with one name, in several files, are named after their files, too, or else after their folders.
 *
 * @template {DescribedScenario} T
 * @param {T[]} described
 * @returns {T[]}
 */
export function toldApart (described) {
  const named = groupBy(described, ({ declared }) => declared.name)
  const taken = new Set(named.keys())
  /** @type {Map<DescribedScenario, string>} */
  const names = new Map()
  for (const alike of named.values()) {
    const tasks = alike.filter(({ declared }) => declared.of)
    const isTwice = new Set(tasks.map(({ url }) => url)).size < tasks.length
    if (alike.length === 1 || isTwice) continue
    const differs = (/** @type {NameOf} */ nameOf) =>
      new Set(tasks.map(one => kebab(nameOf(one)))).size === tasks.length
    const nameOf = LONGER.find(differs) ?? LONGER[LONGER.length - 1]
    for (const one of tasks) {
      const long = kebab(nameOf(one))
      let name = long
      for (let n = 2; taken.has(name); n++) name = `${long}-${n}`
      taken.add(name)
      names.set(one, name)
    }
  }
  return described.map(one => ({ ...one, declared: { ...one.declared, name: names.get(one) ?? one.declared.name } }))
}
