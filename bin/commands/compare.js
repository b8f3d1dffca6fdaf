import { UsageError } from '../../harness/errors.js'
import { compareQueues, compareRuns } from '../../harness/compare.js'
import { readResults } from '../../harness/results.js'
import { renderComparisonMarkdown } from '../../reports/comparison-markdown.js'
import { renderComparison } from '../../reports/comparison-terminal.js'
import { EXIT_CODES, rulesFromOptions, rulesOptions } from '../judging.js'
import { pickByName } from '../pick-by-name.js'
import { terminalStyle } from '../terminal-style.js'

export const command = 'compare <baseline> [candidate]'
export const describe = 'Compare two results directories, or two queues of one'

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => rulesOptions(yargs)
  .positional('baseline', { type: 'string', describe: 'Results directory' })
  .positional('candidate', { type: 'string', describe: 'Results directory of what may have become slower' })
  .option('queue', { type: 'string', requiresArg: true, describe: 'Within one directory: a,b compares b with a' })
  .option('format', { choices: ['terminal', 'markdown', 'json'], default: 'terminal', describe: 'What to print' })
  .option('json', { type: 'boolean', describe: 'Print timerq-comparison/1' })
  .example('$0 compare results/before results/after', '')
  .example('$0 compare results/now --queue binary-heap,hierarchical-wheel', 'is the wheel slower than the heap?')

/**
 * @param {any} argv
 * @returns {Promise<number>}
 */
export async function handler (argv) {
  const record = compare(argv)
  const { streams, color } = argv
  const render = {
    terminal: () => renderComparison(record, terminalStyle(streams.stdout, color)),
    markdown: () => renderComparisonMarkdown(record),
    json: () => JSON.stringify(record, null, 2) + '\n'
  }[/** @type {'terminal'} */ (argv.json ? 'json' : argv.format)]
  streams.stdout.write(render())
  return EXIT_CODES[record.verdict]
}

/** @param {any} argv */
function compare (argv) {
  const { baseline, candidate, queue } = argv
  const options = { rules: rulesFromOptions(argv), command: ['timerq', ...process.argv.slice(2)] }
  const results = readResults(baseline)
  if (queue === undefined) {
    if (candidate === undefined) throw new UsageError('compare needs two results directories, or one and --queue a,b')
    return compareRuns(results, readResults(candidate), options)
  }
  if (candidate !== undefined) throw new UsageError('--queue a,b compares within one results directory, got two')
  const names = queue.split(',')
  if (names.length !== 2) throw new UsageError(`--queue must name two queues, got "${queue}" (try binary-heap,hierarchical-wheel)`)
  const [base, head] = names.map((/** @type {string} */ name) => pickByName('queue', results.run.plan.queues, name).name)
  return compareQueues(results, base, head, options)
}
