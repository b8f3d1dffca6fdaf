/** Code without a queue: its workload is created, warmed up and timed in turns. */
import { createRandom } from '../../model/random.js'
import { createCode } from '../modules/load.js'
import { tickedMs } from '../../processes/clock.js'
import { isPromise } from '../../model/promise.js'
import { rehearse, Turns } from './turns.js'
/** @import { CodePhase } from '../../../scenarios/contract.js' */
/** @import { MicroJob, ReadyQueue, Turn } from '../../measure/micro/queue-process.js' */
/** @import { TurnLengths } from './turns.js' */

/** Cycles after which the outcome is read. */
const FIRST_CYCLES = 2

/** Taken before a module of the workload can replace it. */
const collect = /** @type {() => void} */ (globalThis.gc)

/** Milliseconds in which V8 optimises an empty loop. */
const EMPTY_WARMUP_MS = 2

export class CodeSubject {
  /** @type {Pick<Turns, 'warmUp' | 'turn'>} */
  #turns = new Turns([])
  /** @type {CodePhase[]} */
  #phases = []
  #isPlain = true
  /** @type {() => unknown} */
  #end = () => {}
  /** @type {{checksum: number} | undefined} */
  #outcome
  #countLate = () => 0
  /** CPU time until the workload was there. */
  #loadMs = 0

  /**
   * @param {MicroJob & {warmupMs: number}} job
   * @returns {Promise<ReadyQueue>}
   */
  async prepare (job) {
    rehearse()
    const workload = await createCode(job, createRandom(job.seed))
    this.#loadMs = tickedMs()
    const { phases, meter } = workload
    await workload.fit?.()
    collect()
    const start = tickedMs()
    let isAwaited = false
    for (let cycle = 0; cycle < FIRST_CYCLES; cycle++) isAwaited = (await runOnce(phases)) || isAwaited
    const spent = { ms: tickedMs() - start, cycles: FIRST_CYCLES }
    this.#phases = phases
    this.#end = workload.end ?? this.#end
    this.#outcome = workload.outcome
    this.#countLate = workload.countLate ?? this.#countLate
    this.#isPlain = !isAwaited && !meter
    this.#turns = workload.turns ?? new Turns(phases, { isAwaited, meter })
    return {
      // Nothing fires in a workload without a queue.
      outcome: { fired: 0, checksum: workload.outcome?.checksum ?? 0, pending: 0 },
      isWarm: await this.#turns.warmUp(job.warmupMs, spent)
    }
  }

  /** @param {TurnLengths} lengths */
  turn (lengths) {
    return this.#turns.turn(lengths)
  }

  /**
   * Runs the hooks that come after all calls.
   *
   * @param {TurnLengths} lengths
   * @returns {Promise<{nothing?: Turn, checksum: number, loadMs: number, usedMs: number, late: number}>} a turn of
   *   empty loops of as many operations, unless a phase is awaited, or times a part of itself; the checksum of the
   *   latest cycle; CPU time; modules that were transformed in measured calls
   */
  async finish (lengths) {
    const checksum = this.#outcome?.checksum ?? 0
    const nothing = await this.#timeNothing(lengths)
    await this.#end()
    return { ...nothing, checksum, loadMs: this.#loadMs, usedMs: tickedMs(), late: this.#countLate() }
  }

  /** @param {TurnLengths} lengths */
  async #timeNothing (lengths) {
    if (!this.#isPlain) return {}
    const turns = new Turns(this.#phases.map(emptyLoop))
    await turns.warmUp(EMPTY_WARMUP_MS, { ms: 0, cycles: 1 })
    return { nothing: await turns.turn(lengths) }
  }
}

const nothing = (/** @type {number} */ i) => i

/** @type {(phase: CodePhase) => CodePhase} */
const emptyLoop = ({ metric, operations }) => ({
  metric,
  operations,
  run () {
    // The loop and a check before the inlined call are all that V8 leaves of operations whose results are not used.
    for (let i = 0; i < operations; i++) nothing(i)
  }
})

/**
 * @param {CodePhase[]} phases
 * @returns {Promise<boolean>} whether a phase had to be awaited
 */
export async function runOnce (phases) {
  let isAwaited = false
  for (const phase of phases) {
    const result = phase.run()
    if (!isPromise(result)) continue
    isAwaited = true
    await result
  }
  return isAwaited
}
