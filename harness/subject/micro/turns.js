/** The phases of a workload, timed in turns. */
import { Bench } from 'tinybench'
import { cpuMs } from '../trust/clock.js'
import { Cycles, sumOf } from './cycles.js'
import { warmUp } from './warm-up.js'
/** @import { Phase } from '../../../scenarios/contract.js' */
/** @import { Batch } from './cycles.js' */
/** @import { Turn } from '../../measure/micro/queue-process.js' */

/**
 * @typedef {object} TurnLengths  In milliseconds of CPU time.
 * @property {number} leadMs  Unmeasured start of the turn, in which the caches fill with this process's timers again.
 * @property {number} turnMs  Measured time for each phase, at least.
 */

/**
 * Batches this many times as long as the lead fill the caches in so small a part of themselves that they need no lead.
 */
const NEEDS_NO_LEAD = 20

/** By then V8 has optimised the clocks and the code around the cycles. */
const REHEARSALS = 1000
/** Two phases of nothing, so that V8 inlines no phase into the code around it. */
const [ONE, OTHER] = [
  { metric: '', operations: 1, run () {} },
  { metric: '', operations: 1, run () {} }
]

export class Turns {
  #phases
  #cycles

  /** @param {Phase[]} phases */
  constructor (phases) {
    this.#phases = phases
    this.#cycles = new Cycles(phases)
  }

  /**
   * Runs cycles until V8 has settled.
   *
   * @param {number} minMs
   * @param {{ms: number, cycles: number}} spent  On cycles that have run already.
   */
  warmUp (minMs, { ms, cycles }) {
    const isWarm = warmUp(() => this.#cycles.time(1), minMs, ms)
    this.#cycles.fitBatch(ms / cycles)
    return isWarm
  }

  /**
   * @param {TurnLengths} lengths
   * @returns {Turn}
   */
  turn ({ leadMs, turnMs }) {
    const begun = cpuMs()
    const cycles = this.#cycles
    if (cycles.batchMs < NEEDS_NO_LEAD * leadMs) {
      while (cpuMs() - begun < leadMs) cycles.time(1)
    }
    const phases = this.#phases
    /** @type {Batch[]} */
    const batches = []
    const bench = new Bench({ time: turnMs * phases.length, iterations: 1, warmup: false, now: cpuMs, throws: true })
    bench.add(
      'batch',
      () => {
        const ms = cycles.timeBatch()
        batches.push({ ms, phaseMs: [...cycles.phaseMs] })
        return { overriddenDuration: ms / (cycles.perBatch * phases[0].operations), overriddenIterationCost: ms }
        // Without `async`, tinybench runs one more batch to find out.
      },
      { async: false }
    )
    bench.runSync()
    return sumOf(batches, { phases, cyclesPerBatch: cycles.perBatch })
  }
}

/** Makes V8 optimise now what it would otherwise optimise in the turns, where compiling takes milliseconds. */
export function rehearse () {
  for (const phases of [[ONE, OTHER], [ONE], [OTHER]]) {
    const cycles = new Cycles(phases)
    for (let i = 0; i < REHEARSALS; i++) cycles.timeBatch()
  }
}
