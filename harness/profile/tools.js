/**
 * Profilers of servers. A tool takes one sample of a running cell and writes its files to a folder.
 *
 * @typedef {object} ToolContext
 * @property {Plan} plan
 * @property {Cell} cell
 * @property {Pins} pins
 * @property {string} folder  Folder of the tool's files.
 * @property {string} fileName  Name of the files, without the ending.
 * @property {boolean} isCalibrated  Whether the error of the profile is measured, too, if the tool can.
 * @property {number} [samplingMicros]  Microseconds between two ticks.
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} Recorded
 * @property {Record<string, number>} metrics
 * @property {Warning[]} warnings
 * @property {{tool: string, files: string[], [more: string]: unknown}} details
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {() => unknown} [assertAvailable]  Throws a UsageError that says how to install the tool.
 * @property {(context: ToolContext) => Promise<Recorded>} record
 */
/** @import { Cell } from '../model/cell.js' */
/** @import { Warning } from '../model/warnings.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Pins } from '../processes/pinning.js' */

/** Values of `--with`: V8's own profile, and packages of npm. */
export const TOOLS = ['cpu', '0x', 'clinic-doctor', 'clinic-flame']

/**
 * @param {string[]} names
 * @returns {Promise<Tool[]>}
 */
export async function loadTools (names) {
  const { tool: cpu } = await import('./tools/cpu.js')
  const { packagedTools } = await import('./tools/packaged.js')
  return [cpu, ...packagedTools].filter(({ name }) => names.includes(name))
}
