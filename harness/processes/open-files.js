/**
 * Sockets are open files, whose number the system limits for each process. A server with too few refuses connections,
 * and its figures describe a smaller load, so the limit is checked before a run.
 */
import os from 'node:os'
import { MOST_ENTRANTS } from '../model/cell.js'
import { UsageError } from '../model/errors.js'
import { kindIn } from '../model/kinds.js'
/** @import { Plan } from '../plan/plan.js' */

/** Open files of a process besides sockets: modules being read, pipes, event loops. timerq cannot start with fewer. */
export const RESERVE = 100
/** Pipes to one measuring process and to its load generator. */
const PIPES = 8
/** Connections that send requests while a scenario's work is counted. */
export const COUNTED_CONNECTIONS = 100

/**
 * @param {Plan} plan
 * @param {number} [limit]
 * @throws {UsageError} when a process of this plan needs more open files than it may have
 */
export function assertOpenFiles ({ cells, queues, scenarios }, limit = openFilesLimit()) {
  const kindOf = kindIn({ scenarios })
  const runner = RESERVE + PIPES * Math.min(queues.length, MOST_ENTRANTS)
  let most = { files: runner, what: 'this run needs', instead: '' }
  for (const {
    scenario,
    params: { connections = 0, idle = 0, threads = 1 }
  } of cells.filter(cell => kindOf(cell).isServer)) {
    const counted = os.availableParallelism() * Math.min(connections, COUNTED_CONNECTIONS)
    const files = Math.max(runner + counted, RESERVE + connections + idle + 2 * threads)
    if (files > most.files) {
      most = {
        files,
        what: `${connections + idle} connections of ${scenario} need`,
        instead: ', or measure with fewer connections'
      }
    }
  }
  if (most.files > limit) {
    throw new UsageError(
      `${most.what} ${most.files} open files in one process, but the limit is ${limit}: ` +
        `run "ulimit -n ${most.files}" first${most.instead}`
    )
  }
}

/**
 * Node raises the limit of its process as far as allowed when it starts; child processes inherit that.
 *
 * @returns {number}
 */
export function openFilesLimit () {
  const { userLimits } = /** @type {any} */ (process.report.getReport())
  const { soft } = userLimits?.open_files ?? { soft: 'unlimited' }
  return typeof soft === 'number' ? soft : Infinity
}
