import { mergeShards } from '../../harness/results/merge.js'
import { UsageError } from '../../harness/model/errors.js'
import { readResults, writeResults } from '../../harness/results/results.js'

/**
 * @param {{directory: string[], out: string}} request
 * @param {import('../console.js').Console} console
 */
export async function handler ({ directory, out }, console) {
  if (directory.length < 2) throw new UsageError('merge needs the results directories of at least two shards')
  const { run, samples } = mergeShards(directory.map(readResults))
  writeResults(out, run, samples)
  const measured = new Set(samples.map(({ cell }) => cell)).size
  console.note(`results: ${out} (${samples.length} samples, ${measured} of ${run.plan.cells.length} cells); next: timerq report ${out}`)
  return 0
}
