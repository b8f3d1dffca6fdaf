/** Profiles of the cells of a plan: extra samples in a results directory. */
import path from 'node:path'
import { makeFolder } from '../store/make-folder.js'
import { SampleError } from '../processes/child.js'
import { UsageError } from '../model/errors.js'
import { lookUp, takeSample } from '../measure/sample.js'
import { choosePins } from '../processes/pinning.js'
import { orderRounds } from '../plan/plan.js'
import { appendSamples } from '../store/results.js'
import { closeRun, openRun } from '../run/run.js'

/** @import { Cell, Plan } from '../plan/plan.js' */
/** @import { Results } from '../store/results.js' */
/** @import { Tool } from './tools/index.js' */

/** Folder of a results directory. */
export const PROFILES = 'profiles'

/**
 * @typedef {object} ProfileProgress
 * @property {Cell} cell  Cell that is recorded now.
 * @property {string} tool
 * @property {number} done
 * @property {number} total
 */

/**
 * @param {Plan} plan
 * @param {object} options
 * @param {Tool[]} options.tools
 * @param {string} options.directory  Must not hold results yet.
 * @param {string[]} options.command
 * @param {(progress: ProfileProgress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Results>}
 * @throws {UsageError} when a tool is missing, or can record none of the scenarios
 */
export async function profilePlan (plan, { tools, directory, command, ...options }) {
  for (const tool of tools) await tool.assertAvailable()
  if (samplesOf(plan, tools).length === 0) {
    throw new UsageError(`--with ${tools.map(({ name }) => name).join(',')} records ${tools[0].kinds.join(' and ')} scenarios, ${plan.scenarios.map(({ name, kind }) => `${name} is ${kind}`).join(', ')}`)
  }
  const run = await openRun(plan, { directory, command })
  await takeProfiles(plan, { tools, directory, isResumable: false, ...options })
  return closeRun(directory, run, false)
}

/**
 * A tool that fails or a server that dies costs one sample.
 *
 * @param {Plan} plan
 * @param {object} options
 * @param {Tool[]} options.tools
 * @param {string} options.directory  Of results.
 * @param {boolean} [options.isResumable]  Whether the command has a --resume, which messages may name.
 * @param {(progress: ProfileProgress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 */
export async function takeProfiles (plan, { tools, directory, isResumable, onProgress = () => {}, signal }) {
  const planned = samplesOf(plan, tools)
  for (const [done, { tool, cell, round }] of planned.entries()) {
    onProgress({ cell, tool: tool.name, done, total: planned.length })
    appendSamples(directory, [await record(plan, { cell, round }, { tool, directory, isCalibrated: true, signal })], isResumable)
  }
}

/** Five times the usual ticks, for queues that take less than 1 % of a server's CPU. */
const SHARE_SAMPLING_MICROS = 100

/**
 * Records a profile for the share of a queue. Its error is not measured, which would take as long again. The many ticks slow a request
 * down by a quarter and make all shares a tenth smaller, which leaves their ratios as they are.
 *
 * @param {Plan} plan
 * @param {{cell: Cell, round: number}} planned
 * @param {{tool: Tool, directory: string, signal?: AbortSignal}} options
 */
export function recordProfile (plan, planned, options) {
  return record(plan, planned, { ...options, isCalibrated: false, samplingMicros: SHARE_SAMPLING_MICROS })
}

/**
 * @param {Plan} plan
 * @param {{cell: Cell, round: number}} planned
 * @param {{tool: Tool, directory: string, isCalibrated: boolean, samplingMicros?: number, signal?: AbortSignal}} options
 */
function record (plan, { cell, round }, { tool, directory, ...options }) {
  const folder = path.join(directory, PROFILES)
  makeFolder(folder)
  return takeSample({ cell, round, channel: 'profile' }, () =>
    tool.record({ plan, cell, pins: choosePins(), folder, fileName: fileNameOf(cell, round), ...options }).catch(error => { throw nameTool(error, tool) }))
}

/**
 * All samples of all tools.
 *
 * @param {Plan} plan
 * @param {Tool[]} tools
 */
function samplesOf (plan, tools) {
  const { cells, settings } = plan
  const ordered = orderRounds(cells, settings)
  return tools.flatMap(tool => ordered.filter(({ cell }) => tool.kinds.includes(lookUp(plan, cell).scenario.kind))
    .map(({ cell, round }) => ({ tool, cell, round })))
}

/**
 * @param {Cell} cell
 * @param {number} round
 */
function fileNameOf ({ id }, round) {
  return (round === 0 ? id : `${id} ${round + 1}`).replaceAll(/[^\w.=-]+/g, '_')
}

/**
 * @param {unknown} error
 * @param {Tool} tool
 */
function nameTool (error, { name }) {
  return error instanceof SampleError ? new SampleError(error.kind, `${name}: ${error.message}`) : error
}
