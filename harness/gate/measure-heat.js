/** Measures base, head and sham head of one cell at the same time, each in a fresh process. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { modulesOf } from '../measure/modules/modules-of.js'
import { SampleError } from '../processes/child.js'
import { lookUp } from '../measure/look-up.js'
import { Measure } from '../measure/measure.js'
import { takeSamples } from '../measure/sample.js'
import { choosePins } from '../processes/pinning.js'
import { createCell } from '../model/cell.js'
import { armName } from './plan.js'
import { isWithin, moduleUrl } from './sides.js'

/**
 * @typedef {import('./plan.js').GatePlan} GatePlan
 * @typedef {import('./plan.js').PlannedPair} PlannedPair
 * @typedef {import('./plan.js').Arm} Arm
 * @typedef {import('../store/results.js').Sample} Sample
 * @typedef {import('../judge/verdict.js').RowCell} RowCell
 *
 * @typedef {Partial<Pick<import('../../queues/contract.js').QueueMeta, 'accuracy'>>} Declared  By the queue as an arm has it.
 */

/**
 * @param {GatePlan} plan
 * @param {import('./sides.js').Sides} sides
 * @param {AbortSignal} [signal]
 */
export function createArmMeasure (plan, sides, signal) {
  const pins = choosePins()
  const measure = new Measure(plan.settings, pins, signal)
  /** @type {Map<string, Promise<Declared>>} */
  const checked = new Map()

  return {
    /** The cores that micro heats may run on, all at once. */
    cores: pins.cores,

    end: () => measure.end(),

    /**
     * @param {PlannedPair} pair
     * @param {import('./sides.js').Folders} folders
     * @param {string[]} [pin]
     * @returns {Promise<Sample[]>} one an arm
     */
    heat ({ cell, round, order, seed }, folders, pin) {
      const entrants = order.map(arm => lookUpIn(folders[arm], cell))
      const cells = order.map(arm => cellOf(cell, arm))
      return takeSamples({ kind: 'heat', id: `${cellOf(cell, 'head').id} round ${round}`, cells, round }, () => measure.heat(entrants, { seed, pin }))
    },

    /**
     * Needs no clock: checks whose code runs and, where the scenario allows it, counts how much of it.
     *
     * @param {RowCell} cell
     * @param {Arm} arm
     * @param {string} folder
     */
    counts (cell, arm, folder) {
      return takeSamples({ kind: 'count', id: '', cells: [cellOf(cell, arm)], round: 0 }, async () => {
        const found = lookUpIn(folder, cell)
        const declared = await checkModules(found, folder)
        const counted = found.scenario.isCounted ? await measure.count(found) : { metrics: {}, warnings: [] }
        return [{ ...counted, details: { declared } }]
      })
    }
  }

  /**
   * Processes start in the folder of their side: a queue that reads a file by its relative path reads its own.
   *
   * @param {string} folder
   * @param {RowCell} cell
   */
  function lookUpIn (folder, cell) {
    const queues = plan.gate.queues.map(queue => ({ ...queue, url: moduleUrl(folder, queue.file) }))
    const found = lookUp({ ...plan, queues }, cell)
    return { ...found, runtime: { ...found.runtime, cwd: startIn(folder) } }
  }

  /**
   * Where we are in the repository, seen in a side that has that folder.
   *
   * @param {string} folder
   */
  function startIn (folder) {
    const { root = folder } = plan.gate
    const here = path.join(folder, isWithin(root, process.cwd()) ? path.relative(root, process.cwd()) : '')
    return existsSync(here) ? here : folder
  }

  /**
   * Once for every queue, arm and scenario: sizes load no other files.
   *
   * @param {ReturnType<typeof lookUp>} found
   * @param {string} folder
   */
  function checkModules ({ microTask, runtime }, folder) {
    const key = [microTask.queueUrl, microTask.scenarioUrl, runtime.name].join(' ')
    const check = checked.get(key) ?? assertOwnModules(microTask, runtime, folder)
    checked.set(key, check)
    // It may have been killed: the next cell of this queue asks again.
    check.catch(() => checked.delete(key))
    return check
  }

  /**
   * @param {import('../measure/micro/queue-process.js').MicroTask} task
   * @param {import('../processes/child.js').Runtime} runtime
   * @param {string} folder
   * @returns {Promise<Declared>}
   * @throws {SampleError} when the arm runs code of another
   */
  async function assertOwnModules (task, runtime, folder) {
    const { urls, accuracy } = await modulesOf(task, runtime, signal)
    const foreign = sides.findForeign(urls, folder, plan.gate.root ?? folder)
    if (foreign) throw new SampleError('wrong', `it runs ${foreign}, which is not its own copy of that file`)
    return { accuracy }
  }
}

/**
 * The cell of the plan in which a sample is kept.
 *
 * @param {RowCell} cell
 * @param {Arm} arm
 */
export function cellOf ({ scenario, params, queue, runtime }, arm) {
  return createCell({ scenario, params, queue: armName(queue, arm), runtime })
}
