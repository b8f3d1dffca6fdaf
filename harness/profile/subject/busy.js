/**
 * A function of known cost: its share in a profile should be the time that it took, so it shows how far the profile can
 * be trusted.
 */

/** A call that takes this many times the median was interrupted by another program. */
const PREEMPTED = 5

/** @param {number} iterations */
export function stayBusy (iterations) {
  let mixed = iterations
  for (let i = 0; i < iterations; i++) mixed = Math.imul(mixed ^ i, 0x9e3779b1)
  return mixed
}

/** Runs the function and times every call. */
export class BusyWork {
  /** Consumes the results, so that the compiler cannot remove the work. */
  checksum = 0
  #iterations
  /** @type {number[]} */
  #millis = []

  /** @param {number} micros  Intended length of a call. */
  constructor (micros) {
    this.#iterations = Math.ceil(micros * this.#iterationsPerMicro())
  }

  run () {
    this.#millis.push(this.#time(this.#iterations))
  }

  /** @returns {number} microseconds of all calls, without their interruptions */
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
