import os from 'node:os'
import { checkQueue } from '../../harness/conformance/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { renderCheckedQueue, renderCheckSummary } from '../../reports/documents/check.js'
import { resolveQueues } from '../resolve-queues.js'
import { terminalStyle } from '../terminal-style.js'

export const command = 'check <queue..>'
export const describe = 'Verify that queues keep the contract'

const INTERRUPTED = 130
const LARGEST_SEED = 2 ** 31 - 1

/** @param {import('yargs').Argv} yargs */
export const builder = yargs => yargs
  .positional('queue', { type: 'string', array: true, describe: 'Queues: names, ./files.js, npm:packages' })
  .option('seed', { type: 'string', default: '1', requiresArg: true, describe: 'Of the generated sequences' })
  .option('json', { type: 'boolean', describe: 'Print timerq-check/1' })
  .example('$0 check ./my-queue.js', '')

/**
 * @typedef {{queue: string[], seed?: string, json?: boolean, color?: boolean}} CheckOptions
 *
 * @param {CheckOptions & {streams: import('../main.js').Streams}} argv
 * @returns {Promise<number>}
 */
export async function handler ({ queue, seed = '1', json, color, streams }) {
  const queues = resolveQueues(queue)
  const builtIn = queues.find(({ origin }) => origin === 'built-in')
  if (builtIn) throw new UsageError(`${builtIn.name} is built into Node: it has no class that could be checked`)
  const style = terminalStyle(streams.stdout, color)
  const interrupt = new AbortController()
  const onSignal = () => interrupt.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    const checking = checkAll(queues, { seed: parseSeed(seed), signal: interrupt.signal })
    const checked = []
    for (const { name, verdict } of checking) {
      const result = { queue: name, ...await verdict }
      checked.push(result)
      if (!json) streams.stdout.write(renderCheckedQueue(result, style))
    }
    const document = { format: 'timerq-check/1', queues: checked }
    streams.stdout.write(json ? JSON.stringify(document, null, 2) + '\n' : renderCheckSummary(checked))
    return checked.every(({ holds }) => holds) ? 0 : 1
  } catch (error) {
    if (interrupt.signal.aborted) return INTERRUPTED
    interrupt.abort()
    throw error
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/**
 * Nothing is timed, so that all cores may work; what is shown first is checked first.
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
    // Whoever awaits the verdict learns of the failure.
    lanes[lane] = verdict.catch(() => {})
    return { name, verdict }
  })
}

/** @param {string} text */
function parseSeed (text) {
  const seed = Number(text)
  if (/^\d+$/.test(text) && seed <= LARGEST_SEED) return seed
  throw new UsageError(`--seed must be an integer from 0 to ${LARGEST_SEED}, got "${text}"`)
}
