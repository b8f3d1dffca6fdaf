/** V8's sampling profiler, switched on and off from inside the process that it profiles. */
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { LINES_PER_MODULE, numberedModules } from './line-numbers.js'
import { SAMPLING_MICROS } from './v8-profiler.js'

const session = new Session()
session.connect()

/**
 * @typedef {object} NumberedModule  A module whose lines were moved up.
 * @property {string} url
 * @property {number} firstLine  The number that its line 1 has in the profile.
 * @property {FunctionLines[]} functions  The whole module first.
 *
 * @typedef {{name: string, line: number, endLine: number}} FunctionLines  As numbered in the file, from 1.
 */

/** @param {number} [samplingMicros]  From one tick to the next. */
export async function startRecording (samplingMicros = SAMPLING_MICROS) {
  await post('Profiler.enable')
  await post('Profiler.setSamplingInterval', { interval: samplingMicros })
  await post('Profiler.start')
}

/** @returns {Promise<import('../analysis/cpu-profile.js').RawProfile>} */
export async function stopRecording () {
  const { profile } = await post('Profiler.stop')
  return profile
}

/** @returns {Promise<NumberedModule[]>} where each function of each numbered module lies */
export async function listFunctions () {
  const { result } = await post('Profiler.getBestEffortCoverage')
  const coverageOf = new Map(result.map((/** @type {any} */ script) => [script.url, script]))
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
  const lineAt = (/** @type {number} */ offset) => 1 + countBelow(ends, offset - moved)
  const whole = { name: '(module)', line: 1, endLine: ends.length + 1 }
  return [whole, ...functions.map(({ functionName, ranges: [{ startOffset, endOffset }] }) =>
    ({ name: functionName, line: lineAt(startOffset), endLine: lineAt(endOffset) }))]
}

/**
 * @param {number[]} sorted
 * @param {number} limit
 */
function countBelow (sorted, limit) {
  let count = 0
  while (count < sorted.length && sorted[count] < limit) count++
  return count
}

/**
 * @param {string} method
 * @param {object} [params]
 * @returns {Promise<any>}
 */
function post (method, params) {
  return new Promise((resolve, reject) => {
    session.post(method, params, (error, result) => error ? reject(error) : resolve(result))
  })
}
