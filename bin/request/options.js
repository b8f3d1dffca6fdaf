/**
 * Every option and argument of the command line, in the order in which help shows them. The parser, help, completion,
 * the typed request and --resume are all made from this table.
 */
import { queues } from '../../queues/index.js'
import { scenarios } from '../../scenarios/index.js'
import {
  CONTROL,
  DEFAULT_QUEUES,
  DEFAULT_SCENARIOS,
  GATE,
  GATE_BUDGET_SECONDS,
  presets,
  RECOMMEND,
  REPRODUCE_BUDGET_SECONDS,
  TRY,
  UNTIL_BUDGET_SECONDS,
  WATCH
} from '../presets.js'
import { GATED_FILE, resolveQueues, resolveScenarios, resolveTried, TRIED } from './catalogue.js'
import {
  address,
  alpha,
  counts,
  duration,
  flags,
  host,
  integer,
  list,
  oneOf,
  percent,
  precision,
  SEEDS,
  shard,
  sweeps,
  urlPath
} from './values.js'

/** @import { ResolvedQueue, ResolvedScenario } from './catalogue.js' */

/**
 * @typedef {object} Option
 * @property {string} name  Several options of different commands may share a name.
 * @property {string[]} commands  Empty: all.
 * @property {string} section  Title in help.
 * @property {string} describe
 * @property {'text' | 'list' | 'flag'} [type]  A list may be given several times. Default: text.
 * @property {(option: string, value: any) => unknown} [check] Takes a string, or strings for a list; returns the typed
 *   value or throws a UsageError.
 * @property {string} [default]  As typed.
 * @property {string} [shownDefault]  Default as help shows it, if no text stands for it.
 * @property {string[]} [choices]
 * @property {string[]} [names]  Offered by completion.
 * @property {string} [conflicts]  Option that excludes this one.
 * @property {boolean} [isRequired]
 * @property {{usage: string, least: number, needs: string}} [argument] For arguments, which are typed without a name:
 *   their notation, their smallest number, and their description in messages.
 * @property {string[]} [resumes]  Commands whose --resume may be combined with this option.
 * @property {(value: any, typed: string) => string} [again] Text for an option that a resumed run needs again, since
 *   run.json alone must not name a file or a program to start. Empty: nothing to repeat.
 */

/** Length of a CPU profile: six thousand ticks, so that a share of 10 % has a standard error of 0.4 points. */
export const PROFILE_SECONDS = 3
/** File of `timerq record`, which `timerq recommend` takes by default. */
export const RECORDED = 'timerq.trace'
const MAX_ROUNDS = 10_000
const DAY_SECONDS = 86_400
/** A Node process itself uses half of this. */
const LEAST_MB = 128
/** A shorter budget measures no heat. */
const LEAST_BUDGET_SECONDS = 10
const LARGEST_CHECK_SEED = 2 ** 31 - 1

const PLANNED = ['run', 'profile', 'gate']
const RESUMED = ['run', 'try', 'gate', 'recommend', 'reproduce']
/** Commands that start servers under load. */
const LOADED = [...PLANNED, 'try']
const QUEUE_NAMES = queues.map(({ name }) => name)
const SCENARIO_NAMES = scenarios.map(({ name }) => name)
const RESULTS = 'a results directory'

/** @type {Partial<Option>} */
const queueList = {
  type: 'list',
  names: QUEUE_NAMES,
  check: (option, value) => resolveQueues(list(option, value)),
  again: queues =>
    queues
      .filter((/** @type {ResolvedQueue} */ { origin }) => origin === 'user')
      .map((/** @type {ResolvedQueue} */ { spec }) => spec)
      .join(',')
}
/** @type {Partial<Option>} */
const scenarioList = {
  type: 'list',
  names: SCENARIO_NAMES,
  check: (option, value) => resolveScenarios(list(option, value)),
  again: scenarios =>
    scenarios
      .filter((/** @type {ResolvedScenario} */ { isUsers }) => isUsers)
      .map((/** @type {ResolvedScenario} */ { spec }) => spec)
      .join(',')
}
/** @type {Partial<Option>} */
const roundCount = { check: (option, value) => integer(option, value, 1, MAX_ROUNDS) }
/** @type {Partial<Option>} */
const seed = { check: (option, value) => integer(option, value, 0, SEEDS - 1) }
/** @type {Partial<Option>} */
const runBudget = { check: (option, value) => duration(option, value, LEAST_BUDGET_SECONDS) }
const until = {
  check: precision,
  describe: `Measure until every ratio to the control is known this well, for example 3% (for ${UNTIL_BUDGET_SECONDS / 60} minutes at most, or --budget)`
}
const RECORDED_PROGRAM = `Recorded program: a file from timerq record (default: ${RECORDED})`
const asTyped = (/** @type {unknown} */ _value, /** @type {string} */ typed) => typed

/**
 * @param {string} section
 * @param {Omit<Option, 'section'>[]} rows
 */
const section = (section, rows) => rows.map(row => ({ ...row, section }))

/** @type {Option[]} */
export const options = [
  ...section('Arguments:', [
    {
      name: 'name',
      commands: ['new'],
      argument: { usage: '<name>', least: 1, needs: 'a name' },
      describe: 'Name in kebab case: my-queue makes my-queue.js and my-queue.test.js'
    },
    {
      ...queueList,
      name: 'queue',
      commands: ['check'],
      argument: { usage: '<queue..>', least: 1, needs: 'a queue' },
      describe: 'Queues: names, ./files.js or npm:packages',
      check: (_, value) => resolveQueues(value)
    },
    {
      ...queueList,
      name: 'queue',
      commands: ['watch'],
      type: 'text',
      argument: { usage: '<queue>', least: 1, needs: 'the file of a queue' },
      describe: 'File of the queue: ./my-queue.js',
      check: (_, value) => resolveQueues([value])
    },
    {
      name: 'baseline',
      commands: ['compare'],
      argument: { usage: '<baseline>', least: 1, needs: RESULTS },
      describe: 'Results directory'
    },
    {
      name: 'candidate',
      commands: ['compare'],
      argument: { usage: '[candidate]', least: 0, needs: RESULTS },
      describe: 'Results directory of the version that may have become slower'
    },
    {
      name: 'directories',
      commands: ['history'],
      type: 'list',
      argument: { usage: '<directories..>', least: 2, needs: 'two or more results directories' },
      describe: 'Results directories, for example one per commit'
    },
    {
      name: 'directories',
      commands: ['merge'],
      type: 'list',
      argument: { usage: '<directories..>', least: 2, needs: 'the results directories of two or more shards' },
      describe: 'Results directories of timerq run --shard'
    },
    {
      name: 'directory',
      commands: ['report'],
      argument: { usage: '<directory>', least: 1, needs: RESULTS },
      describe: 'Results directory of a run'
    },
    {
      name: 'program',
      commands: ['record'],
      type: 'list',
      argument: { usage: '-- [program..]', least: 0, needs: 'a program' },
      describe: 'Command that starts the program, after --'
    },
    {
      name: 'trace',
      commands: ['recommend'],
      argument: { usage: '[trace]', least: 0, needs: 'a trace' },
      describe: RECORDED_PROGRAM
    },
    {
      name: 'shell',
      commands: ['completion'],
      argument: { usage: '<shell>', least: 1, needs: 'the name of a shell' },
      choices: ['bash', 'zsh', 'fish'],
      describe: 'Shell'
    }
  ]),
  ...section('What to measure:', [
    {
      name: 'base',
      commands: ['gate'],
      describe:
        'Revision to compare the working tree with, or baseline.json; without it, --runtime A,B compares two versions of Node'
    },
    {
      ...queueList,
      name: 'queue',
      commands: ['run', 'profile'],
      resumes: ['run'],
      describe: `Queues: names, ./files.js or npm:packages (default: ${DEFAULT_QUEUES.join(', ')})`
    },
    {
      ...queueList,
      name: 'queue',
      commands: ['try'],
      resumes: ['try'],
      names: TRIED.map(({ name }) => name),
      check: (option, value) => resolveTried(list(option, value)),
      describe: `Beside node: timerq-timers, names of queues, ./files.js or npm:packages (default: ${TRY.queues.filter(name => name !== CONTROL.http).join(', ')})`
    },
    {
      ...queueList,
      name: 'queue',
      commands: ['recommend'],
      resumes: ['recommend'],
      describe: "Queues: names, ./files.js or npm:packages (default: all of timerq's own that fire on time)"
    },
    {
      ...queueList,
      name: 'queue',
      commands: ['gate'],
      resumes: ['gate'],
      check: (option, value) =>
        resolveQueues(list(option, value), `--queue must name files of this repository: ${GATED_FILE}`),
      describe: 'Queues: ./files.js of this repository (default, in timerq itself: its own)'
    },
    {
      name: 'queue',
      commands: ['compare'],
      type: 'list',
      names: QUEUE_NAMES,
      check: list,
      describe: 'Two queues of one directory: a,b compares b with a'
    },
    {
      ...scenarioList,
      name: 'scenario',
      commands: ['run'],
      resumes: ['run'],
      describe: `Scenarios: names or ./files.js (default: ${DEFAULT_SCENARIOS.join(', ')})`
    },
    {
      ...scenarioList,
      name: 'scenario',
      commands: ['profile'],
      describe: 'Scenarios: names or ./files.js (default: keep-alive)'
    },
    {
      ...scenarioList,
      name: 'scenario',
      commands: ['gate'],
      resumes: ['gate'],
      describe: `Scenarios: names, or ./files.js, which need no queue (default: ${GATE.scenarios.join(', ')})`
    },
    {
      ...scenarioList,
      name: 'scenario',
      commands: ['watch'],
      describe: `Scenarios: names or ./files.js (default: ${WATCH.scenarios.join(', ')})`
    },
    { ...scenarioList, name: 'scenario', commands: ['list'], describe: 'Also show scenarios of your own: ./files.js' },
    { name: 'trace', commands: PLANNED, describe: 'Replay a recorded program: a file from timerq record' },
    { name: 'trace', commands: ['recommend'], describe: RECORDED_PROGRAM },
    {
      name: 'scenario',
      commands: ['new'],
      type: 'flag',
      describe: 'Write a workload without a queue, in place of a queue'
    },
    {
      name: 'server',
      commands: ['new'],
      type: 'flag',
      describe: 'Write a server to put queues under, in place of a queue'
    },
    { name: 'only', commands: ['reproduce'], type: 'list', check: list, describe: 'Findings: A, B3 (default: all)' },
    {
      name: 'size',
      commands: PLANNED,
      type: 'list',
      check: counts,
      describe: 'Pending timers, for scenarios that have a size: 100,10000'
    },
    {
      name: 'size',
      commands: ['watch'],
      type: 'list',
      check: counts,
      describe: `Pending timers (default: ${WATCH.size})`
    },
    { name: 'connections', commands: ['profile'], type: 'list', check: counts, describe: 'Open connections: 400,1600' },
    {
      name: 'path',
      commands: ['try', 'gate'],
      check: urlPath,
      shownDefault: '/',
      describe: 'Path of the requests to your program'
    },
    {
      name: 'connections',
      commands: ['try', 'gate'],
      check: (option, value) => integer(option, value, 1),
      shownDefault: String(TRY.connections),
      describe: 'Open connections to each copy of your program'
    },
    {
      name: 'sweep',
      commands: PLANNED,
      type: 'list',
      check: sweeps,
      describe: 'Values of another parameter: connections=100,400,1600'
    },
    {
      name: 'runtime',
      commands: PLANNED,
      type: 'list',
      check: list,
      resumes: RESUMED,
      again: runtimes => runtimes.join(','),
      describe: 'Node versions or binaries: 20,24,/path/to/node'
    },
    {
      name: 'node-flags',
      commands: PLANNED,
      check: flags,
      resumes: RESUMED,
      again: asTyped,
      describe: 'Flags for the measured Node; --flag=1,2 measures both values'
    },
    {
      name: 'shard',
      commands: ['run', 'profile'],
      check: shard,
      describe: 'Part i of n, for several machines: 1/3 (then: timerq merge)'
    },
    {
      name: 'with',
      commands: ['profile'],
      type: 'list',
      check: list,
      default: 'cpu',
      describe: 'Tools: cpu, gc, 0x, clinic-doctor, clinic-flame, perf, or all'
    },
    {
      name: 'against',
      commands: ['profile'],
      describe: 'Also draw the difference from a queue, or from a directory of earlier profiles'
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
      type: 'flag',
      conflicts: 'queue',
      describe: 'Compare node with itself: can this machine tell?'
    },
    {
      name: 'self-check',
      commands: ['gate'],
      type: 'flag',
      describe: 'Compare the base with itself: can this machine tell?'
    }
  ]),
  ...section('How much:', [
    {
      name: 'preset',
      commands: ['run', 'profile'],
      choices: Object.keys(presets),
      default: 'quick',
      describe: 'How much to measure, and for how long'
    },
    {
      name: 'preset',
      commands: ['reproduce'],
      choices: ['quick', 'documented'],
      default: 'quick',
      describe: 'How much to measure, and for how long'
    },
    {
      ...roundCount,
      name: 'rounds',
      commands: ['run'],
      resumes: ['run'],
      describe: 'Samples per cell, each from a fresh process'
    },
    {
      ...roundCount,
      name: 'rounds',
      commands: ['profile'],
      describe: 'Profiles per cell, each of a fresh process (default: 1)'
    },
    {
      ...roundCount,
      name: 'rounds',
      commands: ['gate'],
      describe: `Pairs per cell, at most (default: ${GATE.rounds}, or the number that fits the budget)`
    },
    {
      ...roundCount,
      name: 'rounds',
      commands: ['try'],
      resumes: ['try'],
      describe: 'Heats, each of fresh copies (default: as many as the budget allows)'
    },
    {
      ...roundCount,
      name: 'rounds',
      commands: ['recommend'],
      describe: `Samples per queue, each from a fresh process (default: ${RECOMMEND.rounds})`
    },
    { ...roundCount, name: 'rounds', commands: ['reproduce'], describe: 'Samples per cell (default: by preset)' },
    { ...until, name: 'until', commands: ['run', 'try'], resumes: ['run', 'try'] },
    { ...until, name: 'until', commands: ['recommend'] },
    {
      ...runBudget,
      name: 'budget',
      commands: ['run'],
      resumes: ['run'],
      describe: `Time to spend, at most, report included (default: ${presets.quick.budgetSeconds}s if no other option is given)`
    },
    {
      ...runBudget,
      name: 'budget',
      commands: ['try'],
      resumes: ['try'],
      describe: `Time to spend, at most (default: ${TRY.budgetSeconds / 60}m without --rounds)`
    },
    {
      ...runBudget,
      name: 'budget',
      commands: ['recommend'],
      describe: `Time to spend, at most (default: ${RECOMMEND.budgetSeconds / 60}m without --rounds and --until)`
    },
    {
      ...runBudget,
      name: 'budget',
      commands: ['reproduce'],
      resumes: ['reproduce'],
      describe: `Time to spend, at most (default: ${REPRODUCE_BUDGET_SECONDS / 60}m in the quick preset)`
    },
    {
      name: 'budget',
      commands: ['gate'],
      check: duration,
      shownDefault: `${GATE_BUDGET_SECONDS / 60}m`,
      describe: 'Time to spend, at most'
    },
    {
      name: 'seconds',
      commands: ['profile'],
      check: (option, value) => integer(option, value, 1),
      describe: `Seconds to record (default: ${PROFILE_SECONDS}; your own program: until it ends)`
    },
    {
      name: 'time-limit',
      commands: PLANNED,
      check: (option, value) => integer(option, value, 1, DAY_SECONDS),
      describe: 'Seconds of CPU time that a process may use for one reply (default: by preset)'
    },
    {
      name: 'time-limit',
      commands: ['try'],
      check: (option, value) => integer(option, value, 1, DAY_SECONDS),
      shownDefault: String(TRY.startSeconds),
      describe: 'Seconds until the program must answer'
    },
    {
      name: 'memory-limit',
      commands: PLANNED,
      check: (option, value) => integer(option, value, LEAST_MB),
      describe: "MB of memory that a process may use (default: 4096, or half of the machine's)"
    },
    { ...seed, name: 'seed', commands: LOADED, describe: 'Seed of all random draws (default: random, and recorded)' },
    {
      ...seed,
      name: 'seed',
      commands: ['recommend'],
      describe: 'Seed of the order of measuring (default: random, and recorded)'
    },
    { ...seed, name: 'seed', commands: ['reproduce'], default: '1', describe: 'Seed of all random draws' },
    {
      name: 'seed',
      commands: ['check'],
      check: (option, value) => integer(option, value, 0, LARGEST_CHECK_SEED),
      default: '1',
      describe: 'Seed of the generated sequences'
    }
  ]),
  ...section('Where:', [
    {
      name: 'load',
      commands: LOADED,
      choices: ['wrk', 'autocannon'],
      describe: 'Load generator (default: wrk if it is on PATH)'
    },
    {
      name: 'load-command',
      commands: ['try'],
      conflicts: 'load',
      resumes: ['try'],
      again: asTyped,
      describe:
        "A client of another protocol, or with requests of its own: 'node client.js {url} {connections} {seconds}' ({port} alone, too)"
    },
    {
      name: 'load-command',
      commands: PLANNED,
      conflicts: 'load',
      resumes: RESUMED,
      again: asTyped,
      describe:
        "A load generator on another machine that prints wrk's output: 'ssh b wrk -t{threads} -c{connections} -d{seconds}s --latency {url}'"
    },
    {
      name: 'listen',
      commands: PLANNED,
      check: address,
      resumes: RESUMED,
      again: asTyped,
      describe:
        'Address that measured servers listen on, for load from elsewhere (default: 127.0.0.1, which only this machine reaches)'
    },
    {
      name: 'target',
      commands: PLANNED,
      check: host,
      describe: "Name or address by which --load-command reaches this machine (default: --listen's)"
    },
    {
      name: 'port',
      commands: ['try'],
      check: (option, value) => integer(option, value, 0, 65_535),
      describe: 'Server of the program to load, of several: the port that it asks for (default: the first that answers)'
    },
    {
      name: 'port',
      commands: PLANNED,
      check: (option, value) => integer(option, value, 0, 65_535),
      default: '0',
      describe: 'Port of the measured servers; 0 takes any free port'
    }
  ]),
  ...section('What counts as slower:', [
    {
      name: 'floor',
      commands: ['gate', 'compare'],
      check: percent,
      default: '2%',
      describe: 'Slowdowns up to this are not a regression'
    },
    {
      name: 'margin',
      commands: ['gate', 'compare'],
      check: percent,
      default: '5%',
      describe: 'To pass, a slowdown of this much must be ruled out'
    },
    {
      name: 'alpha',
      commands: ['gate', 'compare'],
      check: alpha,
      default: '0.05',
      describe: 'Chance of one false alarm in all rows together'
    },
    {
      name: 'allow-missing',
      commands: ['compare'],
      type: 'flag',
      describe: 'Cells that only the baseline has do not fail the comparison'
    }
  ]),
  ...section('Output:', [
    { name: 'base', commands: ['report'], describe: 'Results directory to compare with, in markdown and html' },
    { name: 'out', commands: ['run'], describe: 'Results directory (default: results/<time>)' },
    {
      name: 'out',
      commands: ['try', 'reproduce', 'recommend', 'profile', 'gate'],
      describe: 'Results directory (default: results/<command>-<time>)'
    },
    { name: 'out', commands: ['merge'], isRequired: true, describe: 'Results directory to write' },
    { name: 'out', commands: ['record'], default: RECORDED, describe: 'File to write' },
    {
      name: 'out',
      commands: ['report', 'history'],
      describe: 'File to write (default: standard output); pictures go beside it'
    },
    { name: 'resume', commands: RESUMED, resumes: RESUMED, describe: 'Continue after a stop: the results directory' },
    {
      name: 'profile',
      commands: ['run'],
      type: 'flag',
      resumes: ['run'],
      describe: 'Also record a CPU profile of every server, in extra samples'
    },
    {
      name: 'profiles',
      commands: ['compare'],
      type: 'flag',
      describe: "Also draw the difference of their CPU profiles, beside the candidate's"
    },
    {
      name: 'profiles',
      commands: ['report'],
      describe: 'Results directory of timerq profile to include, in markdown and html'
    },
    { name: 'update', commands: ['gate'], type: 'flag', describe: 'Count again, and write baseline.json' },
    {
      name: 'format',
      commands: ['reproduce', 'recommend', 'gate', 'compare'],
      resumes: RESUMED,
      choices: ['terminal', 'markdown', 'json'],
      default: 'terminal',
      describe: 'Format to print'
    },
    {
      name: 'format',
      commands: ['history'],
      choices: ['terminal', 'markdown', 'json'],
      describe: 'Format (default: by the ending of --out, else terminal)'
    },
    {
      name: 'format',
      commands: ['report'],
      choices: ['terminal', 'markdown', 'html', 'json', 'csv', 'benchmark-action', 'bencher'],
      describe: 'Format; the last two are for dashboards (default: by the ending of --out, else terminal)'
    },
    ...Object.entries({
      'timerq-list/1': ['list'],
      'timerq-summary/1': ['run', 'profile', 'try'],
      'timerq-reproduce/1': ['reproduce'],
      'timerq-recommendation/1': ['recommend'],
      'timerq-check/1': ['check'],
      'timerq-comparison/1': ['gate', 'compare']
    }).map(([format, commands]) => ({
      name: 'json',
      commands,
      type: /** @type {const} */ ('flag'),
      resumes: RESUMED,
      describe: `Print ${format}`
    })),
    { name: 'junit', commands: ['gate'], resumes: RESUMED, describe: 'JUnit XML file to write' },
    {
      name: 'comment',
      commands: ['gate'],
      resumes: RESUMED,
      describe: 'Markdown file to write, short enough for a comment on a pull request'
    },
    {
      name: 'strict',
      commands: ['reproduce'],
      type: 'flag',
      resumes: ['reproduce'],
      describe: 'Exit with 1 when a finding does not hold'
    }
  ]),
  ...section('General:', [
    { name: 'verbose', commands: [], type: 'flag', resumes: RESUMED, describe: 'Show stack traces' },
    {
      name: 'color',
      commands: [],
      type: 'flag',
      resumes: RESUMED,
      describe: 'Use colours (--no-color: never; NO_COLOR is respected)'
    },
    { name: 'version', commands: [], type: 'flag', resumes: RESUMED, describe: 'Show version number' },
    { name: 'help', commands: [], type: 'flag', resumes: RESUMED, describe: 'Show help' }
  ])
]

/** @param {string} command */
export const optionsOf = command =>
  options.filter(({ commands }) => commands.length === 0 || commands.includes(command))

/**
 * @param {Option} option
 * @param {string | string[]} value  As typed.
 */
export function checked ({ name, argument, choices, check = (_, value) => value }, value) {
  return choices
    ? oneOf(choices)(argument ? name : `--${name}`, /** @type {string} */ (value))
    : check(`--${name}`, value)
}
