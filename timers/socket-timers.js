/**
 * Routes the idle timers of sockets through a timer service.
 *
 * Since Node 0.10, any activity on a socket refreshes its idle timer. Today this goes through setTimeout, _destroy and
 * _unrefTimer of net.Socket.prototype (an internal getter calls _unrefTimer too). Overriding these three is enough;
 * checked on Node 20 to 26.
 */
import { Socket } from 'node:net'

/** The longest duration of Node's own timers; Node replaces a longer duration, with a warning. */
const MAX_DURATION_MS = 2 ** 31 - 1
/** Property of a socket: its timer in the service. Undefined: it has none there. */
export const kTimer = Symbol('timerq.timer')
/** Property of a socket: false if no timer of Node's own runs for it, beside ours. */
const kNative = Symbol('timerq.native')

/**
 * @typedef {object} SocketTimerService
 * @property {(socket: any, duration: number) => void} enroll  Starts the socket's timer, and sets its kTimer.
 * @property {(socket: any) => boolean} unrefActive Restarts the timer of a socket with a kTimer; false: it is
 *   unenrolled.
 * @property {(socket: any) => unknown} unenroll  Stops the timer.
 * @property {(socket: any) => void} release  Stops the timer, and makes kTimer undefined.
 */

/**
 * @param {SocketTimerService} service
 * @param {(socket: any, duration: number) => boolean} [accepts]  Sockets and durations to route; others stay with Node.
 * @returns {() => void} restores Node's own methods; running timers stay with the service
 */
export function plugSocketTimers (service, accepts = () => true) {
  /** @type {any} */
  const prototype = Socket.prototype
  const { setTimeout: nativeSetTimeout, _unrefTimer: nativeUnrefTimer, _destroy: nativeDestroy } = prototype

  prototype.setTimeout = function setTimeout (/** @type {number} */ duration, /** @type {() => void} */ callback) {
    if (this.destroyed) return this
    const ours =
      typeof duration === 'number' &&
      duration > 0 &&
      duration <= MAX_DURATION_MS &&
      (callback === undefined || typeof callback === 'function') &&
      accepts(this, duration)
    if (!ours) {
      if (this[kTimer] !== undefined) {
        service.unenroll(this)
        // An HTTP server does this before every request but the first of a connection.
        if (duration === 0 && callback === undefined && !this[kNative]) {
          this.timeout = 0
          return this
        }
      }
      this[kNative] = true
      // Node validates the arguments, or removes the listener of a cleared timeout.
      return nativeSetTimeout.call(this, duration, callback)
    }
    // Stops a native timer, which may have been started before the methods were replaced.
    if (this[kNative] !== false) nativeSetTimeout.call(this, 0)
    this[kNative] = false
    this.timeout = duration
    service.enroll(this, duration)
    if (callback !== undefined) this.once('timeout', callback)
    return this
  }

  prototype._unrefTimer = function _unrefTimer () {
    let mayBeNative = false
    // The parent of a TLS socket is the TCP socket below it.
    for (let socket = this; socket != null; socket = socket._parent) {
      if ((socket[kTimer] === undefined || !service.unrefActive(socket)) && socket[kNative] !== false) {
        mayBeNative = true
      }
    }
    if (mayBeNative) nativeUnrefTimer.call(this)
  }

  prototype._destroy = function _destroy (/** @type {Error} */ error, /** @type {() => void} */ callback) {
    for (let socket = this; socket != null; socket = socket._parent) {
      if (socket[kTimer] !== undefined) service.release(socket)
    }
    return nativeDestroy.call(this, error, callback)
  }

  return () => {
    Object.assign(prototype, { setTimeout: nativeSetTimeout, _unrefTimer: nativeUnrefTimer, _destroy: nativeDestroy })
  }
}
