/** The server of a scenario: how it starts, warms up and settles. */
import { sum } from 'simple-statistics'
import { SampleError } from '../../model/errors.js'
import { formatCount } from '../../model/numbers.js'
import { Child } from '../../processes/child.js'
import { SERVER } from '../../processes/entries.js'
import { listening } from '../../processes/shapes.js'
import { assertAnswers, assertRequests, describeFailures, describeMissing } from './settle.js'
/** @import { Warning } from '../../model/warnings.js' */
/** @import { LoadResult } from '../load/wrk.js' */
/** @import { ServerKind } from './running-server.js' */

/** A server's own count may exceed the load generator's by this share, and by an unanswered request a connection. */
const MOST_UNKNOWN = 0.05

/** @type {ServerKind} */
export const scenarioServer = {
  create: (job, { runtime, flags, signal }) => new Child(SERVER, { runtime, flags, signal }),
  listening,
  // Servers share the core while they warm up, too.
  whenWarm: (server, milliseconds) => AbortSignal.timeout(milliseconds * server.copies),
  settlingMs: 70,
  settle
}

/** @type {ServerKind['settle']} */
async function settle ({ needs, ask, job: { params } }, { client, window }) {
  const { pending, fault } = await ask({ type: 'settle' })
  /** @type {Warning[]} */
  const warnings =
    pending > 0 ? [{ kind: 'timers-left', text: `closed sockets left ${formatCount(pending, 'timer')} pending` }] : []
  assertRequests(window)
  if (!needs.breaksConnections) {
    assertAnswers(client)
    assertCount(window, client, params)
    warnings.unshift(...describeFailures(client), ...describeMissing(needs, params, window))
  }
  if (fault !== null) throw new SampleError('wrong', fault)
  return warnings
}

/**
 * CPU time is divided by the server's requests, so a queue that makes requests up would look fast. A server of slow
 * requests counts a few too many when it is held up at the end of its window: then the sample alone is lost.
 *
 * @type {(window: {requests: number}, client: LoadResult, params: Record<string, number>) => void}
 */
export function assertCount (window, client, { connections }) {
  const sent = client.requests + sum(Object.values(client.errors))
  const unknown = MOST_UNKNOWN * sent + connections
  if (window.requests <= sent + unknown) return
  throw new SampleError(
    window.requests > sent + 2 * unknown ? 'wrong' : 'load',
    `its server counted ${window.requests} requests, and the load generator ${sent}: its figures cannot be trusted`
  )
}
