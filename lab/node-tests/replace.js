/** Preloaded into Node's own tests: the timers of timers/ in place of Node's, and idle timeouts under all sockets. */
import { appendFileSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { createTimers } from '../../timers/create-timers.js'
import { plugSockets } from '../../timers/plug-sockets.js'

const require = createRequire(import.meta.url)
const { setTimeout, clearTimeout, setImmediate } = globalThis
const { promises, ...timers } = createTimers({ native: { setTimeout, clearTimeout, setImmediate } })

let isNoted = false
/** @template {(...args: any[]) => any} F @param {F} call @returns {F} */
function noting (call) {
  const { [call.name]: named } = {
    [call.name] (/** @type {any[]} */ ...args) {
      if (!isNoted) appendFileSync(/** @type {string} */ (process.env.TIMERQ_CALLED), `${process.pid}\n`)
      isNoted = true
      return call.apply(this, args)
    }
  }
  return Object.defineProperties(/** @type {F} */ (named), Object.getOwnPropertyDescriptors(call))
}

for (const [name, call] of Object.entries(timers)) {
  const replacement = noting(call)
  Object.assign(globalThis, { [name]: replacement })
  Object.assign(require('node:timers'), { [name]: replacement })
}
for (const [name, call] of Object.entries(promises)) Object.assign(require('node:timers/promises'), { [name]: noting(call) })
plugSockets(null, { resolution: 3, shortest: 1 })
Socket.prototype.setTimeout = noting(Socket.prototype.setTimeout)
syncBuiltinESMExports()
