import { UsageError } from '../../harness/model/errors.js'
import { mergeShards } from '../../harness/merge.js'
import { appendSample, createResults, readResults } from '../../harness/results.js'

export const command = 'merge <directory..>'
export const describe = 'Make one run of its shards'

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .positional('directory', { type: 'string', array: true, describe: 'Results directories of timerq run --shard' })
  .option('out', { type: 'string', demandOption: true, requiresArg: true, describe: 'Results directory to write' })

/** @param {{directory: string[], out: string, streams: import('../main.js').Streams}} argv */
export async function handler ({ directory, out, streams }) {
  if (directory.length < 2) throw new UsageError('merge needs the results directories of two shards or more')
  const { run, samples } = mergeShards(directory.map(readResults))
  createResults(out, run)
  for (const sample of samples) appendSample(out, sample)
  const measured = new Set(samples.map(({ cell }) => cell)).size
  streams.stderr.write(`results: ${out} (${samples.length} samples, ${measured} of ${run.plan.cells.length} cells); next: timerq report ${out}\n`)
  return 0
}
