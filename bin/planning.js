/** What to measure, and how: options that several commands share, and the plan that they make. */
import path from 'node:path'
import { UsageError } from '../harness/model/errors.js'
import { chooseLoadGenerator } from '../harness/http/load-generator.js'
import { loadQueue, loadQueueMeta } from '../harness/load-queue.js'
import { loadScenario } from '../harness/load-scenario.js'
import { createPlan, shardPlan } from '../harness/plan.js'
import { readTrace } from '../harness/record/trace-format.js'
import { resolveRuntime } from '../harness/runtimes.js'
import { scenarios } from '../scenarios/index.js'
import { pickByName } from './pick-by-name.js'
import { CONTROL, DEFAULT_QUEUES, DEFAULT_SCENARIOS, presets } from './presets.js'
import { resolveQueues } from './resolve-queues.js'

/** Seeds are 32 bit. */
export const SEEDS = 2 ** 32

/** @param {import('yargs').Argv} yargs */
export function planOptions (yargs) {
  return yargs
    .option('queue', { ...list('queue'), describe: 'Queues: names, ./files.js, npm:packages (default: those of the wiki and after)' })
    .option('scenario', { ...list('scenario'), describe: `Scenarios (default: ${DEFAULT_SCENARIOS.join(', ')})` })
    .option('size', { ...list('size'), describe: 'Pending timers, for scenarios that have a size: 100,10000' })
    .option('sweep', { type: 'string', array: true, nargs: 1, describe: 'Another parameter, swept: connections=100,400,1600' })
    .option('preset', { choices: Object.keys(presets), default: 'quick', describe: 'How much is measured, and how long' })
    .option('rounds', { type: 'string', requiresArg: true, describe: 'Samples a cell, each in a fresh process' })
    .option('load', { choices: ['wrk', 'autocannon'], describe: 'Load generator (default: wrk if it is on PATH)' })
    .option('port', { type: 'string', default: '0', requiresArg: true, describe: 'Port of the servers; 0: any that is free' })
    .option('trace', { type: 'string', requiresArg: true, describe: 'Replay a recorded program: a file of timerq record' })
    .option('runtime', { ...list('runtime'), describe: 'Node versions or binaries: 20,24,/path/to/node' })
    .option('node-flags', { type: 'string', requiresArg: true, describe: 'Flags for the measured Node; --flag=1,2 sweeps them' })
    .option('shard', { type: 'string', requiresArg: true, describe: 'Only part i of n, for several machines: 1/3 (then: timerq merge)' })
    .option('seed', { type: 'string', requiresArg: true, describe: 'Of all random draws (default: by chance, and noted)' })
}

/**
 * @param {Record<string, any>} argv
 * @returns {Promise<import('../harness/plan.js').Plan>}
 * @throws {UsageError}
 */
export async function planFromOptions (argv) {
  const preset = presets[argv.preset]
  const chosen = await chooseScenarios(argv)
  const settings = {
    ...preset,
    preset: argv.preset,
    seed: argv.seed === undefined ? Math.floor(Math.random() * SEEDS) : integer('--seed', argv.seed, 0, SEEDS - 1),
    // The preset's budget is for what it chooses itself.
    budgetSeconds: argv.rounds || argv.queue || argv.scenario || argv.size || argv.sweep ? null : preset.budgetSeconds,
    rounds: argv.rounds === undefined ? preset.rounds : integer('--rounds', argv.rounds, 1, 10_000),
    load: chosen.some(({ kind }) => kind === 'http') ? await chooseLoadGenerator(argv.load) : argv.load ?? 'wrk',
    port: integer('--port', argv.port, 0, 65_535),
    trace: argv.trace === undefined ? null : path.resolve(argv.trace),
    control: CONTROL
  }
  if (settings.trace !== null) readTrace(settings.trace)
  const plan = createPlan({
    settings,
    queues: await chooseQueues(argv.queue ?? DEFAULT_QUEUES),
    scenarios: chosen,
    runtimes: await chooseRuntimes(argv)
  })
  if (plan.cells.length === 0) throw new UsageError('nothing to measure: node is Node\'s own timers, which only HTTP scenarios can measure')
  return argv.shard === undefined ? plan : shardPlan(plan, parseShard(argv))
}

/** @param {Record<string, any>} argv */
function parseShard ({ shard, seed }) {
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).map(Number)
  if (!(index >= 1 && index <= count)) throw new UsageError(`--shard must be i/n with i from 1 to n, got "${shard}" (try 1/3)`)
  if (seed === undefined) throw new UsageError('--shard needs --seed, the same for all shards: they must measure the same workloads')
  return { index, count }
}

/** @param {string} name */
function list (name) {
  return {
    type: /** @type {const} */ ('string'),
    requiresArg: true,
    coerce: (/** @type {string | string[] | undefined} */ value) => {
      if (value === undefined) return undefined
      const items = [value].flat().flatMap(item => item.split(',')).map(item => item.trim())
      if (items.some(item => item === '')) throw new UsageError(`--${name} has an empty item: ${JSON.stringify([value].flat().join(','))}`)
      return items
    }
  }
}

/** @param {string[]} specs */
function chooseQueues (specs) {
  return Promise.all(resolveQueues(specs).map(async queue => {
    // Own queues and peers are tested; a user's is looked at before the first process is started for it.
    const { meta } = queue.origin === 'user' ? await loadQueue(queue.url) : { meta: await loadQueueMeta(queue.url) }
    if (!meta) throw new UsageError(`${queue.name}: a queue module exports \`meta\` (see queues/contract.js)`)
    return { ...queue, meta }
  }))
}

/** @param {Record<string, any>} argv */
async function chooseScenarios (argv) {
  const names = argv.scenario ?? (argv.trace === undefined ? DEFAULT_SCENARIOS : ['trace'])
  const entries = names.map((/** @type {string} */ name) => pickByName('scenario', scenarios, name))
  const overrides = Object.entries(parseSweeps(argv))
  const chosen = await Promise.all(entries.map(async (/** @type {{url: string}} */ { url }) => {
    const scenario = await loadScenario(url)
    const { name, kind, title, source, parameters } = scenario
    const own = overrides.filter(([parameter]) => parameter in parameters)
    if ('needsTrace' in scenario && scenario.needsTrace && argv.trace === undefined) {
      throw new UsageError(`scenario ${name} needs --trace: a file that timerq record wrote`)
    }
    for (const [parameter, values] of own) checkMinimum(parameter, values, parameters[parameter].minimum ?? 0)
    const values = { ...scenario.presets[/** @type {'quick'} */ (argv.preset)], ...Object.fromEntries(own) }
    return { name, kind, title, source, coldStart: 'coldStart' in scenario && scenario.coldStart === true, url, values }
  }))
  for (const [parameter] of overrides) {
    if (!chosen.some(({ values }) => parameter in values)) {
      throw new UsageError(`no scenario of this run has a parameter "${parameter}" (timerq list shows what each has)`)
    }
  }
  return chosen
}

/**
 * @param {Record<string, any>} argv
 * @returns {Record<string, number[]>}
 */
function parseSweeps ({ size, sweep = [] }) {
  const sweeps = sweep.map((/** @type {string} */ text) => {
    const [name, values] = text.split('=')
    if (!values) throw new UsageError(`--sweep must be name=value,value..., got "${text}"`)
    return [name, values.split(',').map(value => integer(`--sweep ${name}`, value, 0))]
  })
  if (size) sweeps.push(['size', size.map((/** @type {string} */ value) => integer('--size', value, 1))])
  return Object.fromEntries(sweeps)
}

/**
 * @param {string} parameter
 * @param {number[]} values
 * @param {number} minimum
 */
function checkMinimum (parameter, values, minimum) {
  const low = values.find(value => value < minimum)
  if (low !== undefined) throw new UsageError(`${parameter} must be at least ${minimum}, got ${low}`)
}

/**
 * Every runtime with every combination of its swept flags.
 *
 * @param {Record<string, any>} argv
 */
export function chooseRuntimes ({ runtime = [process.execPath], nodeFlags = '' }) {
  /** @type {string[][]} */
  let combinations = [[]]
  for (const flag of nodeFlags.split(/\s+/).filter(Boolean)) {
    const [name, values] = flag.split('=')
    const alternatives = values === undefined ? [name] : values.split(',').map((/** @type {string} */ value) => `${name}=${value}`)
    combinations = combinations.flatMap(flags => alternatives.map((/** @type {string} */ alternative) => [...flags, alternative]))
  }
  return Promise.all(runtime.flatMap((/** @type {string} */ spec) => combinations.map(flags => resolveRuntime(spec, flags))))
}

/**
 * @param {string} option
 * @param {string} text
 * @param {number} minimum
 * @param {number} [maximum]
 */
export function integer (option, text, minimum, maximum = Number.MAX_SAFE_INTEGER) {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value
  const kind = minimum === 1 ? 'a positive integer' : `an integer of at least ${minimum}`
  const limit = maximum === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${maximum}`
  const thousands = /^(\d+)k$/i.exec(text)
  throw new UsageError(`${option} must be ${kind}${limit}, got "${text}"${thousands ? ` (try ${thousands[1]}000)` : ''}`)
}
