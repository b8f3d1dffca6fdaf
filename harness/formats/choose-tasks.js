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
  const known = described.flatMap(({ declared }) => declared.tasks ?? [])
  throw new FileError(
    known.length === 0
      ? '--task is for benchmark files (--scenario ./bench/parse.js)'
      : `--task ${pattern} matches no task ` +
          `(${known.slice(0, MOST_NAMES).join(', ')}${known.length > MOST_NAMES ? ' ...' : ''})`
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
export function unreadFile (spec, error) {
  if (!(error instanceof UsageError)) throw error
  const file = path.basename(spec)
  return {
    name: kebab(file),
    title: file,
    kind: 'code',
    subject: 'task',
    source: file,
    parameters: {},
    presets: { quick: {}, documented: {}, ci: {} },
    control: file,
    tasks: [file],
    of: { format: 'unknown', group: '' },
    refusal: error
  }
}

/** @param {string} text */
export const kebab = text =>
  (text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-')

/**
 * Benchmark files of one name, in several folders, are named after their folders, too.
 *
 * @template {DescribedScenario} T
 * @param {T[]} described
 * @returns {T[]}
 */
export function toldApart (described) {
  const named = groupBy(described, ({ declared }) => declared.name)
  return described.map(scenario => {
    const { url, declared } = scenario
    if (declared.subject !== 'task' || named.get(declared.name)?.length === 1) return scenario
    const folder = path.relative('', path.dirname(fileURLToPath(url)))
    return { ...scenario, declared: { ...declared, name: kebab(`${folder} ${declared.name}`) } }
  })
}
