/** Describes the tasks of a benchmark file: each group is a scenario, and its tasks are compared with each other. */
import { namedApart } from './tasks.js'
/** @import { ScenarioDescription } from '../../subject/describe/describe-scenario.js' */
/** @import { LoadedTask } from './load.js' */
/** @import { Fit } from './tasks.js' */

/** Suffixes of file names that add no information. */
const SUFFIXES = /([._-](bench|benchmark|perf|test|spec))*\.[cm]?[jt]sx?$/

/**
 * @param {LoadedTask[]} tasks
 * @param {string} url
 * @returns {Promise<ScenarioDescription[]>}
 * @throws {Error} when the file cannot run again, nor otherwise
 */
export async function describeTasks (tasks, url) {
  const { pathname } = new URL(url)
  const [{ format, flags, fit }] = tasks
  const { depth = 1, n, runMs } = /** @type {Partial<Fit>} */ ((await fit?.(url)) ?? {})
  const file = decodeURIComponent(pathname).split('/').slice(-depth).join('/')
  // One run in a cold process gives other figures than repeated runs, so name and title say which of the two it was.
  const [once, onceInWords] = runMs ? ['once a process', ', one run a process'] : ['', '']
  /** @type {ScenarioDescription['parameters']} */
  const parameters = n ? { n: { title: 'operations of a run', minimum: 1 } } : {}
  /** @type {Record<string, number[]>} */
  const values = n ? { n: [n] } : {}
  const words = file.replace(SUFFIXES, '').split('/')
  const groups = [...new Set(tasks.map(({ groupName }) => groupName))].map(group => ({
    group,
    name: [...words, group, once].map(kebab).filter(Boolean).reduce(joined, '') || 'benchmark'
  }))
  // Groups may differ only in characters that names leave out.
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
        ...(runMs && { runMs })
      }
    }
  })
}

/**
 * Joins two names. Words that the first ends with, and the second begins with, stand once.
 *
 * @type {(before: string, after: string) => string}
 */
function joined (before, after) {
  if (`-${after}-`.includes(`-${before}-`)) return after
  const words = before ? before.split('-') : []
  const shared = words.findIndex((_, i) => `${after}-`.startsWith(`${words.slice(i).join('-')}-`))
  return [...words.slice(0, shared < 0 ? Infinity : shared), after].join('-')
}

/** @param {string} text */
const kebab = text =>
  text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
