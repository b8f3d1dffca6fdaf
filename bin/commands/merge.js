/** `timerq merge`: joins the shards of a run. */
import { readResults, rooms, writeResults } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'

/** @import { Console } from '../console.js' */

const { measuredCells, mergeShards } = await rooms.merge()

/** @type {(request: {directory: string, directories: string[], out?: string}, console: Console) => Promise<number>} */
export async function handler ({ directory, directories, out }, console) {
  if (out === undefined) throw new UsageError('merge needs --out (timerq merge --help lists its options)')
  const shards = [directory, ...directories].map(readResults)
  const { run, samples } = mergeShards(shards)
  writeResults(out, run, samples)
  console.note(
    `results: ${out} (${samples.length} samples, ${shards.flatMap(measuredCells).length} of ${run.plan.cells.length} ` +
      `cells); next: timerq report ${out}`
  )
  return 0
}
