/**
 * Preloaded into Node's own tests: the timers of timers/ in place of Node's, and idle timeouts under all sockets. Does
 * nothing without TIMERQ_CALLED, the file that notes that a test called them: a preloaded file by itself changes when
 * the event loop turns first.
 */
import { appendFileSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import { createTimers } from '../../timers/create-timers.js'
import { plugSockets } from '../../timers/plug-sockets.js'

const require = createRequire(import.meta.url)
const { TIMERQ_CALLED } = process.env
let isNoted = false
if (TIMERQ_CALLED) replace(TIMERQ_CALLED)

/** @param {string} note */
function replace (note) {
  const { setTimeout, clearTimeout, setImmediate } = globalThis
  const { promises, ...timers } = createTimers({ native: { setTimeout, clearTimeout, setImmediate } })
  for (const [name, call] of Object.entries(promises)) {
    Object.assign(require('node:timers/promises'), { [name]: noting(call, note) })
  }
  Object.defineProperty(timers.setTimeout, promisify.custom, {
    enumerable: true,
    get: () => require('node:timers/promises').setTimeout
  })
  for (const [name, call] of Object.entries(timers)) {
    const replacement = noting(call, note)
    Object.assign(globalThis, { [name]: replacement })
    Object.assign(require('node:timers'), { [name]: replacement })
  }
  plugSockets(null, { resolution: 3, shortest: 1 })
  Socket.prototype.setTimeout = noting(Socket.prototype.setTimeout, note)
  syncBuiltinESMExports()
}

/**
 * @template {(...args: any[]) => any} F
 * @param {F} call
 * @param {string} note
 * @returns {F}
 */
function noting (call, note) {
  const { [call.name]: named } = {
    [call.name] (/** @type {any[]} */ ...args) {
      if (!isNoted) appendFileSync(note, `${process.pid}\n`)
      isNoted = true
      return call.apply(this, args)
    }
  }
  return Object.defineProperties(/** @type {F} */ (named), Object.getOwnPropertyDescriptors(call))
}
