/** Describes the tasks of a benchmark file: each group is a scenario, and its tasks are compared with each other. */
import { fittingOperations } from './node-common.js'
/** @import { ScenarioDescription } from '../modules/describe-scenario.js' */
/** @import { LoadedTask } from './load.js' */

/** Ends of file names that say nothing. */
const ENDS = /([._-](bench|benchmark|perf|test|spec))*\.[cm]?[jt]sx?$/

/**
 * @param {LoadedTask[]} tasks
 * @param {string} url
 * @returns {Promise<ScenarioDescription[]>}
 * @throws {Error} when a file of Node's cannot run
 */
export async function describeTasks (tasks, url) {
  const { pathname } = new URL(url)
  const [{ format, flags, mostOperations }] = tasks
  const isNodes = format === 'node'
  // Node's folders hold files of one name.
  const file = decodeURIComponent(pathname)
    .split('/')
    .slice(isNodes ? -2 : -1)
    .join('/')
  // Also shows that the file can run again and again.
  const n = isNodes ? await fittingOperations(tasks[0]) : 0
  /** @type {ScenarioDescription['parameters']} */
  const parameters = mostOperations ? { n: { title: 'operations of a run', minimum: 1 } } : {}
  const values = Object.fromEntries(Object.keys(parameters).map(name => [name, [n]]))
  const groups = [...new Set(tasks.map(({ groupName }) => groupName))]
  return groups.map(group => {
    const members = tasks.filter(({ groupName }) => groupName === group)
    const baseline = members.find(({ isBaseline }) => isBaseline)?.name
    return {
      name: [nameOf(file), group].map(kebab).filter(Boolean).join('-') || 'benchmark',
      title: group ? `${group} (${file})` : file,
      kind: 'code',
      source: file,
      parameters,
      presets: { quick: values, documented: values, ci: values },
      control: baseline ?? members[0].name,
      tasks: members.map(({ name }) => name),
      benchmark: { format, group, ...(baseline && { baseline }), ...(flags?.length && { flags }) }
    }
  })
}

/**
 * The name of the file, after its folder where it does not begin with that.
 *
 * @param {string} file
 */
function nameOf (file) {
  const [folder, name] = file.replace(ENDS, '').split('/')
  return name?.startsWith(folder) ? name : `${folder} ${name ?? ''}`
}

/** @param {string} text */
const kebab = text =>
  text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
