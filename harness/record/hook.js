/**
 * Records what a program does with timers: `node --import timerq/record app.js` writes a trace of every socket's idle
 * timer and every global timer, to the file named by TIMERQ_TRACE. Nothing that the program sees changes.
 *
 * Timers within Node itself are not seen, nor one that is cleared by its number instead of its object.
 */
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import timers from 'node:timers'
import { CANCEL, FIRE, REFRESH, START, TraceWriter } from './trace-format.js'

const FLUSH_EVERY_MS = 1000
/** What Node makes of durations that it cannot wait for. */
const SHORTEST_MS = 1
const LONGEST_MS = 2 ** 31 - 1

const kNumber = Symbol('timerq.number')
const kRunning = Symbol('timerq.running')

const native = { setTimeout, setInterval, clearTimeout, clearInterval }
const clock = () => Math.floor(performance.now())
const trace = new TraceWriter(process.env.TIMERQ_TRACE ?? `timerq-${process.pid}.trace`, clock())
let numbers = 0

/**
 * @param {any} item
 * @param {number} duration
 */
function started (item, duration) {
  item[kNumber] ??= numbers++
  item[kRunning] = true
  trace.write(START, clock(), item[kNumber], Math.ceil(duration))
}

/** @param {any} item */
function refreshed (item) {
  if (item[kRunning]) trace.write(REFRESH, clock(), item[kNumber])
}

/**
 * @param {any} item
 * @param {number} kind
 */
function ended (item, kind) {
  if (!item?.[kRunning]) return
  item[kRunning] = false
  trace.write(kind, clock(), item[kNumber])
}

recordSockets()
recordGlobals()
flushInTime()

function recordSockets () {
  /** @type {any} */
  const prototype = Socket.prototype
  const { setTimeout, _unrefTimer, _destroy, _onTimeout } = prototype

  prototype.setTimeout = function (/** @type {number} */ duration, /** @type {() => void} */ callback) {
    const result = setTimeout.call(this, duration, callback)
    if (duration > 0 && !this.destroyed) started(this, Math.min(duration, LONGEST_MS))
    else ended(this, CANCEL)
    return result
  }
  prototype._unrefTimer = function () {
    // A TLS socket's parent is the socket below it.
    for (let socket = this; socket; socket = socket._parent) refreshed(socket)
    return _unrefTimer.call(this)
  }
  prototype._onTimeout = function () {
    ended(this, FIRE)
    return _onTimeout.call(this)
  }
  prototype._destroy = function (/** @type {Error} */ error, /** @type {() => void} */ callback) {
    for (let socket = this; socket; socket = socket._parent) ended(socket, CANCEL)
    return _destroy.call(this, error, callback)
  }
}

function recordGlobals () {
  const wrapped = {
    setTimeout: start(native.setTimeout, timer => ended(timer, FIRE)),
    setInterval: start(native.setInterval, (timer, duration) => {
      ended(timer, FIRE)
      started(timer, duration)
    }),
    clearTimeout: clear(native.clearTimeout),
    clearInterval: clear(native.clearInterval)
  }
  for (const [name, replacement] of Object.entries(wrapped)) {
    const original = /** @type {any} */ (native)[name]
    // Among its properties: what util.promisify makes of it.
    Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original))
    Object.assign(globalThis, { [name]: replacement })
    Object.assign(timers, { [name]: replacement })
  }
  syncBuiltinESMExports()

  const sample = native.setTimeout(() => {}, 1)
  native.clearTimeout(sample)
  const prototype = Object.getPrototypeOf(sample)
  const { refresh, close } = prototype
  prototype.refresh = function () {
    const result = refresh.call(this)
    refreshed(this)
    return result
  }
  prototype.close = function () {
    ended(this, CANCEL)
    return close.call(this)
  }
}

/**
 * @param {any} original
 * @param {(timer: any, duration: number) => void} onFire
 */
function start (original, onFire) {
  return function (/** @type {any} */ callback, /** @type {number} */ delay, /** @type {any[]} */ ...args) {
    if (typeof callback !== 'function') return original(callback, delay, ...args)
    const duration = delay >= SHORTEST_MS && delay <= LONGEST_MS ? Math.trunc(delay) : SHORTEST_MS
    const timer = original(function (/** @type {any} */ ...values) {
      onFire(timer, duration)
      return callback.apply(timer, values)
    }, delay, ...args)
    started(timer, duration)
    return timer
  }
}

/** @param {any} original */
function clear (original) {
  return (/** @type {any} */ timer) => {
    ended(timer, CANCEL)
    return original(timer)
  }
}

/** Every second, at the end, and before a signal ends the program. */
function flushInTime () {
  native.setInterval(() => trace.flush(), FLUSH_EVERY_MS).unref()
  process.once('exit', () => trace.close())
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      trace.flush()
      // With no other listener it would have ended the program.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
    })
  }
}
