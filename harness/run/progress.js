/** How far a run is. */
import { sum } from 'simple-statistics'
import os from 'node:os'
import { stepIdOf } from '../plan/steps.js'
import { TimeLeft } from './time-left.js'
/** @import { Plan } from '../plan/plan.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { StopRule } from './execute.js' */

/**
 * @typedef {object} Progress
 * @property {Step} next  The step that begins.
 * @property {number} done  Samples.
 * @property {number} total  Samples, at most.
 * @property {{seconds: number, isAtLeast: boolean} | null} left Estimate of the remaining time; null before a step of
 *   each kind has been measured.
 * @property {{seconds: number, spent: number} | null} budget
 * @property {number | null} until  Precision at which the run ends: 0.03 for 3 %.
 * @property {{left: number, total: number} | null} open  Tables with an imprecise ratio, or undecided rows of a gate.
 *
 * @typedef {(done: number, total: number, what?: string) => void} OnRead  Called now and then while benchmark files are
 *   read, or `what` is done with them.
 */

export class RunProgress {
  #plan
  #stopRule
  /**
   * Steps that have not ended, by id.
   *
   * @type {Map<string, Step>}
   */
  #left
  #total
  #timeLeft

  /**
   * @param {Plan} plan
   * @param {{finished: Iterable<Sample>, stages: Step[][], stopRule: StopRule}} run
   */
  constructor (plan, { finished, stages, stopRule }) {
    this.#plan = plan
    this.#stopRule = stopRule
    const ended = new Set([...finished].map(stepIdOf))
    this.#left = new Map(
      stages
        .flat()
        .filter(({ id }) => !ended.has(id))
        .map(step => [step.id, step])
    )
    this.#total = sum([...this.#left.values()].map(({ cells }) => cells.length))
    this.#timeLeft = new TimeLeft(plan)
  }

  /** @param {Sample[]} samples  All samples of a step. */
  see (samples) {
    this.#left.delete(stepIdOf(samples[0]))
    this.#timeLeft.see(samples)
  }

  /**
   * @param {Step} next
   * @returns {Progress}
   */
  at (next) {
    const { budget, open, total } = this.#stopRule
    const left = [...this.#left.values()]
    return {
      next,
      done: this.#total - sum(left.map(({ cells }) => cells.length)),
      total: this.#total,
      left: this.#estimate(left),
      budget: budget ? { seconds: budget.seconds, spent: budget.seconds - budget.secondsLeft } : null,
      until: this.#plan.end.until ?? this.#plan.end.enough ?? null,
      open: open === undefined || total === undefined ? null : { left: open, total }
    }
  }

  /**
   * Counts are left out: some take a hundred times as long as others.
   *
   * @param {Step[]} steps
   */
  #estimate (steps) {
    const timed = steps.filter(({ kind }) => kind !== 'count')
    if (!timed.every(step => this.#timeLeft.isKnown(step))) return null
    const seconds = sum(
      timed.map(step => this.#timeLeft.secondsOf(step) / (step.isExclusive ? 1 : os.availableParallelism()))
    )
    return { seconds, isAtLeast: timed.length < steps.length }
  }
}
