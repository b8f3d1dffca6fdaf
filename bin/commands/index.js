/**
 * Every command, by purpose, in the order in which help shows them, with the options that it takes (each is declared in
 * request/options.js) and its defaults. Each has its handler in a separate file, loaded only when the command runs:
 * help and messages about mistyped options come at once.
 */
import { gateFiles } from '../../reports/formats.js'
import {
  DEFAULT_QUEUES,
  DEFAULT_SCENARIOS,
  GATE,
  presets,
  PROFILE,
  RECOMMEND,
  RECORDED,
  REPRODUCE,
  TRY
} from '../presets.js'

/**
 * @typedef {object} Command
 * @property {string} name  Its file here exports `handler(request, console)`, which returns the exit code.
 * @property {string} line  The name and arguments, in the notation of yargs: `run [scenario..]`.
 * @property {string} describe
 * @property {[command: string, what: string][]} examples  Words after `timerq`; the tests run them.
 * @property {string[]} usual  Options on the first screen of help. None: it shows all.
 * @property {string[]} others  Further options and arguments.
 * @property {Record<string, string>} defaults  Defaults in help, by option.
 * @property {string[]} resumes  Options that --resume may be combined with, beside those of output.
 * @property {'needed' | 'optional'} [program]  Whether a program follows after --. Missing: none.
 * @property {string} [guide]  Page in docs/.
 * @property {string} [prefix]  Beginning of the name of a results directory, before its time.
 * @property {boolean} [isResumable]  Its --resume continues its results.
 * @property {string} [library]  Function of the library that takes the same options.
 *
 * @typedef {'defaults' | 'program' | 'guide' | 'prefix' | 'isResumable' | 'library'} Optional
 *
 * @typedef {Partial<Pick<Command, Optional>> & Taken} Declared
 *
 * @typedef {{usual?: string, others?: string, resumes?: string}} Taken  Names of options, with spaces between them.
 */

/** First commands for a reader with two minutes, with a program, or with an idea for a queue. */
export const firstSteps = [
  ['timerq run', 'Which queue is fastest, for which workload?'],
  ['timerq record -- node app.js', 'Does it matter to my program? (then: recommend)'],
  ['timerq new my-queue', 'Write a queue; then check it and measure it']
]

/**
 * @param {string} line
 * @param {string} describe
 * @param {Declared} declared
 * @param {Command['examples']} examples
 * @returns {Command}
 */
function command (line, describe, { usual = '', others = '', resumes = '', defaults, ...more }, ...examples) {
  const { prefix } = more
  return {
    name: line.split(' ')[0],
    line,
    describe,
    examples,
    usual: usual.split(' '),
    others: others.split(' '),
    resumes: resumes.split(' '),
    defaults: { ...(prefix !== undefined && { out: `results/${prefix}<time>` }), ...defaults },
    ...more
  }
}

const minutes = (/** @type {number} */ seconds) => `${seconds / 60}m`

/** @type {{purpose: string, commands: Command[]}[]} */
export const purposes = [
  {
    purpose: 'Choose a queue',
    commands: [
      command(
        'list',
        'Show all queues and scenarios, and what they declare',
        { guide: 'choosing-a-queue', others: 'json' },
        ['list', 'names for --queue and --scenario'],
        ['list --json', 'for programs']
      ),
      command(
        'run [scenario..]',
        'Measure queues on scenarios and compare them',
        {
          guide: 'choosing-a-queue',
          usual: 'queue scenario size sketch until budget out resume json',
          others:
            'task sweep runtime shard preset rounds time-limit memory-limit seed load-command listen port profile',
          resumes: 'rounds until budget',
          defaults: {
            queue: DEFAULT_QUEUES.join(', '),
            scenario: DEFAULT_SCENARIOS.join(', '),
            rounds: 'by preset',
            budget: `${presets.quick.end.budgetSeconds}s, report included, if no other option is given`,
            'time-limit': 'by preset',
            port: 'any free port'
          },
          prefix: '',
          isResumable: true,
          library: 'run'
        },
        ['run', 'the usual queues on the usual scenarios'],
        ['run --queue ./my-queue.js,lazy-wheel --size 1000,100000', 'your queue against another'],
        ['run --scenario keep-alive --sweep connections=100,400', 'servers, with more and more connections']
      ),
      command(
        'reproduce',
        'Measure every finding of the source documents: does it hold?',
        {
          others: 'only findings-preset rounds budget seed out resume json',
          resumes: 'budget',
          defaults: {
            rounds: String(REPRODUCE.rounds),
            budget: `${minutes(REPRODUCE.budgetSeconds.quick)} in the quick preset`,
            seed: '1'
          },
          prefix: 'reproduce-',
          isResumable: true
        },
        ['reproduce --only A,B3', 'some findings, by the names in its table']
      )
    ]
  },
  {
    purpose: 'See whether it matters to your program',
    commands: [
      command(
        'try',
        'Try other timers in your own server, under load: are they worth it?',
        {
          guide: 'try',
          program: 'needed',
          usual: 'tried-queue path connections self-check until budget out resume json',
          others: 'rounds time-limit seed load-command port',
          resumes: 'rounds until budget',
          defaults: {
            'tried-queue': TRY.queues.join(', '),
            rounds: 'the number that fits the budget',
            budget: `${minutes(TRY.budgetSeconds)}, without --rounds and --until`,
            'time-limit': String(TRY.startSeconds),
            port: 'the first that answers'
          },
          prefix: 'try-',
          isResumable: true,
          library: 'tryProgram'
        },
        ['try -- node server.js', "timerq-timers against Node's own timers, in two minutes at most"],
        ['try --path /users --queue lazy-wheel,./my-queue.js -- npm start', 'other requests, your queue'],
        ['try --self-check -- node server.js', "Node's timers against themselves: can this machine tell?"]
      ),
      command(
        'record',
        "Record a program's timer operations: timerq record -- node app.js",
        { guide: 'profiles', program: 'needed', others: 'out', defaults: { out: RECORDED } },
        ['record --out app.trace -- node app.js', 'then: timerq recommend app.trace']
      ),
      command(
        'recommend [trace]',
        'Rank the queues for a recorded program: is one worth changing to?',
        {
          guide: 'profiles',
          others: 'trace queue rounds until budget seed out resume json',
          defaults: {
            queue: "all of timerq's own that fire on time",
            rounds: String(RECOMMEND.rounds),
            budget: `${minutes(RECOMMEND.budgetSeconds)}, without --rounds and --until`
          },
          prefix: 'recommend-',
          isResumable: true
        },
        ['recommend app.trace', 'which queue for this program, and is it worth it?'],
        ['recommend app.trace --queue ./my-queue.js --budget 1m', "your queue against Node's design, in a minute"]
      ),
      command(
        'profile',
        'Show where the CPU time goes, of servers or of your own program',
        {
          guide: 'profiles',
          program: 'optional',
          usual: 'queue scenario with seconds out json',
          others: 'size sweep runtime shard preset rounds time-limit memory-limit seed load-command listen port',
          defaults: {
            queue: DEFAULT_QUEUES.join(', '),
            scenario: PROFILE.scenarios.join(', '),
            rounds: '1',
            seconds: `${PROFILE.seconds}; your own program: until it ends`,
            'time-limit': 'by preset',
            port: 'any free port'
          },
          prefix: 'profile-'
        },
        ['profile --queue sorted-list,hierarchical-wheel', "how much of a server's CPU is its timer queue?"],
        ['profile --with 0x --queue sorted-list', 'a flame graph of its server, by 0x'],
        ['profile -- node app.js', "how much of your program's CPU do its timers take?"]
      )
    ]
  },
  {
    purpose: 'Write a queue',
    commands: [
      command(
        'new <name>',
        'Write a queue, a workload or a server to start from, and its test',
        { guide: 'writing-a-queue', others: 'name new-scenario server' },
        ['new my-queue', 'then: timerq check ./my-queue.js'],
        ['new --scenario my-workload', 'code of your own to measure and gate'],
        ['new --server my-server', 'a server of your own, to put queues under']
      ),
      command(
        'check <queue..>',
        'Check whether queues keep the contract',
        { guide: 'writing-a-queue', others: 'checked-queue check-seed json' },
        ['check ./my-queue.js', 'every clause of the contract, with a counter-example where it breaks'],
        ['check lazy-wheel npm:my-queue', 'several queues, on all cores']
      )
    ]
  },
  {
    purpose: 'Keep it fast',
    commands: [
      command(
        'gate',
        'Fail when a change made code slower: the exit code is the verdict',
        {
          guide: 'your-own-workload',
          program: 'optional',
          usual:
            'base gated-queue scenario self-check measure budget expect margin confirm json ' +
            Object.keys(gateFiles).join(' '),
          others:
            'task size path connections sweep runtime counts prepare install rounds time-limit seed load-command ' +
            'port bisect out resume',
          defaults: {
            'gated-queue': "timerq's",
            scenario: GATE.scenarios.join(', '),
            rounds: `${GATE.rounds}, or the number that fits the budget`,
            budget: minutes(GATE.budgetSeconds),
            'time-limit': `20; of a program: ${TRY.startSeconds}`
          },
          prefix: 'gate-',
          isResumable: true,
          library: 'gate'
        },
        ['gate --base main --queue ./src/wheel.js', 'is my working tree slower than main?'],
        ['gate --base main --scenario ./bench/parse.js', 'the same for any code, without a queue'],
        ['gate --base main -- node server.js', 'the same for a server under load']
      ),
      command(
        'compare <baseline> [candidate]',
        'Compare two results directories, or two queues of one',
        { guide: 'reference/reading-a-report', others: 'baseline candidate two-queues margin json' },
        ['compare results/before results/after', 'what was counted; times need timerq gate'],
        ['compare results/now --queue binary-heap,hierarchical-wheel', 'is the wheel slower than the heap?']
      )
    ]
  },
  {
    purpose: 'Work with results and the shell',
    commands: [
      command(
        'report <directory>',
        'Make a report from a results directory',
        {
          guide: 'reference/reading-a-report',
          others: 'directory other-results out format',
          defaults: { out: 'standard output' }
        },
        ['report results/now --out report.html', 'one file with interactive charts'],
        [
          'report results/now --format benchmark-action --out benchmark.json',
          'for github-action-benchmark, customSmallerIsBetter'
        ]
      ),
      command(
        'merge <directory> <directories..>',
        'Join the shards of a run into one run',
        { guide: 'ci', others: 'shard1 directories out' },
        ['merge results/shard-1 results/shard-2 --out results/all', 'then: timerq report results/all']
      ),
      command(
        'completion <shell>',
        'Print a script that completes commands, options and names at Tab',
        { others: 'shell' },
        ['completion bash', 'to be added to ~/.bashrc'],
        ['completion zsh', 'to be added to ~/.zshrc'],
        ['completion fish', 'for ~/.config/fish/completions/timerq.fish']
      )
    ]
  }
]

export const commands = purposes.flatMap(({ commands }) => commands)

/** @param {string} [word] */
export const commandNamed = word => commands.find(({ name }) => name === word)

/**
 * End of a note that suggests a command, or nothing where that command is missing.
 *
 * @param {string} words  Words after `timerq`.
 */
export const nextStep = words => (commandNamed(words.split(' ')[0]) ? `next: timerq ${words}` : '')
