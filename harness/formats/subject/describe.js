/** Describes the tasks of a benchmark file: each group is a scenario, and its tasks are compared with each other. */
import { fittingOperations, Unsupported } from './node-common.js'
import { fittingOnce, needsProcess } from './node-once.js'
import { namedApart } from './tasks.js'
/** @import { ScenarioDescription } from '../../subject/describe/describe-scenario.js' */
/** @import { LoadedTask } from './load.js' */
/** @import { BenchmarkTask } from './tasks.js' */

/** Ends of file names that say nothing. */
const ENDS = /([._-](bench|benchmark|perf|test|spec))*\.[cm]?[jt]sx?$/

/**
 * @param {LoadedTask[]} tasks
 * @param {string} url
 * @param {string[]} [set]  Values of configs that the user chose.
 * @returns {Promise<ScenarioDescription[]>}
 * @throws {Error} when a file of Node's cannot run
 */
export async function describeTasks (tasks, url, set = []) {
  const { pathname } = new URL(url)
  const [{ format, flags, config }] = tasks
  const isNodes = format === 'node'
  // Node's folders hold files of one name.
  const file = decodeURIComponent(pathname)
    .split('/')
    .slice(isNodes ? -2 : -1)
    .join('/')
  const { n, runMs } = isNodes ? await fitNodes(tasks[0], url) : {}
  const own = set.filter(word => Object.hasOwn(config ?? {}, word.slice(0, word.indexOf('='))))
  // Its figures are others than those of runs again and again: a process is cold.
  const [once, onceInWords] = runMs ? ['once a process', ', one run a process'] : ['', '']
  /** @type {ScenarioDescription['parameters']} */
  const parameters = n ? { n: { title: 'operations of a run', minimum: 1 } } : {}
  /** @type {Record<string, number[]>} */
  const values = n ? { n: [n] } : {}
  const groups = [...new Set(tasks.map(({ groupName }) => groupName))].map(group => ({
    group,
    name: [nameOf(file), group, once].map(kebab).filter(Boolean).join('-') || 'benchmark'
  }))
  // Groups may differ in signs only, or in letters that no name has.
  return [...namedApart(groups, '-')].map(([{ group }, name]) => {
    const members = tasks.filter(({ groupName }) => groupName === group)
    const baseline = members.find(({ isBaseline }) => isBaseline)?.name
    return {
      name,
      title: (group ? `${group} (${file})` : file) + onceInWords,
      kind: 'code',
      source: file,
      parameters,
      presets: { quick: values, documented: values, ci: values },
      control: baseline ?? members[0].name,
      tasks: members.map(({ name }) => name),
      benchmark: {
        format,
        group,
        ...(baseline && { baseline }),
        ...(flags?.length && { flags }),
        ...(own.length && { set: own }),
        ...(runMs && { runMs })
      },
      ...(config && { configs: Object.keys(config) })
    }
  })
}

/**
 * Chooses the way to run a file of Node's, and its number of operations.
 *
 * @type {(task: BenchmarkTask, url: string) => Promise<{n?: number, runMs?: number}>}
 */
async function fitNodes (task, url) {
  if (!needsProcess(url)) {
    try {
      const n = await fittingOperations(task)
      return task.mostOperations ? { n } : {}
    } catch (error) {
      if (error instanceof Unsupported) throw error
    }
  }
  return fittingOnce(task, url)
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
