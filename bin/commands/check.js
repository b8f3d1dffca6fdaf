import os from 'node:os'
import { pMapIterable } from 'p-map'
import { checkQueue } from '../../harness/conformance/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { checkedQueueDocument, checkSummary } from '../../reports/documents/check.js'

/**
 * @param {{queue: import('../request/catalogue.js').ResolvedQueue[], seed: number, json?: boolean}} request
 * @param {import('../console.js').Console} console
 */
export async function handler (request, console) {
  const { queue: queues, seed, json } = request
  const builtIn = queues.find(({ origin }) => origin === 'built-in')
  if (builtIn) throw new UsageError(`${builtIn.name} is built into Node: it has no class to check`)
  return console.interruptible(async signal => {
    /** @type {import('../../reports/documents/check.js').CheckedQueue[]} */
    const checked = []
    // Nothing is timed, so all cores work. Results come in the order in which the queues are named.
    const results = pMapIterable(queues, async ({ name, url }) => ({ queue: name, ...await checkQueue(url, { seed, signal }) }),
      { concurrency: os.availableParallelism(), backpressure: Infinity })
    for await (const result of results) {
      checked.push(result)
      if (!json) {
        console.show(request, { document: () => checkedQueueDocument(result), value: result })
        console.print('\n')
      }
    }
    console.show(request, { document: () => checkSummary(checked), value: { format: 'timerq-check/1', queues: checked } })
    return checked.every(({ holds }) => holds) ? 0 : 1
  })
}
