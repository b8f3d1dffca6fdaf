/**
 * Loaded into a user's program: records a CPU profile from its start to its end, and writes it to a file of this
 * process in the folder TIMERQ_PROFILE.
 *
 * For a hundredth of the time, the program's process runs a function of known cost, whose share in the profile shows
 * how far the profile can be trusted.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { findSourceMap } from 'node:module'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'
import { assertPermitted, stayToTheEnd } from '../../subject/program/presence.js'
import { BusyWork } from './busy.js'
import { between, KNOWS_INLINED_FRAMES, now, SAMPLING_MICROS } from './profiled-window.js'

const { TIMERQ_PROFILE: folder } = process.env
const BUSY_EVERY_MS = 20
const BUSY_MICROS = 200

if (isMainThread && folder) record(folder)

/** @param {string} folder */
function record (folder) {
  const { permission } = process
  assertPermitted(!permission || permission.has('inspector'), 'leave out --permission to profile a program')
  assertPermitted(!permission || permission.has('fs.write', folder), `add --allow-fs-write=${folder}/*`)
  // Inlining would hide Node's timers in their callers.
  if (!KNOWS_INLINED_FRAMES) {
    for (const flag of ['--no-turbo-inlining', '--no-maglev-inlining']) setFlagsFromString(flag)
  }
  const busy = new BusyWork(BUSY_MICROS)
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROS })
  const ticking = setInterval(() => busy.run(), BUSY_EVERY_MS).unref()
  busy.run()
  session.post('Profiler.start')
  const opened = now()
  let isWritten = false

  stayToTheEnd(write)

  function write () {
    if (isWritten) return
    isWritten = true
    clearInterval(ticking)
    const window = between(opened, now())
    session.post('Profiler.stop', (error, result) => {
      if (error) return
      for (const { callFrame } of result.profile.nodes) toSource(callFrame)
      const recorded = {
        program: process.argv.slice(1),
        window,
        busyMicros: busy.totalMicros(),
        profile: result.profile
      }
      const file = path.join(folder, `${process.pid}.recorded`)
      // A file is whole or missing: the program may be killed while it ends.
      writeFileSync(`${file}.new`, JSON.stringify(recorded))
      renameSync(`${file}.new`, file)
    })
  }
}

/**
 * Moves a function to its place in the sources, where the program runs with --enable-source-maps.
 *
 * @param {{url: string, lineNumber: number, columnNumber: number}} frame  Lines and columns count from 0.
 */
function toSource (frame) {
  const { originalSource: url, originalLine: lineNumber, originalColumn: columnNumber } = /** @type {any} */ (
    findSourceMap(frame.url)?.findEntry(frame.lineNumber, frame.columnNumber) ?? {}
  )
  if (url) Object.assign(frame, { url, lineNumber, columnNumber })
}
