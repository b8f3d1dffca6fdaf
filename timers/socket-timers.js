/**
 * Routes the idle timers of all sockets of this process through a timer service.
 *
 * Since Node 0.10, any activity on a socket refreshes its idle timer. Today this goes through setTimeout, _destroy and
 * _unrefTimer of net.Socket.prototype (an internal getter calls _unrefTimer too). Overriding these three is enough;
 * checked on Node 20 to 26.
 */
import { Socket } from 'node:net'
import { kTimer } from './timer-service.js'
/** @import { TimerService } from './timer-service.js' */

/** The longest duration of Node's own timers; Node replaces a longer duration, with a warning. */
const MAX_DURATION_MS = 2 ** 31 - 1

/** @param {TimerService} service @returns {() => void} restores Node's own methods; timers already running stay with the service */
export function plugSocketTimers (service) {
  /** @type {any} */
  const prototype = Socket.prototype
  const { setTimeout: nativeSetTimeout, _unrefTimer: nativeUnrefTimer, _destroy: nativeDestroy } = prototype

  prototype.setTimeout = function setTimeout (/** @type {number} */ duration, /** @type {() => void} */ callback) {
    if (this.destroyed) return this
    const ours = typeof duration === 'number' && duration > 0 && duration <= MAX_DURATION_MS
    if (!ours) {
      if (this[kTimer] !== undefined) service.unenroll(this)
      // Node validates the duration, or removes the listener of a cleared timeout.
      return nativeSetTimeout.call(this, duration, callback)
    }
    // Stops a native timer that was started before the methods were replaced.
    if (this[kTimer] === undefined) nativeSetTimeout.call(this, 0)
    this.timeout = duration
    service.enroll(this, duration)
    if (callback !== undefined) this.once('timeout', callback)
    return this
  }

  prototype._unrefTimer = function _unrefTimer () {
    // The parent of a TLS socket is the TCP socket below it.
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
