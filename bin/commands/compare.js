/** `timerq compare`: two results directories, or two queues of one. */
import { readResults, rooms } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { commandLine } from '../../reports/blocks.js'
import { comparisonDocument } from '../../reports/documents/comparison.js'
import { EXIT_CODES } from '../console.js'
import { pickByName } from '../request/catalogue.js'
import { againOf } from '../request/again.js'
import { optionsOf } from '../request/options.js'
import { commandIn } from '../request/request.js'

const { compareQueues, compareRuns } = await rooms.compare()

/** @import { Console } from '../console.js' */
/** @import { Request } from '../request/request.js' */

/**
 * @typedef {object} CompareOptions
 * @property {string} baseline  Results directory.
 * @property {string} [candidate]  Results directory.
 * @property {string[]} [queue]  Names of two queues of the baseline.
 *
 * @typedef {Omit<Request, 'queue'> & CompareOptions} CompareRequest
 */

/** @type {(request: CompareRequest, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const { base, candidate, queues } = sidesOf(request)
  const { rules, commandLine: command } = request
  const options = { rules, command }
  const record = queues
    ? compareQueues(base, queues.from, queues.to, options)
    : compareRuns(base, candidate, options)
  console.show(request, { document: () => comparisonDocument(record), value: record })
  if (queues && record.verdict === 'inconclusive') {
    const { command: words } = base.run
    const { command } = commandIn(words.slice(1))
    if (command && optionsOf(command).some(({ name }) => name === 'until')) {
      const more = ['timerq', command.name, '--resume', request.baseline, '--until', '1%', ...againOf(words)]
      console.note(`more heats: ${commandLine(more).text}, then compare again`)
    }
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
