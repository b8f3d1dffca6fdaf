/**
 * V8's sampling profiler, switched on and off from inside the server that it profiles, by requests that it adds to
 * those of http/server.js.
 */
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { BusyWork } from './busy.js'
import { LINES_PER_MODULE, numberedModules } from './line-numbers.js'
import { between, now, SAMPLING_MICROS } from './profiled-window.js'
/** @import { Server } from 'node:http' */

/**
 * @typedef {object} NumberedModule  A module whose lines were moved up.
 * @property {string} url
 * @property {number} firstLine  Number of its line 1 in the profile.
 * @property {FunctionLines[]} functions  The first is the whole module.
 *
 * @typedef {{name: string, line: number, endLine: number}} FunctionLines  Lines as numbered in the file, from 1.
 */

const session = new Session()
session.connect()
const recording = { opened: now(), busyWork: /** @type {BusyWork | null} */ (null) }

/** @param {number} [samplingMicros]  Interval of ticks. */
export async function startRecording (samplingMicros = SAMPLING_MICROS) {
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: samplingMicros })
  await session.post('Profiler.start')
}

/**
 * Opens the window. The profiler has been running since the process started (see preload.js).
 *
 * @param {{samplingMicros?: number}} options
 */
export async function startProfile ({ samplingMicros }) {
  await session.post('Profiler.stop')
  await startRecording(samplingMicros)
  recording.opened = now()
  return {}
}

export async function stopProfile () {
  const closed = now()
  const { profile } = await session.post('Profiler.stop')
  await startRecording()
  return { window: between(recording.opened, closed), profile, modules: await listFunctions() }
}

/**
 * Makes each request first run a function of known cost.
 *
 * @param {{micros: number}} options
 * @param {{server: Server}} measured
 */
export function startBusyWork ({ micros }, { server }) {
  const busyWork = (recording.busyWork = new BusyWork(micros))
  const [listener] = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    busyWork.run()
    listener.call(server, request, response)
  })
  return {}
}

export const countBusyWork = () => ({ busyMicros: recording.busyWork?.totalMicros() })

/** @returns {Promise<NumberedModule[]>} */
async function listFunctions () {
  const { result } = await session.post('Profiler.getBestEffortCoverage')
  const coverageOf = new Map(result.map(script => [script.url, script]))
  return [...numberedModules].flatMap(([number, url]) => {
    const coverage = coverageOf.get(url) ?? coverageOf.get(fileURLToPath(url))
    return coverage
      ? [{ url, firstLine: number * LINES_PER_MODULE + 1, functions: locate(coverage.functions, number, url) }]
      : []
  })
}

/** @typedef {{functionName: string, ranges: {startOffset: number, endOffset: number}[]}} CoveredFunction */

/** @type {(functions: CoveredFunction[], number: number, url: string) => FunctionLines[]} */
function locate (functions, number, url) {
  const source = readFileSync(new URL(url), 'utf8')
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  const moved = number * LINES_PER_MODULE
  const lineAt = (/** @type {number} */ offset) => 1 + ends.filter(end => end < offset - moved).length
  const whole = { name: '(module)', line: 1, endLine: ends.length + 1 }
  return [
    whole,
    ...functions.map(({ functionName, ranges: [{ startOffset, endOffset }] }) => ({
      name: functionName,
      line: lineAt(startOffset),
      endLine: lineAt(endOffset)
    }))
  ]
}
