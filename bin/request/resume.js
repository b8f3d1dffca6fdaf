/** What somebody who continues a run must name again: it starts no file and no program that is named by run.json alone. */
import { resolveRuntimes } from './plan.js'

/**
 * @typedef {{queue?: import('./catalogue.js').ResolvedQueue[], runtime?: string[], nodeFlags?: string[][], commandLine: string[]}} Naming
 *
 * @param {Omit<Naming, 'commandLine'>} request
 * @returns {Promise<import('../../harness/results/continuation.js').Named>}
 */
export async function whatIsNamed ({ queue = [], runtime = [process.execPath], nodeFlags = [[]] }) {
  return { runtimes: await resolveRuntimes(runtime, nodeFlags), modules: queue.map(({ url }) => url) }
}

/**
 * The options of a request that the continued run needs again.
 *
 * @param {Naming} request
 */
export function nameAgain ({ queue = [], runtime = [], commandLine }) {
  const files = queue.filter(({ origin }) => origin === 'user').map(({ spec }) => spec)
  const flags = commandLine.find((_, i) => commandLine[i - 1] === '--node-flags') ?? commandLine.find(word => word.startsWith('--node-flags='))?.replace('--node-flags=', '')
  return [
    ...(files.length > 0 ? [`--queue ${files.join(',')}`] : []),
    ...(runtime.length > 0 ? [`--runtime ${runtime.join(',')}`] : []),
    ...(flags === undefined ? [] : [`--node-flags "${flags}"`])
  ].map(option => ` ${option}`).join('')
}
