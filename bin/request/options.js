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
  UNTIL_BUDGET_SECONDS,
  WATCH
} from '../presets.js'
import { GATED_FILE, isUsers, resolveQueues, resolveScenarios, resolveTried, TRIED } from './catalogue.js'
import {
  address,
  alpha,
  counts,
  flags,
  host,
  integer,
  list,
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
 * @property {string} name  Several options of different commands may share a name.
 * @property {string[]} commands  Commands that take it. Empty: all.
 * @property {string} section  Title in help.
 * @property {string} describe  Sentence in help.
 * @property {string} [value]  Notation of its value in help. One that ends in dots is a list, which may be given several
 *   times. Missing: a flag.
 * @property {(label: string, value: any) => unknown} [check]  Returns the typed value of a text (texts for a list), or
 *   throws a UsageError that begins with the label.
 * @property {string[]} [choices]  All possible values.
 * @property {string[]} [names]  Values that completion offers.
 * @property {string} [default]  Text that stands for a missing value.
 * @property {string | Record<string, string>} [shown]  Default in help if no text stands for it; by command, where they
 *   differ.
 * @property {boolean} [isRequired]
 * @property {string} [conflicts]  Option that excludes this one.
 * @property {{least: number, needs?: string}} [argument]  Present for words that are typed without a name: their
 *   smallest number, and its description in messages.
 * @property {string[]} [resumes]  Commands whose --resume may be combined with this option.
 * @property {(text: string) => string} [again]  Part of the text that --resume needs again, since run.json alone must
 *   not name a file or a program to start.
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
const RESULTS = 'a results directory'
const DOCUMENTS = ['terminal', 'markdown', 'json']

const whole = (/** @type {string} */ text) => text
const users = (/** @type {string} */ text) => text.split(',').filter(isUsers).join(',')
const minutes = (/** @type {number} */ seconds) => `${seconds / 60}m`
/** @type {(minimum: number, maximum?: number) => Option['check']} */
const number = (minimum, maximum) => (label, value) => integer(label, value, minimum, maximum)

const queueList = {
  name: 'queue',
  value: 'name,...',
  names: queues.map(({ name }) => name),
  check: (/** @type {string} */ label, /** @type {string[]} */ value) => resolveQueues(list(label, value)),
  again: users
}
const scenarioList = {
  name: 'scenario',
  value: 'name,...',
  names: scenarios.map(({ name }) => name),
  check: (/** @type {string} */ label, /** @type {string[]} */ value) => resolveScenarios(list(label, value)),
  again: users
}
const seed = { name: 'seed', value: 'n', check: number(0, SEEDS - 1), describe: 'Seed of all random draws' }
const budget = { name: 'budget', value: 'time', describe: 'Time to spend, at most: 30s, 5m' }
const timeLimit = { name: 'time-limit', value: 'seconds', check: number(1, DAY_SECONDS) }
const loadCommand = { name: 'load-command', value: 'command', conflicts: 'load', again: whole }
const port = { name: 'port', value: 'n', check: number(0, LARGEST_PORT) }
const format = { name: 'format', value: 'name', describe: 'Format to print' }

/** @type {Record<string, Omit<Option, 'section'>[]>} */
const sections = {
  'Arguments:': [
    {
      name: 'name',
      value: 'name',
      commands: ['new'],
      argument: { least: 1, needs: 'a name' },
      describe: 'Name in kebab case: my-queue makes my-queue.js and my-queue.test.js'
    },
    {
      ...queueList,
      value: 'queue...',
      commands: ['check'],
      argument: { least: 1, needs: 'a queue' },
      check: (_, value) => resolveQueues(value),
      describe: 'Queues: names, ./files.js or npm:packages'
    },
    {
      ...queueList,
      value: 'queue',
      commands: ['watch'],
      argument: { least: 1, needs: 'the file of a queue' },
      check: (_, value) => resolveQueues([value]),
      describe: 'File of the queue: ./my-queue.js'
    },
    {
      name: 'baseline',
      value: 'baseline',
      commands: ['compare'],
      argument: { least: 1, needs: RESULTS },
      describe: 'Results directory'
    },
    {
      name: 'candidate',
      value: 'candidate',
      commands: ['compare'],
      argument: { least: 0 },
      describe: 'Results directory of the version that may have become slower'
    },
    {
      name: 'directories',
      value: 'directory...',
      commands: ['history'],
      argument: { least: 2, needs: 'two or more results directories' },
      describe: 'Results directories, for example one per commit'
    },
    {
      name: 'directories',
      value: 'directory...',
      commands: ['merge'],
      argument: { least: 2, needs: 'the results directories of two or more shards' },
      describe: 'Results directories of timerq run --shard'
    },
    {
      name: 'directory',
      value: 'directory',
      commands: ['report'],
      argument: { least: 1, needs: RESULTS },
      describe: 'Results directory of a run'
    },
    {
      name: 'trace',
      value: 'trace',
      commands: ['recommend'],
      argument: { least: 0 },
      describe: 'File from timerq record',
      shown: RECORDED
    },
    {
      name: 'shell',
      value: 'shell',
      commands: ['completion'],
      argument: { least: 1, needs: 'the name of a shell' },
      choices: ['bash', 'zsh', 'fish'],
      describe: 'Shell'
    }
  ],
  'What to measure:': [
    {
      name: 'base',
      value: 'revision',
      commands: ['gate'],
      describe:
        'Revision to compare the working tree with, or a baseline file (baseline.json); ' +
        'without it, --runtime a,b compares two versions of Node'
    },
    {
      ...queueList,
      commands: ['run', 'profile', 'recommend'],
      describe: 'Queues: names, ./files.js or npm:packages',
      shown: {
        run: DEFAULT_QUEUES.join(', '),
        profile: DEFAULT_QUEUES.join(', '),
        recommend: "all of timerq's own that fire on time"
      }
    },
    {
      ...queueList,
      commands: ['try'],
      names: TRIED.map(({ name }) => name),
      check: (label, value) => resolveTried(list(label, value)),
      describe: 'Timers to try beside node: timerq-timers, names of queues, ./files.js or npm:packages',
      shown: TRY.queues.join(', ')
    },
    {
      ...queueList,
      commands: ['gate'],
      check: (label, value) =>
        resolveQueues(list(label, value), `--queue must name files of this repository: ${GATED_FILE}`),
      describe: 'Queues: ./files.js of this repository',
      shown: "in timerq's repository: its own"
    },
    {
      ...queueList,
      commands: ['compare'],
      check: list,
      describe: 'Two queues of one directory: a,b compares b with a'
    },
    {
      ...scenarioList,
      commands: ['run', 'profile', 'gate', 'watch'],
      describe: 'Scenarios: names or ./files.js, some of which need no queue',
      shown: {
        run: DEFAULT_SCENARIOS.join(', '),
        profile: PROFILE.scenarios.join(', '),
        gate: GATE.scenarios.join(', '),
        watch: WATCH.scenarios.join(', ')
      }
    },
    { ...scenarioList, commands: ['list'], describe: 'Scenarios of your own to show, too: ./files.js' },
    {
      name: 'trace',
      value: 'file',
      commands: [...PLANNED, 'recommend'],
      describe: 'Recorded program to replay: a file from timerq record'
    },
    { name: 'scenario', commands: ['new'], describe: 'Write a workload without a queue, in place of a queue' },
    { name: 'server', commands: ['new'], describe: 'Write a server to put queues under, in place of a queue' },
    {
      name: 'only',
      value: 'name,...',
      commands: ['reproduce'],
      check: list,
      describe: 'Findings, or groups of them: B3,A',
      shown: 'all'
    },
    {
      name: 'size',
      value: 'n,...',
      commands: [...PLANNED, 'watch'],
      check: counts,
      describe: 'Pending timers, for scenarios that have a size: 100,10000',
      shown: { watch: String(WATCH.size) }
    },
    {
      name: 'connections',
      value: 'n,...',
      commands: ['profile'],
      check: counts,
      describe: 'Open connections: 400,1600'
    },
    {
      name: 'path',
      value: 'path',
      commands: ['try', 'gate'],
      check: urlPath,
      describe: 'Path of the requests to your program',
      shown: '/'
    },
    {
      name: 'connections',
      value: 'n',
      commands: ['try', 'gate'],
      check: number(1),
      describe: 'Open connections to each copy of your program',
      shown: String(TRY.connections)
    },
    {
      name: 'sweep',
      value: 'name=n,...',
      commands: PLANNED,
      check: sweeps,
      describe: 'Values of another parameter: connections=100,400,1600'
    },
    {
      name: 'runtime',
      value: 'node,...',
      commands: PLANNED,
      check: list,
      again: whole,
      describe: 'Node versions or binaries: 20,24,/path/to/node'
    },
    {
      name: 'node-flags',
      value: 'flags',
      commands: PLANNED,
      check: flags,
      again: whole,
      describe: 'Flags for the measured Node; --flag=1,2 measures both values'
    },
    {
      name: 'shard',
      value: 'i/n',
      commands: ['run', 'profile'],
      check: shard,
      describe: 'Part i of n, for several machines: 1/3 (then: timerq merge)'
    },
    {
      name: 'with',
      value: 'tool,...',
      commands: ['profile'],
      check: list,
      default: 'cpu',
      describe: 'Tools: cpu, gc, 0x, clinic-doctor, clinic-flame, perf, or all'
    },
    {
      name: 'against',
      value: 'queue|directory',
      commands: ['profile'],
      describe: 'Queue, or directory of earlier profiles, to draw the difference from'
    },
    {
      ...queueList,
      name: 'against',
      commands: ['watch'],
      describe: 'Queues to measure beside it: names, ./files.js or npm:packages'
    },
    {
      name: 'self-check',
      commands: ['try'],
      conflicts: 'queue',
      describe: 'Compare node with itself: can this machine tell?'
    },
    { name: 'self-check', commands: ['gate'], describe: 'Compare the base with itself: can this machine tell?' }
  ],
  'How much:': [
    {
      name: 'preset',
      value: 'name',
      commands: ['run', 'profile'],
      choices: Object.keys(presets),
      default: 'quick',
      describe: 'How much to measure, and for how long'
    },
    {
      name: 'preset',
      value: 'name',
      commands: ['reproduce'],
      choices: ['quick', 'documented'],
      default: 'quick',
      describe: 'How much to measure, and for how long'
    },
    {
      name: 'rounds',
      value: 'n',
      commands: [...RESUMED, 'profile'],
      check: number(1, MAX_ROUNDS),
      resumes: ['run', 'try'],
      describe: 'Rounds to measure, at most: each measures every cell, in fresh processes',
      shown: {
        run: 'by preset',
        try: 'the number that fits the budget',
        gate: `${GATE.rounds}, or the number that fits the budget`,
        recommend: String(RECOMMEND.rounds),
        reproduce: String(REPRODUCE.rounds),
        profile: '1'
      }
    },
    {
      name: 'until',
      value: 'percent',
      commands: ['run', 'try', 'recommend'],
      check: precision,
      resumes: ['run', 'try'],
      describe:
        'Measure until every ratio to the control is known this well: 3% ' +
        `(${minutes(UNTIL_BUDGET_SECONDS)} or --budget, at most)`
    },
    {
      ...budget,
      commands: ['run', 'try', 'recommend', 'reproduce'],
      check: (label, value) => seconds(label, value, LEAST_BUDGET_SECONDS),
      resumes: ['run', 'try', 'reproduce'],
      shown: {
        run: `${presets.quick.budgetSeconds}s, report included, if no other option is given`,
        try: `${minutes(TRY.budgetSeconds)}, without --rounds and --until`,
        recommend: `${minutes(RECOMMEND.budgetSeconds)}, without --rounds and --until`,
        reproduce: `${minutes(REPRODUCE.budgetSeconds.quick)} in the quick preset`
      }
    },
    { ...budget, commands: ['gate'], check: seconds, shown: minutes(GATE.budgetSeconds) },
    {
      name: 'seconds',
      value: 'n',
      commands: ['profile'],
      check: number(1),
      describe: 'Seconds to record',
      shown: `${PROFILE.seconds}; your own program: until it ends`
    },
    {
      ...timeLimit,
      commands: PLANNED,
      describe: 'CPU time that a process may use for one reply',
      shown: 'by preset'
    },
    {
      ...timeLimit,
      commands: ['try'],
      describe: 'Time until the program must answer',
      shown: String(TRY.startSeconds)
    },
    {
      name: 'memory-limit',
      value: 'MB',
      commands: PLANNED,
      check: number(LEAST_MB),
      describe: 'Memory that a process may use',
      shown: "4096, or half of the machine's"
    },
    { ...seed, commands: [...PLANNED, 'try', 'recommend'], shown: 'random, and recorded' },
    { ...seed, commands: ['reproduce'], default: '1' },
    {
      ...seed,
      commands: ['check'],
      check: number(0, LARGEST_CHECK_SEED),
      default: '1',
      describe: 'Seed of the generated sequences'
    }
  ],
  'Where:': [
    {
      name: 'load',
      value: 'program',
      commands: [...PLANNED, 'try'],
      choices: ['wrk', 'autocannon'],
      describe: 'Load generator',
      shown: 'wrk if it is on PATH'
    },
    {
      ...loadCommand,
      commands: ['try'],
      describe:
        'Client of another protocol, or with requests of its own: ' +
        "'node client.js {url} {connections} {seconds}' ({port} alone, too)"
    },
    {
      ...loadCommand,
      commands: PLANNED,
      describe:
        "Load generator on another machine, which prints wrk's output: " +
        "'ssh b wrk -t{threads} -c{connections} -d{seconds}s --latency {url}'"
    },
    {
      name: 'listen',
      value: 'address',
      commands: PLANNED,
      check: address,
      again: whole,
      describe: 'Address that measured servers listen on, for load from elsewhere',
      shown: '127.0.0.1, which only this machine reaches'
    },
    {
      name: 'target',
      value: 'host',
      commands: PLANNED,
      check: host,
      describe: 'Name or address by which --load-command reaches this machine',
      shown: 'the address of --listen'
    },
    {
      ...port,
      commands: ['try'],
      describe: 'Port that the server to load asks for, if the program has several servers',
      shown: 'the first that answers'
    },
    { ...port, commands: PLANNED, default: '0', describe: 'Port of the measured servers', shown: '0, any free port' }
  ],
  'What counts as slower:': [
    {
      name: 'floor',
      value: 'percent',
      commands: ['gate', 'compare'],
      check: percent,
      default: '2%',
      describe: 'Slowdown that is tolerated: a regression is larger'
    },
    {
      name: 'margin',
      value: 'percent',
      commands: ['gate', 'compare'],
      check: percent,
      default: '5%',
      describe: 'Slowdown that must be ruled out to pass'
    },
    {
      name: 'alpha',
      value: 'probability',
      commands: ['gate', 'compare'],
      check: alpha,
      default: '0.05',
      describe: 'Chance of one false alarm in all rows together'
    },
    {
      name: 'allow-missing',
      commands: ['compare'],
      describe: 'Accept cells that only the baseline has'
    }
  ],
  'Output:': [
    {
      name: 'base',
      value: 'directory',
      commands: ['report'],
      describe: 'Results directory to compare with, in markdown and html'
    },
    {
      name: 'out',
      value: 'directory',
      commands: [...RESUMED, 'profile'],
      describe: 'Results directory',
      shown: Object.fromEntries(
        [...RESUMED, 'profile'].map(name => [name, `results/${name === 'run' ? '' : `${name}-`}<time>`])
      )
    },
    {
      name: 'out',
      value: 'directory',
      commands: ['merge'],
      isRequired: true,
      describe: 'Results directory to write; required'
    },
    { name: 'out', value: 'file', commands: ['record'], default: RECORDED, describe: 'File to write' },
    {
      name: 'out',
      value: 'file',
      commands: ['report', 'history'],
      describe: 'File to write; pictures go beside it',
      shown: 'standard output'
    },
    {
      name: 'resume',
      value: 'directory',
      commands: RESUMED,
      resumes: RESUMED,
      describe: 'Results directory of a stopped run to continue'
    },
    {
      name: 'profile',
      commands: ['run'],
      resumes: ['run'],
      describe: 'Also record a CPU profile of every server, in extra samples'
    },
    {
      name: 'profiles',
      commands: ['compare'],
      describe: "Also draw the difference of their CPU profiles, beside the candidate's"
    },
    {
      name: 'profiles',
      value: 'directory',
      commands: ['report'],
      describe: 'Results directory of timerq profile to include, in markdown and html'
    },
    { name: 'update', commands: ['gate'], describe: 'Count again, and write baseline.json' },
    {
      ...format,
      commands: ['reproduce', 'recommend', 'gate', 'compare'],
      resumes: RESUMED,
      choices: DOCUMENTS,
      default: 'terminal'
    },
    { ...format, commands: ['history'], choices: DOCUMENTS, shown: 'by the ending of --out, or terminal' },
    {
      ...format,
      commands: ['report'],
      choices: ['terminal', 'markdown', 'html', 'json', 'csv', 'benchmark-action', 'bencher'],
      describe: 'Format (the last two are for dashboards)',
      shown: 'by the ending of --out, or terminal'
    },
    ...Object.entries({
      'timerq-list/1': ['list'],
      'timerq-summary/1': ['run', 'profile', 'try'],
      'timerq-reproduce/1': ['reproduce'],
      'timerq-recommendation/1': ['recommend'],
      'timerq-check/1': ['check'],
      'timerq-comparison/1': ['gate', 'compare']
    }).map(([document, commands]) => ({
      name: 'json',
      commands,
      resumes: RESUMED,
      describe: `Print JSON: ${document}`
    })),
    {
      name: 'junit',
      value: 'file',
      commands: ['gate'],
      resumes: RESUMED,
      describe: 'JUnit XML file to write'
    },
    {
      name: 'comment',
      value: 'file',
      commands: ['gate'],
      resumes: RESUMED,
      describe: 'Markdown file to write, short enough for a comment on a pull request'
    },
    {
      name: 'strict',
      commands: ['reproduce'],
      resumes: RESUMED,
      describe: 'Exit with 1 when a finding does not hold'
    }
  ],
  'General:': [
    { name: 'verbose', commands: [], resumes: RESUMED, describe: 'Show stack traces' },
    {
      name: 'color',
      commands: [],
      resumes: RESUMED,
      describe: 'Use colours; --no-color uses none',
      shown: 'on terminals, unless NO_COLOR is set'
    },
    { name: 'version', commands: [], resumes: RESUMED, describe: 'Show the version number' },
    { name: 'help', commands: [], resumes: RESUMED, describe: 'Show this help' }
  ]
}

export const options = Object.entries(sections).flatMap(([section, rows]) => rows.map(row => ({ ...row, section })))

/** @param {string} [command] */
export const optionsOf = (command = '') =>
  options.filter(({ commands }) => commands.length === 0 || commands.includes(command))

/** @param {Option} option */
export const isFlag = ({ value }) => value === undefined

/** @param {Option} option */
export const isList = ({ value }) => value?.endsWith('...') === true
