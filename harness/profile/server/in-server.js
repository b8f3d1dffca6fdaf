/** What a profiled server does besides serving. It is called through http/server.js. */
import { readFileSync } from 'node:fs'
import { BusyWork } from './busy.js'
import { listFunctions, startRecording, stopRecording } from './recorder.js'

let opened = now()
/** @type {BusyWork} */
let busyWork

/** Begins the window. The profiler has been running since the process started (see preload.js). */
export async function startProfile () {
  await stopRecording()
  await startRecording()
  opened = now()
  return {}
}

export async function stopProfile () {
  const closed = now()
  const profile = await stopRecording()
  await startRecording()
  return { window: between(opened, closed), profile, modules: await listFunctions() }
}

/**
 * From now on each request first runs a function of known cost.
 *
 * @param {{micros: number}} options
 * @param {import('node:http').Server} server
 */
export function startBusyWork ({ micros }, server) {
  busyWork = new BusyWork(micros)
  const [listener] = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    busyWork.run()
    listener.call(server, request, response)
  })
  return {}
}

export function countBusyWork () {
  return { busyMicros: busyWork.totalMicros() }
}

function now () {
  const { user, system } = process.cpuUsage()
  return { micros: 1000 * performance.now(), cpuMicros: user + system, ...mainThread() }
}

/**
 * How long the main thread has run and how long it has waited for a core: the first two figures of Linux's schedstat.
 */
function mainThread () {
  try {
    const [ran, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number)
    return { ran, waited }
  } catch {
    return { ran: 0, waited: 0 }
  }
}

/**
 * @param {ReturnType<typeof now>} start
 * @param {ReturnType<typeof now>} end
 * @returns {import('../analysis/shares.js').Window}
 */
function between (start, end) {
  const ran = end.ran - start.ran
  const waited = end.waited - start.waited
  return {
    windowMicros: end.micros - start.micros,
    cpuMicros: end.cpuMicros - start.cpuMicros,
    runningShare: ran > 0 ? ran / (ran + waited) : 1
  }
}
