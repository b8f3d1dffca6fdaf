/**
 * Profilers of servers. A tool takes one sample of a running cell and writes its files to a folder.
 *
 * @typedef {object} ToolContext
 * @property {Plan} plan
 * @property {Cell} cell
 * @property {Pins} pins
 * @property {string} folder  Folder of the tool's files.
 * @property {string} fileName  Name of the files, without the ending.
 * @property {boolean} isCalibrated  Also measures the error of the profile, if the tool can.
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
import { cpu } from './cpu.js'
import { clinicDoctor, clinicFlame, zeroX } from './external.js'
/** @import { Cell } from '../../model/cell.js' */
/** @import { Warning } from '../../model/warnings.js' */
/** @import { Plan } from '../../plan/plan.js' */
/** @import { Pins } from '../../processes/pinning.js' */

/** @type {Tool[]} */
export const tools = [cpu, zeroX, clinicDoctor, clinicFlame]
