/**
 * Records a program's timers: `node --import timerq/record app.js` writes a trace of every socket's idle timer and
 * every global timer to the file named by TIMERQ_TRACE. The program sees no difference.
 *
 * Both kinds of timer are Node's Timeouts, which store the time of their last start. The recorder reads that time
 * instead of a clock, because reading a clock costs more than recording. The recorder keeps nothing but two numbers on
 * each Timeout.
 *
 * Timers of timers/promises and AbortSignal.timeout are recorded, too. Not recorded: timers of HTTP/2 streams and of
 * worker threads. Processes that the program starts record to separate files.
 */
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { assertPermitted, stayToTheEnd } from '../../subject/program/presence.js'
import { CANCEL, FIRE, LONGEST_DURATION, REFRESH, START, TraceWriter } from '../../store/trace-format.js'

const FLUSH_EVERY_MS = 1000

/** Property of a Timeout: its number while it runs, else the number's complement, which is negative. */
const kNumber = Symbol('timerq.number')
/** Property of a Timeout: the time of its last start in the trace, which may be after that by Node's clock. */
const kStarted = Symbol('timerq.started')
/** Property of a Timeout: the number or string by which the program may clear it. */
const kPrimitive = Symbol('timerq.primitive')
/** Property of a socket: the Timeout of its idle timer. Node's own symbol, the same on all sockets. */
const kTimeout = /** @type {symbol} */ (
  Object.getOwnPropertySymbols(new Socket()).find(({ description }) => description === 'timeout')
)

const native = { setTimeout, setInterval, clearTimeout, clearInterval }
const sample = /** @type {any} */ (native.setTimeout(() => {}, 1))
native.clearTimeout(sample)
/**
 * Offset from performance.now() to the clock of Timeouts, which counts whole milliseconds from another origin. The sum
 * may lag by a millisecond, or be ahead where that clock ticks late (libuv reads the kernel's coarse clock).
 */
const clockOffset = sample._idleStart - performance.now()

/** @type {Map<number, any>} */
const timersByPrimitive = new Map()
let numbers = 0
/** @type {TraceWriter} */
let trace

if (isMainThread) {
  const file = fileOfThisProcess()
  const { permission } = process
  assertPermitted(!permission || permission.has('fs.write', file), `add --allow-fs-write=${file}*`)
  trace = new TraceWriter(file, sample._idleStart)
  recordTimeouts()
  recordSockets()
  recordPromises()
  recordSignals()
  recordGlobals()
  native.setInterval(() => trace.flush(), FLUSH_EVERY_MS).unref()
  stayToTheEnd(() => trace.flush())
}

/** The program's own process records to the named file. A child process adds its id to the name. */
function fileOfThisProcess () {
  const { TIMERQ_TRACE: file = 'timerq.trace', TIMERQ_RECORDED: recorded } = process.env
  process.env.TIMERQ_RECORDED = '1'
  return recorded === undefined ? file : `${file}.${process.pid}`
}

const clock = () => Math.floor(performance.now() + clockOffset)

/**
 * @param {any} timer
 * @param {number} now
 * @param {number} number
 */
function started (timer, now, number) {
  timer[kNumber] = number
  timer[kStarted] = trace.write(START, now, number, Math.trunc(timer._idleTimeout))
}

/** @param {any} timer  Any argument of clearTimeout. */
function cancelled (timer) {
  if (timer?.[kNumber] >= 0) ended(timer, CANCEL, clock())
}

/**
 * @param {any} timer
 * @returns {number} the time
 */
function fired (timer) {
  // By Node's clock the timer is due. The recorder's clock may lag, or have been ahead at the start.
  const now = Math.max(clock(), timer[kStarted] + Math.trunc(timer._idleTimeout))
  if (timer[kNumber] >= 0) ended(timer, FIRE, now)
  return now
}

/**
 * @param {any} timer  Running.
 * @param {number} kind
 * @param {number} now
 */
function ended (timer, kind, now) {
  const number = timer[kNumber]
  timer[kNumber] = ~number
  trace.write(kind, now, number)
  if (timer[kPrimitive] !== undefined) timersByPrimitive.delete(timer[kPrimitive])
}

function recordTimeouts () {
  const prototype = Object.getPrototypeOf(sample)
  const { refresh, [Symbol.toPrimitive]: toPrimitive } = prototype

  prototype.refresh = function () {
    const result = refresh.call(this)
    const number = this[kNumber]
    if (number >= 0) this[kStarted] = trace.write(REFRESH, this._idleStart, number)
    // refresh() starts a fired timer again, but not a cleared timer.
    else if (number < 0 && this._idleTimeout > 0) started(this, this._idleStart, ~number)
    return result
  }
  prototype[Symbol.toPrimitive] = function () {
    const primitive = toPrimitive.call(this)
    if (this[kNumber] >= 0) timersByPrimitive.set((this[kPrimitive] = primitive), this)
    return primitive
  }
  for (const name of ['close', Symbol.dispose]) {
    const close = prototype[name]
    prototype[name] = function () {
      cancelled(this)
      return close.call(this)
    }
  }
}

/** Refreshes of sockets are seen at their Timeouts. */
function recordSockets () {
  /** @type {any} */
  const prototype = Socket.prototype
  const { setTimeout, _destroy, _onTimeout } = prototype

  prototype.setTimeout = function (/** @type {number} */ duration, /** @type {() => void} */ callback) {
    const before = this[kTimeout]
    const result = setTimeout.call(this, duration, callback)
    const timer = this[kTimeout]
    // A socket has one timer, but setTimeout makes a new Timeout each time.
    if (timer !== before) started(timer, timer._idleStart, numberOf(before))
    else if (!this.destroyed) cancelled(timer)
    return result
  }
  prototype._onTimeout = function () {
    fired(this[kTimeout])
    return _onTimeout.call(this)
  }
  prototype._destroy = function (/** @type {Error} */ error, /** @type {() => void} */ callback) {
    // The parent of a TLS socket is the socket below it.
    for (let socket = this; socket; socket = socket._parent) cancelled(socket[kTimeout])
    return _destroy.call(this, error, callback)
  }
}

/** @param {any} timer */
function numberOf (timer) {
  const number = timer?.[kNumber] ?? numbers++
  return number < 0 ? ~number : number
}

function recordGlobals () {
  const wrapped = {
    setTimeout: recordStarts(native.setTimeout, fired),
    setInterval: recordStarts(native.setInterval, timer => {
      started(timer, fired(timer), numberOf(timer))
    }),
    clearTimeout: recordClears(native.clearTimeout),
    clearInterval: recordClears(native.clearInterval)
  }
  for (const [name, replacement] of Object.entries(wrapped)) {
    const original = /** @type {any} */ (native)[name]
    // util.promisify reads a property of the original.
    Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original))
    Object.assign(globalThis, { [name]: replacement })
    Object.assign(timers, { [name]: replacement })
  }
  syncBuiltinESMExports()
}

/**
 * @param {any} original
 * @param {(timer: any) => void} onFire
 */
function recordStarts (original, onFire) {
  return function (/** @type {any} */ callback, /** @type {number} */ delay, /** @type {any[]} */ ...args) {
    if (typeof callback !== 'function') return original(callback, delay, ...args)
    const timer = original(
      function () {
        onFire(timer)
        return callback.apply(timer, arguments)
      },
      delay,
      ...args
    )
    started(timer, timer._idleStart, numbers++)
    return timer
  }
}

/** The Timeouts of timers/promises cannot be reached: plain objects stand for them. */
function recordPromises () {
  const { setTimeout, setInterval, scheduler } = promises
  const begun = (delay = 1) => {
    // As Node takes them.
    const timer = { _idleTimeout: delay >= 1 && delay <= LONGEST_DURATION ? delay : 1 }
    started(timer, clock(), numbers++)
    return timer
  }
  /** @type {any} */
  const replacements = {
    setTimeout (/** @type {any[]} */ ...args) {
      const promise = setTimeout(...args)
      if (args[2]?.signal?.aborted) return promise
      const timer = begun(args[0])
      return promise.then(
        value => {
          fired(timer)
          return value
        },
        error => {
          cancelled(timer)
          throw error
        }
      )
    },
    async * setInterval (/** @type {any[]} */ ...args) {
      const timer = begun(args[0])
      try {
        for await (const value of setInterval(...args)) {
          started(timer, fired(timer), numberOf(timer))
          yield value
        }
      } finally {
        cancelled(timer)
      }
    }
  }
  Object.assign(promises, replacements)
  Object.getPrototypeOf(scheduler).wait = (/** @type {number} */ delay, /** @type {any} */ options) =>
    promises.setTimeout(delay, undefined, options)
}

/** A signal's Timeout is met where Node unrefs it. Node clears the timer when the signal is collected as garbage. */
function recordSignals () {
  const prototype = Object.getPrototypeOf(sample)
  const { timeout } = AbortSignal
  AbortSignal.timeout = delay => {
    const { unref } = prototype
    prototype.unref = function () {
      followSignal(this)
      return unref.call(this)
    }
    try {
      return timeout.call(AbortSignal, delay)
    } finally {
      prototype.unref = unref
    }
  }
}

/** @param {any} timer  Node calls its `_onTimeout` when it fires, and sets it to null when it is cleared. */
function followSignal (timer) {
  const { _onTimeout: onTimeout } = timer
  let onFire = function () {
    fired(timer)
    return onTimeout.call(timer)
  }
  Object.defineProperty(timer, '_onTimeout', {
    get: () => onFire,
    set (value) {
      cancelled(timer)
      onFire = value
    }
  })
  started(timer, timer._idleStart, numbers++)
}

/** @param {any} original */
function recordClears (original) {
  return (/** @type {any} */ timer) => {
    const isPrimitive = typeof timer === 'number' || typeof timer === 'string'
    cancelled(isPrimitive ? timersByPrimitive.get(Number(timer)) : timer)
    return original(timer)
  }
}
