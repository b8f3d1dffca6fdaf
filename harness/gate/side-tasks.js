/** The tasks of a gate: each side of a cell runs its own copy of the queue, in the folder of its side. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { lookUp } from '../measure/look-up.js'
import { modulesOf } from '../measure/modules/modules-of.js'
import { SampleError } from '../model/errors.js'
import { findForeign, isWithin } from './sides.js'

/**
 * @import { CellTask } from '../measure/look-up.js'
 * @import { Cell, Side } from '../model/cell.js'
 * @import { GatePlan } from './gate-plan.js'
 * @import { Folders } from './sides.js'
 */

/**
 * A queue that reads a file by a relative path reads the file of its side.
 * @param {GatePlan} plan @param {Folders} folders @param {Cell} cell @returns {CellTask}
 */
export function sideTaskOf (plan, folders, cell) {
  const { root } = plan.gate
  const folder = folders[/** @type {Side} */ (cell.side)]
  const queues = plan.queues.map(queue => ({ ...queue, url: pathToFileURL(path.join(folder, queue.file)).href }))
  const task = lookUp({ ...plan, queues }, cell)
  const here = path.join(folder, isWithin(root, process.cwd()) ? path.relative(root, process.cwd()) : '')
  return { ...task, runtime: { ...task.runtime, cwd: existsSync(here) ? here : folder } }
}

/**
 * @param {GatePlan} plan @param {Folders} folders @param {{task: CellTask, cell: Cell, signal?: AbortSignal}} counted
 * @returns {Promise<{declared: {accuracy: unknown}}>} the side's declaration, for the sample's details
 * @throws {SampleError} when the side runs code of another
 */
export async function assertOwnModules (plan, folders, { task: { microTask, runtime }, cell: { side }, signal }) {
  const { urls, accuracy } = await modulesOf(microTask, runtime, signal)
  const foreign = findForeign(urls, folders[/** @type {Side} */ (side)], plan.gate.root)
  if (foreign) throw new SampleError('wrong', `it runs ${foreign}, which is not its own copy of that file`)
  return { declared: { accuracy } }
}
