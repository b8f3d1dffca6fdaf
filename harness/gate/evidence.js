/** What a gate has measured so far, as rows to judge and as a control. */
import { recordOf } from '../compare.js'
import { groupBy } from '../model/group-by.js'
import { countedMetrics, isGuard, measuredMetrics } from '../model/metrics.js'
import { judge, judgeExact, judgeFailed, overallVerdict } from '../verdict.js'
import { judgeControl } from './control.js'
import { cellOf } from './measure-heat.js'
import { gatedCells } from './plan.js'

/**
 * @typedef {import('./plan.js').GatePlan} GatePlan
 * @typedef {import('./plan.js').Arm} Arm
 * @typedef {import('../results.js').Sample} Sample
 * @typedef {import('../verdict.js').RowCell} RowCell
 * @typedef {import('../compare.js').ComparisonRecord} ComparisonRecord
 *
 * @typedef {{round: number, base?: Sample, head?: Sample, again?: Sample}} MeasuredPair
 */

/** Another program's load may cost a cell one pair; if it costs two, the cell cannot be measured. */
const LOST_PAIRS_ALLOWED = 1
const OUT_OF_TIME = 'the budget was spent before its first pair: give it a longer --budget'
const NO_CONTROL = 'the control was never measured, so nothing shows whether the machine was quiet: give it a longer --budget'

export class Evidence {
  #plan
  #cells
  /** @type {Map<string, Sample>} */
  #samples = new Map()

  /**
   * @param {GatePlan} plan
   * @param {Sample[]} [samples]  Where a pair was measured again, the later ones count.
   */
  constructor (plan, samples = []) {
    this.#plan = plan
    this.#cells = gatedCells(plan)
    samples.forEach(sample => this.add(sample))
  }

  /** @param {Sample} sample */
  add (sample) {
    this.#samples.set(keyOf(sample.cell, sample.round, sample.channel), sample)
  }

  /**
   * @param {RowCell} cell
   * @param {Arm} arm
   * @param {number} round
   * @param {Sample['channel']} channel
   */
  sampleOf (cell, arm, round, channel) {
    return this.#samples.get(keyOf(cellOf(cell, arm).id, round, channel))
  }

  /**
   * Whether all samples of a pair are there, or one that failed.
   *
   * @param {import('./plan.js').PlannedPair} pair
   */
  isMeasured ({ cell, order, round }) {
    const taken = order.map(arm => this.sampleOf(cell, arm, round, 'heat'))
    return taken.every(Boolean) || taken.some(sample => sample?.failure)
  }

  /**
   * Whether more pairs of a cell would be wasted.
   *
   * @param {RowCell} cell
   */
  isBroken (cell) {
    return this.#failureOf(cell, this.#measuredPairs(cell, Infinity)) !== undefined
  }

  /**
   * @param {{command: string[], rounds?: number}} options  `rounds`: what was measured later is not looked at.
   * @returns {ComparisonRecord}
   */
  judge ({ command, rounds = Infinity }) {
    const { gate } = this.#plan
    const measured = new Map(this.#cells.map(cell => [cell, this.#measuredPairs(cell, rounds)]))
    const shifts = [...measured.values()].flat().flatMap(shiftOf)
    const control = judgeControl(shifts, gate.rules)
    const rows = [...measured].flatMap(([cell, pairs]) => {
      const failure = this.#failureOf(cell, pairs) ?? (pairs.length === 0 ? OUT_OF_TIME : control ? undefined : NO_CONTROL)
      return timedRows(cell, pairs, failure)
    })
    const comparisons = [...judge(rows, gate.looks, gate.rules), ...this.#cells.flatMap(cell => this.#counted(cell))]
    const isUncontrolled = !control || control.moved || [...measured.values()].some(pairs => controlFailureOf(pairs))
    return {
      ...recordOf(comparisons, gate.unmatched, gate.rules, command),
      verdict: isUncontrolled ? 'invalid' : overallVerdict(comparisons),
      base: gate.baseRef,
      head: 'the working tree',
      control,
      warnings: []
    }
  }

  /**
   * @param {RowCell} cell
   * @param {number} limit  Rounds from this one on are left out.
   * @returns {MeasuredPair[]}
   */
  #measuredPairs (cell, limit) {
    const sampleOf = (/** @type {Arm} */ arm, /** @type {number} */ round) => this.sampleOf(cell, arm, round, 'heat')
    return Array.from({ length: Math.min(limit, this.#plan.settings.rounds) }, (_, round) =>
      ({ round, base: sampleOf('base', round), head: sampleOf('head', round), again: sampleOf('again', round) }))
      .filter(({ base, head, again }) => base || head || again)
  }

  /**
   * @param {RowCell} cell
   * @param {MeasuredPair[]} pairs
   * @returns {string | undefined}
   */
  #failureOf (cell, pairs) {
    const unsound = /** @type {const} */ (['base', 'head']).flatMap(arm => failureIn(arm, this.sampleOf(cell, arm, 0, 'exact')))
      // What is too slow to be counted can still be timed.
      .filter(({ kind }) => kind !== 'time-limit')
    return fatalOf([...unsound, ...pairs.flatMap(({ base, head }) => [...failureIn('base', base), ...failureIn('head', head)])]) ??
      controlFailureOf(pairs)
  }

  /** @param {RowCell} cell */
  #counted (cell) {
    const [base, head] = /** @type {const} */ (['base', 'head']).map(arm => this.sampleOf(cell, arm, 0, 'exact'))
    return countedMetrics.flatMap(metric => {
      const row = { ...cell, metric, gates: false }
      const [before, after] = [base?.metrics[metric], head?.metrics[metric]]
      if (before !== undefined && after !== undefined) return [judgeExact(row, before, after)]
      if (before === undefined && after === undefined) return []
      const [side, sample] = before === undefined ? ['base', base] : ['head', head]
      return [judgeFailed({ ...row, pairs: [], rounds: 0, failure: `${side}: ${sample?.failure?.message ?? 'not counted'}` })]
    })
  }
}

/**
 * @param {string} cell
 * @param {number} round
 * @param {string} channel
 */
const keyOf = (cell, round, channel) => `${cell} ${round} ${channel}`

/**
 * @param {RowCell} cell
 * @param {MeasuredPair[]} measured
 * @param {string} [failure]
 * @returns {import('../verdict.js').Row[]}
 */
function timedRows (cell, measured, failure) {
  const rounds = Math.max(0, ...measured.map(({ round }) => round + 1))
  const names = new Set(measured.flatMap(({ base, head }) => Object.keys({ ...base?.metrics, ...head?.metrics })))
  const metrics = measuredMetrics.filter(metric => names.has(metric))
  return (metrics.length > 0 ? metrics : measuredMetrics.slice(0, 1)).map(metric => ({
    ...cell,
    metric,
    gates: true,
    rounds,
    failure,
    pairs: measured.flatMap(({ round, base, head }) => {
      const pair = { round, base: base?.metrics[metric] ?? 0, head: head?.metrics[metric] ?? 0 }
      return pair.base > 0 && pair.head > 0 ? [pair] : []
    })
  })).filter(({ metric, pairs, failure }) => !isGuard(metric) || failure || pairs.length > 0)
}

/**
 * The logarithm of the sham head's time to the base's.
 *
 * @param {MeasuredPair} pair
 */
function shiftOf ({ base, again }) {
  const metric = measuredMetrics.find(metric => !isGuard(metric) && Number(base?.metrics[metric]) > 0 && Number(again?.metrics[metric]) > 0)
  return metric ? [Math.log(Number(again?.metrics[metric]) / Number(base?.metrics[metric]))] : []
}

/** @param {MeasuredPair[]} pairs */
function controlFailureOf (pairs) {
  return fatalOf(pairs.flatMap(({ again }) => failureIn('control', again)))
}

/**
 * @param {string} side
 * @param {Sample} [sample]
 */
function failureIn (side, sample) {
  return sample?.failure ? [{ side, ...sample.failure }] : []
}

/**
 * @param {{side: string, kind: string, message: string}[]} failures
 * @returns {string | undefined} why nothing valid can be said
 */
function fatalOf (failures) {
  const isLoss = (/** @type {string} */ kind) => kind === 'time-limit' || kind === 'load'
  const fatal = failures.find(({ kind }) => !isLoss(kind)) ?? failures[LOST_PAIRS_ALLOWED]
  return fatal && `${fatal.side}: ${fatal.message}`
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
