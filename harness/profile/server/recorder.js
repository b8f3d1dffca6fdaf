/** V8's sampling profiler, switched on and off from inside the process that it profiles. */
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { LINES_PER_MODULE, numberedModules } from './line-numbers.js'
import { SAMPLING_MICROS } from './v8-profiler.js'

/** @import { RawProfile } from '../analysis/cpu-profile.js' */

const session = new Session()
session.connect()

/**
 * @typedef {object} NumberedModule  A module whose lines were moved up.
 * @property {string} url
 * @property {number} firstLine  The number of its line 1 in the profile.
 * @property {FunctionLines[]} functions  The whole module first.
 *
 * @typedef {{name: string, line: number, endLine: number}} FunctionLines  As numbered in the file, from 1.
 */

/** @param {number} [samplingMicros]  Interval of ticks. */
export async function startRecording (samplingMicros = SAMPLING_MICROS) {
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: samplingMicros })
  await session.post('Profiler.start')
}

/** @returns {Promise<RawProfile>} */
export async function stopRecording () {
  const { profile } = await session.post('Profiler.stop')
  return /** @type {any} */ (profile)
}

/** @returns {Promise<NumberedModule[]>} the lines of each function of each numbered module */
export async function listFunctions () {
  const { result } = await session.post('Profiler.getBestEffortCoverage')
  const coverageOf = new Map(result.map(script => [script.url, script]))
  return [...numberedModules].flatMap(([number, url]) => {
    const coverage = coverageOf.get(url) ?? coverageOf.get(fileURLToPath(url))
    return coverage ? [{ url, firstLine: number * LINES_PER_MODULE + 1, functions: locate(coverage.functions, number, url) }] : []
  })
}

/**
 * @param {{functionName: string, ranges: {startOffset: number, endOffset: number}[]}[]} functions
 * @param {number} number
 * @param {string} url
 * @returns {FunctionLines[]}
 */
function locate (functions, number, url) {
  const source = readFileSync(new URL(url), 'utf8')
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  const moved = number * LINES_PER_MODULE
  const lineAt = (/** @type {number} */ offset) => 1 + ends.filter(end => end < offset - moved).length
  const whole = { name: '(module)', line: 1, endLine: ends.length + 1 }
  return [whole, ...functions.map(({ functionName, ranges: [{ startOffset, endOffset }] }) =>
    ({ name: functionName, line: lineAt(startOffset), endLine: lineAt(endOffset) }))]
}
