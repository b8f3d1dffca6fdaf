/**
 * Every option and argument of the command line, in the order in which help shows them. The parser, help, completion,
 * the typed request and --resume are all made from this table. commands/index.js says which command takes which.
 */
import { TOOLS } from '../../harness/profile/tools.js'
import { queues } from '../../queues/index.js'
import { formats, gateFiles } from '../../reports/formats.js'
import { scenarios } from '../../scenarios/index.js'
import { presets, RECORDED, TRY, UNTIL_BUDGET_SECONDS } from '../presets.js'
import { GATED_FILE, isUsers, resolveQueues, resolveScenarios, TRIED } from './catalogue.js'
import {
  COMMA,
  address,
  counts,
  expectations,
  integer,
  pattern,
  precision,
  seconds,
  SEEDS,
  shard,
  sweeps,
  urlPath
} from './values.js'

/** @import { Command } from '../commands/index.js' */

/**
 * @typedef {object} Option
 * @property {'flag' | 'text' | 'items' | 'words'} kind  Commas separate items.
 * @property {string} describe  Sentence in help.
 *
 * @typedef {object} OptionRules
 * @property {string} [name]  Name on the command line, if it is not the key in this table.
 * @property {(label: string, value: any) => unknown} [check]  Returns the typed value of a text, of items or words, or
 *   throws a UsageError that begins with the label.
 * @property {string[]} [choices]  All possible values.
 * @property {string[]} [names]  Values that completion offers.
 * @property {string} [default]  Text that stands for a missing value.
 * @property {string} [shown]  Default in help if no text stands for it; a command may have another.
 * @property {string} [needs]  Description in messages of an argument that is missing.
 * @property {string} [conflicts]  Option that excludes this one.
 * @property {boolean} [isNegatable]  `--no-install` may stand for a value.
 * @property {boolean} [isResumed]  May be combined with --resume.
 * @property {boolean} [isRenewed]  --confirm takes another value.
 * @property {string} [library]  Name in the options of the library's functions.
 *
 * @typedef {object} TypedAgain
 * @property {(text: string) => string} again  Part of the text that --resume and --confirm need again, since results
 *   alone must not name a file to load, a program to start or an address to reach.
 *
 * @typedef {TypedAgain | {harmless: true}} Trust  What a stored command line may do by itself. An option that has a
 *   value, and neither, does not compile.
 */

const MAX_ROUNDS = 10_000
const DAY_SECONDS = 86_400
/** A Node process itself uses half of this. */
const LEAST_MB = 128
const LARGEST_CHECK_SEED = 2 ** 31 - 1
const LARGEST_PORT = 65_535

/** @type {{harmless: true}} */
const harmless = { harmless: true }
const RESULTS = { ...harmless, needs: 'a results directory' }
const HOW_MUCH = 'How much to measure, and for how long'

const whole = (/** @type {string} */ text) => text
const users = (/** @type {string} */ text) => text.split(COMMA).filter(isUsers).join(',')
/** @type {(minimum: number, maximum?: number) => OptionRules['check']} */
const number = (minimum, maximum) => (label, value) => integer(label, value, minimum, maximum)

const queueNames = queues.map(({ name }) => name)
const QUEUES = 'Queues: names, ./files.js or npm:packages'
/** Of a command that measures queues. */
const measured = { name: 'queue', names: TRIED.map(({ name }) => name), again: users, library: 'queues' }
/** @type {OptionRules & Trust} */
const resumed = { harmless: true, isResumed: true }

/** @typedef {Option & OptionRules & Partial<TypedAgain>} Declared */

/** @type {(describe: string, rules?: OptionRules) => Declared} */
const flag = (describe, rules) => ({ kind: 'flag', describe, ...rules })
/** @type {(kind: Option['kind']) => (describe: string, rules: OptionRules & Trust) => Declared} */
const valueOf = kind => (describe, rules) => ({ kind, describe, ...rules })
const text = valueOf('text')
const list = valueOf('items')
const words = valueOf('words')
/** Title of options that are typed without a name, or with it: a text that is given twice is refused. */
export const ARGUMENTS = 'Arguments:'
/** Title of options that all commands take. */
const GENERAL = 'General:'

/**
 * Options by the title of their section in help.
 *
 * @type {Record<string, Record<string, Declared>>}
 */
const sections = {
  [ARGUMENTS]: {
    name: text('Name in kebab case: my-queue makes my-queue.js and my-queue.test.js', { ...harmless, needs: 'a name' }),
    'checked-queue': words(QUEUES, {
      name: 'queue',
      names: queueNames,
      check: (_, items) => resolveQueues(items),
      again: users,
      needs: 'a queue'
    }),
    baseline: text('Results directory', RESULTS),
    candidate: text('Results directory of the version that may have become slower', harmless),
    shard1: text('Results directory of timerq run --shard', {
      ...harmless,
      name: 'directory',
      needs: 'the results directories of two or more shards'
    }),
    directories: words('The others', harmless),
    directory: text('Results directory of a run', RESULTS),
    trace: text('File from timerq record', { again: whole, shown: RECORDED }),
    shell: text('Shell', { ...harmless, choices: ['bash', 'zsh', 'fish'], needs: 'the name of a shell' })
  },
  'What to measure:': {
    base: text('Revision to compare with; of a branch, where it was left', { ...harmless, library: 'base' }),
    queue: list(QUEUES, { ...measured, check: (_, items) => resolveQueues(items) }),
    'gated-queue': list(QUEUES, {
      ...measured,
      check: (_, items) => resolveQueues(items, `--queue must name files of this repository: ${GATED_FILE}`)
    }),
    'tried-queue': list(QUEUES, { ...measured, check: (_, items) => resolveQueues(items, undefined, TRIED) }),
    'two-queues': list('Two queues of one directory: a,b compares b with a', {
      ...harmless,
      name: 'queue',
      names: queueNames
    }),
    scenario: list('Scenarios: names, ./files.js, benchmark files of other tools', {
      names: scenarios.map(({ name }) => name),
      check: (_, items) => resolveScenarios(items),
      again: users,
      library: 'scenarios'
    }),
    task: text('Tasks of benchmark files to measure: a regular expression of their names', {
      ...harmless,
      check: pattern,
      shown: 'all'
    }),
    'new-scenario': flag('Write a tinybench file instead of a queue', { name: 'scenario' }),
    server: flag('Write a server to put queues under, instead of a queue', { conflicts: 'scenario' }),
    only: list('Findings, or groups of them: B3,A', { ...harmless, shown: 'all' }),
    size: list('Pending timers, for scenarios that have a size: 100,10000', { ...harmless, check: counts }),
    path: text('Path of the requests to your program', { check: urlPath, again: whole, library: 'path', shown: '/' }),
    connections: text('Open connections to each copy of your program', {
      ...harmless,
      check: number(1),
      library: 'connections',
      shown: String(TRY.connections)
    }),
    sweep: words('Values of another parameter: connections=100,400,1600', {
      ...harmless,
      check: sweeps,
      library: 'parameters'
    }),
    runtime: list('Node versions or binaries: 20,24,/path/to/node; a gate of two needs no --base', {
      again: whole,
      library: 'runtimes'
    }),
    shard: text('Part i of n, for several machines: 1/3 (then: timerq merge)', { ...harmless, check: shard }),
    with: list('Tools to record with', {
      ...harmless,
      choices: TOOLS.map(({ name }) => name),
      default: 'cpu'
    }),
    'self-check': flag('Compare the base, or node, with itself'),
    measure: text('Rows to measure: those that the change may have touched, or all', {
      ...harmless,
      choices: ['touched', 'all'],
      default: 'touched'
    }),
    counts: flag('Decide by exact counts alone (blocks, memory, allocated bytes), on any machine', {
      conflicts: 'expect'
    }),
    prepare: text('Command that makes the files that git ignores, run in each side: "npm run build"', {
      again: whole,
      library: 'prepare'
    }),
    install: text('Command that installs packages in each side; --no-install: both share those of now', {
      isNegatable: true,
      again: whole,
      library: 'install'
    })
  },
  'How much:': {
    preset: text(HOW_MUCH, { ...harmless, choices: Object.keys(presets), default: 'quick', library: 'preset' }),
    'findings-preset': text(HOW_MUCH, {
      ...harmless,
      name: 'preset',
      choices: ['quick', 'documented'],
      default: 'quick'
    }),
    sketch: flag('Five seconds of tinybench, in one process: rough, and stores nothing'),
    rounds: text('Rounds to measure, at most: each measures every cell, in fresh processes', {
      ...harmless,
      check: number(1, MAX_ROUNDS),
      library: 'rounds',
      isRenewed: true
    }),
    until: text(
      'Measure until every ratio to the control is known this well: 3% ' +
        `(${UNTIL_BUDGET_SECONDS / 60}m or --budget, at most)`,
      { ...harmless, check: precision }
    ),
    budget: text('Time to spend, at most: 30s, 5m', {
      ...harmless,
      check: (label, value) => seconds(label, value),
      library: 'budget',
      isRenewed: true
    }),
    seconds: text('Seconds to record', { ...harmless, check: number(1) }),
    'time-limit': text('Seconds of CPU for a reply, or until a program answers', {
      ...harmless,
      check: number(1, DAY_SECONDS),
      library: 'timeLimit'
    }),
    'memory-limit': text('MB of memory that a process may use', {
      ...harmless,
      check: number(LEAST_MB),
      shown: "4096, or half of the machine's memory if that is less"
    }),
    seed: text('Seed of all random draws', {
      ...harmless,
      check: number(0, SEEDS - 1),
      library: 'seed',
      isRenewed: true,
      shown: 'random, and recorded'
    }),
    'check-seed': text('Seed of the generated sequences', {
      ...harmless,
      name: 'seed',
      check: number(0, LARGEST_CHECK_SEED),
      default: '1'
    })
  },
  'Where:': {
    'load-command': text(
      "Another load generator, perhaps on another machine: 'ssh b wrk -t{threads} -c{connections} -d{seconds}s " +
        "--latency {url}', 'node client.js {port} {connections} {seconds}'",
      { again: whole, library: 'loadCommand', shown: 'wrk, or autocannon if that is not on PATH' }
    ),
    listen: text('Address that measured servers listen on, for load from elsewhere', {
      check: address,
      again: whole,
      shown: '127.0.0.1, which only this machine reaches'
    }),
    port: text('Port of the measured servers; of your server, if the program has several', {
      ...harmless,
      check: number(0, LARGEST_PORT),
      library: 'port'
    })
  },
  'What counts as slower:': {
    expect: list(
      "What times must show: not-slower, faster, faster=5% or level, of some rows: 'faster:parse*'",
      { ...harmless, check: expectations, library: 'expect', shown: 'not-slower' }
    ),
    margin: text('Slowdown to rule out; 2/5 of it are tolerated', {
      ...harmless,
      check: precision,
      default: '5%',
      library: 'rules'
    })
  },
  'Output:': {
    'other-results': text('Results directory to compare with, in markdown and html', { ...harmless, name: 'base' }),
    out: text('Where to write results', { ...harmless, isRenewed: true, library: 'directory' }),
    bisect: flag('Exit with 125 where nothing is decided, as git bisect run wants it'),
    confirm: text('Results directory of a gate to measure again: do both agree?', harmless),
    resume: text('Results directory of a stopped run to continue', resumed),
    profile: flag('Also record a CPU profile of every server, in extra samples', resumed),
    format: text('Format', {
      ...harmless,
      choices: Object.keys(formats),
      shown: 'by the ending of --out, or terminal'
    }),
    json: flag('Print JSON (docs/reference/formats.md)', resumed),
    ...Object.fromEntries(Object.entries(gateFiles).map(([name, { describe }]) => [name, text(describe, resumed)]))
  },
  [GENERAL]: {
    verbose: flag('Show stack traces', resumed),
    color: flag('Use colours; --no-color uses none', { ...resumed, shown: 'on terminals, unless NO_COLOR is set' }),
    version: flag('Show the version number', resumed),
    help: flag('Show this help', resumed)
  }
}

/** `label` is the name in messages: `--size`, or `shell` for an argument. `type` and `array` are for yargs. */
export const options = Object.entries(sections).flatMap(([group, rows]) =>
  Object.entries(rows).map(([key, { name = key, ...row }]) => ({
    ...row,
    key,
    name,
    group,
    label: group === ARGUMENTS ? name : `--${name}`,
    type: row.kind === 'flag' ? 'boolean' : 'string',
    array: group === ARGUMENTS || row.kind === 'items' || row.kind === 'words'
  }))
)

/**
 * Options that a command takes, with its defaults. `isUsual`: help shows them on its first screen.
 *
 * @param {Pick<Command, 'usual' | 'others' | 'defaults' | 'resumes'>} command
 */
export const optionsOf = ({ usual, others, defaults, resumes }) =>
  options
    .filter(({ key, group }) => group === GENERAL || usual.includes(key) || others.includes(key))
    .map(({ key, isResumed = resumes.includes(key), shown, ...row }) => ({
      ...row,
      isResumed,
      isUsual: usual.includes(key),
      shown: defaults[key] ?? shown
    }))

/** @typedef {ReturnType<typeof optionsOf>[0]} Row */
