/**
 * A function of known cost. Called in every request, it shows how far the profile of this process can be trusted: its
 * share must be what it took.
 */

/** A call of this many medians was not work: something else had the core. */
const PREEMPTED = 5

/** @param {number} iterations */
export function stayBusy (iterations) {
  let mixed = iterations
  for (let i = 0; i < iterations; i++) mixed = Math.imul(mixed ^ i, 0x9e3779b1)
  return mixed
}

/** Times every call. */
export class BusyWork {
  /** Consumes the results, so that the compiler cannot leave the work out. */
  checksum = 0
  #iterations
  /** @type {number[]} */
  #millis = []

  /** @param {number} micros  A call should take. */
  constructor (micros) {
    this.#iterations = Math.ceil(micros * this.#iterationsPerMicro())
  }

  run () {
    this.#millis.push(this.#time(this.#iterations))
  }

  /** @returns {number} microseconds of all calls, without what took the core away from them */
  totalMicros () {
    const sorted = Float64Array.from(this.#millis).sort()
    const median = sorted[sorted.length >> 1]
    return 1000 * sorted.reduce((sum, millis) => sum + (millis > PREEMPTED * median ? median : millis), 0)
  }

  #iterationsPerMicro () {
    const iterations = 100_000
    const millis = Array.from({ length: 50 }, () => this.#time(iterations))
    return iterations / (1000 * Math.min(...millis))
  }

  /** @param {number} iterations */
  #time (iterations) {
    const start = performance.now()
    this.checksum ^= stayBusy(iterations)
    return performance.now() - start
  }
}
