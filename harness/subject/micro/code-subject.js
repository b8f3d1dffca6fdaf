/** One workload without a queue: created, warmed up and timed in turns. Runs in a process of its own. */
import { createRandom } from '../../model/random.js'
import { createCode } from '../modules/load.js'
import { cpuMs } from '../trust/clock.js'
import { AsyncTurns, isPromise } from './async-turns.js'
import { rehearse, Turns } from './turns.js'
/** @import { CodePhase } from '../../../scenarios/contract.js' */
/** @import { MicroTask, Prepared } from '../../measure/micro/queue-process.js' */
/** @import { TurnLengths } from './turns.js' */

/** Cycles after which the outcome is read. */
const FIRST_CYCLES = 2

/** Taken before a module of the workload can replace it. */
const collect = /** @type {() => void} */ (globalThis.gc)

export class CodeSubject {
  /** @type {Turns | AsyncTurns} */
  #turns = new Turns([])

  /**
   * @param {MicroTask & {warmupMs: number}} task
   * @returns {Promise<Prepared>}
   */
  async prepare (task) {
    rehearse()
    const workload = await createCode(task, createRandom(task.seed))
    const { phases } = workload
    collect()
    const start = cpuMs()
    let isAsync = false
    for (let cycle = 0; cycle < FIRST_CYCLES; cycle++) isAsync = (await runOnce(phases)) || isAsync
    const ms = cpuMs() - start
    this.#turns = isAsync ? new AsyncTurns(phases) : new Turns(/** @type {any} */ (phases))
    // Nothing fires in a workload without a queue.
    const fired = { fired: 0, checksum: workload.outcome?.checksum ?? 0, pending: 0 }
    return { outcome: fired, isWarm: await this.#turns.warmUp(task.warmupMs, { ms, cycles: FIRST_CYCLES }) }
  }

  /** @param {TurnLengths} lengths */
  turn (lengths) {
    return this.#turns.turn(lengths)
  }
}

/**
 * @param {CodePhase[]} phases
 * @returns {Promise<boolean>} whether a phase had to be awaited
 */
export async function runOnce (phases) {
  let isAsync = false
  for (const phase of phases) {
    const result = phase.run()
    if (!isPromise(result)) continue
    isAsync = true
    await result
  }
  return isAsync
}
