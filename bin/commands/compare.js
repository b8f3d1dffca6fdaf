import { readResults, rooms } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { shellQuoted } from '../../harness/model/text.js'
import { comparisonDocument } from '../../reports/documents/comparison.js'
import { EXIT_CODES } from '../console.js'
import { pickByName } from '../request/catalogue.js'

const { compareQueues, compareRuns } = await rooms.compare()

/** @import { Console } from '../console.js' */
/** @import { Request } from '../request/request.js' */

/**
 * @typedef {Omit<Request, 'queue'> & {baseline: string, candidate?: string, queue?: string[], allowMissing?: boolean, profiles?: boolean}}
 *   CompareRequest
 *
 * @param {CompareRequest} request
 * @param {Console} console
 */
export async function handler (request, console) {
  const { base, candidate, queues } = sidesOf(request)
  const { floor, margin, alpha, allowMissing, commandLine } = request
  const options = { rules: { floor, margin, alpha }, command: commandLine }
  const record = queues
    ? compareQueues(base, queues.from, queues.to, options)
    : compareRuns(base, candidate, { ...options, allowMissing })
  console.show(request, { document: () => comparisonDocument(record), value: record })
  if (queues && record.verdict === 'inconclusive') {
    console.note(`more heats: timerq run --resume ${shellQuoted(request.baseline)} --until 1%, then compare again`)
  }
  if (request.profiles) {
    const { writeDifferences } = await import('../drawings.js')
    const files = writeDifferences(base, candidate, queues ?? {})
    if (files.length === 0) {
      throw new UsageError('--profiles needs CPU profiles of the same cells on both sides (try timerq run --profile)')
    }
    for (const file of files) console.note(`difference: ${file}`)
  }
  return EXIT_CODES[record.verdict]
}

/** @param {CompareRequest} request */
function sidesOf ({ baseline, candidate, queue: names }) {
  const base = readResults(baseline)
  if (names === undefined) {
    if (candidate === undefined) throw new UsageError('compare needs two results directories, or one and --queue a,b')
    return { base, candidate: readResults(candidate), queues: null }
  }
  if (candidate !== undefined) {
    throw new UsageError('--queue a,b compares within one results directory, got two (leave one of them out)')
  }
  if (names.length !== 2) {
    throw new UsageError(`--queue must name two queues, got "${names.join(',')}" (try binary-heap,hierarchical-wheel)`)
  }
  const { queues } = base.run.plan
  const [from, to] = names.map(
    name => pickByName('queue', queues, name, `${baseline} has ${enumerate(queues.map(({ name }) => name))}`).name
  )
  return { base, candidate: base, queues: { from, to } }
}
