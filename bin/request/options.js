/**
 * Every option and argument of the command line, in the order in which help shows them. The parser, help, completion,
 * the typed request and --resume are all made from this table.
 */
import { queues } from '../../queues/index.js'
import { scenarios } from '../../scenarios/index.js'
import {
  DEFAULT_QUEUES,
  DEFAULT_SCENARIOS,
  GATE,
  LEAST_BUDGET_SECONDS,
  presets,
  PROFILE,
  RECOMMEND,
  RECORDED,
  REPRODUCE,
  TRY,
  UNTIL_BUDGET_SECONDS
} from '../presets.js'
import { GATED_FILE, isUsers, resolveQueues, resolveScenarios, resolveTried, TRIED } from './catalogue.js'
import {
  COMMA,
  address,
  alpha,
  assignments,
  counts,
  expectations,
  flags,
  host,
  integer,
  pattern,
  percent,
  precision,
  seconds,
  SEEDS,
  shard,
  sweeps,
  urlPath
} from './values.js'

/**
 * @typedef {object} Option
 * @property {string} notation  Text in help: `--json` is a flag, `--size <n>` has a value, `--queue <name,...>` a list,
 *   which may be given several times; `<queue...>` and `[trace]` are arguments: words that are typed without a name.
 * @property {string} name  Several options of different commands may share a name.
 * @property {string} label  Name in messages: `--size`, or `trace` for an argument.
 * @property {'flag' | 'text' | 'list' | 'words'} kind
 * @property {string[]} commands  Commands that take it. Empty: all.
 * @property {string} describe  Sentence in help.
 *
 * @typedef {object} OptionRules
 * @property {(label: string, value: any) => unknown} [check] Returns the typed value of a text (of the items of a list,
 *   of words), or throws a UsageError that begins with the label.
 * @property {string[]} [choices]  All possible values.
 * @property {string[]} [names]  Values that completion offers.
 * @property {string} [default]  Text that stands for a missing value.
 * @property {string | Record<string, string>} [shown]  Default in help if no text stands for it; by command, where they
 *   differ.
 * @property {boolean} [isRequired]
 * @property {string} [needs]  Description in messages of an argument that is missing.
 * @property {number} [least]  Smallest number of words of an argument. Default: 1 for `<queue>`, 0 for `[trace]`.
 * @property {string} [conflicts]  Option that excludes this one.
 * @property {string[]} [resumes]  Commands whose --resume may be combined with this option.
 * @property {(text: string) => string} [again]  Part of the text that --resume needs again, since run.json alone must
 *   not name a file or a program to start.
 * @property {(text: string) => string} [renews]  The same for --confirm, of options that --resume refuses.
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
const RESULTS = { needs: 'a results directory' }
const QUEUES = 'Queues: names, ./files.js or npm:packages'
const HOW_MUCH = 'How much to measure, and for how long'
const SEED = 'Seed of all random draws'
const BUDGET = 'Time to spend, at most: 30s, 5m'
const DOCUMENTS = ['terminal', 'markdown', 'json']
const BY_ENDING = 'by the ending of --out, or terminal'

const whole = (/** @type {string} */ text) => text
const nothing = () => ''
const users = (/** @type {string} */ text) => text.split(COMMA).filter(isUsers).join(',')
const minutes = (/** @type {number} */ seconds) => `${seconds / 60}m`
/** @type {(minimum: number, maximum?: number) => OptionRules['check']} */
const number = (minimum, maximum) => (label, value) => integer(label, value, minimum, maximum)

/** @type {OptionRules} */
const queueList = {
  names: queues.map(({ name }) => name),
  check: (_, items) => resolveQueues(items),
  again: users
}
/** @type {OptionRules} */
const scenarioList = {
  names: scenarios.map(({ name }) => name),
  check: (_, items) => resolveScenarios(items),
  again: users
}
const seed = { check: number(0, SEEDS - 1) }
const port = { check: number(0, LARGEST_PORT) }
const loadCommand = { conflicts: 'load', again: whole }
const resumable = { resumes: RESUMED }

/** Kinds of options by their notation. */
const KINDS = /** @type {const} */ ([
  [',...', 'list'],
  ['...', 'words'],
  ['<', 'text'],
  ['[', 'text']
])

/** @type {(notation: string, commands: string[], describe: string, rules?: OptionRules) => Option & OptionRules} */
const option = (notation, commands, describe, rules) => {
  const [label] = /** @type {string[]} */ (/[a-z-]+/.exec(notation))
  const kind = KINDS.find(([mark]) => notation.includes(mark))?.[1] ?? 'flag'
  return { notation, name: label.replace('--', ''), label, kind, commands, describe, ...rules }
}

const positional = [
  option('<name>', ['new'], 'Name in kebab case: my-queue makes my-queue.js and my-queue.test.js', {
    needs: 'a name'
  }),
  option('<queue...>', ['check'], QUEUES, {
    ...queueList,
    needs: 'a queue'
  }),
  option('<baseline>', ['compare'], 'Results directory', RESULTS),
  option('[candidate]', ['compare'], 'Results directory of the version that may have become slower'),
  option('<directories...>', ['history'], 'Results directories, for example one per commit', {
    least: 2,
    needs: 'two or more results directories'
  }),
  option('<directories...>', ['merge'], 'Results directories of timerq run --shard', {
    least: 2,
    needs: 'the results directories of two or more shards'
  }),
  option('<directory>', ['report'], 'Results directory of a run', RESULTS),
  option('[trace]', ['recommend'], 'File from timerq record', { shown: RECORDED }),
  option('<shell>', ['completion'], 'Shell', { choices: ['bash', 'zsh', 'fish'], needs: 'the name of a shell' })
]

/** Options by the title of their section in help. */
const sections = {
  'What to measure:': [
    option(
      '--base <revision>',
      ['gate'],
      'Revision to compare the working tree with; without it, --runtime a,b compares two versions of Node'
    ),
    option('--queue <name,...>', ['run', 'profile', 'recommend'], QUEUES, {
      ...queueList,
      shown: {
        run: DEFAULT_QUEUES.join(', '),
        profile: DEFAULT_QUEUES.join(', '),
        recommend: "all of timerq's own that fire on time"
      }
    }),
    option(
      '--queue <name,...>',
      ['try'],
      'Timers to try beside node: timerq-timers, names of queues, ./files.js or npm:packages',
      {
        ...queueList,
        names: TRIED.map(({ name }) => name),
        check: (_, items) => resolveTried(items),
        shown: TRY.queues.join(', ')
      }
    ),
    option('--queue <name,...>', ['gate'], 'Queues: ./files.js of this repository', {
      ...queueList,
      check: (_, items) => resolveQueues(items, `--queue must name files of this repository: ${GATED_FILE}`),
      shown: "in timerq's repository: its own"
    }),
    option('--queue <name,...>', ['compare'], 'Two queues of one directory: a,b compares b with a', {
      names: queueList.names
    }),
    option(
      '--scenario <name,...>',
      PLANNED,
      'Scenarios: names, ./files.js, benchmark files of other tools',
      {
        ...scenarioList,
        shown: {
          run: DEFAULT_SCENARIOS.join(', '),
          profile: PROFILE.scenarios.join(', '),
          gate: GATE.scenarios.join(', ')
        }
      }
    ),
    option(
      '--task <pattern>',
      ['run', 'gate'],
      'Tasks of benchmark files to measure: a regular expression of their names',
      { check: pattern, shown: 'all' }
    ),
    option('--set <name=value,...>', ['run', 'gate'], "Values of configs in Node's own benchmarks: n=1e5,type=depth", {
      check: assignments,
      again: whole
    }),
    option('--scenario <name,...>', ['list'], 'Scenarios of your own to show, too: ./files.js', scenarioList),
    option('--trace <file>', [...PLANNED, 'recommend'], 'Recorded program to replay: a file from timerq record', {
      again: whole
    }),
    option('--scenario', ['new'], 'Write a tinybench file instead of a queue'),
    option('--server', ['new'], 'Write a server to put queues under, instead of a queue', { conflicts: 'scenario' }),
    option('--only <name,...>', ['reproduce'], 'Findings, or groups of them: B3,A', { shown: 'all' }),
    option('--size <n,...>', PLANNED, 'Pending timers, for scenarios that have a size: 100,10000', {
      check: counts
    }),
    option('--connections <n,...>', ['profile'], 'Open connections: 400,1600', { check: counts }),
    option('--path <path>', ['try', 'gate'], 'Path of the requests to your program', {
      check: urlPath,
      again: whole,
      shown: '/'
    }),
    option('--connections <n>', ['try', 'gate'], 'Open connections to each copy of your program', {
      check: number(1),
      shown: String(TRY.connections)
    }),
    option('--sweep <name=n,n...>', PLANNED, 'Values of another parameter: connections=100,400,1600', {
      check: sweeps
    }),
    option('--runtime <node,...>', PLANNED, 'Node versions or binaries: 20,24,/path/to/node', {
      again: whole
    }),
    option('--node-flags <flags>', PLANNED, 'Flags for the measured Node; --flag=1,2 measures both values', {
      check: flags,
      again: whole
    }),
    option('--shard <i/n>', ['run', 'profile'], 'Part i of n, for several machines: 1/3 (then: timerq merge)', {
      check: shard
    }),
    option('--with <tool,...>', ['profile'], 'Tools to record with', {
      choices: ['cpu', 'gc', '0x', 'clinic-doctor', 'clinic-flame', 'perf', 'all'],
      default: 'cpu'
    }),
    option('--against <queue>', ['profile'], 'Queue, or directory of earlier profiles, to draw the difference from'),
    option('--self-check', ['try'], 'Compare node with itself: can this machine tell?', { conflicts: 'queue' }),
    option('--self-check', ['gate'], 'Compare the base with itself: can this machine tell?'),
    option(
      '--prepare <command>',
      ['gate'],
      'Command that makes the files that git ignores, run in each side: "npm run build"',
      { renews: whole }
    ),
    option('--install <command>', ['gate'], 'Command to install the packages of each side: "npm ci --ignore-scripts"', {
      renews: whole,
      shown: "the lock file's, if base and head need different packages"
    }),
    option('--no-install', ['gate'], 'Let both sides share the packages that are installed now', {
      conflicts: 'install'
    })
  ],
  'How much:': [
    option('--preset <name>', ['run', 'profile'], HOW_MUCH, { choices: Object.keys(presets), default: 'quick' }),
    option('--preset <name>', ['reproduce'], HOW_MUCH, { choices: ['quick', 'documented'], default: 'quick' }),
    option('--sketch', ['run'], 'Five seconds of tinybench, in one process: rough, and stores nothing'),
    option('--rounds <n>', MEASURING, 'Rounds to measure, at most: each measures every cell, in fresh processes', {
      check: number(1, MAX_ROUNDS),
      resumes: ['run', 'try'],
      renews: nothing,
      shown: {
        run: 'by preset',
        try: 'the number that fits the budget',
        gate: `${GATE.rounds}, or the number that fits the budget`,
        recommend: String(RECOMMEND.rounds),
        reproduce: String(REPRODUCE.rounds),
        profile: '1'
      }
    }),
    option(
      '--until <percent>',
      ['run', 'try', 'recommend'],
      'Measure until every ratio to the control is known this well: 3% ' +
        `(${minutes(UNTIL_BUDGET_SECONDS)} or --budget, at most)`,
      { check: precision, resumes: ['run', 'try'] }
    ),
    option('--budget <time>', ['run', 'try', 'recommend', 'reproduce'], BUDGET, {
      check: (label, value) => seconds(label, value, LEAST_BUDGET_SECONDS),
      resumes: ['run', 'try', 'reproduce'],
      shown: {
        run: `${presets.quick.budgetSeconds}s, report included, if no other option is given`,
        try: `${minutes(TRY.budgetSeconds)}, without --rounds and --until`,
        recommend: `${minutes(RECOMMEND.budgetSeconds)}, without --rounds and --until`,
        reproduce: `${minutes(REPRODUCE.budgetSeconds.quick)} in the quick preset`
      }
    }),
    option('--budget <time>', ['gate'], BUDGET, {
      check: seconds,
      renews: nothing,
      shown: minutes(GATE.budgetSeconds)
    }),
    option('--seconds <n>', ['profile'], 'Seconds to record', {
      check: number(1),
      shown: `${PROFILE.seconds}; your own program: until it ends`
    }),
    option('--time-limit <seconds>', PLANNED, 'CPU time that a process may use for one reply', {
      check: number(1, DAY_SECONDS),
      shown: 'by preset'
    }),
    option('--time-limit <seconds>', ['try'], 'Time until the program must answer', {
      check: number(1, DAY_SECONDS),
      shown: String(TRY.startSeconds)
    }),
    option('--memory-limit <MB>', PLANNED, 'Memory that a process may use', {
      check: number(LEAST_MB),
      shown: "4096, or half of the machine's memory if that is less"
    }),
    option('--seed <n>', [...PLANNED, 'try', 'recommend'], SEED, {
      ...seed,
      renews: nothing,
      shown: 'random, and recorded'
    }),
    option('--seed <n>', ['reproduce'], SEED, { ...seed, default: '1' }),
    option('--seed <n>', ['check'], 'Seed of the generated sequences', {
      check: number(0, LARGEST_CHECK_SEED),
      default: '1'
    })
  ],
  'Where:': [
    option('--load <program>', [...PLANNED, 'try'], 'Load generator', {
      choices: ['wrk', 'autocannon'],
      shown: 'wrk if it is on PATH'
    }),
    option(
      '--load-command <command>',
      ['try'],
      'Client of another protocol, or with requests of its own: ' +
        "'node client.js {url} {connections} {seconds}' ({port} alone, too)",
      loadCommand
    ),
    option(
      '--load-command <command>',
      PLANNED,
      "Load generator on another machine, which prints wrk's output: " +
        "'ssh b wrk -t{threads} -c{connections} -d{seconds}s --latency {url}'",
      loadCommand
    ),
    option('--listen <address>', PLANNED, 'Address that measured servers listen on, for load from elsewhere', {
      check: address,
      again: whole,
      shown: '127.0.0.1, which only this machine reaches'
    }),
    option('--target <host>', PLANNED, 'Name or address by which --load-command reaches this machine', {
      check: host,
      again: whole,
      shown: 'the address of --listen'
    }),
    option('--port <n>', ['try'], 'Port of the server to load, if the program has several', {
      ...port,
      shown: 'the first that answers'
    }),
    option('--port <n>', PLANNED, 'Port of the measured servers', { ...port, default: '0', shown: '0, any free port' })
  ],
  'What counts as slower:': [
    option(
      '--expect <change,...>',
      ['gate'],
      "What times must show: not-slower, faster, faster=5% or level; a colon limits it to rows: 'faster:parse*'",
      { check: expectations, shown: 'not-slower' }
    ),
    option('--attempt <n>', ['gate'], 'Which try to be faster this is: 1, 2, ...; each uses up a part of --alpha', {
      check: number(1, MAX_ROUNDS),
      shown: 'the only try'
    }),
    option('--floor <percent>', ['gate', 'compare'], 'Slowdown that is tolerated: a regression is larger', {
      check: percent,
      default: '2%'
    }),
    option('--margin <percent>', ['gate', 'compare'], 'Slowdown that must be ruled out to pass', {
      check: percent,
      default: '5%'
    }),
    option('--alpha <chance>', ['gate', 'compare'], 'Chance of one false alarm in all rows together', {
      check: alpha,
      default: '0.05'
    }),
    option('--allow-missing', ['compare'], 'Accept cells that only the baseline has')
  ],
  'Output:': [
    option('--base <directory>', ['report'], 'Results directory to compare with, in markdown and html'),
    option('--out <directory>', MEASURING, 'Results directory', {
      renews: nothing,
      shown: Object.fromEntries(MEASURING.map(name => [name, `results/${name === 'run' ? '' : `${name}-`}<time>`]))
    }),
    option('--out <directory>', ['merge'], 'Results directory to write; required', { isRequired: true }),
    option('--out <file>', ['record'], 'File to write', { default: RECORDED }),
    option('--out <file>', ['report', 'history'], 'File to write; pictures go beside it', {
      shown: 'standard output'
    }),
    option('--bisect', ['gate'], 'Exit with 125 where the gate decides nothing, as git bisect run wants it'),
    option(
      '--confirm <directory>',
      ['gate'],
      'Results directory of a gate, perhaps of another machine, to measure again with other draws: do both agree?'
    ),
    option('--resume <directory>', RESUMED, 'Results directory of a stopped run to continue', resumable),
    option('--profile', ['run'], 'Also record a CPU profile of every server, in extra samples', resumable),
    option('--profiles', ['compare'], "Also draw the difference of their CPU profiles, beside the candidate's"),
    option(
      '--profiles <directory>',
      ['report'],
      'Results directory of timerq profile to include, in markdown and html'
    ),
    option('--format <name>', ['reproduce', 'recommend', 'gate', 'compare'], 'Format to print', {
      ...resumable,
      choices: DOCUMENTS,
      default: 'terminal'
    }),
    option('--format <name>', ['history'], 'Format', { choices: DOCUMENTS, shown: BY_ENDING }),
    option('--format <name>', ['report'], 'Format (the last two are for dashboards)', {
      choices: ['terminal', 'markdown', 'html', 'json', 'csv', 'benchmark-action', 'bencher'],
      shown: BY_ENDING
    }),
    ...Object.entries({
      'timerq-list/1': ['list'],
      'timerq-summary/1': ['run', 'profile', 'try'],
      'timerq-reproduce/1': ['reproduce'],
      'timerq-recommendation/1': ['recommend'],
      'timerq-check/1': ['check'],
      'timerq-comparison/1': ['gate', 'compare']
    }).map(([document, commands]) => option('--json', commands, `Print JSON: ${document}`, resumable)),
    option('--progress <form>', RESUMED, 'Progress on standard error; json prints a line at each look of a gate', {
      ...resumable,
      choices: ['text', 'json'],
      shown: 'text'
    }),
    option('--junit <file>', ['gate'], 'JUnit XML file to write', resumable),
    option(
      '--comment <file>',
      ['gate'],
      'Markdown file to write, short enough for a comment on a pull request',
      resumable
    ),
    option('--strict', ['reproduce'], 'Exit with 1 when a finding does not hold', resumable)
  ],
  'General:': [
    option('--verbose', [], 'Show stack traces', resumable),
    option('--color', [], 'Use colours; --no-color uses none', {
      ...resumable,
      shown: 'on terminals, unless NO_COLOR is set'
    }),
    option('--version', [], 'Show the version number', resumable),
    option('--help', [], 'Show this help', resumable)
  ]
}

export const options = Object.values(sections).flat()

/** @type {(command?: string, rows?: typeof options) => typeof options} */
export const optionsOf = (command = '', rows = options) =>
  rows.filter(({ commands }) => commands.length === 0 || commands.includes(command))

/** @type {(command: string) => typeof options} */
export const argumentsOf = command => optionsOf(command, positional)

/**
 * Options and arguments of a command by the title of their section in help.
 *
 * @type {(command: string) => [title: string, rows: typeof options][]}
 */
export const sectionsOf = command =>
  Object.entries({ 'Arguments:': positional, ...sections })
    .map(([title, rows]) => /** @type {[string, typeof options]} */ ([title, optionsOf(command, rows)]))
    .filter(([, rows]) => rows.length > 0)
