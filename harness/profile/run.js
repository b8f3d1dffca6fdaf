/** Takes profiles of the cells of a plan, as extra samples in the same kind of results directory as a run. */
import path from 'node:path'
import { makeFolder } from '../store/make-folder.js'
import { SampleError } from '../processes/child.js'
import { UsageError } from '../model/errors.js'
import { lookUp } from '../measure/look-up.js'
import { takeSamples } from '../measure/sample.js'
import { choosePins } from '../processes/pinning.js'
import { orderRounds } from '../plan/plan.js'
import { openRun } from '../run/run.js'

/** Where a results directory keeps profiles. */
export const PROFILES = 'profiles'

/**
 * @typedef {import('./tools/index.js').Tool} Tool
 * @typedef {import('../plan/plan.js').Plan} Plan
 *
 * @typedef {object} ProfileProgress
 * @property {import('../plan/plan.js').Cell} cell  What is recorded now.
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
 * @returns {Promise<import('../store/results.js').Results>}
 * @throws {UsageError} when a tool is missing, or fits none of the scenarios
 */
export async function profilePlan (plan, { tools, directory, command, ...options }) {
  for (const tool of tools) await tool.assertAvailable()
  if (samplesOf(plan, tools).length === 0) {
    throw new UsageError(`--with ${tools.map(({ name }) => name).join(',')} records ${tools[0].kinds.join(' and ')} scenarios, ${plan.scenarios.map(({ name, kind }) => `${name} is ${kind}`).join(', ')}`)
  }
  const store = await openRun(plan, { directory, command, isResumable: false })
  await takeProfiles(plan, { tools, store, ...options })
  return store.end()
}

/**
 * A tool that fails or a server that dies costs only its own sample.
 *
 * @param {Plan} plan
 * @param {object} options
 * @param {Tool[]} options.tools
 * @param {import('../store/results.js').Store} options.store
 * @param {number} [options.calibratedRounds]  In later rounds a profile's own error is not measured, which would take as long again.
 * @param {import('../store/results.js').Sample[]} [options.finished]  Profiles of the plan that are there already, whichever tool took them.
 * @param {number} [options.samplingMicros]
 * @param {number} [options.attempts]  At a profile that is lost.
 * @param {(progress: ProfileProgress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 */
export async function takeProfiles (plan, { tools, store, calibratedRounds = Infinity, finished = [], samplingMicros, attempts = 1, onProgress = () => {}, signal }) {
  const folder = path.join(store.directory, PROFILES)
  makeFolder(folder)
  const pins = choosePins()
  const taken = new Set(finished.map(keyOf))
  const samples = samplesOf(plan, tools).filter(({ cell, round }) => !taken.has(keyOf({ cell: cell.id, round })))
  for (const [done, { tool, cell, round }] of samples.entries()) {
    onProgress({ cell, tool: tool.name, done, total: samples.length })
    const fileName = fileNameOf(cell, round)
    const record = async () => (await takeSamples({ kind: 'profile', id: '', cells: [cell], round }, async () =>
      [await tool.record({ plan, cell, pins, folder, fileName, isCalibrated: round < calibratedRounds, samplingMicros, signal }).catch(error => { throw nameTool(error, tool) })]))[0]
    let sample = await record()
    for (let attempt = 1; attempt < attempts && sample.failure; attempt++) sample = await record()
    store.append([sample])
  }
}

/** @param {{cell: string, round: number}} sample */
const keyOf = ({ cell, round }) => `${round} ${cell}`

/**
 * Every tool on every cell that it can record.
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
 * @param {import('../plan/plan.js').Cell} cell
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
