/** Requests to a profiled server beyond those of http/server.js, which calls them. */
import { BusyWork } from './busy.js'
import { listFunctions, startRecording, stopRecording } from './recorder.js'
import { between, now } from './window.js'

/** @import { Server } from 'node:http' */

let opened = now()
/** @type {BusyWork} */
let busyWork

/**
 * Opens the window. The profiler has been running since the process started (see preload.js).
 *
 * @param {{samplingMicros?: number}} options
 */
export async function startProfile ({ samplingMicros }) {
  await stopRecording()
  await startRecording(samplingMicros)
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
 * @param {{server: Server}} measured
 */
export function startBusyWork ({ micros }, { server }) {
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
