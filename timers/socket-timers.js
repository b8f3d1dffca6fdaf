/**
 * Routes the idle timers of sockets through a timer service.
 *
 * Since Node 0.10, any activity on a socket restarts its idle timer. Node starts this timer in setTimeout, restarts it
 * in _unrefTimer (an internal getter calls this too) and stops it in _destroy, all of net.Socket.prototype. Overriding
 * these three is enough; checked on Node 20 to 26.
 */
import { Socket } from 'node:net'

/** Longest duration of Node's own timers. Node warns of a longer one, and replaces it. */
const MAX_DURATION_MS = 2 ** 31 - 1
/** Property of a socket: its timer in the service, or undefined if it has none there. */
export const kTimer = Symbol('timerq.timer')

/**
 * @typedef {object} SocketTimerService  Methods have the names of Node's old timers module.
 * @property {(socket: any, duration: number) => void} enroll  Starts the socket's timer with a
 *   duration in milliseconds, and sets its kTimer.
 * @property {(socket: any) => boolean} unrefActive  Restarts the timer of a socket with a kTimer. Returns false
 *   if it was unenrolled.
 * @property {(socket: any) => unknown} unenroll  Stops the timer.
 * @property {(socket: any) => void} release  Stops the timer, and makes kTimer undefined.
 */

/**
 * @param {SocketTimerService} service
 * @param {(socket: any, duration: number) => boolean} [accepts]  Decides whether a timer of this duration in
 *   milliseconds is routed (default: all); others stay with Node.
 * @returns {() => void} restores Node's own methods; running timers stay with the service. Methods that other code has
 *   replaced since are kept, and ours below them pass every call on.
 */
export function plugSocketTimers (service, accepts = () => true) {
  /** @type {any} */
  const prototype = Socket.prototype
  const { setTimeout: nativeSetTimeout, _unrefTimer: nativeUnrefTimer, _destroy: nativeDestroy } = prototype
  const native = { setTimeout: nativeSetTimeout, _unrefTimer: nativeUnrefTimer, _destroy: nativeDestroy }
  /** Property of a socket: false once none of Node's own timers can be running for it. */
  const kNative = Symbol('timerq.native')
  let isPlugged = true

  /** @type {Record<keyof typeof native, (this: any, ...args: any[]) => unknown>} */
  const plugged = {
    setTimeout (duration, callback) {
      if (!isPlugged) return nativeSetTimeout.call(this, duration, callback)
      if (this.destroyed) return this
      const isRouted =
        typeof duration === 'number' && duration > 0 && duration <= MAX_DURATION_MS && accepts(this, duration)
      const hasTimer = this[kTimer] !== undefined
      if (!isRouted) {
        // An HTTP server does this before every request but the first of a connection.
        if (hasTimer && duration === 0 && callback === undefined && !this[kNative]) {
          service.unenroll(this)
          this.timeout = 0
          return this
        }
        this[kNative] = true
        // First: Node removes the listener of a cleared timeout. It throws for bad arguments, and our timer goes on.
        nativeSetTimeout.call(this, duration, callback)
        if (hasTimer) service.unenroll(this)
        return this
      }
      // Stops a native timer, which may have been started before the methods were replaced.
      if (this[kNative] !== false) nativeSetTimeout.call(this, 0)
      this[kNative] = false
      this.timeout = duration
      service.enroll(this, duration)
      // As in Node, the timer is already running if `once` throws because the callback is not a function.
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
