/**
 * Every option and argument of the command line, in the order in which help shows them: one declaration a row. Parser,
 * help, completion, the typed request, the library and words that are repeated are all made from this table.
 */
import { TOOLS } from '../../harness/profile/tools.js'
import { queues } from '../../queues/index.js'
import { formats, gateReports } from '../../reports/formats.js'
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
import { GATED_FILE, resolveQueues, resolveScenarios, TRIED } from './catalogue.js'
import {
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
 * @typedef {'stays' | 'changes' | 'anew' | 'typed' | 'users'} Repeated  Fate of an option where a stored command line,
 *   perhaps a stranger's, is repeated: its value stays; stays, and --resume may have another; is dropped, and may be
 *   typed anew; must be typed again, because it loads a file, starts a program or reaches an address; must be typed
 *   again in its items that are the user's.
 *
 * @typedef {object} Option
 * @property {'flag' | 'text' | 'items' | 'words'} kind  Commas separate items.
 * @property {string} describe  Sentence in help.
 * @property {Repeated} repeated
 * @property {string | Record<string, string | Partial<Refined>>} commands  Commands that take it: names with spaces
 *   between them; or by name, the default in help or what differs from the row.
 *
 * @typedef {object} OptionRules
 * @property {(label: string, value: any) => unknown} [check]  Returns the typed value of a text, of items or words, or
 *   throws a UsageError that begins with the label.
 * @property {string[]} [choices]  All possible values.
 * @property {string[]} [names]  Values that completion offers.
 * @property {string} [default]  Text that stands for a missing value.
 * @property {string} [shown]  Default in help if no text stands for it.
 * @property {string} [needs]  Description in messages of an argument that is missing.
 * @property {string} [conflicts]  Option that excludes this one.
 * @property {boolean} [isNegatable]  `--no-install` may stand for a value.
 * @property {string} [library]  Name in the options of the library's functions.
 * @property {string} [group]  Section of help, if another.
 *
 * @typedef {Omit<Option, 'commands'> & OptionRules} Refined  Row of one command.
 */

const MAX_ROUNDS = 10_000
const DAY_SECONDS = 86_400
/** A Node process itself uses half of this. */
const LEAST_MB = 128
const LARGEST_CHECK_SEED = 2 ** 31 - 1
const LARGEST_PORT = 65_535

/** @type {(minimum: number, maximum?: number) => OptionRules['check']} */
const number = (minimum, maximum) => (label, value) => integer(label, value, minimum, maximum)
const minutes = (/** @type {number} */ seconds) => `${seconds / 60}m`
const namesOf = (/** @type {{name: string}[]} */ entries) => entries.map(({ name }) => name)
/** @type {(hint?: string, known?: typeof TRIED) => OptionRules['check']} */
const queuesAmong = (hint, known) => (_, items) => resolveQueues(items, hint, known)

/**
 * @type {(kind: Option['kind']) => (describe: string, repeated: Repeated, commands: Option['commands'],
 *   rules?: OptionRules) => Option & OptionRules}
 */
const rowOf = kind => (describe, repeated, commands, rules) => ({ kind, describe, repeated, commands, ...rules })
const flag = rowOf('flag')
const text = rowOf('text')
const list = rowOf('items')
const words = rowOf('words')
/** Title of options that are typed without a name, or with it: a text that is given twice is refused. */
export const ARGUMENTS = 'Arguments:'
const OUTPUT = 'Output:'
const RESULTS = 'a results directory'

/**
 * Options by the title of their section in help.
 *
 * @type {Record<string, Record<string, Option & OptionRules>>}
 */
const sections = {
  [ARGUMENTS]: {
    name: text('Name in kebab case: my-queue makes my-queue.js and my-queue.test.js', 'stays', 'new', {
      needs: 'a name'
    }),
    baseline: text('Results directory', 'stays', 'compare', { needs: RESULTS }),
    candidate: text('Results directory of the version that may have become slower', 'stays', 'compare'),
    directory: text('Results directory of a run', 'stays', {
      confirm: { describe: 'Results directory of a gate', needs: RESULTS },
      report: { needs: RESULTS },
      merge: {
        describe: 'Results directory of timerq run --shard',
        needs: 'the results directories of two or more shards'
      }
    }),
    directories: words('The others', 'stays', 'merge'),
    trace: text('File from timerq record', 'typed', { recommend: RECORDED })
  },
  'What to measure:': {
    base: text('Revision to compare with', 'stays', {
      gate: { library: 'base', shown: 'where this branch began' },
      report: { describe: 'Results directory to compare with, in markdown and html', group: OUTPUT }
    }),
    queue: list(
      'Queues: names, ./files.js or npm:packages',
      'users',
      {
        run: DEFAULT_QUEUES.join(', '),
        try: { shown: TRY.queues.join(', '), check: queuesAmong(undefined, TRIED), names: namesOf(TRIED) },
        recommend: "all of timerq's own that fire on time",
        profile: DEFAULT_QUEUES.join(', '),
        check: { kind: 'words', group: ARGUMENTS, needs: 'a queue' },
        gate: {
          shown: "timerq's",
          check: queuesAmong(`--queue must name files of this repository: ${GATED_FILE}`)
        },
        confirm: {},
        compare: {
          describe: 'Two queues of one directory: a,b compares b with a',
          repeated: 'stays',
          check: undefined
        }
      },
      { check: queuesAmong(), names: namesOf(queues), library: 'queues' }
    ),
    scenario: list(
      'Scenarios: names, ./files.js, benchmark files of other tools',
      'users',
      {
        run: DEFAULT_SCENARIOS.join(', '),
        profile: PROFILE.scenarios.join(', '),
        gate: "the project's benchmark files",
        confirm: {},
        new: { kind: 'flag', describe: 'Write a tinybench file instead of a queue' }
      },
      {
        names: namesOf(scenarios),
        check: (_, items) => resolveScenarios(items),
        library: 'scenarios'
      }
    ),
    server: flag('Write a server to put queues under, instead of a queue', 'stays', 'new', { conflicts: 'scenario' }),
    task: text('Tasks of benchmark files to measure: a regular expression of their names', 'stays', 'run gate', {
      check: pattern,
      shown: 'all'
    }),
    measure: text('Rows to measure', 'stays', 'gate', {
      choices: ['touched', 'all'],
      default: 'touched',
      library: 'measure'
    }),
    only: list('Findings, or groups of them: B3,A', 'stays', { reproduce: 'all' }),
    size: list('Pending timers, for scenarios that have a size: 100,10000', 'stays', 'run profile gate', {
      check: counts
    }),
    path: text('Path of the requests to your program', 'typed', { try: {}, gate: {}, confirm: 'as before' }, {
      check: urlPath,
      library: 'path',
      shown: '/'
    }),
    connections: text('Open connections to each copy of your program', 'stays', 'try gate', {
      check: number(1),
      library: 'connections',
      shown: String(TRY.connections)
    }),
    sweep: words('Values of another parameter: connections=100,400,1600', 'stays', 'run profile gate', {
      check: sweeps,
      library: 'parameters'
    }),
    runtime: list(
      'Node versions or binaries: 20,24,/path/to/node; a gate of two needs no --base',
      'typed',
      'run profile gate confirm',
      { library: 'runtimes' }
    ),
    shard: text('Part i of n, for several machines: 1/3 (then: timerq merge)', 'stays', 'run profile', {
      check: shard
    }),
    with: list('Tools to record with', 'stays', 'profile', {
      choices: TOOLS,
      default: 'cpu'
    }),
    'self-check': flag('Compare the base, or node, with itself', 'stays', 'try gate'),
    counts: flag('Decide by exact counts alone (blocks, memory, allocated bytes), on any machine', 'stays', 'gate', {
      conflicts: 'expect'
    }),
    prepare: text(
      'Command that makes the files that git ignores, run in each side: "npm run build"',
      'typed',
      'gate confirm',
      { library: 'prepare' }
    ),
    install: text(
      'Command that installs packages in each side; --no-install: both share those of now',
      'typed',
      'gate confirm',
      { isNegatable: true, library: 'install' }
    )
  },
  'How much:': {
    preset: text(
      'How much to measure, and for how long',
      'stays',
      { run: {}, profile: {}, reproduce: { choices: ['quick', 'documented'] } },
      { choices: Object.keys(presets), default: 'quick', library: 'preset' }
    ),
    sketch: flag('Five seconds of tinybench, in one process: rough, and stores nothing', 'stays', 'run'),
    rounds: text(
      'Rounds to measure, at most: each measures every cell, in fresh processes',
      'changes',
      {
        run: 'by preset',
        reproduce: String(REPRODUCE.rounds),
        try: 'the number that fits the budget',
        recommend: String(RECOMMEND.rounds),
        profile: '1',
        gate: `${GATE.rounds}, or the number that fits the budget`,
        confirm: 'as before'
      },
      { check: number(1, MAX_ROUNDS), library: 'rounds' }
    ),
    until: text(
      'Measure until every ratio to the control is known this well: 3% ' +
        `(${UNTIL_BUDGET_SECONDS / 60}m or --budget, at most)`,
      'changes',
      'run try recommend',
      { check: precision }
    ),
    budget: text(
      'Time to spend, at most: 30s, 5m',
      'changes',
      {
        run: `${presets.quick.end.budgetSeconds}s, report included, if no other option is given`,
        reproduce: `${minutes(REPRODUCE.budgetSeconds.quick)} in the quick preset`,
        try: `${minutes(TRY.budgetSeconds)}, without --rounds and --until`,
        recommend: `${minutes(RECOMMEND.budgetSeconds)}, without --rounds and --until`,
        gate: minutes(GATE.budgetSeconds),
        confirm: 'as before'
      },
      { check: seconds, library: 'budget' }
    ),
    seconds: text('Seconds to record', 'stays', { profile: `${PROFILE.seconds}; your own program: until it ends` }, {
      check: number(1)
    }),
    'time-limit': text(
      'Seconds of CPU for a reply, or until a program answers',
      'stays',
      {
        run: 'by preset',
        try: String(TRY.startSeconds),
        profile: 'by preset',
        gate: `20; of a program: ${TRY.startSeconds}`
      },
      { check: number(1, DAY_SECONDS), library: 'timeLimit' }
    ),
    'memory-limit': text('MB of memory that a process may use', 'stays', 'run profile', {
      check: number(LEAST_MB),
      shown: "4096, or half of the machine's memory if that is less"
    }),
    seed: text(
      'Seed of all random draws',
      'stays',
      {
        run: {},
        reproduce: '1',
        try: {},
        recommend: {},
        profile: {},
        check: {
          describe: 'Seed of the generated sequences',
          check: number(0, LARGEST_CHECK_SEED),
          default: '1'
        },
        gate: {},
        confirm: 'another than before'
      },
      { check: number(0, SEEDS - 1), library: 'seed', shown: 'random, and recorded' }
    )
  },
  'Where:': {
    'load-command': text(
      "Another load generator, perhaps on another machine: 'ssh b wrk -t{threads} -c{connections} -d{seconds}s " +
        "--latency {url}', 'node client.js {port} {connections} {seconds}'",
      'typed',
      { run: {}, try: {}, profile: {}, gate: {}, confirm: 'as before' },
      { library: 'loadCommand', shown: 'wrk, or autocannon if that is not on PATH' }
    ),
    listen: text('Address that measured servers listen on, for load from elsewhere', 'typed', 'run profile', {
      check: address,
      shown: '127.0.0.1, which only this machine reaches'
    }),
    port: text(
      'Port of the measured servers; of your server, if the program has several',
      'stays',
      { run: 'any free port', try: 'the first that answers', profile: 'any free port', gate: {} },
      { check: number(0, LARGEST_PORT), library: 'port' }
    )
  },
  'What counts as slower:': {
    expect: list(
      "What times must show: not-slower, faster, faster=5% or level, of some rows: 'faster:parse*'",
      'stays',
      'gate',
      { check: expectations, library: 'expect', shown: 'not-slower' }
    ),
    margin: text('Slowdown to rule out; 2/5 of it are tolerated', 'stays', 'gate compare', {
      check: precision,
      default: '5%',
      library: 'margin'
    })
  },
  [OUTPUT]: {
    out: text(
      'Where to write results',
      'stays',
      {
        run: 'results/<time>',
        reproduce: 'results/reproduce-<time>',
        try: 'results/try-<time>',
        record: RECORDED,
        recommend: 'results/recommend-<time>',
        profile: 'results/profile-<time>',
        gate: 'results/gate-<time>',
        confirm: 'results/confirm-<time>',
        report: 'standard output',
        merge: {}
      },
      { library: 'directory' }
    ),
    bisect: flag('Exit with 125 where nothing is decided, as git bisect run wants it', 'anew', 'gate'),
    resume: text('Results directory of a stopped run to continue', 'anew', 'run reproduce try recommend'),
    profile: flag('Also record a CPU profile of every server, in extra samples', 'anew', 'run'),
    format: text('Format', 'stays', { report: 'by the ending of --out, or terminal' }, {
      choices: Object.keys({ ...formats, ...gateReports })
    }),
    json: flag(
      'Print JSON (docs/reference/formats.md)',
      'anew',
      'list run reproduce try recommend profile check gate confirm compare'
    ),
    ...Object.fromEntries(
      Object.entries(gateReports).flatMap(([name, { describe }]) =>
        describe ? [[name, text(describe, 'anew', 'gate confirm')]] : []
      )
    )
  },
  'General:': {
    verbose: flag('Show stack traces', 'anew', ''),
    color: flag('Use colours; --no-color uses none', 'anew', '', { shown: 'on terminals, unless NO_COLOR is set' }),
    version: flag('Show the version number', 'anew', ''),
    help: flag('Show this help', 'anew', '')
  }
}

/** Rows in the order of help. Those without commands belong to all. */
export const options = Object.entries(sections).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, { commands, ...row }]) => ({
    name,
    group,
    ...row,
    commands: typeof commands === 'string' ? Object.fromEntries(commands.split(' ').map(name => [name, {}])) : commands
  }))
)

/**
 * Rows of a command. `label` is the name in messages: `--size`, or `trace` for an argument. `isUsual`: help shows the
 * option on its first screen.
 *
 * @param {Pick<Command, 'name' | 'usual'>} command
 */
export const optionsOf = ({ name: command, usual }) =>
  options.flatMap(({ commands, ...general }) => {
    const own = commands[command] ?? commands['']
    if (own === undefined) return []
    const row = { ...general, ...(typeof own === 'string' ? { shown: own } : own) }
    const { name, group } = row
    return {
      ...row,
      label: group === ARGUMENTS ? name : `--${name}`,
      isUsual: usual.includes(name)
    }
  })

/** @typedef {ReturnType<typeof optionsOf>[0]} Row */
