/**
 * Profilers of servers, listed in TOOLS. A tool takes one sample of a running cell and writes its files to a folder. To
 * remove a tool from `--with`, delete its line and its file.
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

/** Each module exports `tool`, and is loaded only when a recording uses it. */
export const TOOLS = [
  { name: 'cpu', load: () => import('./tools/cpu.js') },
  { name: '0x', load: () => import('./tools/0x.js') },
  { name: 'clinic-doctor', load: () => import('./tools/clinic-doctor.js') },
  { name: 'clinic-flame', load: () => import('./tools/clinic-flame.js') }
]

/**
 * @param {string[]} names
 * @returns {Promise<Tool[]>}
 */
export async function loadTools (names) {
  const modules = await Promise.all(TOOLS.filter(({ name }) => names.includes(name)).map(({ load }) => load()))
  return modules.map(({ tool }) => tool)
}
