/** Builds the plan of a gate: base against head of queues in a repository, or counts against a baseline file. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { assertBudget, createGatePlan, SIDE_URL } from '../../harness/gate/plan.js'
import { isInCommit, repositoryRoot, resolveCommit } from '../../harness/gate/sides.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { scenarios } from '../../scenarios/index.js'
import { DEFAULT_QUEUES, GATE, GATE_BUDGET_SECONDS } from '../presets.js'
import { GATED_FILE, pickByName, resolveQueues } from './catalogue.js'
import { chooseParts, planOf } from './plan.js'
import { rulesOf } from './rules.js'

/**
 * @typedef {import('./options.js').MeasureRequest} MeasureRequest
 * @typedef {MeasureRequest & import('./options.js').RulesRequest & {base: string, budget?: number, selfCheck?: boolean}} GateRequest  `budget` is in seconds.
 */

/** Counts are compared from one day to the next: their workload must stay the same. */
const BASELINE_SEED = 1
/** Options that a baseline file does not keep. */
const NOT_FOR_BASELINES = /** @type {const} */ ({ runtime: '--runtime', nodeFlags: '--node-flags', sweep: '--sweep', trace: '--trace' })
/** Built-in timers have no file to compare. */
const GATED_QUEUES = DEFAULT_QUEUES.filter(name => name !== 'node')

/**
 * @param {GateRequest} request
 * @returns {Promise<import('../../harness/gate/plan.js').GatePlan>}
 * @throws {UsageError}
 */
export async function planGate (request) {
  const { base, budget = GATE_BUDGET_SECONDS, selfCheck } = request
  const root = repositoryRoot(process.cwd())
  const baseCommit = resolveCommit(root, base)
  const { queues, ...parts } = await chooseGated(request)
  const gated = queues.map(queue => ({ ...queue, url: SIDE_URL, file: fileWithin(root, queue, queue.url, request.queue !== undefined) }))
  const known = gated.filter(({ file }) => isInCommit(root, baseCommit, file))
  const newQueues = gated.filter(queue => !known.includes(queue)).map(queue => ({ ...queue, reason: `${queue.file} is not in ${base}: nothing to compare with` }))
  if (known.length === 0) throw new MeasurementError(newQueues[0].reason)
  const gate = { root, baseRef: base, baseCommit, rules: rulesOf(request), budgetSeconds: budget, ...(selfCheck && { isSelfCheck: true }) }
  const plan = createGatePlan({ ...parts, queues: known }, gate, newQueues)
  if (request.rounds === undefined) assertBudget(plan)
  return plan
}

/**
 * Counts what the user names; else what the baseline was counted from.
 *
 * @param {MeasureRequest & {base: string, update?: boolean}} request
 * @param {import('../../harness/gate/baseline.js').Baseline | null} baseline  null: there is none yet.
 * @returns {Promise<{plan: import('../../harness/plan/plan.js').Plan, chosen: import('../../harness/gate/baseline.js').Counted['chosen']}>}
 * @throws {UsageError}
 */
export async function planBaseline (request, baseline) {
  const { base: file, update } = request
  const refused = /** @type {(keyof typeof NOT_FOR_BASELINES)[]} */ (Object.keys(NOT_FOR_BASELINES)).find(name => request[name] !== undefined)
  if (refused) {
    throw new UsageError(`${NOT_FOR_BASELINES[refused]} is not for a baseline file: it is counted by this Node, and keeps queues, scenarios and sizes only (compare with a revision instead: --base main)`)
  }
  const known = baseline?.chosen ?? { queue: GATED_QUEUES, scenario: GATE.scenarios, size: null }
  const {
    queue = resolveQueues(known.queue),
    scenario = known.scenario.map(name => pickByName('scenario', scenarios, name)),
    size = known.size?.map(Number),
    seed = baseline?.seed ?? BASELINE_SEED
  } = request
  const { settings, ...parts } = await chooseGated({ ...request, queue, scenario, size, seed })
  const plan = planOf({ ...parts, settings: { ...settings, countSeed: seed } })
  const server = plan.scenarios.find(({ kind }) => kind === 'http')
  if (server) throw new UsageError(`${server.name} is a server, which is timed and not counted: a baseline file needs other scenarios (or compare with a revision: --base main)`)
  if (baseline && baseline.seed !== seed && !update) {
    throw new UsageError(`${file} was counted with --seed ${baseline.seed}, got ${seed}: another workload has other counts (--update counts it again)`)
  }
  return { plan, chosen: { queue: queue.map(({ spec }) => spec), scenario: scenario.map(({ name }) => name), size: size?.map(String) ?? null } }
}

/**
 * Chooses the parts of a gate's cells.
 *
 * @param {MeasureRequest} request
 */
async function chooseGated (request) {
  const { scenarios, ...timing } = GATE
  const parts = await chooseParts(request, {
    name: 'gate',
    timing: { ...timing, budgetSeconds: null },
    queues: GATED_QUEUES,
    scenarios,
    sizes: 'ci'
  })
  const asked = new Set([...(request.size ? ['size'] : []), ...Object.keys(request.sweep ?? {})])
  return { ...parts, scenarios: parts.scenarios.map(scenario => ({ ...scenario, values: largestValues(scenario.values, asked) })) }
}

/**
 * Keeps one value of a parameter, unless the user asked for more: pairs are better spent on one cell than on two.
 *
 * @param {Record<string, number[]>} values
 * @param {Set<string>} asked  Parameters.
 */
function largestValues (values, asked) {
  return Object.fromEntries(Object.entries(values).map(([name, alternatives]) => [name, asked.has(name) ? alternatives : [Math.max(...alternatives)]]))
}

/**
 * @param {string} root
 * @param {{name: string, origin: string}} queue
 * @param {string} url
 * @param {boolean} isNamed  Named by the user, not chosen by default.
 */
function fileWithin (root, { name, origin }, url, isNamed) {
  const file = path.relative(root, fileURLToPath(url))
  const isOurs = !file.startsWith('..') && !path.isAbsolute(file) && !file.startsWith('node_modules') && origin !== 'built-in'
  if (isOurs) return file
  if (!isNamed) throw new UsageError(`gate needs --queue: a file of this repository (${GATED_FILE})`)
  throw new UsageError(`${name} is not a file of the repository ${root}: gate compares two revisions of a file, name it: --queue ${GATED_FILE}`)
}
