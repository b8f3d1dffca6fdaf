/** Takes profiles of the cells of a plan, as samples in the same kind of results directory as a run. */
import path from 'node:path'
import { lookUp, takeSample } from '../measure/sample.js'
import { SampleError, UsageError } from '../model/errors.js'
import { orderRounds } from '../plan/plan.js'
import { choosePins } from '../processes/pinning.js'
import { closeRun, openRun } from '../run/run.js'
import { makeFolder } from '../store/make-folder.js'
import { appendSamples } from '../store/results.js'

/**
 * @import { Cell, Plan } from '../plan/plan.js'
 * @import { Results, Sample } from '../store/results.js'
 * @import { Tool } from './tools/index.js'
 *
 * @typedef {{cell: Cell, tool: string, done: number, total: number}} ProfileProgress  `cell`: being recorded.
 */

/** The folder for profiles in a results directory. */
export const PROFILES = 'profiles'

/**
 * @param {Plan} plan
 * @param {object} options
 * @param {Tool[]} options.tools
 * @param {string} options.directory  Must not hold results yet.
 * @param {string[]} options.command
 * @param {(progress: ProfileProgress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Results>}
 * @throws {UsageError} when a tool is missing, or fits none of the scenarios
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
 * A tool that fails or a server that dies costs only its own sample.
 *
 * @param {Plan} plan
 * @param {object} options
 * @param {Tool[]} options.tools
 * @param {string} options.directory  Of results.
 * @param {number} [options.calibratedRounds]  Later rounds do not measure a profile's own error, which takes as long again.
 * @param {Iterable<Sample>} [options.finished]  Present profiles of the plan, by any tool.
 * @param {number} [options.samplingMicros]
 * @param {number} [options.attempts]  At a profile that is lost.
 * @param {boolean} [options.isResumable]  Whether the command has a --resume, which messages may name.
 * @param {(progress: ProfileProgress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 */
export async function takeProfiles (plan, { tools, directory, calibratedRounds = Infinity, finished = [], samplingMicros, attempts = 1, isResumable, onProgress = () => {}, signal }) {
  const folder = path.join(directory, PROFILES)
  makeFolder(folder)
  const pins = choosePins()
  const isFinished = new Set([...finished].map(keyOf))
  const samples = samplesOf(plan, tools).filter(({ cell, round }) => !isFinished.has(keyOf({ cell: cell.id, round })))
  for (const [done, { tool, cell, round }] of samples.entries()) {
    onProgress({ cell, tool: tool.name, done, total: samples.length })
    const context = { plan, cell, pins, folder, fileName: fileNameOf(cell, round), isCalibrated: round < calibratedRounds, samplingMicros, signal }
    const record = () => takeSample({ cell, round, channel: 'profile' }, () => tool.record(context).catch(error => {
      throw error instanceof SampleError ? new SampleError(error.kind, `${tool.name}: ${error.message}`) : error
    }))
    let sample = await record()
    for (let attempt = 1; attempt < attempts && sample.failure; attempt++) sample = await record()
    appendSamples(directory, [sample], isResumable)
  }
}

/** @type {(sample: {cell: string, round: number}) => string} */
const keyOf = ({ cell, round }) => `${round} ${cell}`

/**
 * Every tool on every cell that it can record.
 *
 * @param {Plan} plan
 * @param {Tool[]} tools
 */
function samplesOf (plan, tools) {
  const ordered = orderRounds(plan.cells, plan.settings)
  return tools.flatMap(tool => ordered.filter(({ cell }) => tool.kinds.includes(lookUp(plan, cell).scenario.kind))
    .map(({ cell, round }) => ({ tool, cell, round })))
}

/** @type {(cell: Cell, round: number) => string} */
function fileNameOf ({ id }, round) {
  return (round === 0 ? id : `${id} ${round + 1}`).replaceAll(/[^\w.=-]+/g, '_')
}
