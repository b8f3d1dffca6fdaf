/** A timer of Node's shape. Members with an underscore have the names and meanings of Node's. */
import { AsyncResource } from 'node:async_hooks'
/** @import { Scheduler } from './scheduler.js' */

const MANUAL = { requireManualDestroy: true }
const dispose = /** @type {typeof Symbol.dispose} */ (Symbol.dispose ?? Symbol.for('nodejs.dispose'))

/** No private members: Node's methods do nothing for an object that is no timer, so these do not throw either. */
export class Timeout {
  /**
   * @internal For the scheduler: the timer in its queue, the order of the starts, and whether it waits in the batch
   * that runs.
   */
  handle = -1
  /** @internal */
  sequence = 0
  /** @internal Absolute milliseconds. */
  deadline = 0
  /** @internal */
  isDue = false
  /** @internal Number that a program has asked for. */
  id = 0
  /**
   * @internal
   *
   * @type {AsyncResource | null}
   */
  resource = null

  /**
   * @internal
   *
   * @param {Scheduler} scheduler
   * @param {(...args: any[]) => void} callback
   * @param {number} duration  Milliseconds, at least 1.
   * @param {any[] | undefined} args
   * @param {boolean} repeats
   * @param {boolean} isReferenced  Whether it keeps the process alive.
   */
  constructor (scheduler, callback, duration, args, repeats, isReferenced) {
    this._idleTimeout = duration
    this._idleStart = 0
    /** @type {((...args: any[]) => void) | null} */
    this._onTimeout = callback
    this._timerArgs = args
    this._repeat = repeats ? duration : null
    this._destroyed = false
    /** @internal */
    this.scheduler = scheduler
    /** @internal */
    this.isReferenced = isReferenced
    begin(this)
    scheduler.insert(this, scheduler.start)
  }

  refresh () {
    if (this._idleTimeout < 0) return this
    if (this._destroyed) {
      this._destroyed = false
      begin(this)
    }
    this.scheduler.insert(this, this.scheduler.start)
    return this
  }

  ref () {
    if (this.isReferenced) return this
    this.isReferenced = true
    if (!this._destroyed) this.scheduler?.countReference(1)
    return this
  }

  unref () {
    if (!this.isReferenced) return this
    this.isReferenced = false
    if (!this._destroyed) this.scheduler.countReference(-1)
    return this
  }

  hasRef () {
    return this.isReferenced
  }

  close () {
    if (this._onTimeout === null) return this
    this._onTimeout = null
    this._idleTimeout = -1
    if (!this._destroyed) end(this)
    return this
  }

  [Symbol.toPrimitive] () {
    if (this.id === 0) {
      this.id = this.resource?.asyncId() ?? ++this.scheduler.lastId
      if (!this._destroyed) this.scheduler.byId.set(this.id, this)
    }
    return this.id
  }

  [dispose] () {
    this.close()
  }

  /** @internal Calls the callback. The timer is not in the queue. */
  fire () {
    // The functions of Node's old API write to a timer.
    if (this._onTimeout === null || this._idleTimeout < 0) {
      end(this)
      return
    }
    const start = this._repeat ? this.scheduler.start : 0
    try {
      call(this)
    } finally {
      if (this._repeat && this._idleTimeout !== -1) {
        this._idleTimeout = this._repeat
        this.scheduler.insert(this, start)
      } else if (!this._destroyed && !this.scheduler.isPending(this)) {
        end(this)
      }
    }
  }
}

/** @param {Timeout} timeout */
function call (timeout) {
  const callback = /** @type {(...args: any[]) => void} */ (timeout._onTimeout)
  const { resource, _timerArgs: args } = timeout
  if (resource !== null) {
    try {
      if (args === undefined) resource.runInAsyncScope(callback, timeout)
      else resource.runInAsyncScope(callback, timeout, ...args)
    } catch (error) {
      // node:domain handles an error by the domain that is active when it is uncaught; leaving the scope has left the domain.
      const { domain } = /** @type {any} */ (resource)
      domain?.enter()
      throw error
    }
  } else if (args === undefined) {
    callback.call(timeout)
  } else {
    callback.apply(timeout, args)
  }
}

/** @param {Timeout} timeout */
function begin (timeout) {
  if (timeout.scheduler.asyncContext) timeout.resource = new AsyncResource('Timeout', MANUAL)
  if (timeout.isReferenced) timeout.scheduler.countReference(1)
}

/** @param {Timeout} timeout */
function end (timeout) {
  timeout._destroyed = true
  timeout.scheduler.remove(timeout)
  if (timeout.isReferenced) timeout.scheduler.countReference(-1)
  if (timeout.id !== 0) timeout.scheduler.byId.delete(timeout.id)
  timeout.resource?.emitDestroy()
}
