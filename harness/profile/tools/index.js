/**
 * Everything that can be recorded while a cell runs. A tool takes one sample and writes its files to the folder it is given.
 *
 * @typedef {object} ToolContext
 * @property {import('../../plan/plan.js').Plan} plan
 * @property {import('../../plan/plan.js').Cell} cell
 * @property {import('../../processes/pinning.js').Pins} pins
 * @property {string} folder  For its files.
 * @property {string} fileName  Their name, without the ending.
 * @property {boolean} isCalibrated  Measures the error of what it records, too, where it can.
 * @property {number} [samplingMicros]  From one tick to the next, where a tool has ticks.
 * @property {AbortSignal} [signal]
 *
 * @typedef {object} Recorded
 * @property {Record<string, number>} metrics
 * @property {string[]} warnings
 * @property {{tool: string, files: string[], [more: string]: unknown}} details
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {('micro' | 'http')[]} kinds  Of scenarios that it can record.
 * @property {() => Promise<void> | void} assertAvailable  Throws a UsageError that says how to install it.
 * @property {(context: ToolContext) => Promise<Recorded>} record
 */
import { clinicDoctor, clinicFlame } from './clinic.js'
import { cpu } from './cpu.js'
import { gc } from './gc.js'
import { perf } from './perf.js'
import { zeroX } from './zero-x.js'

/** @type {Tool[]} */
export const tools = [cpu, gc, zeroX, clinicDoctor, clinicFlame, perf]
