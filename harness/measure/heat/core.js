/**
 * A core that heats share. One at a time is measured; the processes of the next start when no heat is, or while the one that is has to
 * wait: something else slows the core down, and what must be done anyway is best done then.
 */

/** Few enough that the first heat need not wait for the second one's, and two, so that the core has work while one is waited for. */
const STARTS_AT_ONCE = 2

/** @typedef {{work: () => Promise<any>, resolve: (value: any) => void, reject: (error: unknown) => void}} Start */

export class Core {
  /** First come, first served. @type {Start[]} */
  #starts = []
  #starting = 0
  /** Heats that are ready. @type {(() => void)[]} */
  #ready = []
  #isMeasuring = false

  /** @param {string[]} [pin]  Command prefix that pins a process to it (see pinning.js). */
  constructor (pin = []) {
    this.pin = pin
  }

  /** Whether there is something to do while a heat waits. */
  get hasStarts () {
    return this.#starts.length > 0
  }

  /**
   * @template T
   * @param {() => Promise<T>} work  Starts a process.
   * @returns {Promise<T>}
   */
  start (work) {
    return new Promise((resolve, reject) => {
      this.#starts.push({ work, resolve, reject })
      this.#next()
    })
  }

  /**
   * @template T
   * @param {() => Promise<T>} work  Measures a heat.
   * @returns {Promise<T>}
   */
  async measure (work) {
    await new Promise(resolve => {
      this.#ready.push(() => resolve(undefined))
      this.#next()
    })
    try {
      return await work()
    } finally {
      this.#isMeasuring = false
      this.#next()
    }
  }

  /** For the heat that is measured: lets a process of another heat start, and waits until it has. */
  async letStart () {
    const start = this.#starts.shift()
    if (start) await this.#run(start)
  }

  #next () {
    if (this.#isMeasuring) return
    const ready = this.#starting === 0 ? this.#ready.shift() : undefined
    if (ready) {
      this.#isMeasuring = true
      ready()
    }
    while (this.#ready.length === 0 && !this.#isMeasuring && this.#starting < STARTS_AT_ONCE && this.#starts.length > 0) {
      this.#run(/** @type {Start} */ (this.#starts.shift()))
    }
  }

  /** @param {Start} start */
  async #run ({ work, resolve, reject }) {
    this.#starting++
    try {
      resolve(await work())
    } catch (error) {
      reject(error)
    }
    this.#starting--
    this.#next()
  }
}
