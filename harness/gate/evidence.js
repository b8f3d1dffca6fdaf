/** What a gate has measured so far, as rows to judge and as a control. */
import { recordOf } from '../judge/compare.js'
import { groupBy } from '../model/group-by.js'
import { countedMetrics, isGuard, measuredMetrics } from '../model/metrics.js'
import { isLost, pairedRatios } from '../judge/pairs.js'
import { errorRows, measuredRows } from '../judge/rows.js'
import { isUnclearGuard, judge, judgeExact, judgeFailed, overallVerdict } from '../judge/verdict.js'
import { judgeControl } from './control.js'
import { cellOf } from './measure-heat.js'
import { gatedCells } from './plan.js'

/**
 * @typedef {import('./plan.js').GatePlan} GatePlan
 * @typedef {import('./plan.js').Arm} Arm
 * @typedef {import('../store/results.js').Sample} Sample
 * @typedef {import('../judge/verdict.js').RowCell} RowCell
 * @typedef {import('../judge/verdict.js').Comparison} Comparison
 * @typedef {import('../judge/compare.js').ComparisonRecord} ComparisonRecord
 *
 * @typedef {Partial<Record<Arm, Sample>>} Heat  What one heat of a cell has measured.
 */

/** Other programs may cost a cell this many heats; if they cost more, the cell cannot be measured. */
const LOST_HEATS_ALLOWED = 1
/**
 * Counts explain times and rarely decide: fewer blocks may take longer, or the reverse. But a head whose counts grow by
 * this many margins cannot be as fast as it looks, or pays in memory.
 */
const GROSS_MARGINS = 5
/** The same for the work of a request: it repeats to the block, while the CPU time of a server hides what its queue does. */
const SERVER_MARGINS = 1
/** A longest advance may grow by this much, some microseconds: nobody notices, whatever the ratio is. */
const UNNOTICED_BLOCKS = 2000
/** For a count of nothing, or less: bytes are the difference of two heaps. */
const LEAST_COUNT = 1
/** More of these in less time is no slowdown. More memory is more memory, and a longer pause is a longer pause. */
const PAID_BY_TIME = ['workPerOp', 'workPerRequest']
const OUT_OF_TIME = 'the budget was spent before its first heat: give it a longer --budget'
const NO_CONTROL = 'the control was never measured, so nothing shows whether the machine was quiet: give it a longer --budget'

export class Evidence {
  #plan
  #cells
  /** @type {Map<string, Sample>} */
  #samples = new Map()

  /**
   * @param {GatePlan} plan
   * @param {Sample[]} [samples]
   */
  constructor (plan, samples = []) {
    this.#plan = plan
    this.#cells = gatedCells(plan)
    this.add(samples)
  }

  /** @param {Sample[]} samples */
  add (samples) {
    for (const sample of samples) this.#samples.set(keyOf(sample.cell, sample.round, sample.kind), sample)
  }

  /**
   * @param {RowCell} cell
   * @param {Arm} arm
   * @param {number} round
   * @param {Sample['kind']} kind
   */
  sampleOf (cell, arm, round, kind) {
    return this.#samples.get(keyOf(cellOf(cell, arm).id, round, kind))
  }

  /** @param {import('./plan.js').PlannedPair} pair */
  isMeasured ({ cell, order, round }) {
    return order.every(arm => this.sampleOf(cell, arm, round, 'heat'))
  }

  /**
   * Whether more heats of a cell would be wasted.
   *
   * @param {RowCell} cell
   */
  isBroken (cell) {
    return this.#failureOf(cell, this.#heatsOf(cell, Infinity)) !== undefined
  }

  /**
   * @param {{command: string[], rounds?: number}} options  `rounds`: what was measured later is not looked at.
   * @returns {ComparisonRecord}
   */
  judge ({ command, rounds = Infinity }) {
    const { gate } = this.#plan
    const measured = new Map(this.#cells.map(cell => [cell, this.#heatsOf(cell, rounds)]))
    const control = judgeControl([...measured.values()].flatMap(shiftsOf), gate.rules)
    const matches = [...measured].map(([cell, heats]) => ({ cell, base: samplesOf(heats, 'base'), head: samplesOf(heats, 'head'), heats }))
    const rows = matches.flatMap(match => {
      const failure = this.#failureOf(match.cell, match.heats) ?? (match.heats.length === 0 ? OUT_OF_TIME : control ? undefined : NO_CONTROL)
      const rounds = Math.max(0, ...match.base.map(({ round }) => round + 1))
      return measuredRows(match, { isSameQueue: true }).map(row => ({ ...row, rounds, failure: failure ?? row.failure }))
    })
    const timed = judge(rows, gate.looks, gate.rules)
    const counted = this.#cells.flatMap(cell => this.#countedRows(cell, timed))
    const comparisons = [...timed, ...matches.flatMap(errorRows), ...counted]
    const isUncontrolled = !control || control.moved || [...measured.values()].some(heats => controlFailureOf(heats))
    return {
      ...recordOf(comparisons, gate.unmatched, gate.rules, command),
      // Counts are exact on a disturbed machine, too: they need no control.
      verdict: !isUncontrolled ? overallVerdict(comparisons) : overallVerdict(counted) === 'regression' ? 'regression' : 'invalid',
      base: gate.baseRef,
      head: gate.isSelfCheck ? `${gate.baseRef} itself` : 'the working tree',
      control,
      warnings: gate.queues.flatMap(({ name }) => this.#describeAccuracy(name))
    }
  }

  /**
   * A queue that promises less may do less: then what it fires is not compared with the model's.
   *
   * @param {string} queue
   */
  #describeAccuracy (queue) {
    const cell = /** @type {RowCell} */ (this.#cells.find(cell => cell.queue === queue))
    const [before, after] = /** @type {const} */ (['base', 'head']).map(arm => JSON.stringify(this.sampleOf(cell, arm, 0, 'count')?.details?.declared?.accuracy))
    if (before === after || before === undefined || after === undefined) return []
    return [`${queue} declares another accuracy than its base, ${after} instead of ${before}: what both fire was not compared with the model; see timerq check`]
  }

  /**
   * @param {RowCell} cell
   * @param {number} limit  Rounds from this one on are left out.
   * @returns {Heat[]}
   */
  #heatsOf (cell, limit) {
    const sampleOf = (/** @type {Arm} */ arm, /** @type {number} */ round) => this.sampleOf(cell, arm, round, 'heat')
    return Array.from({ length: Math.min(limit, this.#plan.settings.rounds) }, (_, round) =>
      ({ base: sampleOf('base', round), head: sampleOf('head', round), again: sampleOf('again', round) }))
      .filter(({ base, head }) => base || head)
  }

  /**
   * @param {RowCell} cell
   * @param {Heat[]} heats
   * @returns {string | undefined}
   */
  #failureOf (cell, heats) {
    const sides = /** @type {const} */ (['base', 'head'])
    const uncounted = sides.flatMap(arm => failureIn(arm, this.sampleOf(cell, arm, 0, 'count')))
    const failed = heats.flatMap(heat => sides.flatMap(arm => failureIn(arm, heat[arm])))
    // A loss is none of these: what is too slow to be counted can still be timed.
    const died = [...uncounted, ...failed].find(({ isLoss }) => !isLoss)
    // A side that is lost alone counts as infinitely slow; where both are lost, nothing is known.
    const lost = heats.filter(({ base, head }) => base && head && isLost(base) && isLost(head))
    const failure = died ?? (lost.length > LOST_HEATS_ALLOWED ? failed[0] : undefined)
    return failure?.message ?? controlFailureOf(heats)
  }

  /**
   * Shown beside the times, as an explanation; only gross growth counts for the verdict.
   *
   * @param {RowCell} cell
   * @param {Comparison[]} timed
   */
  #countedRows (cell, timed) {
    const [base, head] = /** @type {const} */ (['base', 'head']).map(arm => this.sampleOf(cell, arm, 0, 'count'))
    const { margin } = this.#plan.gate.rules
    const isFaster = timed.some(row => cellOf(row, 'head').id === cellOf(cell, 'head').id && !isGuard(row.metric) && row.change === 'faster')
    return countedMetrics.flatMap(metric => {
      const row = { ...cell, metric, gates: false }
      const [before, after] = [base?.metrics[metric], head?.metrics[metric]]
      if (before !== undefined && after !== undefined) {
        const margins = metric === 'workPerRequest' ? SERVER_MARGINS : GROSS_MARGINS
        const unnoticed = metric === 'longestAdvanceWork' ? UNNOTICED_BLOCKS : 0
        const isGross = after - unnoticed > (before > 0 ? before : LEAST_COUNT) * (1 + margins * margin)
        return [judgeExact({ ...row, gates: isGross && !(isFaster && PAID_BY_TIME.includes(metric)) }, before, after)]
      }
      if (before === undefined && after === undefined) return []
      const [side, sample] = before === undefined ? ['base', base] : ['head', head]
      return [judgeFailed({ ...row, pairs: [], rounds: 0, failure: `${side}: ${sample?.failure?.message ?? 'not counted'}` })]
    })
  }
}

/**
 * @param {string} cell
 * @param {number} round
 * @param {string} kind
 */
const keyOf = (cell, round, kind) => `${cell} ${round} ${kind}`

/**
 * @param {Heat[]} heats
 * @param {Arm} arm
 */
const samplesOf = (heats, arm) => heats.flatMap(heat => heat[arm] ?? [])

/**
 * Logarithms of the ratios of the sham head to the base.
 *
 * @param {Heat[]} heats
 */
function shiftsOf (heats) {
  const controlled = heats.filter(({ base, again }) => base && again && !isLost(base) && !isLost(again))
  const metric = measuredMetrics.find(metric => controlled.some(({ again }) => again && metric in again.metrics))
  return metric ? pairedRatios(samplesOf(controlled, 'base'), samplesOf(controlled, 'again'), metric).map(({ ratio }) => Math.log(ratio)) : []
}

/**
 * @param {Heat[]} heats
 * @returns {string | undefined}
 */
function controlFailureOf (heats) {
  const failed = heats.flatMap(({ again }) => failureIn('control', again))
  return (failed.find(({ isLoss }) => !isLoss) ?? failed[LOST_HEATS_ALLOWED])?.message
}

/**
 * @param {string} side
 * @param {Sample} [sample]
 */
function failureIn (side, sample) {
  return sample?.failure ? [{ message: `${side}: ${sample.failure.message}`, isLoss: isLost(sample) }] : []
}

/**
 * Which cells need no more heats.
 *
 * @param {ComparisonRecord} record
 */
export function decidedCells ({ comparisons }) {
  const byCell = groupBy(comparisons.filter(row => row.gates && !isUnclearGuard(row)), cell => cellOf(cell, 'head').id)
  return [...byCell].filter(([, rows]) => overallVerdict(rows) !== 'inconclusive').map(([id]) => id)
}
