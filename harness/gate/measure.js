/** Measures the steps of a gate: every side of a cell in a fresh process, started in the folder of its side. */
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { modulesOf } from '../measure/modules/modules-of.js'
import { createMeasure, lookUp, takeHeat, takeSample } from '../measure/sample.js'
import { SampleError } from '../processes/child.js'
import { findForeign, isWithin } from './sides.js'

/**
 * @import { QueueMeta } from '../../queues/contract.js'
 * @import { Cell, Side } from '../model/cell.js'
 * @import { Sample } from '../store/results.js'
 * @import { GatePlan, GateStep } from './plan.js'
 * @import { Folders } from './sides.js'
 * @import { GateStopRule } from './stop-rule.js'
 */

/**
 * Servers have the machine to themselves. Other steps of a round run at the same time, a heat on each core.
 *
 * @param {GatePlan} plan
 * @param {GateStep[]} steps
 * @param {object} options
 * @param {Folders} options.folders
 * @param {Pick<GateStopRule, 'wants' | 'isOver'>} options.stopRule
 * @param {(step: GateStep) => void} [options.onProgress]  Called before each heat.
 * @param {AbortSignal} [options.signal]
 * @returns {AsyncGenerator<Sample[]>} the samples of a step at once
 */
export async function * measureSteps (plan, steps, { folders, stopRule, onProgress = () => {}, signal }) {
  const { cores, count, heat } = createSideMeasure(plan, folders, signal)
  const servers = new Set(plan.scenarios.filter(({ kind }) => kind === 'http').map(({ name }) => name))
  const isServer = (/** @type {GateStep} */ { kind, cells: [{ scenario }] }) => kind === 'heat' && servers.has(scenario)
  const counts = steps.filter(({ kind }) => kind === 'count')
  yield * together(counts, Array.from({ length: os.availableParallelism() }, () => []), count)
  for (const round of new Set(steps.filter(({ kind }) => kind === 'heat').map(({ round }) => round))) {
    const heats = steps.filter(step => step.kind === 'heat' && step.round === round)
    yield * together(heats.filter(step => !isServer(step)), cores, heat)
    yield * together(heats.filter(isServer), [undefined], heat)
  }

  /**
   * @param {GateStep[]} chosen
   * @param {(string[] | undefined)[]} pins  Where steps run, one at a time on each.
   * @param {(step: GateStep, pin?: string[]) => Promise<Sample[]>} measure
   */
  async function * together (chosen, pins, measure) {
    const free = [...pins]
    /** @type {Map<GateStep, Promise<{step: GateStep, pin: string[] | undefined, samples: Sample[]}>>} */
    const running = new Map()
    const next = async () => {
      const { step, pin, samples } = await Promise.race(running.values())
      running.delete(step)
      free.push(pin)
      return samples
    }
    try {
      for (const step of chosen) {
        if (free.length === 0) yield next()
        signal?.throwIfAborted()
        if (!stopRule.wants(step.cells[0], step.kind)) continue
        if (step.kind === 'heat' && stopRule.isOver) break
        if (step.kind === 'heat') onProgress(step)
        const pin = free.pop()
        running.set(step, measure(step, pin).then(samples => ({ step, pin, samples })))
      }
      while (running.size > 0) yield next()
    } finally {
      await Promise.allSettled(running.values())
    }
  }
}

/**
 * @param {GatePlan} plan
 * @param {Folders} folders
 * @param {AbortSignal} [signal]
 */
export function createSideMeasure (plan, folders, signal) {
  const { root } = plan.gate
  const measure = createMeasure(plan.settings, signal)
  return {
    cores: measure.pins.cores,

    /**
     * @param {GateStep} step
     * @param {string[]} [pin]
     */
    heat: ({ id, cells, round, seed }, pin) => takeHeat({ id, cells, round }, () => measure.heat(cells.map(lookUpOnSide), { seed, pin })),

    /**
     * Needs no clock: checks whose code runs and, where the scenario allows it, counts how much.
     *
     * @param {Pick<GateStep, 'cells'>} step
     */
    count: async ({ cells: [cell] }) => [await takeSample({ cell, round: 0, channel: 'exact' }, async () => {
      const found = lookUpOnSide(cell)
      const declared = await assertOwnModules(found, folders[/** @type {Side} */ (cell.side)])
      const counted = found.scenario.isCounted ? await measure.count(found) : { metrics: {}, warnings: [] }
      return { ...counted, details: { declared } }
    })]
  }

  /**
   * A queue that reads a file by its relative path reads its own side's.
   *
   * @param {Cell} cell
   */
  function lookUpOnSide (cell) {
    const folder = folders[/** @type {Side} */ (cell.side)]
    const queues = plan.queues.map(queue => ({ ...queue, url: pathToFileURL(path.join(folder, queue.file)).href }))
    const found = lookUp({ ...plan, queues }, cell)
    const here = path.join(folder, isWithin(root, process.cwd()) ? path.relative(root, process.cwd()) : '')
    return { ...found, runtime: { ...found.runtime, cwd: existsSync(here) ? here : folder } }
  }

  /**
   * @param {ReturnType<typeof lookUpOnSide>} found
   * @param {string} folder
   * @returns {Promise<Partial<QueueMeta>>} the queue's declaration on this side
   * @throws {SampleError} when the side runs code of another
   */
  async function assertOwnModules ({ microTask, runtime }, folder) {
    const { urls, accuracy } = await modulesOf(microTask, runtime, signal)
    const foreign = findForeign(urls, folder, root)
    if (foreign) throw new SampleError('wrong', `it runs ${foreign}, which is not its own copy of that file`)
    return { accuracy }
  }
}
