/**
 * Preloaded into Node's own tests: idle timeouts under all sockets. Does nothing without TIMERQ_CALLED, the file that
 * notes that a test has set a socket's timeout: a preloaded file by itself changes when the event loop turns first.
 */
import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { plugSockets } from '../../timers/plug-sockets.js'

const { TIMERQ_CALLED } = process.env
if (TIMERQ_CALLED) plugAndNote(TIMERQ_CALLED)

/** @param {string} note */
function plugAndNote (note) {
  plugSockets(null, { resolution: 3, shortest: 1 })
  const { setTimeout } = Socket.prototype
  let isNoted = false
  Socket.prototype.setTimeout = function (...args) {
    if (!isNoted) appendFileSync(note, `${process.pid}\n`)
    isNoted = true
    return setTimeout.apply(this, args)
  }
}
