/**
 * Stop rule of a gate: no more heats for a row that a look has decided or that cannot be measured, and none after the
 * budget. A look sees only heats of its rounds, so a gate that is judged again decides as it did.
 */
import { groupBy } from '../model/group-by.js'
import { metrics } from '../model/metrics.js'
import { overallVerdict } from '../judge/decision.js'
import { Heats } from './heats.js'
import { judgeGate } from './judge-gate.js'
import { rowId, timedRowsOf } from '../plan/rows.js'
import { Budget } from '../run/budget.js'

/** @import { ComparisonRecord } from '../judge/records.js' */
/** @import { CellPlace, Side } from '../model/cell.js' */
/** @import { Kind } from '../plan/steps.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { GatePlan } from './gate-plan.js' */
/** @import { Heat } from './heats.js' */

export class GateStopRule {
  #plan
  #heats = new Heats()
  #open
  #looks
  /**
   * Rows that the budget has no time for; unknown before the counts are.
   *
   * @type {CellPlace[] | undefined}
   */
  #notFitting
  /**
   * Rounds of the look that decided a row.
   *
   * @type {Map<string, number>}
   */
  #decidedAt = new Map()
  /**
   * Seconds of the longest heat so far, by row.
   *
   * @type {Map<string, number>}
   */
  #longestSeconds = new Map()

  /**
   * @param {GatePlan} plan
   * @param {number} [startedMs]  Start of the budget, by performance.now().
   */
  constructor (plan, startedMs) {
    this.#plan = plan
    this.#open = new Map(timedRowsOf(plan).map(row => [rowId(row), row]))
    // The last look is the final judgement.
    this.#looks = plan.of.gate.looks.slice(0, -1)
    this.total = this.#open.size
    this.budget = new Budget(plan.of.gate.budgetSeconds, { startedMs })
    this.signal = this.budget.endSignal()
  }

  /** @param {Sample[]} samples  Whole heats. */
  see (samples) {
    if (samples.some(({ kind }) => kind === 'heat')) this.#choose()
    this.#heats.add(samples)
    for (const sample of samples.filter(({ kind }) => kind === 'heat')) {
      const id = rowId(sample)
      this.#longestSeconds.set(id, Math.max(this.#longestSeconds.get(id) ?? 0, sample.seconds))
    }
    for (const [id, row] of this.#open) if (this.#heats.failureOf(row) !== undefined) this.#open.delete(id)
    while (this.#looks.length > 0 && this.#isReached(this.#looks[0].rounds)) {
      this.#decide(/** @type {{rounds: number}} */ (this.#looks.shift()).rounds)
    }
  }

  /**
   * @param {CellPlace} cell
   * @param {{kind: Kind}} step
   */
  wants (cell, { kind }) {
    if (kind !== 'count') {
      this.#choose()
      return this.#open.has(rowId(cell)) && this.#hasTimeFor(cell)
    }
    // Half of the time belongs to heats.
    const needed = this.#open.has(rowId(cell)) ? this.budget.seconds / 2 : 0
    // A side that cannot be loaded has failed already.
    return this.budget.secondsLeft > needed && !this.#heats.countsOf(cell)[/** @type {Side} */ (cell.side)]
  }

  /**
   * A gate should end early rather than late, so the longest heat of the row must fit into the time that is left; of a
   * row without heats, the shortest of those that others took.
   *
   * @param {CellPlace} row
   */
  #hasTimeFor (row) {
    const shortest = this.#longestSeconds.size === 0 ? 0 : Math.min(...this.#longestSeconds.values())
    return this.budget.secondsLeft >= (this.#longestSeconds.get(rowId(row)) ?? shortest)
  }

  get open () {
    return this.#open.size
  }

  /**
   * @param {string[]} command
   * @returns {ComparisonRecord} a row is judged by the heats of the look that decided it
   */
  judge (command) {
    const roundsOf = (/** @type {CellPlace} */ row) => this.#decidedAt.get(rowId(row)) ?? Infinity
    return judgeGate(this.#plan, this.#heats, { command, roundsOf, notFitting: this.#notFitting })
  }

  /** Of more rows than fit, times those whose counts have changed most. */
  #choose () {
    if (this.#notFitting) return
    const { fits = Infinity } = this.#plan.of.gate
    const changeOf = (/** @type {CellPlace} */ row) => changeIn(this.#heats.countsOf(row))
    const rows = [...this.#open.values()].sort((a, b) => changeOf(b) - changeOf(a))
    this.#notFitting = rows.slice(Math.max(1, fits))
    for (const row of this.#notFitting) this.#open.delete(rowId(row))
  }

  /** @param {number} rounds */
  #isReached (rounds) {
    return [...this.#open.values()].every(row => this.#heats.of(row, rounds).length === rounds)
  }

  /** @param {number} rounds */
  #decide (rounds) {
    const roundsOf = (/** @type {CellPlace} */ row) => this.#decidedAt.get(rowId(row)) ?? rounds
    const { comparisons } = judgeGate(this.#plan, this.#heats, { roundsOf, notFitting: this.#notFitting })
    // A count that has grown leaves its row open: the time may outweigh it.
    const timed = comparisons.filter(({ metric }) => metrics[metric].role !== 'count')
    for (const [id, own] of groupBy(timed, rowId)) {
      if (overallVerdict(own) !== 'inconclusive' && this.#open.delete(id)) this.#decidedAt.set(id, rounds)
    }
  }
}

/**
 * @param {Heat} counts
 * @returns {number} the largest change of a count, as the distance of its logarithm
 */
function changeIn ({ base, head }) {
  const changes = Object.entries(head?.metrics ?? {}).map(([metric, after]) => {
    const before = base?.metrics[metric] ?? after
    return Math.abs(Math.log((1 + after) / (1 + before)))
  })
  return Math.max(0, ...changes)
}
