/**
 * Every command, by purpose, in the order in which help shows them. request/options.js says which options each takes.
 * A handler is in a separate file, loaded only when its command runs: help and messages about mistyped options come at
 * once.
 */
import { gateReports } from '../../reports/formats.js'

/**
 * @typedef {object} Command
 * @property {string} name  Its file here exports `handler(request, console)`, which returns the exit code.
 * @property {string} line  The name and arguments, in the notation of yargs: `run [scenario..]`.
 * @property {string} describe
 * @property {[command: string, what: string][]} examples  Words after `timerq`; the tests run them.
 * @property {string[]} usual  Options on the first screen of help. None: it shows all.
 * @property {'needed' | 'optional'} [program]  Whether a program follows after --. Missing: none.
 * @property {string} [guide]  Page in docs/.
 * @property {string} [library]  Function of the library that takes the same options.
 *
 * @typedef {Partial<Pick<Command, 'program' | 'guide' | 'library'>> & {usual?: string}} Declared  `usual`: names with
 *   spaces between them.
 */

/** First commands for a reader with code, with a question, with a program, or with an idea for a queue. */
export const firstSteps = [
  ['npx timerq gate', 'In your own project: is my change slower?'],
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
const command = (line, describe, { usual = '', ...more }, ...examples) => ({
  name: line.split(' ')[0],
  line,
  describe,
  examples,
  usual: usual.split(' '),
  ...more
})

/** @type {{purpose: string, commands: Command[]}[]} */
export const purposes = [
  {
    purpose: 'Choose a queue',
    commands: [
      command(
        'list',
        'Show all queues and scenarios, and what they declare',
        { guide: 'choosing-a-queue' },
        ['list', 'names for --queue and --scenario'],
        ['list --json', 'for programs']
      ),
      command(
        'run [scenario..]',
        'Measure queues on scenarios and compare them',
        {
          guide: 'choosing-a-queue',
          usual: 'queue scenario size sketch until budget out resume json',
          library: 'run'
        },
        ['run', 'the usual queues on the usual scenarios'],
        ['run --queue ./my-queue.js,lazy-wheel --size 1000,100000', 'your queue against another'],
        ['run --scenario keep-alive --sweep connections=100,400', 'servers, with more and more connections']
      ),
      command(
        'reproduce',
        'Measure every finding of the source documents: does it hold?',
        {},
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
          usual: 'queue path connections self-check until budget out resume json',
          library: 'tryProgram'
        },
        ['try -- node server.js', "timerq-timers against Node's own timers, in two minutes at most"],
        ['try --path /users --queue lazy-wheel,./my-queue.js -- npm start', 'other requests, your queue'],
        ['try --self-check -- node server.js', "Node's timers against themselves: can this machine tell?"]
      ),
      command(
        'record',
        "Record a program's timer operations: timerq record -- node app.js",
        { guide: 'profiles', program: 'needed' },
        ['record --out app.trace -- node app.js', 'then: timerq recommend app.trace']
      ),
      command(
        'recommend [trace]',
        'Rank the queues for a recorded program: is one worth changing to?',
        { guide: 'profiles' },
        ['recommend app.trace', 'which queue for this program, and is it worth it?'],
        ['recommend app.trace --queue ./my-queue.js --budget 1m', "your queue against Node's design, in a minute"]
      ),
      command(
        'profile',
        'Show where the CPU time goes, of servers or of your own program',
        {
          guide: 'profiles',
          program: 'optional',
          usual: 'queue scenario with seconds out json'
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
        { guide: 'writing-a-queue' },
        ['new my-queue', 'then: timerq check ./my-queue.js'],
        ['new --scenario my-workload', 'code of your own to measure and gate'],
        ['new --server my-server', 'a server of your own, to put queues under']
      ),
      command(
        'check <queue..>',
        'Check whether queues keep the contract',
        { guide: 'writing-a-queue' },
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
            'base queue scenario measure budget expect margin json ' +
            Object.keys(gateReports).filter(name => gateReports[name].describe).join(' '),
          library: 'gate'
        },
        ['gate', 'is my working tree slower, by the benchmark files of this project?'],
        ['gate --base main --queue ./src/wheel.js', 'the same for a queue, against main'],
        ['gate --base main -- node server.js', 'the same for a server under load']
      ),
      command(
        'confirm <directory>',
        'Measure the sides of a gate again, with other draws: do both agree?',
        { guide: 'for-agents', program: 'optional' },
        ['confirm results/first', 'exit code 0: it passed twice, and the second figure is the one to quote']
      ),
      command(
        'compare <baseline> [candidate]',
        'Compare two results directories, or two queues of one',
        { guide: 'reference/reading-a-report' },
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
        { guide: 'reference/reading-a-report' },
        ['report results/now --out report.html', 'one file with interactive charts'],
        [
          'report results/now --format benchmark-action --out benchmark.json',
          'for github-action-benchmark, customSmallerIsBetter'
        ]
      ),
      command(
        'merge <directory> <directories..>',
        'Join the shards of a run into one run',
        { guide: 'ci' },
        ['merge results/shard-1 results/shard-2 --out results/all', 'then: timerq report results/all']
      ),
      command(
        'completion',
        'Print a script that completes commands, options and values at Tab',
        {},
        ['completion', 'for the shell in $SHELL; append it to ~/.bashrc or ~/.zshrc']
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
