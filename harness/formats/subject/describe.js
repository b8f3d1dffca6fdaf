/** Describes the tasks of a benchmark file: each group is a scenario, and its tasks are compared with each other. */
import { kebab, SUFFIXES } from '../choose-tasks.js'
import { namedApart } from './tasks.js'
/** @import { ScenarioDescription } from '../../subject/describe/describe-scenario.js' */
/** @import { Described } from '../../subject/describe/describe-scenario.js' */
/** @import { LoadedFile } from './load.js' */
/** @import { Fit } from './tasks.js' */

const OF_WORKERS = 'it starts worker threads, where no task can be measured (register the tasks in the main thread)'

const EXPERIMENTS = ['require-module', 'stream-iter', 'transform-types', 'vm-modules']
/** Flags that a benchmark file may ask for, as in run.schema.json: none that loads a module. */
const KNOWN_FLAGS = new RegExp(
  `^--(expose-(internals|gc)|no-warnings|disable-warning=[\\w/]+|experimental-(${EXPERIMENTS.join('|')}))$`
)

/**
 * @param {LoadedFile} file
 * @param {string} url
 * @returns {Promise<Described | undefined>} undefined: it has no tasks
 */
export async function describeFile ({ tasks, hasWorker, notes, fault }, url) {
  if (tasks.length === 0) return hasWorker ? { leftOut: OF_WORKERS, isAdvised: true } : undefined
  const { flags = [] } = tasks[0]
  const foreign = flags.find(flag => !KNOWN_FLAGS.test(flag))
  if (foreign) return { leftOut: `it needs Node's flag ${foreign}, which is not supported` }
  if (!flags.every(flag => process.execArgv.includes(flag))) return { flags }
  return describeTasks(tasks, url).then(
    own => ({ notes, descriptions: own.map(one => ({ ...one, ...(fault && { fault }) })) }),
    error => ({ leftOut: String(error?.message ?? error) })
  )
}

/**
 * @param {LoadedFile['tasks']} tasks
 * @param {string} url
 * @returns {Promise<ScenarioDescription[]>}
 * @throws {Error} when the file cannot run again, nor otherwise
 */
async function describeTasks (tasks, url) {
  const { pathname } = new URL(url)
  const [{ format, flags, fit }] = tasks
  /** @type {Fit} */
  const { depth = 1, parameters = {}, values = {}, timing, mode, of } = (await fit?.(url)) ?? {}
  const file = decodeURIComponent(pathname).split('/').slice(-depth).join('/')
  const words = file.replace(SUFFIXES, '').split('/')
  const groups = [...new Set(tasks.map(({ groupName }) => groupName))].map(group => ({
    group,
    name: [...words, group, mode?.name ?? ''].map(kebab).filter(Boolean).reduce(joined, '') || 'benchmark'
  }))
  // Groups may differ only in characters that names leave out.
  return [...namedApart(groups, '-')].map(([{ group }, name]) => {
    const members = tasks.filter(({ groupName }) => groupName === group)
    const baseline = members.find(({ isBaseline }) => isBaseline)?.name
    return {
      name,
      title: (group ? `${group} (${file})` : file) + (mode ? `, ${mode.title}` : ''),
      kind: 'code',
      subject: 'task',
      source: file,
      parameters,
      presets: { quick: values, documented: values, ci: values },
      control: baseline ?? members[0].name,
      tasks: members.map(({ name }) => name),
      ...(flags?.length && { flags }),
      ...(timing && { timing }),
      ...(fit && { isFitted: true }),
      of: { format, group, ...of }
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
