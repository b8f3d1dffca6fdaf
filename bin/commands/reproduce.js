import os from 'node:os'
import path from 'node:path'
import { UsageError } from '../../harness/model/errors.js'
import { resolveRuntime } from '../../harness/processes/runtimes.js'
import { tools } from '../../harness/profile/tools/index.js'
import { reproduce, resumeReproduction } from '../../harness/reproduce/index.js'
import { contradicted } from '../../harness/reproduce/judge.js'
import { specsIn } from '../../harness/reproduce/observe.js'
import { planClaims } from '../../harness/reproduce/plan-claims.js'
import { runId } from '../../harness/run/run.js'
import { readResults } from '../../harness/store/results.js'
import { queues } from '../../queues/index.js'
import { reproductionDocument } from '../../reports/documents/reproduction.js'
import { claimsOf } from '../../scenarios/claims/index.js'
import { scenarios } from '../../scenarios/index.js'
import { stepProgress } from '../console.js'
import { pickByName } from '../request/catalogue.js'
import { settingsOfFindings } from '../request/plan.js'
import { refusePlanned } from '../request/resume.js'

/** @import { ReproduceOptions } from '../../harness/reproduce/index.js' */
/** @import { Catalogue } from '../../harness/reproduce/plan-claims.js' */
/** @import { Row } from '../../harness/reproduce/judge.js' */
/** @import { Claim, Preset } from '../../scenarios/claims/claim.js' */
/** @import { Console } from '../console.js' */
/** @import { CommonRequest, FormatRequest } from '../request/options.js' */

/** By performance.now(): a budget includes the time to start. */
const PROCESS_STARTED_MS = 0

/** @type {Catalogue} */
const catalogue = {
  queue: name => pickByName('queue', queues, name),
  scenario: name => pickByName('scenario', scenarios, name),
  runtime: flags => resolveRuntime(process.execPath, flags === '' ? [] : [flags])
}

/**
 * @typedef {CommonRequest & FormatRequest &
 *   {only?: string[], preset: Preset, rounds?: number, budget?: number, seed: number, strict?: boolean, out?: string, resume?: string}} ReproduceRequest
 *
 * @param {ReproduceRequest} request
 * @param {Console} console
 */
export async function handler (request, console) {
  const directory = request.resume ?? request.out ?? path.join('results', `reproduce-${runId(new Date())}`)
  const measure = request.resume === undefined ? await planReproduction(request) : planContinuing(request, directory, console)
  return console.interruptible(async signal => {
    const rows = await measure({
      directory,
      profiler: /** @type {ReproduceOptions['profiler']} */ (tools.find(({ name }) => name === 'cpu')),
      startedMs: PROCESS_STARTED_MS,
      onProgress: progress => console.showProgress(stepProgress(progress)),
      signal
    })
    console.show(request, { document: () => reproductionDocument(rows), value: { format: 'timerq-reproduce/1', rows } })
    return request.strict && contradicted(rows).length > 0 ? 1 : 0
  }, `finished samples are kept, continue with: timerq reproduce --resume ${directory}`, path.join(directory, 'run.json'))
}

/**
 * @param {ReproduceRequest} request
 * @returns {Promise<(options: ReproduceOptions) => Promise<Row[]>>}
 */
async function planReproduction (request) {
  const claims = chooseClaims(request.preset, request.only)
  const plan = await planClaims(claims, await settingsOfFindings(request), catalogue)
  return options => reproduce(plan, claims, { ...options, command: request.commandLine })
}

/**
 * @param {ReproduceRequest} request
 * @param {string} directory
 * @param {Console} console
 * @returns {(options: ReproduceOptions) => Promise<Row[]>}
 */
function planContinuing (request, directory, console) {
  refusePlanned(request, ['only', 'rounds', 'out'])
  const { plan } = readResults(directory).run
  if (!plan.claims) throw new UsageError(`${directory} holds no findings: continue it with timerq run --resume ${directory}`)
  const claims = chooseClaims(/** @type {Preset} */ (plan.settings.preset), plan.claims)
  return async options => resumeReproduction(plan, claims, {
    ...options,
    named: { runtimes: await Promise.all([...new Set(claims.flatMap(flagsOf))].map(catalogue.runtime)) },
    onNote: note => console.note(note),
    change: () => request.budget === undefined ? {} : { budgetSeconds: request.budget }
  })
}

/** @param {Claim} claim */
const flagsOf = ({ holds }) => holds.flatMap(specsIn).map(({ flags = '' }) => flags)

/**
 * @param {Preset} preset
 * @param {string[]} [names]  Findings (B3) or groups of findings (A); default: all.
 */
function chooseClaims (preset, names) {
  const claims = claimsOf({ preset, cores: os.availableParallelism() })
  return names?.flatMap(name => {
    const chosen = claims.filter(({ id }) => id === name || id.replace(/\d+$/, '') === name)
    if (chosen.length === 0) throw new UsageError(`--only must name findings, got "${name}" (${claims[0].id} to ${claims.at(-1)?.id})`)
    return chosen
  }) ?? claims
}
