/** `timerq merge`: joins the shards of a run. */
import { readResults, rooms, writeResults } from '../../harness/index.js'
import { compact } from '../../harness/model/compact.js'
import { UsageError } from '../../harness/model/errors.js'
import { nextStep } from './index.js'

/** @import { Console } from '../console.js' */

const { measuredCells, mergeShards } = await rooms.merge()

/** @type {(request: {directory: string, directories: string[], out?: string}, console: Console) => Promise<number>} */
export async function handler ({ directory, directories, out }, console) {
  if (out === undefined) throw new UsageError('merge needs --out (timerq merge --help lists its options)')
  const shards = [directory, ...directories].map(readResults)
  const { run, samples } = mergeShards(shards)
  writeResults(out, run, samples)
  const cells = `${shards.flatMap(measuredCells).length} of ${run.plan.cells.length} cells`
  const results = `results: ${out} (${samples.length} samples, ${cells})`
  console.note(compact(results, nextStep(`report ${out}`)).join('; '))
  return 0
}
