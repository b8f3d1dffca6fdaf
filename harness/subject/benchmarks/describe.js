/** Describes the tasks of a benchmark file: each group is a scenario, and its tasks are compared with each other. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
/** @import { ScenarioDescription } from '../modules/describe-scenario.js' */
/** @import { LoadedTask } from './load.js' */

/** Ends of file names that say nothing. */
const ENDS = /([._-](bench|benchmark|perf|test|spec))*\.[cm]?[jt]sx?$/

/**
 * @param {LoadedTask[]} tasks
 * @param {string} url
 * @returns {ScenarioDescription[]}
 */
export function describeTasks (tasks, url) {
  const file = path.basename(fileURLToPath(url))
  const groups = [...new Set(tasks.map(({ groupName }) => groupName))]
  return groups.map(group => {
    const members = tasks.filter(({ groupName }) => groupName === group)
    const { name: control } = members.find(({ isBaseline }) => isBaseline) ?? members[0]
    return {
      name: [file.replace(ENDS, ''), group].map(kebab).filter(Boolean).join('-') || 'benchmark',
      title: group ? `${group} (${file})` : file,
      kind: 'code',
      source: file,
      parameters: {},
      presets: { quick: {}, documented: {}, ci: {} },
      control,
      tasks: members.map(({ name }) => name),
      benchmark: { format: members[0].format, group }
    }
  })
}

/** @param {string} text */
const kebab = text =>
  text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
