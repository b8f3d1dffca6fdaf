/**
 * The phases of a workload that is awaited, timed in turns. Time of waiting is not counted, so the CPU clock times
 * every phase by itself: it costs 1.5 µs, and phases should be long beside that.
 */
import { cpuMs } from '../trust/clock.js'
import { sumOf } from './cycles.js'
import { warmUpAsync } from './warm-up.js'
/** @import { CodePhase } from '../../../scenarios/contract.js' */
/** @import { Batch } from './cycles.js' */
/** @import { Turn } from '../../measure/micro/queue-process.js' */
/** @import { TurnLengths } from './turns.js' */

const SHORTEST_BATCH_MS = 0.5

export class AsyncTurns {
  #phases
  #perBatch = 1

  /** @param {CodePhase[]} phases */
  constructor (phases) {
    this.#phases = phases
  }

  /**
   * @param {number} minMs
   * @param {{ms: number, cycles: number}} spent  On cycles that have run already.
   */
  async warmUp (minMs, { ms }) {
    const isWarm = await warmUpAsync(async () => (await this.#time(1)).ms, minMs, ms)
    while ((await this.#time(this.#perBatch)).ms < SHORTEST_BATCH_MS) this.#perBatch *= 2
    return isWarm
  }

  /**
   * @param {TurnLengths} lengths
   * @returns {Promise<Turn>}
   */
  async turn ({ leadMs, turnMs }) {
    const begun = cpuMs()
    while (cpuMs() - begun < leadMs) await this.#time(1)
    const phases = this.#phases
    /** @type {Batch[]} */
    const batches = []
    const start = cpuMs()
    do batches.push(await this.#time(this.#perBatch))
    while (cpuMs() - start < turnMs * phases.length)
    return sumOf(batches, { phases, cyclesPerBatch: this.#perBatch })
  }

  /**
   * @param {number} count  Cycles.
   * @returns {Promise<Batch>}
   */
  async #time (count) {
    const phases = this.#phases
    const phaseMs = phases.map(() => 0)
    const start = cpuMs()
    let last = start
    for (let cycle = 0; cycle < count; cycle++) {
      for (let i = 0; i < phases.length; i++) {
        const result = phases[i].run()
        if (isPromise(result)) await result
        if (phases.length === 1) continue
        const now = cpuMs()
        phaseMs[i] += now - last
        last = now
      }
    }
    return { ms: cpuMs() - start, phaseMs }
  }
}

/**
 * @param {unknown} value
 * @returns {value is PromiseLike<unknown>}
 */
export const isPromise = value => typeof (/** @type {any} */ (value)?.then) === 'function'
