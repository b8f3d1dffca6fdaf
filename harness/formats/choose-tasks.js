/** Tasks of benchmark files: the names by which processes ask for them, and the pattern that chooses some. */
import { FileError } from '../model/errors.js'
/** @import { DescribedScenario } from '../plan/scenarios.js' */

/**
 * @typedef {object} TaskName
 * @property {string} group
 * @property {string} task
 * @property {number} [runMs]  CPU time of a run, if each run of the file is a new process.
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
    const { tasks = [], control = '', benchmark, refusal } = declared
    const kept = tasks.filter(task => refusal || isChosenTask(pattern, { group: benchmark?.group ?? '', task }))
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

/** @type {(pattern: string | undefined, name: {group: string, task: string}) => boolean} */
export const isChosenTask = (pattern = '', { group, task }) =>
  [task, `${group} > ${task}`].some(name => new RegExp(pattern).test(name))
