/**
 * Options that several commands share. Each is parsed to its typed value as it is read: what a command receives is a
 * request, not text.
 */
import { isIP } from 'node:net'
import { UsageError } from '../../harness/model/errors.js'
import { scenarios } from '../../scenarios/index.js'
import { DEFAULT_QUEUES, DEFAULT_SCENARIOS, presets, UNTIL_BUDGET_SECONDS } from '../presets.js'
import { pickByName, resolveQueues } from './catalogue.js'

/**
 * @typedef {import('./catalogue.js').ResolvedQueue} ResolvedQueue
 * @typedef {import('yargs').Argv} Argv
 *
 * @typedef {object} MeasureRequest  What to measure. Undefined: the command decides.
 * @property {ResolvedQueue[]} [queue]
 * @property {import('../../scenarios/index.js').ScenarioEntry[]} [scenario]
 * @property {number[]} [size]  Pending timers.
 * @property {Record<string, number[]>} [sweep]  Values of other parameters.
 * @property {number} [rounds]
 * @property {number} [until]  How well ratios are to be known, as a fraction of 1.
 * @property {number} [budget]  Seconds, for all that the command does.
 * @property {'wrk' | 'autocannon'} [load]
 * @property {string} [loadCommand]  With placeholders; instead of a load generator on this machine.
 * @property {string} [listen]  Address of the measured servers.
 * @property {string} [target]  Their name or address, as the load generator knows them.
 * @property {number} [port]  0: any free one.
 * @property {string} [trace]  File.
 * @property {string[]} [runtime]  Versions or paths of Node.
 * @property {string[][]} [nodeFlags]  Every combination to measure.
 * @property {{index: number, count: number}} [shard]  Index from 1.
 * @property {number} [timeLimit]  Seconds of CPU time that a process may take for an answer.
 * @property {number} [memoryLimit]  MB that a process may use.
 * @property {number} [seed]
 *
 * @typedef {MeasureRequest & {preset: keyof typeof presets}} PlanRequest
 * @typedef {{floor?: number, margin?: number, alpha?: number}} RulesRequest  As fractions of 1.
 * @typedef {{format?: string, json?: boolean}} FormatRequest
 * @typedef {{commandLine: string[], color?: boolean}} CommonRequest  The command line is as typed, so that it can be typed again.
 */

/** Seeds have 32 bits. */
export const SEEDS = 2 ** 32
const MAX_ROUNDS = 10_000
/** Seconds: a day. */
const LONGEST_LIMIT = 86_400
/** Node itself takes half of that. */
const FEWEST_MB = 128
/** In less, no heat is measured and reported. */
const SHORTEST_BUDGET_SECONDS = 10

/** How long a CPU profile is recorded: six thousand ticks, by which a share of 10 % has a standard error of 0.4 points. */
export const PROFILE_SECONDS = 3

/** How the help of a command that measures is divided: titles, and the options below them. @type {[title: string, options: string[]][]} */
export const MEASURING_GROUPS = [
  ['What to measure:', ['base', 'queue', 'scenario', 'trace', 'only', 'size', 'connections', 'sweep', 'runtime', 'node-flags', 'shard', 'with', 'against', 'self-check']],
  ['How much:', ['preset', 'rounds', 'until', 'budget', 'seconds', 'time-limit', 'memory-limit', 'seed']],
  ['Where:', ['load', 'load-command', 'listen', 'target', 'port']],
  ['What counts as slower:', ['floor', 'margin', 'alpha']],
  ['Output:', ['out', 'resume', 'profile', 'update', 'format', 'json', 'junit', 'comment', 'strict']]
]

/** An option with a value. */
export const text = { type: /** @type {const} */ ('string'), requiresArg: true }
export const queueOption = { ...text, coerce: given(value => resolveQueues(list('--queue', value))) }
export const scenarioOption = { ...text, coerce: given(parseScenarios) }
export const sizeOption = { ...text, coerce: given(value => parseCounts('--size', value)) }
export const roundsOption = { ...text, coerce: given(value => integer('--rounds', value, 1, MAX_ROUNDS)) }
export const seedOption = { ...text, coerce: given(value => integer('--seed', value, 0, SEEDS - 1)) }

/** @param {Argv} yargs */
export function planOptions (yargs) {
  return yargs
    .option('queue', { ...queueOption, describe: `Queues: names, ./files.js or npm:packages (default: ${DEFAULT_QUEUES.join(', ')})` })
    .option('scenario', { ...scenarioOption, describe: `Scenarios (default: ${DEFAULT_SCENARIOS.join(', ')})` })
    .option('size', { ...sizeOption, describe: 'Pending timers, for scenarios that have a size: 100,10000' })
    .option('sweep', { type: 'string', array: true, nargs: 1, coerce: given(parseSweeps), describe: 'Values of another parameter: connections=100,400,1600' })
    .option('preset', { choices: Object.keys(presets), default: 'quick', describe: 'How much to measure, and for how long' })
    .option('rounds', { ...roundsOption, describe: 'Samples per cell, each from a fresh process' })
    .option('load', { choices: ['wrk', 'autocannon'], describe: 'Load generator (default: wrk if it is on PATH)' })
    .option('load-command', { ...text, conflicts: 'load', describe: "A load generator on another machine, whose output is wrk's: 'ssh b wrk -t{threads} -c{connections} -d{seconds}s --latency {url}'" })
    .option('listen', { ...text, coerce: given(parseAddress), describe: 'Address that measured servers listen on, for a load from elsewhere (default: 127.0.0.1, which only this machine reaches)' })
    .option('target', { ...text, coerce: given(parseTarget), describe: 'Name or address by which --load-command reaches this machine (default: that of --listen)' })
    .option('port', { ...text, default: '0', coerce: value => integer('--port', value, 0, 65_535), describe: 'Port of the measured servers; 0 takes any free one' })
    .option('trace', { ...text, describe: 'Replay a recorded program: a file from timerq record' })
    .option('runtime', { ...text, coerce: given(value => list('--runtime', value)), describe: 'Node versions or binaries: 20,24,/path/to/node' })
    .option('node-flags', { ...text, coerce: given(parseFlags), describe: 'Flags for the measured Node; --flag=1,2 measures both values' })
    .option('time-limit', { ...text, coerce: given(value => integer('--time-limit', value, 1, LONGEST_LIMIT)), describe: 'Seconds of CPU time that a process may take for one answer (default: by preset)' })
    .option('memory-limit', { ...text, coerce: given(value => integer('--memory-limit', value, FEWEST_MB)), describe: 'MB of memory that a process may use (default: 4096, or half of the machine\'s)' })
    .option('shard', { ...text, coerce: given(parseShard), describe: 'Only part i of n, for several machines: 1/3 (then: timerq merge)' })
    .option('seed', { ...seedOption, describe: 'Seed of all random draws (default: random, and recorded)' })
}

/** @param {Argv} yargs */
export function precisionOptions (yargs) {
  return yargs
    .option('until', { ...text, coerce: given(parsePrecision), describe: `Measure until every ratio to the control is known this well, for example 3% (for ${UNTIL_BUDGET_SECONDS / 60} minutes at most, or --budget)` })
    .option('budget', { ...text, coerce: given(parseRunBudget), describe: `Time to spend, at most, report included (default: ${presets.quick.budgetSeconds}s where everything else is by default)` })
}

/** @param {Argv} yargs */
export async function rulesOptions (yargs) {
  const { DEFAULT_RULES } = await import('../../harness/judge/verdict.js')
  return yargs
    .option('floor', { ...text, defaultDescription: `${DEFAULT_RULES.floor * 100}%`, coerce: given(value => percent('--floor', value)), describe: 'Slowdowns up to this are not a regression' })
    .option('margin', { ...text, defaultDescription: `${DEFAULT_RULES.margin * 100}%`, coerce: given(value => percent('--margin', value)), describe: 'To pass, a slowdown of this much must be ruled out' })
    .option('alpha', { ...text, defaultDescription: String(DEFAULT_RULES.alpha), coerce: given(parseAlpha), describe: 'Chance of one false alarm in all rows together' })
}

/**
 * @param {Argv} yargs
 * @param {string} json  Name of the JSON format.
 */
export function formatOptions (yargs, json) {
  return yargs
    .option('format', { choices: ['terminal', 'markdown', 'json'], default: 'terminal', describe: 'What to print' })
    .option('json', { type: 'boolean', describe: `Print ${json}` })
}

/**
 * @param {string} option
 * @param {string} value
 * @param {number} minimum
 * @param {number} [maximum]
 */
export function integer (option, value, minimum, maximum = Number.MAX_SAFE_INTEGER) {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number
  const range = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
  const kind = range === 'of at least 1' ? 'a positive integer' : `an integer ${range}`
  const thousands = /^(\d+)k$/i.exec(value)
  throw new UsageError(`${option} must be ${kind}, got "${value}"${thousands ? ` (try ${thousands[1]}000)` : ''}`)
}

/**
 * @param {string} option
 * @param {string | string[]} value  Items separated by commas; an array when the option was given several times.
 */
export function list (option, value) {
  const items = [value].flat().flatMap(item => item.split(',')).map(item => item.trim())
  if (items.some(item => item === '')) throw new UsageError(`${option} has an empty item: ${JSON.stringify([value].flat().join(','))}`)
  return items
}

/**
 * @param {string} value  Flags as typed: --flag=1,2 --other.
 * @returns {string[][]} every combination of their values
 */
export function parseFlags (value) {
  /** @type {string[][]} */
  let combinations = [[]]
  for (const flag of value.split(/\s+/).filter(Boolean)) {
    const [, name, values] = /** @type {RegExpExecArray} */ (/^([^=]*)(?:=(.*))?$/.exec(flag))
    const alternatives = values === undefined ? [name] : values.split(',').map(alternative => `${name}=${alternative}`)
    combinations = combinations.flatMap(flags => alternatives.map(alternative => [...flags, alternative]))
  }
  return combinations
}

/**
 * yargs also passes options that were not given.
 *
 * @template From, To
 * @param {(value: From) => To} parse
 * @returns {(value: From | undefined) => To | undefined}
 */
export function given (parse) {
  return value => value === undefined ? undefined : parse(value)
}

/**
 * @param {string} value  A time.
 * @returns {number} seconds
 */
export function parseBudget (value) {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(value) ?? []
  const seconds = Number(number) * { s: 1, m: 60, h: 3600 }[/** @type {'s'} */ (unit)]
  if (seconds > 0) return seconds
  if (seconds === 0) throw new UsageError(`--budget must be longer than 0, got "${value}" (try 5m or 300s)`)
  throw new UsageError(`--budget must be a time, got "${value}" (try 5m or 300s)`)
}

/** @param {string} value */
export function parseRunBudget (value) {
  const seconds = parseBudget(value)
  if (seconds >= SHORTEST_BUDGET_SECONDS) return seconds
  throw new UsageError(`--budget must be at least ${SHORTEST_BUDGET_SECONDS}s, got "${value}": nothing could be measured`)
}

/** @param {string} value */
function parsePrecision (value) {
  const until = percent('--until', value)
  if (until > 0 && until < 1) return until
  throw new UsageError(`--until must be between 0 and 100 %, got "${value}" (try 3%)`)
}

/** @param {string} value */
function parseAlpha (value) {
  const alpha = Number(value)
  if (alpha > 0 && alpha < 0.5) return alpha
  throw new UsageError(`--alpha must lie between 0 and 0.5, got "${value}"`)
}

/** @param {string | string[]} value */
function parseScenarios (value) {
  return list('--scenario', value).map(name => pickByName('scenario', scenarios, name))
}

/**
 * @param {string} option
 * @param {string | string[]} value  Integers, each to be measured.
 */
export function parseCounts (option, value) {
  return distinct(option, list(option, value).map(count => integer(option, count, 1)))
}

/** @param {string[]} values  Each name=value,value... */
export function parseSweeps (values) {
  const sweeps = values.map(value => {
    const [, name, alternatives] = /^([^=]+)=([^=]+)$/.exec(value) ?? []
    if (name === undefined) throw new UsageError(`--sweep must be name=value,value..., got "${value}"`)
    return { name, values: distinct(`--sweep ${name}`, alternatives.split(',').map(alternative => integer(`--sweep ${name}`, alternative, 0))) }
  })
  distinct('--sweep', sweeps.map(({ name }) => name))
  return Object.fromEntries(sweeps.map(({ name, values }) => [name, values]))
}

/**
 * @template {string | number} T
 * @param {string} option
 * @param {T[]} items
 */
function distinct (option, items) {
  const twice = items.find((item, i) => items.indexOf(item) !== i)
  if (twice === undefined) return items
  throw new UsageError(`${option} has ${twice} twice`)
}

/** @param {string} value */
function parseAddress (value) {
  if (isIP(value) !== 0) return value
  throw new UsageError(`--listen must be an IP address of this machine, got "${value}" (a name that others know it by: --target)`)
}

/** @param {string} value */
function parseTarget (value) {
  if (isIP(value) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value)) return value
  throw new UsageError(`--target must be a name or an address without port and path, got "${value}" (the port: --port)`)
}

/** @param {string} value */
function parseShard (value) {
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(value) ?? []).map(Number)
  if (index >= 1 && index <= count) return { index, count }
  throw new UsageError(`--shard must be i/n with i from 1 to n, got "${value}" (try 1/3)`)
}

/**
 * @param {string} option
 * @param {string} value
 * @returns {number} a fraction of 1
 */
function percent (option, value) {
  const [, number] = /^(\d+(?:\.\d+)?)\s*%?$/.exec(value) ?? []
  if (number === undefined) throw new UsageError(`${option} must be a percentage, got "${value}" (try 5%)`)
  return Number(number) / 100
}
