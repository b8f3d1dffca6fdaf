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
 * @returns {() => void} restores Node's own methods; running timers stay with the service. A method that was replaced
 *   since stays in its place, and those below it let every call pass.
 */
export function plugSocketTimers (service, accepts = () => true) {
  /** @type {any} */
  const prototype = Socket.prototype
  const { setTimeout: nativeSetTimeout, _unrefTimer: nativeUnrefTimer, _destroy: nativeDestroy } = prototype
  const native = { setTimeout: nativeSetTimeout, _unrefTimer: nativeUnrefTimer, _destroy: nativeDestroy }
  /** Property of a socket: false if no timer of Node's own runs for it, beside ours. */
  const kNative = Symbol('timerq.native')
  let isPlugged = true

  /** @type {Record<keyof typeof native, (this: any, ...args: any[]) => unknown>} */
  const plugged = {
    setTimeout (duration, callback) {
      if (!isPlugged) return nativeSetTimeout.call(this, duration, callback)
      if (this.destroyed) return this
      const ours =
        typeof duration === 'number' && duration > 0 && duration <= MAX_DURATION_MS && accepts(this, duration)
      const enrolled = this[kTimer] !== undefined
      if (!ours) {
        // An HTTP server does this before every request but the first of a connection.
        if (enrolled && duration === 0 && callback === undefined && !this[kNative]) {
          service.unenroll(this)
          this.timeout = 0
          return this
        }
        this[kNative] = true
        // Node removes the listener of a cleared timeout; it throws for bad arguments, and then our timer goes on.
        nativeSetTimeout.call(this, duration, callback)
        if (enrolled) service.unenroll(this)
        return this
      }
      // Stops a native timer, which may have been started before the methods were replaced.
      if (this[kNative] !== false) nativeSetTimeout.call(this, 0)
      this[kNative] = false
      this.timeout = duration
      service.enroll(this, duration)
      // As in Node, the timeout runs although a callback that is no function throws.
      if (callback !== undefined) this.once('timeout', callback)
      return this
    },

    _unrefTimer () {
      if (!isPlugged) return nativeUnrefTimer.call(this)
      let mayBeNative = false
      // The parent of a TLS socket is the TCP socket below it.
      for (let socket = this; socket != null; socket = socket._parent) {
        if ((socket[kTimer] === undefined || !service.unrefActive(socket)) && socket[kNative] !== false) {
          mayBeNative = true
        }
      }
      if (mayBeNative) nativeUnrefTimer.call(this)
    },

    _destroy (error, callback) {
      if (isPlugged) {
        for (let socket = this; socket != null; socket = socket._parent) {
          if (socket[kTimer] !== undefined) service.release(socket)
        }
      }
      return nativeDestroy.call(this, error, callback)
    }
  }
  Object.assign(prototype, plugged)

  return () => {
    isPlugged = false
    for (const name of /** @type {(keyof typeof native)[]} */ (Object.keys(plugged))) {
      if (prototype[name] === plugged[name]) prototype[name] = native[name]
    }
  }
}
