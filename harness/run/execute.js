/**
 * Executes a plan: an async generator of samples, all of a step at once.
 *
 * Micro heats run on all cores, one heat a core. Counts run on all cores, and nothing is timed at the same time. A
 * server has the machine to itself: its load generator needs the other core.
 */
import os from 'node:os'
import { Measure } from '../measure/measure.js'
import { stepIdOf } from '../plan/steps.js'
import { choosePins } from '../processes/pinning.js'
/** @import { MeasureOptions } from '../measure/measure.js' */
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan, Sides } from '../plan/plan.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Pins } from '../processes/pinning.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { Budget } from './budget.js' */

/**
 * @typedef {object} StopRule  Decides after each samples whether a plan goes on.
 * @property {(samples: Sample[]) => void} see
 * @property {(cell: Cell, step: Step) => boolean} wants  Whether the step should measure the cell. Asked just before
 *   the step begins.
 * @property {AbortSignal} [signal]  Ends the measurement that is under way; its samples are dropped.
 * @property {Budget} [budget]  Its time.
 * @property {number} [open]  Tables or rows that it has not decided.
 * @property {number} [total]  All of them.
 *
 * @typedef {object} ExecuteOptions
 * @property {Iterable<Sample>} [finished]  Samples of the plan that exist already: their steps are left out.
 * @property {Iterable<Step[]>} order  Stages; each is asked for when the one before has ended.
 * @property {MeasureOptions['profile']} [profile]  Records a profile, in plans with such steps.
 * @property {(step: Step) => void} [onStep]  Called when a step begins.
 * @property {AbortSignal} [signal]  Ends the plan with an error.
 */

/**
 * @param {Plan & {sides?: Sides}} plan
 * @param {StopRule} stopRule
 * @param {ExecuteOptions} options
 * @returns {AsyncGenerator<Sample[]>} all samples of a step at once
 */
export async function * execute (plan, stopRule, { finished = [], order, profile, onStep = () => {}, signal }) {
  const finishedIds = new Set([...finished].map(stepIdOf))
  const closing = new AbortController()
  const end = AbortSignal.any([closing.signal, ...[signal, stopRule.signal].flatMap(end => end ?? [])])
  const pins = choosePins()
  const measure = new Measure(plan, { pins, profile, signal: end })
  try {
    for (const stage of order) {
      const steps = stage.filter(({ id }) => !finishedIds.has(id))
      yield * inLanes(steps, lanesOf(stage[0], pins), begin, () => closing.abort())
    }
  } finally {
    closing.abort()
    await measure.end()
  }

  /** @type {(planned: Step, pin: string[]) => Promise<Sample[]> | undefined} undefined: the stop rule wants no cell */
  function begin (planned, pin) {
    signal?.throwIfAborted()
    if (stopRule.signal?.aborted) return undefined
    const step = { ...planned, cells: planned.cells.filter(cell => stopRule.wants(cell, planned)) }
    if (step.cells.length === 0) return undefined
    onStep(step)
    return measure.step(step, pin).then(
      // A measurement that was interrupted may have failed because of that.
      samples => (stopRule.signal?.aborted ? [] : samples),
      error => {
        if (stopRule.signal?.aborted && !signal?.aborted) return []
        throw error
      }
    )
  }
}

/**
 * @param {Step} step  First step of a stage.
 * @param {Pins} pins
 * @returns {string[][]} a command prefix for each step that may run at the same time
 */
function lanesOf ({ kind, isExclusive }, pins) {
  if (isExclusive) return [pins.subject]
  return kind === 'count' ? Array.from({ length: os.availableParallelism() }, () => []) : pins.cores
}

/**
 * Runs steps side by side, one a lane, and yields their samples. The next step begins after the consumer has seen the
 * samples of earlier ones.
 *
 * @param {Step[]} steps
 * @param {string[][]} lanes
 * @param {(step: Step, lane: string[]) => Promise<Sample[]> | undefined} begin  Returns undefined for a step that is
 *   left out.
 * @param {() => void} end  Ends all steps that are under way.
 */
async function * inLanes (steps, lanes, begin, end) {
  const next = steps.values()
  /** @type {Map<string[], Promise<{lane: string[], samples: Sample[]}>>} */
  const running = new Map()
  const fill = (/** @type {string[]} */ lane) => {
    for (const step of next) {
      const measuring = begin(step, lane)
      if (!measuring) continue
      running.set(lane, measuring.then(samples => ({ lane, samples })))
      return
    }
  }
  try {
    lanes.forEach(fill)
    while (running.size > 0) {
      const { lane, samples } = await Promise.race(running.values())
      running.delete(lane)
      if (samples.length > 0) yield samples
      fill(lane)
    }
  } finally {
    // After an error, or when the consumer has left its loop.
    if (running.size > 0) end()
    await Promise.allSettled(running.values())
  }
}
