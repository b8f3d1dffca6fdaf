import { rooms } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { queues } from '../../queues/index.js'
import { reproductionDocument } from '../../reports/documents/reproduction.js'
import { scenarios } from '../../scenarios/index.js'
import { measuringCommand } from '../measuring.js'
import { pickByName } from '../request/catalogue.js'
import { resolveRuntimes, settingsOfFindings } from '../request/plan.js'
import { flags } from '../request/values.js'

/** @import { Tool } from '../../harness/profile/tools/index.js' */

const { claims, contradicted, reproduce } = await rooms.reproduce()
const { tools } = await rooms.profile()

/** With the quick preset, ten minutes pass until the report is printed. */
const SECONDS = { quick: 580, documented: Infinity }

export const handler = measuringCommand({
  name: 'reproduce',
  start: async (request, { startedMs, onNote, ...options }, console) => {
    const rows = await reproduce(chooseFindings(request.only), {
      ...options,
      settings: await settingsOfFindings(request),
      seconds: SECONDS[/** @type {'quick'} */ (request.preset)],
      catalogue: {
        queue: name => pickByName('queue', queues, name),
        scenario: name => pickByName('scenario', scenarios, name),
        runtimes: (nodeFlags = '') => resolveRuntimes([process.execPath], flags('--node-flags', nodeFlags))
      },
      profiler: /** @type {Tool} */ (tools.find(({ name }) => name === 'cpu')),
      onProfile: ({ cell, done, total }) => console.showProgress({ done, total, unit: 'profiles', text: `${cell.queue}, ${cell.scenario}` })
    })
    console.show(request, { document: () => reproductionDocument(rows), value: { format: 'timerq-reproduce/1', rows } })
    return request.strict && contradicted(rows).length > 0 ? 1 : 0
  }
})

/** @param {string[]} [names]  Findings (B3) or groups of findings (A). */
function chooseFindings (names) {
  return names?.flatMap(name => {
    const findings = claims.filter(({ id }) => id === name || id.replace(/\d+$/, '') === name)
    if (findings.length === 0) throw new UsageError(`--only must name findings, got "${name}" (${claims[0].id} to ${claims.at(-1)?.id})`)
    return findings
  }) ?? claims
}
