/** `timerq check`: tests whether queues keep the contract. */
import os from 'node:os'
import { pMapIterable } from 'p-map'
import { rooms } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { checkedQueueDocument, checkSummary } from '../../reports/documents/check.js'

const { checkQueue } = await rooms.conformance()

/** @import { CheckedQueue } from '../../reports/documents/check.js' */
/** @import { Console } from '../console.js' */
/** @import { ResolvedQueue } from '../request/catalogue.js' */

/** @type {(request: {queue: ResolvedQueue[], seed: number, json?: boolean}, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const { queue: queues, seed, json } = request
  const builtIn = queues.find(({ origin }) => origin === 'built-in')
  if (builtIn) throw new UsageError(`${builtIn.name} is built into Node and has no class to check (name another queue)`)
  const signal = console.interruptible()
  /** @type {CheckedQueue[]} */
  const checked = []
  // Nothing is timed, so all cores work. Results come in the order of the command line.
  const results = pMapIterable(
    queues,
    async ({ name, url }) => ({ queue: name, ...(await checkQueue(url, { seed, signal })) }),
    { concurrency: os.availableParallelism(), backpressure: Infinity }
  )
  for await (const result of results) {
    checked.push(result)
    if (json) continue
    console.show(request, { document: () => checkedQueueDocument(result), value: result })
    console.print('\n')
  }
  console.show(request, {
    document: () => checkSummary(checked),
    value: { format: 'timerq-check/1', queues: checked }
  })
  return checked.every(({ holds }) => holds) ? 0 : 1
}
