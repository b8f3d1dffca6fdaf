/**
 * The command line: every command with its options, in the order in which help shows them. A command's own module is
 * loaded only when it is chosen, so that help and a mistyped option answer at once: nothing heavy is imported here.
 */
import { GATE, GATE_BUDGET_SECONDS, presets, RECOMMEND, REPRODUCE_BUDGET_SECONDS, WATCH } from '../presets.js'
import { queues } from '../../queues/index.js'
import { scenarios } from '../../scenarios/index.js'
import { GATED_FILE, resolveQueues } from '../request/catalogue.js'
import { formatOptions, given, integer, list, parseBudget, parseCounts, parseRunBudget, planOptions, precisionOptions, PROFILE_SECONDS, queueOption, roundsOption, rulesOptions, scenarioOption, seedOption, sizeOption, text } from '../request/options.js'

/**
 * @typedef {import('yargs').Argv} Argv
 *
 * @typedef {object} Command
 * @property {string} command  Its name and positional arguments, as yargs reads them.
 * @property {string} [needs]  Its positional arguments, in words.
 * @property {typeof purposes[number]} purpose  What a user wants who chooses it.
 * @property {string} describe
 * @property {[command: string, what: string][]} examples  Behind `timerq`; the tests run them.
 * @property {boolean} [takesProgram]  Behind --.
 * @property {boolean} [measures]  Its many options are shown in groups.
 * @property {(yargs: Argv) => Argv | Promise<Argv>} options
 * @property {() => Promise<{handler: (request: any, console: import('../console.js').Console) => Promise<number>}>} load  The
 *   handler returns the exit code.
 */

/** What commands are for, in the order in which `timerq` alone shows them. */
export const purposes = /** @type {const} */ (['Choose a queue', 'See whether it matters to your program', 'Write a queue', 'Keep it fast', 'Work with results and the shell'])

/** For whoever has two minutes, a program, or an idea for a queue. */
export const firstSteps = [
  ['timerq run', 'Which queue is fastest, for which workload?'],
  ['timerq record -- node app.js', 'Does it matter to my program? (then: recommend)'],
  ['timerq new my-queue', 'Write a queue; then check it and measure it']
]

/** Options and arguments that take names, and the names. @type {Record<string, string[]>} */
export const namesFor = { queue: queues.map(({ name }) => name), scenario: scenarios.map(({ name }) => name) }

const LARGEST_CHECK_SEED = 2 ** 31 - 1

/** @type {Command[]} */
export const commands = [
  {
    command: 'list',
    purpose: 'Choose a queue',
    describe: 'Show all queues and scenarios, and what they declare',
    examples: [
      ['list', 'names for --queue and --scenario'],
      ['list --json', 'for programs']
    ],
    load: () => import('./list.js'),
    options: yargs => yargs
      .option('json', { type: 'boolean', describe: 'Print timerq-list/1' })
  },
  {
    command: 'run',
    purpose: 'Choose a queue',
    describe: 'Measure queues on scenarios and compare them',
    examples: [
      ['run', 'the usual queues on the usual scenarios'],
      ['run --queue ./my-queue.js,lazy-wheel --size 1000,100000', 'your queue against another'],
      ['run --scenario keep-alive --sweep connections=100,400', 'servers, with more and more connections']
    ],
    measures: true,
    load: () => import('./run.js'),
    options: yargs => precisionOptions(planOptions(yargs))
      .option('out', { ...text, describe: 'Results directory (default: results/<time>)' })
      .option('resume', { ...text, describe: 'Continue a run that was stopped: its results directory' })
      .option('profile', { type: 'boolean', describe: 'Also record a CPU profile of every server, in extra samples' })
      .option('json', { type: 'boolean', describe: 'Print timerq-summary/1 instead of tables' })
  },
  {
    command: 'reproduce',
    purpose: 'Choose a queue',
    describe: 'Measure every finding of the source documents: does it hold?',
    examples: [
      ['reproduce --only A,B3', 'some findings, by the names in its table'],
      ['reproduce --strict', 'for CI: fails where a finding no longer holds']
    ],
    measures: true,
    load: () => import('./reproduce.js'),
    options: yargs => formatOptions(yargs, 'timerq-reproduce/1')
      .option('only', { ...text, coerce: given(value => list('--only', value)), describe: 'Findings: A, B3 (default: all)' })
      .option('preset', { choices: Object.keys(presets).filter(name => name !== 'ci'), default: 'quick', describe: 'How much to measure, and for how long' })
      .option('rounds', { ...roundsOption, describe: 'Samples per cell (default: by preset; undecided findings get more)' })
      .option('budget', { ...text, coerce: given(parseRunBudget), describe: `Time to spend, at most, report included (default: ${REPRODUCE_BUDGET_SECONDS / 60}m in the quick preset)` })
      .option('seed', { ...seedOption, default: '1', describe: 'Seed of all random draws' })
      .option('resume', { ...text, describe: 'Continue a reproduction that was stopped: its results directory' })
      .option('strict', { type: 'boolean', describe: 'Exit with 1 when a finding does not hold' })
      .option('out', { ...text, describe: 'Results directory (default: results/reproduce-<time>)' })
  },
  {
    command: 'record',
    purpose: 'See whether it matters to your program',
    takesProgram: true,
    describe: "Record a program's timer operations: timerq record -- node app.js",
    examples: [
      ['record --out app.trace -- node app.js', 'then: timerq recommend --trace app.trace']
    ],
    load: () => import('./record.js'),
    options: yargs => yargs
      .option('out', { ...text, default: 'timerq.trace', describe: 'File to write' })
  },
  {
    command: 'recommend',
    purpose: 'See whether it matters to your program',
    describe: 'Rank the queues for a recorded program: is one worth changing to?',
    examples: [
      ['recommend --trace app.trace', 'which queue for this program, and is it worth it?'],
      ['recommend --trace app.trace --queue ./my-queue.js --budget 1m', "your queue against Node's design, in a minute"]
    ],
    measures: true,
    load: () => import('./recommend.js'),
    options: yargs => formatOptions(precisionOptions(yargs), 'timerq-recommendation/1')
      .option('trace', { ...text, describe: 'A file that timerq record wrote' })
      .option('queue', { ...queueOption, describe: "Queues: names, ./files.js or npm:packages (default: all of timerq's own that fire on time)" })
      .option('rounds', { ...roundsOption, describe: `Samples per queue, each from a fresh process (default: ${RECOMMEND.rounds})` })
      .describe({ budget: `Time to spend, at most (default: ${RECOMMEND.budgetSeconds / 60}m, unless there are --rounds or --until)` })
      .option('seed', { ...seedOption, describe: 'Seed of the order of measuring (default: random, and recorded)' })
      .option('out', { ...text, describe: 'Results directory (default: results/recommend-<time>)' })
      .option('resume', { ...text, describe: 'Continue one that was stopped: its results directory' })
  },
  {
    command: 'profile',
    purpose: 'See whether it matters to your program',
    takesProgram: true,
    describe: 'Show where the CPU time goes, of servers or of your own program',
    examples: [
      ['profile --queue sorted-list,hierarchical-wheel', "how much of a server's CPU is its timer queue?"],
      ['profile --with gc --scenario start-cancel', 'which queue makes garbage?'],
      ['profile -- node app.js', "how much of your program's CPU do its timers take?"]
    ],
    measures: true,
    load: () => import('./profile.js'),
    options: yargs => planOptions(yargs)
      .describe({ scenario: 'Scenarios (default: keep-alive)', rounds: 'Profiles per cell, each of a fresh process (default: 1)' })
      .option('with', { ...text, default: 'cpu', coerce: value => list('--with', value), describe: 'What to record: cpu, gc, 0x, clinic-doctor, clinic-flame, perf, or all' })
      .option('seconds', { ...text, coerce: given(value => integer('--seconds', value, 1)), describe: `Seconds to record (default: ${PROFILE_SECONDS}; a program of yours: until it ends)` })
      .option('connections', { ...text, coerce: given(value => parseCounts('--connections', value)), describe: 'Open connections: 400,1600' })
      .option('against', { ...text, describe: 'Also draw the difference from a queue, or from a directory of earlier profiles' })
      .option('out', { ...text, describe: 'Results directory (default: results/profile-<time>)' })
      .option('json', { type: 'boolean', describe: 'Print timerq-summary/1 instead of tables' })
  },
  {
    command: 'new <name>',
    purpose: 'Write a queue',
    describe: 'Write a queue to start from, and its test',
    examples: [
      ['new my-queue', 'then: timerq check ./my-queue.js']
    ],
    load: () => import('./new.js'),
    options: yargs => yargs
      .positional('name', { type: 'string', describe: 'In kebab case: my-queue makes my-queue.js and my-queue.test.js' })
  },
  {
    command: 'check <queue..>',
    purpose: 'Write a queue',
    describe: 'Check whether queues keep the contract',
    examples: [
      ['check ./my-queue.js', 'every clause of the contract, with a counter-example where it breaks'],
      ['check lazy-wheel npm:my-queue', 'several queues, on all cores']
    ],
    load: () => import('./check.js'),
    options: yargs => yargs
      .positional('queue', { type: 'string', array: true, coerce: (/** @type {string[]} */ queue) => resolveQueues(queue), describe: 'Queues: names, ./files.js or npm:packages' })
      .option('seed', { ...text, default: '1', coerce: seed => integer('--seed', seed, 0, LARGEST_CHECK_SEED), describe: 'Seed of the generated sequences' })
      .option('json', { type: 'boolean', describe: 'Print timerq-check/1' })
  },
  {
    command: 'watch <queue>',
    purpose: 'Write a queue',
    describe: 'Check and measure a queue at every save, in seconds',
    examples: [
      ['watch ./my-queue.js', "beside Node's design, and beside what it cost before the save"],
      ['watch ./my-queue.js --against lazy-wheel --scenario start-cancel', 'beside another queue, too']
    ],
    load: () => import('./watch.js'),
    options: yargs => yargs
      .positional('queue', { type: 'string', coerce: (/** @type {string} */ queue) => resolveQueues([queue]), describe: 'File of the queue: ./my-queue.js' })
      .option('against', { ...queueOption, describe: 'Queues to measure beside it: names, ./files.js or npm:packages' })
      .option('scenario', { ...scenarioOption, describe: `Scenarios (default: ${WATCH.scenarios.join(', ')})` })
      .option('size', { ...sizeOption, describe: `Pending timers (default: ${WATCH.size})` })
  },
  {
    command: 'gate',
    purpose: 'Keep it fast',
    describe: 'Fail when a change made a queue slower: the exit code is the verdict',
    examples: [
      ['gate --base main --queue ./src/wheel.js', 'is my working tree slower than main?'],
      ['gate --base baseline.json --update --queue ./src/wheel.js', 'counts without noise, to be committed'],
      ['gate --base baseline.json', 'did the counts grow?']
    ],
    measures: true,
    load: () => import('./gate.js'),
    options: async yargs => formatOptions(await rulesOptions(planOptions(yargs)), 'timerq-comparison/1')
      .option('queue', { ...text, coerce: given(value => resolveQueues(list('--queue', value), `--queue must name files of this repository: ${GATED_FILE}`)), describe: 'Queues: ./files.js of this repository (default, in timerq itself: its own)' })
      .describe({
        scenario: `Scenarios (default: ${GATE.scenarios.join(', ')})`,
        rounds: `Pairs per cell, at most (default: ${GATE.rounds}, or what the budget allows)`
      })
      .hide('preset')
      .hide('shard')
      .option('base', { ...text, describe: 'Revision to compare the working tree with, or baseline.json' })
      .option('budget', { ...text, defaultDescription: `${GATE_BUDGET_SECONDS / 60}m`, coerce: given(parseBudget), describe: 'Time to spend, at most' })
      .option('update', { type: 'boolean', describe: 'Count again, and write baseline.json' })
      .option('out', { ...text, describe: 'Results directory (default: results/gate-<time>)' })
      .option('resume', { ...text, describe: 'Continue a gate that was stopped: its results directory' })
      .option('junit', { ...text, describe: 'JUnit XML file to write' })
      .option('comment', { ...text, describe: 'Markdown file to write, short enough for a comment on a pull request' })
      .option('self-check', { type: 'boolean', describe: 'Compare the base with itself: can this machine tell?' })
  },
  {
    command: 'compare <baseline> [candidate]',
    purpose: 'Keep it fast',
    describe: 'Compare two results directories, or two queues of one',
    examples: [
      ['compare results/before results/after', 'what was counted; times need timerq gate'],
      ['compare results/now --queue binary-heap,hierarchical-wheel', 'is the wheel slower than the heap?']
    ],
    load: () => import('./compare.js'),
    options: async yargs => formatOptions(await rulesOptions(yargs), 'timerq-comparison/1')
      .positional('baseline', { type: 'string', describe: 'Results directory' })
      .positional('candidate', { type: 'string', describe: 'Results directory of what may have become slower' })
      .option('queue', { ...text, coerce: given(value => list('--queue', value)), describe: 'Within one directory: a,b compares b with a' })
      .option('allow-missing', { type: 'boolean', describe: 'Cells that only the baseline has do not fail the comparison' })
      .option('profiles', { type: 'boolean', describe: "Also draw the difference of their CPU profiles, beside the candidate's" })
  },
  {
    command: 'history <directories..>',
    needs: 'two or more results directories',
    purpose: 'Keep it fast',
    describe: 'Follow cells over several runs, and mark what the latest one changed',
    examples: [
      ['history results/*', 'one directory per commit, for example'],
      ['history results/* --out history.md', 'with charts']
    ],
    load: () => import('./history.js'),
    options: yargs => yargs
      .positional('directories', { type: 'string', array: true, describe: 'Results directories, for example one per commit' })
      .option('format', { choices: ['terminal', 'markdown', 'json'], describe: 'What to make (default: by the ending of --out, else terminal)' })
      .option('out', { ...text, describe: 'File to write (default: standard output); pictures go beside it' })
  },
  {
    command: 'report <directory>',
    purpose: 'Work with results and the shell',
    describe: 'Make a report from a results directory',
    examples: [
      ['report results/now --out report.html', 'one file with interactive charts'],
      ['report results/now --format benchmark-action --out benchmark.json', 'for github-action-benchmark, customSmallerIsBetter']
    ],
    load: () => import('./report.js'),
    options: yargs => yargs
      .positional('directory', { type: 'string', describe: 'Results directory of a run' })
      .option('format', {
        choices: ['terminal', 'markdown', 'html', 'json', 'csv', 'benchmark-action', 'bencher'],
        describe: 'What to make; the last two are for dashboards (default: by the ending of --out, else terminal)'
      })
      .option('base', { ...text, describe: 'Results directory to compare with, in markdown and html' })
      .option('profiles', { ...text, describe: 'Results directory of timerq profile to include, in markdown and html' })
      .option('out', { ...text, describe: 'File to write (default: standard output); pictures go beside it' })
  },
  {
    command: 'merge <directory..>',
    needs: 'the results directories of two or more shards',
    purpose: 'Work with results and the shell',
    describe: 'Join the shards of a run into one run',
    examples: [
      ['merge results/shard-1 results/shard-2 --out results/all', 'then: timerq report results/all']
    ],
    load: () => import('./merge.js'),
    options: yargs => yargs
      .positional('directory', { type: 'string', array: true, describe: 'Results directories of timerq run --shard' })
      .option('out', { ...text, demandOption: true, describe: 'Results directory to write' })
  },
  {
    command: 'completion <shell>',
    purpose: 'Work with results and the shell',
    describe: 'Print a script that completes commands, options and names at Tab',
    examples: [
      ['completion bash', 'to be added to ~/.bashrc'],
      ['completion zsh', 'to be added to ~/.zshrc'],
      ['completion fish', 'for ~/.config/fish/completions/timerq.fish']
    ],
    load: () => import('./completion.js'),
    options: yargs => yargs
      .positional('shell', { choices: ['bash', 'zsh', 'fish'], describe: 'Which shell' })
  }
]
