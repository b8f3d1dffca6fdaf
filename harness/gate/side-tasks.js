/**
 * The tasks of a gate: each side of a cell runs its own copy of the code, in the folder of its side, or its own
 * runtime.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { lookUp } from '../measure/look-up.js'
import { modulesOf } from '../measure/modules/user-modules.js'
import { SampleError } from '../model/errors.js'
import { SIDE_URL } from './gate-plan.js'
import { findForeign, isWithin } from './sides.js'

/**
 *
 * @import { CellTask } from '../measure/look-up.js'
 * @import { Cell, Side } from '../model/cell.js'
 * @import { GatePlan, SideChoice } from './gate-plan.js'
 * @import { Folders } from './sides.js'
 */

/**
 * @param {GatePlan} plan
 * @param {Folders} folders
 * @param {Cell} cell
 * @returns {CellTask}
 */
export function sideTaskOf (plan, folders, cell) {
  const side = /** @type {Side} */ (cell.side)
  const { sides } = plan.gate
  return sides ? chosenTaskOf(plan, sides[side], cell) : folderTaskOf(plan, folders[side], cell)
}

/**
 * @param {GatePlan} plan
 * @param {SideChoice} side
 * @param {Cell} cell
 */
function chosenTaskOf (plan, { runtime, url }, cell) {
  const own = (/** @type {any} */ module) => (module.url === SIDE_URL ? { ...module, url } : module)
  return lookUp(
    { ...plan, queues: plan.queues.map(own), scenarios: plan.scenarios.map(own) },
    { ...cell, runtime: runtime ?? cell.runtime }
  )
}

/**
 * Code that reads a file by a relative path reads the file of its side.
 *
 * @param {GatePlan} plan
 * @param {string} folder
 * @param {Cell} cell
 */
function folderTaskOf (plan, folder, cell) {
  const root = plan.gate.root ?? ''
  const own = (/** @type {any} */ module) =>
    module.file === undefined ? module : { ...module, url: pathToFileURL(path.join(folder, module.file)).href }
  const task = lookUp({ ...plan, queues: plan.queues.map(own), scenarios: plan.scenarios.map(own) }, cell)
  const here = path.join(folder, isWithin(root, process.cwd()) ? path.relative(root, process.cwd()) : '')
  return { ...task, runtime: { ...task.runtime, cwd: existsSync(here) ? here : folder } }
}

/**
 * @param {GatePlan} plan
 * @param {Folders} folders
 * @param {{task: CellTask, cell: Cell, signal?: AbortSignal}} counted
 * @returns {Promise<{declared: {accuracy: unknown}}>} the side's declaration, for the sample's details
 * @throws {SampleError} when the side runs code of another
 */
export async function assertOwnModules (plan, folders, { task: { microTask, queue, runtime }, cell: { side }, signal }) {
  // A server file is gated on Node's own timers.
  const isServer = queue.origin === 'built-in'
  const { urls, accuracy } = await modulesOf({ ...microTask, isServer }, runtime, signal)
  const foreign =
    plan.gate.root === undefined ? undefined : findForeign(urls, folders[/** @type {Side} */ (side)], plan.gate.root)
  if (foreign) throw new SampleError('wrong', `it runs ${foreign}, which is not its own copy of that file`)
  return { declared: { accuracy } }
}
