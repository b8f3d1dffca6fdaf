/**
 * Notices that the machine was suspended, or this process stopped, and with it the measured processes. A server that
 * paused for a second answered fewer requests than it can, and some of them late: its figures are false, and nothing in
 * them shows it.
 *
 * A timer of this process is late then, although the process has used no CPU time. The timer is also late when other
 * programs keep this process from running for so long, which does the same harm.
 */

const BEAT_MS = 100
/** Shorter pauses happen on a busy machine. */
const SHORTEST_PAUSE_MS = 1000

/** Milliseconds. On Linux, only the wall clock goes on while the machine is suspended. */
const CLOCKS = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/** Watches from its construction to `end`. */
export class PauseWatch {
  #clocks
  #last
  #beat
  #longestMs = 0

  constructor (clocks = CLOCKS) {
    this.#clocks = clocks
    this.#last = this.#read()
    this.#beat = setInterval(() => this.look(), BEAT_MS).unref()
  }

  /** Called every BEAT_MS. */
  look () {
    const { monotonic, wall, cpu } = this.#read()
    const passed = monotonic - this.#last.monotonic
    const stopped = passed - BEAT_MS - (cpu - this.#last.cpu)
    const suspended = wall - this.#last.wall - passed
    this.#longestMs = Math.max(this.#longestMs, stopped, suspended)
    this.#last = { monotonic, wall, cpu }
  }

  /** @returns {number} milliseconds of the longest pause, 0 without one */
  end () {
    clearInterval(this.#beat)
    this.look()
    return this.#longestMs < SHORTEST_PAUSE_MS ? 0 : this.#longestMs
  }

  #read () {
    const { monotonic, wall, cpu } = this.#clocks
    return { monotonic: monotonic(), wall: wall(), cpu: cpu() }
  }
}
