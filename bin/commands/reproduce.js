import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'
import { tools } from '../../harness/profile/tools/index.js'
import { claims } from '../../harness/reproduce/claims/index.js'
import { reproduce } from '../../harness/reproduce/index.js'
import { contradicted } from '../../harness/reproduce/judge.js'
import { runId } from '../../harness/run/run.js'
import { queues } from '../../queues/index.js'
import { reproductionDocument } from '../../reports/documents/reproduction.js'
import { scenarios } from '../../scenarios/index.js'
import { stepProgress } from '../console.js'
import { pickByName } from '../request/catalogue.js'
import { parseFlags } from '../request/options.js'
import { resolveRuntimes, settingsOfFindings } from '../request/plan.js'

/** So that the quick preset is done in ten minutes, report included. */
const SECONDS = { quick: 580, documented: Infinity }

/**
 * @typedef {import('../request/options.js').CommonRequest & import('../request/options.js').FormatRequest &
 *   {only?: string[], preset: 'quick' | 'documented', rounds?: number, seed: number, strict?: boolean, out?: string}} ReproduceRequest
 *
 * @param {ReproduceRequest} request
 * @param {import('../console.js').Console} console
 */
export async function handler (request, console) {
  const chosen = chooseFindings(request.only)
  const directory = request.out ?? path.join('results', `reproduce-${runId(new Date())}`)
  return console.interruptible(async signal => {
    const rows = await reproduce(chosen, {
      settings: await settingsOfFindings(request),
      seconds: SECONDS[request.preset],
      catalogue: {
        queue: name => pickByName('queue', queues, name),
        scenario: name => pickByName('scenario', scenarios, name),
        runtimes: (nodeFlags = '') => resolveRuntimes([process.execPath], parseFlags(nodeFlags))
      },
      profiler: /** @type {import('../../harness/profile/tools/index.js').Tool} */ (tools.find(({ name }) => name === 'cpu')),
      directory,
      command: request.commandLine,
      onProgress: progress => console.showProgress(stepProgress(progress)),
      onProfile: ({ cell, done, total }) => console.showProgress({ done, total, unit: 'profiles', text: `${cell.queue}, ${cell.scenario}` }),
      signal
    })
    console.show(request, { document: () => reproductionDocument(rows), value: { format: 'timerq-reproduce/1', rows } })
    return request.strict && contradicted(rows).length > 0 ? 1 : 0
  }, `finished samples are kept in ${directory}`)
}

/**
 * @param {string[]} [wanted]  Findings (B3) or groups of them (A).
 */
function chooseFindings (wanted) {
  return wanted?.flatMap(name => {
    const found = claims.filter(({ id }) => id === name || id.replace(/\d+$/, '') === name)
    if (found.length === 0) throw new UsageError(`--only must name findings, got "${name}" (${claims[0].id} to ${claims.at(-1)?.id})`)
    return found
  }) ?? claims
}
