/** Fails a test when code has become slower, or is no faster than promised: a gate of two files. */
import { AssertionError } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rooms } from '../harness/index.js'
import { MeasurementError, UsageError } from '../harness/model/errors.js'
import { metrics } from '../harness/model/metrics.js'
import { formatPercent, formatRatioInterval } from '../harness/model/numbers.js'
import { describeRow } from '../reports/answers/comparison.js'
import { planFileGate } from './plans/gate.js'
import { LEAST_BUDGET_SECONDS } from './presets.js'
import { resolveScenarios } from './request/catalogue.js'
import { rulesOf, seconds } from './request/values.js'

const { startGate } = await rooms.gate()
const { DEFAULT_RULES } = await rooms.verdict()

/** @import { ComparisonRecord } from '../harness/judge/compare.js' */
/** @import { Expected } from '../harness/judge/expectation.js' */
/** @import { Rules } from '../harness/judge/verdict.js' */
/** @import { Budget } from './request/values.js' */

/**
 * @typedef {object} NotSlowerSettings
 * @property {Budget} [budget]  Time to spend, at most: seconds, or '20s' (default). A clear result comes sooner. Give
 *   the test a longer timeout.
 * @property {Record<string, number[]>} [parameters]  Values of the scenario's parameters. Default: the largest of its
 *   preset ci.
 * @property {boolean} [strict]  Also fails when the result is inconclusive.
 * @property {number} [seed]  Seed of all random draws. Default: random.
 * @property {AbortSignal} [signal]  Stops the measurement.
 *
 * @typedef {Partial<Rules> & NotSlowerSettings} NotSlowerOptions  Rules are fractions of 1. Default: margin 0.05; floor
 *   0.02, or 0.4 of a smaller margin.
 *
 * @typedef {NotSlowerSettings & {by?: number, alpha?: number}} FasterOptions `by`: gain that must be exceeded, a
 *   fraction of 1. Default: 0.02.
 *
 * @typedef {object} NotSlower
 * @property {'pass' | 'inconclusive'} verdict  pass: a slowdown of the margin is ruled out, or the head is shown to be
 *   faster. inconclusive: neither that nor its opposite is shown.
 * @property {number | null} ratio  Time of the head in times of the base, in the worst row. null: unknown.
 * @property {number | null} low  Lower end of the ratio's interval.
 * @property {number | null} high  Upper end of the ratio's interval.
 * @property {number} heats  Number of measurements of both side by side.
 * @property {string} message  The result in a sentence.
 */

/** A smaller margin needs a smaller floor. */
const FLOOR_OF_MARGIN = 0.4

/**
 * Measures two workload files (scenarios of kind `code`) at the same time, in fresh processes.
 *
 * @param {URL | string} head  URL or path of the version that may be slower.
 * @param {URL | string} base  URL or path of the version to compare with.
 * @param {NotSlowerOptions} [options]
 * @returns {Promise<NotSlower>}
 * @throws {AssertionError} when the head is slower, with the ratio, its interval and the number of heats
 * @throws {MeasurementError} when a version cannot be measured
 */
export async function notSlower (head, base, options = {}) {
  const { margin = DEFAULT_RULES.margin, alpha = DEFAULT_RULES.alpha } = options
  const { floor = Math.min(DEFAULT_RULES.floor, FLOOR_OF_MARGIN * margin) } = options
  return gateFiles(head, base, { ...options, rules: rulesOf({ floor, margin, alpha }) })
}

/**
 * Measures two files as notSlower does. The head must be shown to be faster.
 *
 * @param {URL | string} head  URL or path of the version that should be faster.
 * @param {URL | string} base  URL or path of the version to compare with.
 * @param {FasterOptions} [options]
 * @returns {Promise<NotSlower>}
 * @throws {AssertionError} when the head is shown not to be faster by more than `by`
 * @throws {MeasurementError} when a version cannot be measured
 */
export async function faster (head, base, options = {}) {
  const { by, alpha = DEFAULT_RULES.alpha } = options
  if (by !== undefined && !(by >= 0 && by < 1)) {
    throw new UsageError(`faster: by must be a fraction from 0 to 1, got ${by} (try 0.05)`)
  }
  const expect = [{ change: /** @type {const} */ ('faster'), ...(by !== undefined && { floor: by }) }]
  return gateFiles(head, base, { ...options, rules: { ...DEFAULT_RULES, alpha }, expect })
}

/**
 * @param {URL | string} head
 * @param {URL | string} base
 * @param {NotSlowerSettings & {rules: Rules, expect?: Expected[]}} options
 * @returns {Promise<NotSlower>}
 */
async function gateFiles (head, base, { budget = '20s', parameters, strict, seed, signal, rules, expect }) {
  const [headFile, baseFile] = resolveScenarios([head, base].map(pathOf))
  const request = {
    sweep: parameters,
    seed,
    rules,
    expect,
    budget: seconds('budget', budget, LEAST_BUDGET_SECONDS)
  }
  const plan = await planFileGate(request, { base: baseFile, head: headFile })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-test-'))
  try {
    const record = await startGate(plan, {
      directory: path.join(folder, 'results'),
      command: [expect ? 'faster' : 'notSlower'],
      signal
    })
    return resultOf(record, { seed: plan.settings.seed, budget, strict })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {ComparisonRecord} record
 * @param {{seed: number, budget: Budget, strict?: boolean}} options
 * @returns {NotSlower}
 * @throws {AssertionError | MeasurementError}
 */
export function resultOf (
  { verdict, comparisons, control, unmeasured, base, head, rules },
  { seed, budget, strict = false }
) {
  const gating = comparisons.filter(({ gates }) => gates)
  const failed = gating.find(row => row.verdict === 'invalid')
  if (failed) throw new MeasurementError(`${head} was not measured: ${failed.reason}`)
  const row =
    gating.find(row => row.verdict === 'regression' || row.verdict === 'missed') ??
    gating.reduce((worst, row) => (Number(row.ratio) > Number(worst.ratio) ? row : worst))
  const { ratio, low, high, pairs: heats, exact, expect } = row
  const figures = { ratio, low, high, heats }
  const times = formatRatioInterval(exact ? { ratio, low: ratio, high: ratio } : row)
  const evidence = `${exact ? 'exact' : `${heats} heats`}, seed ${seed}`
  const what = `${head} takes ${times} times the ${metrics[row.metric].short} of ${base} (${evidence})`
  if (expect && (verdict === 'pass' || verdict === 'missed')) {
    const message = `${what}: ${describeRow(row)}`
    if (verdict === 'missed') throw failure(message, figures)
    return { verdict, ...figures, message }
  }
  if (verdict === 'regression') throw failure(`${what}: more than ${formatPercent(rules.floor)} slower`, figures)
  if (verdict === 'pass') {
    return { verdict, ...figures, message: `${what}: less than ${formatPercent(rules.margin)} slower` }
  }
  const time = typeof budget === 'number' ? `${budget}s` : budget
  const tooShort = control?.moved ? 'the machine was too unsteady to tell' : `${time} was too short to tell`
  const message = `${what}: ${unmeasured?.[0] ?? tooShort}`
  if (strict) throw failure(message, figures)
  return { verdict: 'inconclusive', ...figures, message }
}

/**
 * @param {string} message
 * @param {Pick<NotSlower, 'ratio' | 'low' | 'high' | 'heats'>} figures
 */
const failure = (message, figures) => Object.assign(new AssertionError({ message, operator: 'timerq/test' }), figures)

/** @param {URL | string} file */
const pathOf = file =>
  `./${path.relative('', file instanceof URL || file.startsWith('file:') ? fileURLToPath(file) : file)}`
