import { UsageError } from '../../harness/model/errors.js'
import { compareQueues, compareRuns } from '../../harness/compare.js'
import { readResults } from '../../harness/results.js'
import { renderComparisonMarkdown } from '../../reports/render/comparison-markdown.js'
import { renderComparison } from '../../reports/render/comparison-terminal.js'
import { EXIT_CODES, rulesFromOptions, rulesOptions } from '../judging.js'
import { pickByName } from '../pick-by-name.js'
import { terminalStyle } from '../terminal-style.js'
import { writeDifferences } from '../write-profiles.js'

export const command = 'compare <baseline> [candidate]'
export const describe = 'Compare two results directories, or two queues of one'

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => rulesOptions(yargs)
  .positional('baseline', { type: 'string', describe: 'Results directory' })
  .positional('candidate', { type: 'string', describe: 'Results directory of what may have become slower' })
  .option('queue', { type: 'string', requiresArg: true, describe: 'Within one directory: a,b compares b with a' })
  .option('profiles', { type: 'boolean', describe: "Also draw the difference of their CPU profiles, beside the candidate's" })
  .option('format', { choices: ['terminal', 'markdown', 'json'], default: 'terminal', describe: 'What to print' })
  .option('json', { type: 'boolean', describe: 'Print timerq-comparison/1' })
  .example('$0 compare results/before results/after', '')
  .example('$0 compare results/now --queue binary-heap,hierarchical-wheel', 'is the wheel slower than the heap?')

/**
 * @param {any} argv
 * @returns {Promise<number>}
 */
export async function handler (argv) {
  const { streams, color } = argv
  const { base, candidate, queues } = sidesFromOptions(argv)
  const options = { rules: rulesFromOptions(argv), command: ['timerq', ...process.argv.slice(2)] }
  const record = queues ? compareQueues(base, queues.from, queues.to, options) : compareRuns(base, candidate, options)
  const render = {
    terminal: () => renderComparison(record, terminalStyle(streams.stdout, color)),
    markdown: () => renderComparisonMarkdown(record),
    json: () => JSON.stringify(record, null, 2) + '\n'
  }[/** @type {'terminal'} */ (argv.json ? 'json' : argv.format)]
  streams.stdout.write(render())
  if (argv.profiles) {
    const files = writeDifferences(base, candidate, queues ?? {})
    if (files.length === 0) throw new UsageError('both sides need CPU profiles of the same cells (try timerq run --profile)')
    for (const file of files) streams.stderr.write(`difference: ${file}\n`)
  }
  return EXIT_CODES[record.verdict]
}

/** @param {any} argv */
function sidesFromOptions ({ baseline, candidate, queue }) {
  const base = readResults(baseline)
  if (queue === undefined) {
    if (candidate === undefined) throw new UsageError('compare needs two results directories, or one and --queue a,b')
    return { base, candidate: readResults(candidate), queues: null }
  }
  if (candidate !== undefined) throw new UsageError('--queue a,b compares within one results directory, got two')
  const names = queue.split(',')
  if (names.length !== 2) throw new UsageError(`--queue must name two queues, got "${queue}" (try binary-heap,hierarchical-wheel)`)
  const [from, to] = names.map((/** @type {string} */ name) => pickByName('queue', base.run.plan.queues, name).name)
  return { base, candidate: base, queues: { from, to } }
}
