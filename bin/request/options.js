/**
 * Every option and argument of the command line, in the order in which help shows them. The parser, help, completion,
 * the typed request and --resume are all made from this table.
 */
import { TOOLS } from '../../harness/profile/tools.js'
import { queues } from '../../queues/index.js'
import { formats, gateFiles } from '../../reports/formats.js'
import { scenarios } from '../../scenarios/index.js'
import {
  DEFAULT_QUEUES,
  DEFAULT_SCENARIOS,
  GATE,
  presets,
  PROFILE,
  RECOMMEND,
  RECORDED,
  REPRODUCE,
  TRY,
  UNTIL_BUDGET_SECONDS
} from '../presets.js'
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

/**
 * @typedef {object} Option
 * @property {string} name  Several options of different commands may share a name.
 * @property {'flag' | 'text' | 'list' | 'words'} kind  Commas separate the items of a list.
 * @property {string[]} commands  Commands that take it. Empty: all.
 * @property {string} describe  Sentence in help.
 *
 * @typedef {object} OptionRules
 * @property {(label: string, value: any, command?: string) => unknown} [check]  Returns the typed value of a text, of
 *   the items of a list, or of words, or throws a UsageError that begins with the label.
 * @property {string[]} [choices]  All possible values.
 * @property {string[]} [names]  Values that completion offers.
 * @property {string} [default]  Text that stands for a missing value.
 * @property {string | Record<string, string>} [shown]  Default in help if no text stands for it; by command, where they
 *   differ.
 * @property {string} [needs]  Description in messages of an argument that is missing.
 * @property {string} [conflicts]  Option that excludes this one.
 * @property {boolean} [isNegatable]  `--no-install` may stand for a value.
 * @property {string[]} [resumes]  Commands whose --resume may be combined with this option.
 * @property {boolean} [isRenewed]  --confirm takes another value.
 * @property {string[]} [usual]  Commands whose help shows it on the first screen; a command that has none shows all.
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

const PLANNED = ['run', 'profile', 'gate']
/** Commands that can continue a results directory. */
export const RESUMED = ['run', 'try', 'gate', 'recommend', 'reproduce']
const MEASURING = [...RESUMED, 'profile']
/** @type {{harmless: true}} */
const harmless = { harmless: true }
const RESULTS = { ...harmless, needs: 'a results directory' }
const HOW_MUCH = 'How much to measure, and for how long'

const whole = (/** @type {string} */ text) => text
const users = (/** @type {string} */ text) => text.split(COMMA).filter(isUsers).join(',')
const minutes = (/** @type {number} */ seconds) => `${seconds / 60}m`
/** @type {(minimum: number, maximum?: number) => OptionRules['check']} */
const number = (minimum, maximum) => (label, value) => integer(label, value, minimum, maximum)

const queueNames = queues.map(({ name }) => name)
const ONLY_FILES = `--queue must name files of this repository: ${GATED_FILE}`
/** @type {OptionRules & Trust} */
const resumable = { harmless: true, resumes: RESUMED }

/** @typedef {Option & OptionRules & Partial<TypedAgain>} Declared */

/** @type {(name: string, commands: string[], describe: string, rules?: OptionRules) => Declared} */
const flag = (name, commands, describe, rules) => ({ name, kind: 'flag', commands, describe, ...rules })
/** @type {(kind: Option['kind']) => (...row: [string, string[], string, OptionRules & Trust]) => Declared} */
const valueOf =
  kind =>
    (name, commands, describe, rules) => ({ name, kind, commands, describe, ...rules })
const text = valueOf('text')
const list = valueOf('list')
const words = valueOf('words')
/** Title of options that are typed without a name, or with it: a text that is given twice is refused. */
export const ARGUMENTS = 'Arguments:'

/** Options by the title of their section in help. */
const sections = {
  [ARGUMENTS]: [
    text('name', ['new'], 'Name in kebab case: my-queue makes my-queue.js and my-queue.test.js', {
      ...harmless,
      needs: 'a name'
    }),
    words('queue', ['check'], 'Queues: names, ./files.js or npm:packages', {
      names: queueNames,
      check: (_, items) => resolveQueues(items),
      again: users,
      needs: 'a queue'
    }),
    text('baseline', ['compare'], 'Results directory', RESULTS),
    text('candidate', ['compare'], 'Results directory of the version that may have become slower', harmless),
    text('directory', ['merge'], 'Results directory of timerq run --shard', {
      ...harmless,
      needs: 'the results directories of two or more shards'
    }),
    words('directories', ['merge'], 'The others', harmless),
    text('directory', ['report'], 'Results directory of a run', RESULTS),
    text('trace', ['recommend'], 'File from timerq record', { again: whole, shown: RECORDED }),
    text('shell', ['completion'], 'Shell', {
      ...harmless,
      choices: ['bash', 'zsh', 'fish'],
      needs: 'the name of a shell'
    })
  ],
  'What to measure:': [
    text('base', ['gate'], 'Revision to compare with; of a branch, where it was left', {
      ...harmless,
      usual: ['gate'],
      library: 'base'
    }),
    list(
      'queue',
      [...PLANNED, 'try', 'recommend'],
      'Queues: names, ./files.js or npm:packages',
      {
        names: TRIED.map(({ name }) => name),
        check: (_, items, command) =>
          resolveQueues(items, command === 'gate' ? ONLY_FILES : undefined, command === 'try' ? TRIED : undefined),
        again: users,
        usual: [...PLANNED, 'try'],
        library: 'queues',
        shown: {
          run: DEFAULT_QUEUES.join(', '),
          profile: DEFAULT_QUEUES.join(', '),
          recommend: "all of timerq's own that fire on time",
          try: TRY.queues.join(', '),
          gate: "timerq's"
        }
      }
    ),
    list('queue', ['compare'], 'Two queues of one directory: a,b compares b with a', {
      ...harmless,
      names: queueNames
    }),
    list(
      'scenario',
      PLANNED,
      'Scenarios: names, ./files.js, benchmark files of other tools',
      {
        names: scenarios.map(({ name }) => name),
        check: (_, items) => resolveScenarios(items),
        again: users,
        usual: PLANNED,
        library: 'scenarios',
        shown: {
          run: DEFAULT_SCENARIOS.join(', '),
          profile: PROFILE.scenarios.join(', '),
          gate: GATE.scenarios.join(', ')
        }
      }
    ),
    text(
      'task',
      ['run', 'gate'],
      'Tasks of benchmark files to measure: a regular expression of their names',
      { ...harmless, check: pattern, shown: 'all' }
    ),
    flag('scenario', ['new'], 'Write a tinybench file instead of a queue'),
    flag('server', ['new'], 'Write a server to put queues under, instead of a queue', { conflicts: 'scenario' }),
    list('only', ['reproduce'], 'Findings, or groups of them: B3,A', { ...harmless, shown: 'all' }),
    list('size', PLANNED, 'Pending timers, for scenarios that have a size: 100,10000', {
      ...harmless,
      check: counts,
      usual: ['run']
    }),
    text('path', ['try', 'gate'], 'Path of the requests to your program', {
      check: urlPath,
      again: whole,
      usual: ['try'],
      library: 'path',
      shown: '/'
    }),
    text('connections', ['try', 'gate'], 'Open connections to each copy of your program', {
      ...harmless,
      check: number(1),
      usual: ['try'],
      library: 'connections',
      shown: String(TRY.connections)
    }),
    words('sweep', PLANNED, 'Values of another parameter: connections=100,400,1600', {
      ...harmless,
      check: sweeps,
      library: 'parameters'
    }),
    list('runtime', PLANNED, 'Node versions or binaries: 20,24,/path/to/node; a gate of two needs no --base', {
      again: whole,
      library: 'runtimes'
    }),
    text('shard', ['run', 'profile'], 'Part i of n, for several machines: 1/3 (then: timerq merge)', {
      ...harmless,
      check: shard
    }),
    list('with', ['profile'], 'Tools to record with', {
      ...harmless,
      choices: TOOLS.map(({ name }) => name),
      default: 'cpu',
      usual: ['profile']
    }),
    flag('self-check', ['try', 'gate'], 'Compare the base, or node, with itself', { usual: ['try', 'gate'] }),
    flag('counts', ['gate'], 'Decide by exact counts alone (blocks, memory, allocated bytes), on any machine', {
      conflicts: 'expect'
    }),
    text(
      'prepare',
      ['gate'],
      'Command that makes the files that git ignores, run in each side: "npm run build"',
      { again: whole, library: 'prepare' }
    ),
    text('install', ['gate'], 'Command that installs packages in each side; --no-install: both share those of now', {
      isNegatable: true,
      again: whole,
      library: 'install'
    })
  ],
  'How much:': [
    text('preset', ['run', 'profile'], HOW_MUCH, {
      ...harmless,
      choices: Object.keys(presets),
      default: 'quick',
      library: 'preset'
    }),
    text('preset', ['reproduce'], HOW_MUCH, { ...harmless, choices: ['quick', 'documented'], default: 'quick' }),
    flag('sketch', ['run'], 'Five seconds of tinybench, in one process: rough, and stores nothing', { usual: ['run'] }),
    text('rounds', MEASURING, 'Rounds to measure, at most: each measures every cell, in fresh processes', {
      ...harmless,
      check: number(1, MAX_ROUNDS),
      resumes: ['run', 'try'],
      library: 'rounds',
      isRenewed: true,
      shown: {
        run: 'by preset',
        try: 'the number that fits the budget',
        gate: `${GATE.rounds}, or the number that fits the budget`,
        recommend: String(RECOMMEND.rounds),
        reproduce: String(REPRODUCE.rounds),
        profile: '1'
      }
    }),
    text(
      'until',
      ['run', 'try', 'recommend'],
      'Measure until every ratio to the control is known this well: 3% ' +
        `(${minutes(UNTIL_BUDGET_SECONDS)} or --budget, at most)`,
      { ...harmless, check: precision, resumes: ['run', 'try'], usual: ['run', 'try'] }
    ),
    text('budget', RESUMED, 'Time to spend, at most: 30s, 5m', {
      ...harmless,
      check: (label, value) => seconds(label, value),
      resumes: ['run', 'try', 'reproduce'],
      usual: ['run', 'try', 'gate'],
      library: 'budget',
      isRenewed: true,
      shown: {
        run: `${presets.quick.budgetSeconds}s, report included, if no other option is given`,
        try: `${minutes(TRY.budgetSeconds)}, without --rounds and --until`,
        recommend: `${minutes(RECOMMEND.budgetSeconds)}, without --rounds and --until`,
        reproduce: `${minutes(REPRODUCE.budgetSeconds.quick)} in the quick preset`,
        gate: minutes(GATE.budgetSeconds)
      }
    }),
    text('seconds', ['profile'], 'Seconds to record', {
      ...harmless,
      check: number(1),
      usual: ['profile'],
      shown: `${PROFILE.seconds}; your own program: until it ends`
    }),
    text('time-limit', ['run', 'profile', 'try', 'gate'], 'Seconds of CPU for a reply, or until a program answers', {
      ...harmless,
      check: number(1, DAY_SECONDS),
      library: 'timeLimit',
      shown: {
        run: 'by preset',
        profile: 'by preset',
        try: String(TRY.startSeconds),
        gate: `20; of a program: ${TRY.startSeconds}`
      }
    }),
    text('memory-limit', ['run', 'profile'], 'MB of memory that a process may use', {
      ...harmless,
      check: number(LEAST_MB),
      shown: "4096, or half of the machine's memory if that is less"
    }),
    text('seed', [...PLANNED, 'try', 'recommend', 'reproduce'], 'Seed of all random draws', {
      ...harmless,
      check: number(0, SEEDS - 1),
      library: 'seed',
      isRenewed: true,
      shown: { ...Object.fromEntries(MEASURING.map(name => [name, 'random, and recorded'])), reproduce: '1' }
    }),
    text('seed', ['check'], 'Seed of the generated sequences', {
      ...harmless,
      check: number(0, LARGEST_CHECK_SEED),
      default: '1'
    })
  ],
  'Where:': [
    text(
      'load-command',
      [...PLANNED, 'try'],
      "Another load generator, perhaps on another machine: 'ssh b wrk -t{threads} -c{connections} -d{seconds}s " +
        "--latency {url}', 'node client.js {port} {connections} {seconds}'",
      { again: whole, library: 'loadCommand', shown: 'wrk, or autocannon if that is not on PATH' }
    ),
    text('listen', ['run', 'profile'], 'Address that measured servers listen on, for load from elsewhere', {
      check: address,
      again: whole,
      shown: '127.0.0.1, which only this machine reaches'
    }),
    text('port', [...PLANNED, 'try'], 'Port of the measured servers; of your server, if the program has several', {
      ...harmless,
      check: number(0, LARGEST_PORT),
      library: 'port',
      shown: { run: 'any free port', profile: 'any free port', try: 'the first that answers' }
    })
  ],
  'What counts as slower:': [
    list(
      'expect',
      ['gate'],
      "What times must show: not-slower, faster, faster=5% or level, of some rows: 'faster:parse*'",
      { ...harmless, check: expectations, usual: ['gate'], library: 'expect', shown: 'not-slower' }
    ),
    text('margin', ['gate', 'compare'], 'Slowdown to rule out; 2/5 of it are tolerated', {
      ...harmless,
      check: precision,
      default: '5%',
      usual: ['gate'],
      library: 'rules'
    })
  ],
  'Output:': [
    text('base', ['report'], 'Results directory to compare with, in markdown and html', harmless),
    text('out', [...MEASURING, 'merge', 'record', 'report'], 'Where to write results', {
      ...harmless,
      isRenewed: true,
      usual: ['run', 'try', 'profile'],
      library: 'directory',
      shown: {
        ...Object.fromEntries(MEASURING.map(name => [name, `results/${name === 'run' ? '' : `${name}-`}<time>`])),
        record: RECORDED,
        report: 'standard output'
      }
    }),
    flag('bisect', ['gate'], 'Exit with 125 where nothing is decided, as git bisect run wants it'),
    text('confirm', ['gate'], 'Results directory of a gate to measure again: do both agree?', {
      ...harmless,
      usual: ['gate']
    }),
    text('resume', RESUMED, 'Results directory of a stopped run to continue', {
      ...resumable,
      usual: ['run', 'try']
    }),
    flag('profile', ['run'], 'Also record a CPU profile of every server, in extra samples', resumable),
    text('format', ['report'], 'Format', {
      ...harmless,
      choices: Object.keys(formats),
      shown: 'by the ending of --out, or terminal'
    }),
    flag('json', [...MEASURING, 'list', 'check', 'compare'], 'Print JSON (docs/reference/formats.md)', {
      ...resumable,
      usual: [...PLANNED, 'try']
    }),
    ...Object.entries(gateFiles).map(([name, { describe }]) =>
      text(name, ['gate'], describe, { ...resumable, usual: ['gate'] })
    )
  ],
  'General:': [
    flag('verbose', [], 'Show stack traces', resumable),
    flag('color', [], 'Use colours; --no-color uses none', {
      ...resumable,
      shown: 'on terminals, unless NO_COLOR is set'
    }),
    flag('version', [], 'Show the version number', resumable),
    flag('help', [], 'Show this help', resumable)
  ]
}

/** `label` is the name in messages: `--size`, or `shell` for an argument. `type` and `array` are for yargs. */
export const options = Object.entries(sections).flatMap(([group, rows]) =>
  rows.map(row => ({
    ...row,
    group,
    label: group === ARGUMENTS ? row.name : `--${row.name}`,
    type: row.kind === 'flag' ? 'boolean' : 'string',
    array: group === ARGUMENTS || row.kind === 'list' || row.kind === 'words'
  }))
)

/** @typedef {typeof options[0]} Row */

/** @param {string} [command] */
export const optionsOf = (command = '') =>
  options.filter(({ commands }) => commands.length === 0 || commands.includes(command))
