import os from 'node:os'
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
    for (const { name, verdict } of checkAll(queues, { seed, signal })) {
      const result = { queue: name, ...await verdict }
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

/**
 * Nothing is timed, so all cores work. The queues are checked in the order in which they are shown.
 *
 * @param {{name: string, url: string}[]} queues
 * @param {{seed: number, signal: AbortSignal}} options
 */
function checkAll (queues, options) {
  /** @type {Promise<unknown>[]} */
  const lanes = Array.from({ length: os.availableParallelism() }, () => Promise.resolve())
  return queues.map(({ name, url }, i) => {
    const lane = i % lanes.length
    const verdict = lanes[lane].then(() => checkQueue(url, options))
    // The caller that awaits the verdict sees the failure.
    lanes[lane] = verdict.catch(() => {})
    return { name, verdict }
  })
}
