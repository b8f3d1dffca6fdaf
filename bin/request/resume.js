/** What somebody who continues a run must name again: it starts no file and no program that is named by run.json alone. */
import { splitLoadCommand } from '../../harness/measure/http/load-command.js'
import { UsageError } from '../../harness/model/errors.js'
import { shellQuoted } from '../../harness/model/text.js'
import { resolveRuntimes } from './plan.js'

/**
 * @typedef {Pick<import('./options.js').MeasureRequest, 'queue' | 'runtime' | 'nodeFlags' | 'loadCommand' | 'listen'>} Naming
 *
 * @param {Naming} request
 * @returns {Promise<import('../../harness/run/continuation.js').Named>}
 */
export async function whatIsNamed ({ queue = [], runtime = [process.execPath], nodeFlags = [[]], loadCommand, listen }) {
  return {
    runtimes: await resolveRuntimes(runtime, nodeFlags),
    modules: queue.map(({ url }) => url),
    loadCommand: loadCommand === undefined ? undefined : splitLoadCommand(loadCommand),
    listen
  }
}

/**
 * @template {object} Request
 * @param {Request} request  To continue a run.
 * @param {readonly (keyof Request & string)[]} planned  Options that its plan holds.
 * @throws {UsageError} when it asks for one of them
 */
export function refusePlanned (request, planned) {
  const asked = planned.find(name => request[name] !== undefined)
  if (asked) throw new UsageError(`--resume continues as planned: it takes no --${asked.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`)
}

/**
 * The options of a request that the continued run needs again.
 *
 * @param {Naming & {commandLine: string[]}} request
 */
export function nameAgain ({ queue = [], runtime = [], loadCommand, listen, commandLine }) {
  const files = queue.filter(({ origin }) => origin === 'user').map(({ spec }) => spec)
  const flags = commandLine.find((_, i) => commandLine[i - 1] === '--node-flags') ?? commandLine.find(word => word.startsWith('--node-flags='))?.replace('--node-flags=', '')
  return [
    ...(files.length > 0 ? [`--queue ${files.join(',')}`] : []),
    ...(runtime.length > 0 ? [`--runtime ${runtime.join(',')}`] : []),
    ...(flags === undefined ? [] : [`--node-flags "${flags}"`]),
    ...(listen === undefined ? [] : [`--listen ${listen}`]),
    ...(loadCommand === undefined ? [] : [`--load-command ${shellQuoted(loadCommand)}`])
  ].map(option => ` ${option}`).join('')
}
