/**
 * Rules for what a run.json decides when its run is resumed. The file may be a stranger's, and names programs to start,
 * modules to load and addresses to reach. These tables have a rule for every field of a plan: a new field without one
 * does not compile.
 */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { joinLoadCommand } from '../measure/load/load-command.js'
import { isOwn } from '../measure/modules/own-modules.js'
import { shellQuoted } from '../model/text.js'
import { hashOf } from '../processes/environment.js'
/** @import { ProgramSettings } from '../measure/program/program.js' */
/** @import { GatedQueue, GatedScenario, GateSettings, Plan, Settings } from '../plan/plan.js' */
/** @import { Runtime } from '../processes/child.js' */

/**
 * @typedef {object} Named  What the command line names, and a continued run may therefore use.
 * @property {Runtime[]} [runtimes]  Default: none; of a continued run, the Node that runs timerq.
 * @property {string[]} [modules]  URLs of queues and scenarios. An empty one stands for the copies in a gate's sides.
 * @property {Partial<Settings>} [settings]
 * @property {string} [root]  Repository of this folder.
 *
 * @typedef {object} Refusal
 * @property {string} [again]  Option that the user must add, since run.json alone does not decide it.
 * @property {string} [reason]  Reason why the run cannot go on here.
 *
 * @typedef {{plan: Plan, named: Named}} Context
 */

/**
 * @template T
 * @typedef {(value: T, mine: T | undefined, context: Context) => Refusal[]} Rule  `mine`: the value that
 *   the command line chooses.
 */

/**
 * @template T
 * @typedef {{[field in keyof Required<T>]: Rule<NonNullable<T[field]>>}} Rules
 */

/**
 * Fields that choose among things of timerq, say how much to measure, or are only shown.
 *
 * @template {string} F
 * @param {F[]} fields
 * @returns {Record<F, () => Refusal[]>}
 */
const harmless = (...fields) => /** @type {any} */ (Object.fromEntries(fields.map(field => [field, () => []])))

/**
 * Starts a program, reads a file or reaches an address: the command line must name the same one.
 *
 * @template T
 * @param {(value: T) => string} optionOf
 * @returns {Rule<T>}
 */
const again = optionOf => (value, mine) =>
  JSON.stringify(value) === JSON.stringify(mine) ? [] : [{ again: optionOf(value) }]

/** @type {(what: string) => Rule<string>} */
const here = what => (value, mine) =>
  value === mine ? [] : [{ reason: `${what} ${value}, this is ${mine ?? process.cwd()}: continue it there` }]

/**
 * @template T
 * @param {Rules<T>} rules
 * @returns {Rule<T>}
 */
const within = rules => (value, mine, context) =>
  /** @type {(keyof T)[]} */ (Object.keys(rules)).flatMap(field => {
    const found = value[field]
    return found === undefined || found === null ? [] : rules[field](found, mine?.[field] ?? undefined, context)
  })

/**
 * @template T
 * @param {Rule<T>} rule
 * @returns {Rule<T[]>}
 */
const each = rule => (values, _, context) =>
  values.flatMap(value => rule(value, undefined, context))

/** @type {Rules<ProgramSettings>} */
const PROGRAM = {
  ...harmless('port', 'askedPort', 'startSeconds', 'usesTimers', 'requestsPerSecond'),
  cwd: here('measured a program in'),
  path: again(url => `--path ${shellQuoted(url)}`),
  command: again(words => `-- ${words.map(shellQuoted).join(' ')}`)
}

/** @type {Rules<Settings>} */
const SETTINGS = {
  ...harmless(
    'preset', 'seed', 'countSeed', 'rounds', 'windows', 'budgetSeconds', 'until', 'enough', 'hopeless', 'port',
    'task', 'micro', 'httpWarmupMs', 'httpHeat', 'serverLimitMs', 'memoryMb', 'control', 'load'
  ),
  loadCommand: again(words => `--load-command ${shellQuoted(joinLoadCommand(words))}`),
  listen: again(address => `--listen ${shellQuoted(address)}`),
  trace: again(file => `--trace ${shellQuoted(file)}`),
  traceSha256: sameTrace,
  program: within(PROGRAM)
}

/** @type {Rules<GatedQueue>} */
const QUEUE = {
  ...harmless('name', 'origin', 'url', 'file', 'scenarios', 'sha256', 'breaks', 'meta')
}

/** @type {Rules<GatedScenario>} */
const SCENARIO = {
  ...harmless(
    'name', 'kind', 'title', 'source', 'control', 'usesAllCores', 'isCounted', 'countsLongestAdvance',
    'isTimed', 'url', 'file', 'sha256', 'values'
  ),
  benchmark: () => []
}

/** @type {Rules<GateSettings>} */
const GATE = {
  ...harmless(
    'baseRef', 'behind', 'headRef', 'baseCommit', 'rules', 'expect', 'looks', 'budgetSeconds', 'isSelfCheck',
    'isUncounted', 'trees', 'headCommit', 'earlier', 'unmatched', 'warnings', 'unmeasured', 'shared', 'unloaded',
    'commands'
  ),
  root: here('compared revisions of'),
  sides: () => []
}

/** @type {Rules<Plan>} */
const PLAN = {
  ...harmless('cells', 'groups', 'leftOut', 'faults', 'claims'),
  runtimes: each(namedRuntime),
  queues: each((queue, mine, context) => [...namedFile(queue, context), ...within(QUEUE)(queue, mine, context)]),
  scenarios: each((scenario, mine, context) => [
    ...namedFile(scenario, context),
    ...within(SCENARIO)(scenario, mine, context)
  ]),
  gate: within(GATE),
  settings: within(SETTINGS)
}

/**
 * @param {Plan} plan  Plan read from a run.json.
 * @param {Named} named
 * @returns {Refusal[]} none where the run may go on
 */
export function refusalsOf (plan, named) {
  const { settings = {}, root } = named
  return within(PLAN)(plan, /** @type {any} */ ({ settings, gate: { root } }), { plan, named })
}

/** @type {Rule<string>} */
function sameTrace (sha256, _, { plan: { settings: { trace } }, named }) {
  // Only a file that the user has named is read.
  if (!trace || trace !== named.settings?.trace || !hasChanged({ url: pathToFileURL(trace).href, sha256 })) return []
  return [{ reason: `was measured with another ${trace}: start a new run` }]
}

/** @type {Rule<Runtime>} */
function namedRuntime ({ name, path: file, flags }, _, { named: { runtimes = [] } }) {
  const runtime = runtimes.find(
    runtime => isSameFile(runtime.path, file) && runtime.flags.join(' ') === flags.join(' ')
  )
  if (!runtime) {
    const own = flags.length > 0 ? ` --node-flags ${shellQuoted(flags.join(' '))}` : ''
    return [{ again: `--runtime ${shellQuoted(file)}${own}` }]
  }
  // In a gate of two runtimes of one version, the path follows the version.
  const isSame = runtime.name === name || name.startsWith(`${runtime.name} (`)
  return isSame ? [] : [{ reason: `was measured with ${name}, ${file} is now ${runtime.name}: start a new run` }]
}

/**
 * @param {GatedQueue | GatedScenario} planned
 * @param {Context} context
 * @returns {Refusal[]}
 */
function namedFile (planned, { plan, named: { modules = [], root = '' } }) {
  const { name, url, file } = planned
  // A user's program is no file, and the workload of a scenario is in the scenario's file.
  if (url === '' && (plan.settings.program || ('origin' in planned && planned.origin === 'code'))) return []
  const place = url === '' && file !== undefined ? pathToFileURL(path.join(root, file)).href : url
  if (!isOwn(place) && ![url, place].some(known => modules.includes(known))) {
    const scenario =
      'origin' in planned
        ? plan.scenarios.find(({ name, url }) => url === place || planned.scenarios?.includes(name))
        : planned
    const known = scenario?.url ? scenario.url : place
    return [{ again: `--${scenario ? 'scenario' : 'queue'} ${shellQuoted(pathOf(known) ?? known)}` }]
  }
  return hasChanged(planned)
    ? [{ reason: `was measured with another ${name}: ${pathOf(url) ?? url} has changed since: start a new run` }]
    : []
}

/**
 * @param {string} one
 * @param {string} other
 */
function isSameFile (one, other) {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return false
  }
}

/**
 * @param {string} url
 * @returns {string | null} null for other URLs than files: a data URL holds its code itself
 */
const pathOf = url => (URL.canParse(url) && new URL(url).protocol === 'file:' ? fileURLToPath(url) : null)

/** @param {{url: string, sha256?: string}} file */
function hasChanged (file) {
  // The queue of a gate has a copy in the folder of each side.
  if (file.url === '') return false
  if (pathOf(file.url) === null) return true
  try {
    return hashOf(file) !== file.sha256
  } catch {
    return true
  }
}
