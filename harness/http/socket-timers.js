/**
 * Routes the idle timers of all sockets of this process through a timer service.
 *
 * Since Node 0.10 every activity refreshes a socket's idle timer, today through net.Socket.prototype._unrefTimer (also
 * behind an internal getter), setTimeout and _destroy. Overriding these three is enough; checked on Node 20 to 26.
 */
import { Socket } from 'node:net'
import { kTimer } from './timer-service.js'

/** What Node's own timers take; above it Node warns and clamps. */
const MAX_DURATION_MS = 2 ** 31 - 1

/**
 * @param {import('./timer-service.js').TimerService} service
 * @returns {() => void} takes the plug out again; timers that are running stay with the service
 */
export function plugSocketTimers (service) {
  /** @type {any} */
  const prototype = Socket.prototype
  const { setTimeout: nativeSetTimeout, _unrefTimer: nativeUnrefTimer, _destroy: nativeDestroy } = prototype

  prototype.setTimeout = function setTimeout (/** @type {number} */ duration, /** @type {() => void} */ callback) {
    if (this.destroyed) return this
    const ours = typeof duration === 'number' && duration > 0 && duration <= MAX_DURATION_MS
    if (!ours) {
      if (this[kTimer] !== undefined) service.unenroll(this)
      // Node validates it, or takes the listener of a cleared timeout away.
      return nativeSetTimeout.call(this, duration, callback)
    }
    // Ends a native timer that was started before the plug was in.
    if (this[kTimer] === undefined) nativeSetTimeout.call(this, 0)
    this.timeout = duration
    service.enroll(this, duration)
    if (callback !== undefined) this.once('timeout', callback)
    return this
  }

  prototype._unrefTimer = function _unrefTimer () {
    // A TLS socket's parent is the socket below it.
    for (let socket = this; socket !== null; socket = socket._parent) {
      if (socket[kTimer] !== undefined) service.unrefActive(socket)
    }
  }

  prototype._destroy = function _destroy (/** @type {Error} */ error, /** @type {() => void} */ callback) {
    for (let socket = this; socket !== null; socket = socket._parent) {
      if (socket[kTimer] !== undefined) service.release(socket)
    }
    return nativeDestroy.call(this, error, callback)
  }

  return () => {
    Object.assign(prototype, { setTimeout: nativeSetTimeout, _unrefTimer: nativeUnrefTimer, _destroy: nativeDestroy })
  }
}
