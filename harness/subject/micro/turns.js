/** The turns of one workload: its cycles, warmed up and timed in batches. */
import { cpuMs, INTERRUPTED, isCoarse, tickedMs } from '../../processes/clock.js'
import { Cycles, sumOf, uninterrupted, usualMsOf } from './cycles.js'
import { warmUp } from './warm-up.js'
/** @import { CodePhase } from '../../../scenarios/contract.js' */
/** @import { Batch, Meter } from './cycles.js' */
/** @import { Turn } from '../../measure/micro/queue-process.js' */

/**
 * @typedef {object} TurnLengths  Milliseconds of CPU time.
 * @property {number} leadMs  Unmeasured start of the turn, in which the caches fill with this process's timers again.
 * @property {number} turnMs  Measured time for each phase, at least.
 */

/**
 * Batches this many times as long as the lead fill the caches in so small a part of themselves that they need no lead.
 */
const NEEDS_NO_LEAD = 20

/** Batches of which few fit between two interruptions. */
const LONG_MS = 1

/** Batches after which V8 has optimised the clocks and the code around the cycles. */
const REHEARSALS = 1000
/** Two phases of nothing, so that V8 inlines no phase into the code around it. */
const [ONE, OTHER] = [
  { metric: '', operations: 1, run () {} },
  { metric: '', operations: 1, run () {} }
]

export class Turns {
  #phases
  #cycles
  #isMetered
  /** CPU time at the end of the latest turn. */
  #endMs = NaN
  /** Least usual time of a batch, where the wall clock tells it. */
  #usualMs = Infinity
  #started = { ms: cpuMs(), tickedMs: tickedMs() }

  /**
   * @param {CodePhase[]} phases
   * @param {{isAwaited?: boolean, meter?: Meter}} [options]  `isAwaited`: a phase returns promises.
   */
  constructor (phases, { isAwaited = false, meter } = {}) {
    this.#phases = phases
    this.#cycles = new Cycles(phases, isAwaited, meter)
    this.#isMetered = meter !== undefined
  }

  /**
   * Runs cycles until V8 has settled.
   *
   * @param {number} minMs
   * @param {{ms: number, cycles: number}} spent  CPU time of cycles that have run already.
   */
  async warmUp (minMs, { ms, cycles }) {
    const isWarm = await warmUp(() => this.#cycles.time(1), minMs, ms)
    await this.#cycles.fitBatch(ms / cycles)
    return isWarm
  }

  /**
   * @param {TurnLengths} lengths
   * @returns {Promise<Turn>}
   */
  async turn ({ leadMs, turnMs }) {
    const betweenMs = Number.isNaN(this.#endMs) ? 0 : tickedMs() - this.#endMs
    const begun = cpuMs()
    const cycles = this.#cycles
    if (cycles.batchMs < NEEDS_NO_LEAD * leadMs) {
      // An interrupted lead would fill the caches less.
      let leadCycles = (leadMs * cycles.perBatch) / this.#batchMs()
      while (isCoarse ? leadCycles-- > 0 : cpuMs() - begun < leadMs) await cycles.time(1)
    }
    const phases = this.#phases
    /** @type {Batch[]} */
    const batches = []
    let leftMs = turnMs * phases.length
    do {
      const taken = cycles.timeBatch()
      // Without a promise, nothing runs between two batches.
      const ms = typeof taken === 'number' ? taken : await taken
      batches.push({ ms, phaseMs: [...cycles.phaseMs] })
      leftMs -= isCoarse ? Math.min(ms, INTERRUPTED * this.#batchMs()) : ms
    } while (leftMs > 0)
    this.#endMs = tickedMs()
    const workload = { phases, cyclesPerBatch: cycles.perBatch, isMetered: this.#isMetered }
    if (!isCoarse) return { ...sumOf(batches, workload), betweenMs }
    this.#usualMs = Math.min(this.#usualMs, usualMsOf(batches))
    const { counted, interrupted } = uninterrupted(batches, this.#usualMs)
    // Longer batches are interrupted alike: the coarse clock tells it, over the whole of the process.
    const share = (this.#endMs - this.#started.tickedMs) / (cpuMs() - this.#started.ms)
    const isLong = this.#usualMs > LONG_MS
    return { ...sumOf(counted, workload), betweenMs, interrupted: isLong ? Math.max(0, 1 - share) : interrupted }
  }

  /** Milliseconds of a batch that was not interrupted, about. */
  #batchMs () {
    return Math.min(this.#cycles.batchMs, this.#usualMs)
  }
}

/** Makes V8 optimise now what it would otherwise optimise in the turns, where compiling takes milliseconds. */
export function rehearse () {
  for (const phases of [[ONE, OTHER], [ONE], [OTHER]]) {
    const cycles = new Cycles(phases)
    for (let i = 0; i < REHEARSALS; i++) cycles.timeBatch()
  }
}
