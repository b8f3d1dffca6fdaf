/** A timer of Node's shape. Members with an underscore have the names and meanings of Node's. */
import { AsyncResource } from 'node:async_hooks'
/** @import { Scheduler } from './scheduler.js' */

const MANUAL = { requireManualDestroy: true }
const dispose = /** @type {typeof Symbol.dispose} */ (Symbol.dispose ?? Symbol.for('nodejs.dispose'))

export class Timeout {
  /** The scheduler's: the place in its queue, the order of the starts, and whether the timer waits in the batch that runs. */
  handle = -1
  sequence = 0
  isDue = false
  #scheduler
  #isReferenced
  #resource = /** @type {AsyncResource | null} */ (null)
  #id = 0

  /**
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
    this.#scheduler = scheduler
    this.#isReferenced = isReferenced
    this.#begin()
    scheduler.insert(this, scheduler.start)
  }

  /** Whole milliseconds. */
  get duration () {
    return Math.ceil(this._idleTimeout)
  }

  refresh () {
    if (this._idleTimeout < 0) return this
    if (this._destroyed) {
      this._destroyed = false
      this.#begin()
    }
    this.#scheduler.insert(this, this.#scheduler.start)
    return this
  }

  ref () {
    return this.#reference(true)
  }

  unref () {
    return this.#reference(false)
  }

  hasRef () {
    return this.#isReferenced
  }

  close () {
    if (this._onTimeout === null) return this
    this._onTimeout = null
    this._idleTimeout = -1
    if (!this._destroyed) this.#end()
    return this
  }

  [Symbol.toPrimitive] () {
    if (this.#id === 0) {
      this.#id = this.#resource?.asyncId() ?? ++this.#scheduler.lastId
      if (!this._destroyed) this.#scheduler.byId.set(this.#id, this)
    }
    return this.#id
  }

  [dispose] () {
    this.close()
  }

  /** Calls the callback. The scheduler alone does so. */
  fire () {
    const scheduler = this.#scheduler
    const start = this._repeat ? scheduler.start : 0
    try {
      this.#call()
    } finally {
      if (this._repeat && this._idleTimeout !== -1) {
        this._idleTimeout = this._repeat
        scheduler.insert(this, start)
      } else if (!this._destroyed && !scheduler.isPending(this)) {
        this.#end()
      }
    }
  }

  #call () {
    const callback = /** @type {(...args: any[]) => void} */ (this._onTimeout)
    const args = this._timerArgs
    if (this.#resource === null) {
      if (args === undefined) callback.call(this)
      else Reflect.apply(callback, this, args)
    } else if (args === undefined) {
      this.#resource.runInAsyncScope(callback, this)
    } else {
      this.#resource.runInAsyncScope(callback, this, ...args)
    }
  }

  #begin () {
    if (this.#scheduler.asyncContext) this.#resource = new AsyncResource('Timeout', MANUAL)
    if (this.#isReferenced) this.#scheduler.countReference(1)
  }

  #end () {
    this._destroyed = true
    this.#scheduler.remove(this)
    if (this.#isReferenced) this.#scheduler.countReference(-1)
    if (this.#id !== 0) this.#scheduler.byId.delete(this.#id)
    this.#resource?.emitDestroy()
  }

  /** @param {boolean} isReferenced */
  #reference (isReferenced) {
    if (isReferenced === this.#isReferenced) return this
    this.#isReferenced = isReferenced
    if (!this._destroyed) this.#scheduler.countReference(isReferenced ? 1 : -1)
    return this
  }
}
