import { measuredCells, mergeShards } from '../../harness/store/merge.js'
import { UsageError } from '../../harness/model/errors.js'
import { readResults, writeResults } from '../../harness/store/results.js'

/**
 * @param {{directory: string[], out: string}} request
 * @param {import('../console.js').Console} console
 */
export async function handler ({ directory, out }, console) {
  if (directory.length < 2) throw new UsageError('merge needs the results directories of at least two shards')
  const shards = directory.map(readResults)
  const { run, samples } = mergeShards(shards)
  writeResults(out, run, samples)
  const taken = shards.reduce((sum, { samples }) => sum + samples.length, 0)
  const measured = shards.flatMap(measuredCells).length
  console.note(`results: ${out} (${taken} samples, ${measured} of ${run.plan.cells.length} cells); next: timerq report ${out}`)
  return 0
}
