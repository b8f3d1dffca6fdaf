/** The samples of a gate as rows to judge, and as the control. */
import { BESIDE, COUNTED, recordOf, TIMED } from '../compare.js'
import { groupBy } from '../model/group-by.js'
import { judge, judgeExact, overallVerdict } from '../verdict.js'
import { judgeControl } from './control.js'
import { cellOf } from './measure-pair.js'
import { gatedCells, orderPairs } from './plan.js'

/**
 * @typedef {import('./plan.js').GatePlan} GatePlan
 * @typedef {import('../results.js').Sample} Sample
 * @typedef {import('../compare.js').ComparisonRecord} ComparisonRecord
 */

/** A pair may be lost to another program's load once; twice, and the cell is beyond measuring. */
const LOST_PAIRS_ALLOWED = 1
const OUT_OF_TIME = 'the budget was spent before its first pair: give it a longer --budget'

/**
 * @param {GatePlan} plan
 * @param {Sample[]} samples  All so far; where a pair was measured again, the later ones count.
 * @param {{command: string[]}} options
 * @returns {ComparisonRecord}
 */
export function judgeGate (plan, samples, { command }) {
  const { gate } = plan
  const sampleOf = indexSamples(samples)
  const cells = gatedCells(plan)
  const rows = cells.flatMap(cell => timedRows(plan, cell, sampleOf))
  const comparisons = [...judge(rows, gate.looks, gate.rules), ...cells.flatMap(cell => counted(cell, sampleOf))]
  const control = judgeControl(controlShifts(plan, sampleOf), gate.rules)
  return {
    ...recordOf(comparisons, gate.unmatched, gate.rules, command),
    verdict: control?.moved ? 'invalid' : overallVerdict(comparisons),
    base: gate.baseRef,
    head: 'the working tree',
    control,
    warnings: []
  }
}

/**
 * @typedef {ReturnType<typeof indexSamples>} SampleOf
 *
 * @param {Sample[]} samples
 */
export function indexSamples (samples) {
  const index = new Map(samples.map(sample => [`${sample.cell} ${sample.round} ${sample.channel}`, sample]))
  /**
   * @param {import('../verdict.js').RowCell} cell
   * @param {import('./plan.js').Arm} arm
   * @param {number} round
   * @param {Sample['channel']} channel
   */
  return (cell, arm, round, channel) => index.get(`${cellOf(cell, arm).id} ${round} ${channel}`)
}

/**
 * @param {GatePlan} plan
 * @param {import('../verdict.js').RowCell} cell
 * @param {SampleOf} sampleOf
 * @returns {import('../verdict.js').Row[]}
 */
function timedRows (plan, cell, sampleOf) {
  const measured = measuredPairs(plan, cell, sampleOf)
  const failure = measured.length === 0 ? OUT_OF_TIME : failureOf(measured)
  const rounds = Math.max(0, ...measured.map(({ round }) => round + 1))
  const names = new Set(measured.flatMap(({ base, head }) => Object.keys({ ...base?.metrics, ...head?.metrics })))
  const metrics = [...TIMED, ...BESIDE].filter(metric => names.has(metric))
  return (metrics.length > 0 ? metrics : TIMED.slice(0, 1)).map(metric => ({
    ...cell,
    metric,
    gates: TIMED.includes(metric),
    rounds,
    failure,
    pairs: measured.flatMap(({ round, base, head }) => {
      const pair = { round, base: base?.metrics[metric] ?? 0, head: head?.metrics[metric] ?? 0 }
      return pair.base > 0 && pair.head > 0 ? [pair] : []
    })
  }))
}

/**
 * @param {GatePlan} plan
 * @param {import('../verdict.js').RowCell} cell
 * @param {SampleOf} sampleOf
 */
function measuredPairs ({ settings }, cell, sampleOf) {
  const rounds = Array.from({ length: settings.rounds }, (_, round) =>
    ({ round, base: sampleOf(cell, 'base', round, 'time'), head: sampleOf(cell, 'head', round, 'time') }))
  return rounds.filter(({ base, head }) => base || head)
}

/**
 * Whether more pairs of a cell would be wasted.
 *
 * @param {GatePlan} plan
 * @param {import('../verdict.js').RowCell} cell
 * @param {Sample[]} samples
 */
export function isBroken (plan, cell, samples) {
  return failureOf(measuredPairs(plan, cell, indexSamples(samples))) !== undefined
}

/**
 * @param {{base?: Sample, head?: Sample}[]} pairs
 * @returns {string | undefined}
 */
function failureOf (pairs) {
  const failures = pairs.flatMap(({ base, head }) => [
    ...(base?.failure ? [{ side: 'base', ...base.failure }] : []),
    ...(head?.failure ? [{ side: 'head', ...head.failure }] : [])
  ])
  const isLoss = (/** @type {string} */ kind) => kind === 'time-limit' || kind === 'load'
  const fatal = failures.find(({ kind }) => !isLoss(kind)) ?? failures[LOST_PAIRS_ALLOWED]
  return fatal && `${fatal.side}: ${fatal.message}`
}

/**
 * @param {import('../verdict.js').RowCell} cell
 * @param {SampleOf} sampleOf
 */
function counted (cell, sampleOf) {
  const base = sampleOf(cell, 'base', 0, 'exact')?.metrics ?? {}
  const head = sampleOf(cell, 'head', 0, 'exact')?.metrics ?? {}
  return COUNTED.filter(metric => metric in base && metric in head)
    .map(metric => judgeExact({ ...cell, metric, gates: false }, base[metric], head[metric]))
}

/**
 * Of all cells' controls together.
 *
 * @param {GatePlan} plan
 * @param {SampleOf} sampleOf
 */
function controlShifts (plan, sampleOf) {
  const rounds = Array.from({ length: plan.settings.rounds }, (_, round) => orderPairs(plan, round)).flat()
  return rounds.filter(({ order }) => order.includes('again')).flatMap(({ cell, round }) => {
    const base = sampleOf(cell, 'base', round, 'time')?.metrics ?? {}
    const again = sampleOf(cell, 'again', round, 'time')?.metrics ?? {}
    const metric = TIMED.find(metric => base[metric] > 0 && again[metric] > 0)
    return metric ? [Math.log(again[metric] / base[metric])] : []
  })
}

/**
 * Which cells need no more pairs.
 *
 * @param {ComparisonRecord} record
 */
export function decidedCells ({ comparisons }) {
  const byCell = groupBy(comparisons.filter(({ gates }) => gates), cell => cellOf(cell, 'head').id)
  return [...byCell].filter(([, rows]) => rows.every(({ verdict }) => verdict !== 'inconclusive')).map(([id]) => id)
}
