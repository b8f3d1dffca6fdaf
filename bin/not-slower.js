/** Fails a test when code has become slower: a gate of two files. */
import { AssertionError } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rooms } from '../harness/index.js'
import { MeasurementError } from '../harness/model/errors.js'
import { metrics } from '../harness/model/metrics.js'
import { formatPercent, formatRatioInterval } from '../harness/model/numbers.js'
import { resolveScenarios } from './request/catalogue.js'
import { planFileGate } from './request/gate-plan.js'
import { duration } from './request/values.js'

const { startGate } = await rooms.gate()

/** @import { ComparisonRecord } from '../harness/judge/compare.js' */

/**
 * @typedef {object} NotSlowerOptions
 * @property {number} [margin]  To pass, a slowdown of this much must be ruled out. Default: 0.05.
 * @property {number} [floor]  Slowdowns up to this are not a regression. Default: 0.02, or 0.4 of a smaller margin.
 * @property {string} [budget] Time for all of it, '20s' by default; a clear result comes sooner. Give the test a longer
 *   timeout.
 * @property {Record<string, number[]>} [parameters] Values of the scenario's parameters. Default: the largest of its
 *   preset ci.
 * @property {boolean} [strict]  Also fails when the time was too short to tell.
 * @property {number} [seed]  Seed of all random draws. Default: random.
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} NotSlower
 * @property {'pass' | 'inconclusive'} verdict inconclusive: neither shown to be slower, nor shown to be within the
 *   margin.
 * @property {number | null} ratio  Time of the head in times of the base, in the worst row. null: unknown.
 * @property {number | null} low
 * @property {number | null} high  Interval of the ratio.
 * @property {number} heats
 * @property {string} message
 */

/** A smaller margin needs a smaller floor. */
const FLOOR_OF_MARGIN = 0.4
const LEAST_BUDGET_SECONDS = 10

/**
 * Measures two files with a workload, scenarios of kind `code`, beside each other in fresh processes.
 *
 * @param {URL | string} head  The version that may be slower: a URL or a path.
 * @param {URL | string} base
 * @param {NotSlowerOptions} [options]
 * @returns {Promise<NotSlower>}
 * @throws {AssertionError} when the head is slower, with the ratio, its interval and the number of heats
 * @throws {MeasurementError} when a version cannot be measured
 */
export async function notSlower (
  head,
  base,
  {
    margin = 0.05,
    floor = Math.min(0.02, FLOOR_OF_MARGIN * margin),
    budget = '20s',
    parameters,
    strict,
    seed,
    signal
  } = {}
) {
  const [headScenario, baseScenario] = resolveScenarios([head, base].map(pathOf))
  const rules = { floor, margin, budget: duration('budget', budget, LEAST_BUDGET_SECONDS) }
  const plan = await planFileGate({ scenario: [headScenario], sweep: parameters, seed, ...rules }, baseScenario)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-test-'))
  try {
    const record = await startGate(plan, { directory: path.join(folder, 'results'), command: ['notSlower'], signal })
    return resultOf(record, { seed: plan.settings.seed, budget, strict })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {ComparisonRecord} record
 * @param {{seed: number, budget: string, strict?: boolean}} options
 * @returns {NotSlower}
 * @throws {AssertionError | MeasurementError}
 */
export function resultOf ({ verdict, comparisons, control, base, head, rules }, { seed, budget, strict = false }) {
  const gating = comparisons.filter(({ gates }) => gates)
  const failed = gating.find(row => row.verdict === 'invalid')
  if (failed) throw new MeasurementError(`${head} was not measured: ${failed.reason}`)
  const row =
    gating.find(row => row.verdict === 'regression') ??
    gating.reduce((worst, row) => (Number(row.ratio) > Number(worst.ratio) ? row : worst))
  const { ratio, low, high, pairs: heats } = row
  const figures = { ratio, low, high, heats }
  const times = formatRatioInterval(row.exact ? { ratio, low: ratio, high: ratio } : row)
  const what = `${head} takes ${times} times the ${metrics[row.metric].short} of ${base} (${row.exact ? 'exact' : `${heats} heats`}, seed ${seed})`
  if (verdict === 'regression') throw failure(`${what}: more than ${formatPercent(rules.floor)} slower`, figures)
  if (verdict === 'pass') {
    return { verdict, ...figures, message: `${what}: less than ${formatPercent(rules.margin)} slower` }
  }
  const open = control?.moved ? 'the machine was too unsteady to tell' : `${budget} was too short to tell`
  if (strict) throw failure(`${what}: ${open}`, figures)
  return { verdict: 'inconclusive', ...figures, message: `${what}: ${open}` }
}

/**
 * @param {string} message
 * @param {Pick<NotSlower, 'ratio' | 'low' | 'high' | 'heats'>} figures
 */
const failure = (message, figures) => Object.assign(new AssertionError({ message, operator: 'notSlower' }), figures)

/** @param {URL | string} file */
const pathOf = file =>
  `./${path.relative('', file instanceof URL || file.startsWith('file:') ? fileURLToPath(file) : file)}`
