/** How far a run is. */
import { sum } from 'simple-statistics'
import os from 'node:os'
import { serverScenarios } from '../model/cell.js'
import { stagesOf, stepIdOf } from '../plan/steps.js'
import { TimeLeft } from './time-left.js'
/** @import { Plan } from '../plan/plan.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Sample } from '../store/results.js' */

/**
 * @typedef {object} Progress
 * @property {Step} next  The step that begins.
 * @property {number} done  Samples.
 * @property {number} total  Samples, at most.
 * @property {{seconds: number, isAtLeast: boolean} | null} left Estimate of the remaining time; null before a step of
 *   each kind has been measured.
 * @property {{seconds: number, spent: number} | null} budget
 * @property {{within: number, open: number, tables: number} | null} until Tables that are still measured because a
 *   ratio is imprecise.
 */

export class RunProgress {
  #plan
  #startedMs
  /** @type {Map<string, Step>} */
  #left
  #total
  #timeLeft
  #precision

  /**
   * @param {Plan} plan
   * @param {object} run
   * @param {Iterable<Sample>} run.finished
   * @param {number} run.startedMs  By performance.now().
   * @param {{open: number, tables: number}} [run.precision]  Of a run that ends when its ratios are known.
   */
  constructor (plan, { finished, startedMs, precision }) {
    this.#plan = plan
    this.#startedMs = startedMs
    this.#precision = precision
    const ended = new Set([...finished].map(stepIdOf))
    this.#left = new Map(
      stagesOf(plan)
        .flat()
        .filter(({ id }) => !ended.has(id))
        .map(step => [step.id, step])
    )
    this.#total = sum([...this.#left.values()].map(({ cells }) => cells.length))
    const http = serverScenarios(plan.scenarios)
    this.#timeLeft = new TimeLeft(plan.settings, ({ scenario }) => http.has(scenario))
  }

  /** @param {Sample[]} samples  All of a step. */
  see (samples) {
    this.#left.delete(stepIdOf(samples[0]))
    this.#timeLeft.see(samples)
  }

  /**
   * @param {Step} next
   * @returns {Progress}
   */
  at (next) {
    const { budgetSeconds, until } = this.#plan.settings
    const left = [...this.#left.values()]
    return {
      next,
      done: this.#total - sum(left.map(({ cells }) => cells.length)),
      total: this.#total,
      left: this.#estimate(left),
      budget:
        budgetSeconds === null ? null : { seconds: budgetSeconds, spent: (performance.now() - this.#startedMs) / 1000 },
      until:
        until === undefined || !this.#precision
          ? null
          : { within: until, open: this.#precision.open, tables: this.#precision.tables }
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
