/** Records profiles of the cells of a plan, as samples in the same kind of results directory as a run. */
import path from 'node:path'
import { SampleError, UsageError } from '../model/errors.js'
import { kindIn, usesServers } from '../model/kinds.js'
import { orderRounds } from '../plan/plan.js'
import { choosePins } from '../processes/pinning.js'
import { execute } from '../run/execute.js'
import { openRun } from '../run/run.js'
import { makeFolder } from '../store/folders.js'
import { openResults, readResults } from '../store/results.js'
import { tool as cpu } from './tools/cpu.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Results, Store } from '../store/results.js' */
/** @import { Tool } from './tools.js' */

/**
 * @typedef {{cell: Cell, tool: string, done: number, total: number}} ProfileProgress  `cell` is being recorded.
 *
 * @typedef {object} Recording
 * @property {Tool} tool
 * @property {string} directory  Folder of the results.
 * @property {boolean} [isCalibrated]  Whether the profile's own error is measured, which takes as long again.
 * @property {number} [samplingMicros]
 * @property {AbortSignal} [signal]
 */

/** The folder for profiles in a results directory. */
export const PROFILES = 'profiles'

/**
 * A tool that fails or a server that dies costs only its own sample.
 *
 * @param {Plan} plan
 * @param {object} options
 * @param {Tool[]} options.tools
 * @param {string} options.directory  Must not hold results yet.
 * @param {string[]} options.command
 * @param {(progress: ProfileProgress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Results>}
 * @throws {UsageError} when a tool is missing, or no scenario is a server
 */
export async function profilePlan (plan, { tools, directory, command, ...options }) {
  for (const tool of tools) tool.assertAvailable?.()
  if (!usesServers(plan)) {
    const chosen = plan.scenarios.map(({ name, kind }) => `${name} is ${kind}`).join(', ')
    throw new UsageError(`profile records http scenarios, but ${chosen} (choose another --scenario)`)
  }
  const stages = tools.flatMap(tool => stepsOf(plan, tool)).map(step => [step])
  const store = await openRun(plan, { directory, command, stages, isResumable: false })
  await takeProfiles(plan, { tools, store, ...options })
  return store.end()
}

/**
 * Adds a CPU profile of every server to a run that has none of it yet: no profiler runs while time is measured.
 *
 * @param {Results} results
 * @param {{onProgress: (progress: ProfileProgress) => void, signal: AbortSignal}} options
 * @returns {Promise<Results>}
 */
export async function profileRun ({ directory, run: { plan }, samples }, options) {
  const recorded = new Set(samples.filter(({ kind }) => kind === 'profile').map(({ cell }) => cell))
  const cells = plan.cells.filter(({ id }) => !recorded.has(id))
  const once = { ...plan, cells, end: { ...plan.end, rounds: 1 } }
  await takeProfiles(once, { ...options, tools: [cpu], store: openResults(directory).store })
  return readResults(directory)
}

/**
 * Adds profiles to a run's own directory.
 *
 * @param {Plan} plan
 * @param {object} options
 * @param {Tool[]} options.tools
 * @param {Pick<Store, 'directory' | 'append'>} options.store
 * @param {(progress: ProfileProgress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 */
async function takeProfiles (plan, { tools, store, onProgress = () => {}, signal }) {
  const steps = tools.flatMap(tool => stepsOf(plan, tool))
  const toolOf = (/** @type {Step} */ { id }) =>
    /** @type {Tool} */ (tools.find(({ name }) => id.startsWith(`${name} `)))
  let done = 0
  for await (const samples of execute(
    plan,
    { see () {}, wants: () => true },
    {
      order: steps.map(step => [step]),
      profile: (step, end) =>
        recordProfile(plan, step, { tool: toolOf(step), directory: store.directory, isCalibrated: true, signal: end }),
      onStep: step => onProgress({ cell: step.cells[0], tool: toolOf(step).name, done, total: steps.length }),
      signal
    }
  )) {
    store.append(samples)
    done++
  }
}

/**
 * @param {Plan} plan
 * @param {Pick<Step, 'cells' | 'round'>} step
 * @param {Recording} recording
 */
export async function recordProfile (
  plan,
  { cells: [cell], round },
  { tool, directory, isCalibrated = false, samplingMicros, signal }
) {
  const folder = path.join(directory, PROFILES)
  makeFolder(folder)
  try {
    return await tool.record({
      plan,
      cell,
      pins: choosePins(),
      folder,
      fileName: fileNameOf(cell, round),
      isCalibrated,
      samplingMicros,
      signal
    })
  } catch (error) {
    throw error instanceof SampleError ? new SampleError(error.kind, `${tool.name}: ${error.message}`) : error
  }
}

/**
 * Every server, for each tool.
 *
 * @param {Plan} plan
 * @param {Tool} tool
 * @returns {Step[]}
 */
function stepsOf (plan, { name }) {
  const kindOf = kindIn(plan)
  return orderRounds(plan.cells, { rounds: plan.end.rounds, seed: plan.settings.seed })
    .filter(({ cell }) => kindOf(cell).isServer)
    .map(({ cell, round }) => ({
      kind: 'profile',
      id: `${name} ${cell.id} round ${round}`,
      cells: [cell],
      round,
      isExclusive: true
    }))
}

/** @type {(cell: Cell, round: number) => string} */
function fileNameOf ({ id }, round) {
  return (round === 0 ? id : `${id} ${round + 1}`).replaceAll(/[^\w.=-]+/g, '_')
}
