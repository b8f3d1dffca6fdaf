/**
 * The loop in which every nanosecond figure of a micro scenario is made.
 *
 * A cycle runs each phase of the workload once. The CPU clock costs 1.5 µs and moves in steps of 1 µs, so cycles are
 * timed in batches of half a millisecond. Phases are shorter than that: the wall clock says which part of a batch
 * belongs to which phase.
 *
 * Where phases are awaited, the time of waiting must not count, so the CPU clock times each phase. Such phases should
 * take much longer than 1.5 µs, the time to read that clock. A workload with a meter times a part of its only phase
 * itself.
 */
import { isPromise } from '../../model/promise.js'
import { cpuMs, INTERRUPTED, wallMs } from '../../processes/clock.js'
/** @import { CodePhase } from '../../../scenarios/contract.js' */
/** @import { Turn } from '../../measure/micro/queue-process.js' */

/**
 * @typedef {object} Batch
 * @property {number} ms  CPU time.
 * @property {number[]} phaseMs Wall time of each phase, or CPU time where phases are awaited; 0 for a single phase.
 *   With a meter: the metered time, and the rest.
 *
 * @typedef {object} Meter  A workload adds the time of the part of its phase that counts.
 * @property {number} ms
 * @property {() => number} clock  Wall time, or CPU time where the part is awaited.
 */

const SHORTEST_BATCH_MS = 0.5
/** Optimised code is less than this many times as fast as interpreted code. */
const PLAINLY_LONG = 100

/** Calls that take 4 kB of the stack together. Beyond that, the last 12 bits of its addresses repeat. */
const DEPTHS = 64
/** The golden section of DEPTHS spreads any few batches in a row over all depths. */
const STEP = 39

/** Wall time of a batch's phases per CPU time, at most, where nothing else had the core. */
const UNDISTURBED = 1.01

export class Cycles {
  #phases
  #isAwaited
  #meter
  #depth = 0
  /** Milliseconds of each phase in the latest batch, as in Batch. */
  phaseMs
  perBatch = 1
  /** CPU milliseconds of a batch, about. */
  batchMs = 0

  /**
   * @param {CodePhase[]} phases
   * @param {boolean} [isAwaited]  A phase returns promises.
   * @param {Meter} [meter]
   */
  constructor (phases, isAwaited = false, meter = undefined) {
    this.#phases = phases
    this.#isAwaited = isAwaited
    this.#meter = meter
    this.phaseMs = new Float64Array(meter ? 2 : phases.length)
  }

  /**
   * @param {number} count  Cycles.
   * @returns {number | Promise<number>} milliseconds of CPU time; a promise where phases are awaited
   */
  time (count) {
    this.phaseMs.fill(0)
    if (this.#meter) return this.#timeMetered(count, this.#meter)
    if (this.#isAwaited) return this.#timeAwaited(count)
    const start = cpuMs()
    for (let cycle = 0; cycle < count; cycle++) this.#run()
    return cpuMs() - start
  }

  /** @param {number} count  Cycles. */
  async #timeAwaited (count) {
    const phases = this.#phases
    const start = cpuMs()
    let last = start
    for (let cycle = 0; cycle < count; cycle++) {
      for (let i = 0; i < phases.length; i++) {
        const result = phases[i].run()
        if (isPromise(result)) await result
        if (phases.length === 1) continue
        const now = cpuMs()
        this.phaseMs[i] += now - last
        last = now
      }
    }
    return cpuMs() - start
  }

  /**
   * @param {number} count  Cycles.
   * @param {Meter} meter
   */
  async #timeMetered (count, meter) {
    const [phase] = this.#phases
    const { clock } = meter
    const [start, begun, before] = [cpuMs(), clock(), meter.ms]
    for (let cycle = 0; cycle < count; cycle++) {
      const result = phase.run()
      if (isPromise(result)) await result
    }
    this.phaseMs[0] = meter.ms - before
    this.phaseMs[1] = Math.max(0, clock() - begun - this.phaseMs[0])
    return cpuMs() - start
  }

  #run () {
    const phases = this.#phases
    if (phases.length === 1) {
      phases[0].run()
      return
    }
    let last = wallMs()
    for (let i = 0; i < phases.length; i++) {
      phases[i].run()
      const now = wallMs()
      this.phaseMs[i] += now - last
      last = now
    }
  }

  /**
   * Times a batch at the next depth of the stack. A load waits for an earlier store whose address has the same last 12
   * bits: at one depth, one process in ten was slower by a tenth in all of its batches (compare C. Curtsinger and E.
   * Berger, "Stabilizer", ASPLOS 2013).
   */
  timeBatch () {
    this.#depth = (this.#depth + STEP) % DEPTHS
    return this.#timeBelow(this.#depth)
  }

  /**
   * @param {number} calls
   * @returns {number | Promise<number>} as `time`
   */
  #timeBelow (calls) {
    return calls === 0 ? this.time(this.perBatch) : this.#timeBelow(calls - 1)
  }

  /**
   * Chooses the number of cycles in a batch.
   *
   * @param {number} coldCycleMs  Time of a cycle before V8 optimised it. Long cycles are not run again to find out.
   */
  async fitBatch (coldCycleMs) {
    this.perBatch = 1
    this.batchMs = coldCycleMs
    if (coldCycleMs > PLAINLY_LONG * SHORTEST_BATCH_MS) return
    for (; ; this.perBatch *= 2) {
      this.batchMs = await this.time(this.perBatch)
      // A short batch that the machine has held up once is not a long batch.
      if (this.batchMs >= SHORTEST_BATCH_MS) this.batchMs = Math.min(this.batchMs, await this.time(this.perBatch))
      if (this.batchMs >= SHORTEST_BATCH_MS) return
    }
  }
}

/**
 * Usual time of a turn's batches, also if most of them were interrupted.
 *
 * @param {Batch[]} batches
 */
export function usualMsOf (batches) {
  const sorted = batches.map(({ ms }) => ms).sort((a, b) => a - b)
  return sorted[(sorted.length - 1) >> 2]
}

/**
 * Batches without those in which the wall clock went on while something else had the core: it keeps the core for a
 * millisecond and longer. Of a turn without any other, the shortest is left.
 *
 * @param {Batch[]} batches
 * @param {number} usualMs  Least usual time of a batch in a turn of this process.
 * @returns {{counted: Batch[], interrupted: number}} `interrupted`: share of batches
 */
export function uninterrupted (batches, usualMs) {
  const counted = batches.filter(({ ms }) => ms <= INTERRUPTED * usualMs)
  const interrupted = 1 - counted.length / batches.length
  if (counted.length === 0) counted.push(batches.reduce((one, other) => (one.ms < other.ms ? one : other)))
  return { counted, interrupted }
}

/**
 * The CPU clock says how long the batches took, the wall clock only how their time divides into phases. The wall clock
 * goes on while something else has the core, so only undisturbed batches divide the time, if there are any.
 *
 * @param {Batch[]} batches
 * @param {{phases: Pick<CodePhase, 'metric' | 'operations'>[], cyclesPerBatch: number, isMetered?: boolean}} workload
 *   `isMetered`: only the meter's part counts.
 * @returns {Omit<Turn, 'betweenMs'>}
 */
export function sumOf (batches, { phases, cyclesPerBatch, isMetered }) {
  const cycles = batches.length * cyclesPerBatch
  const cpuMs = sum(batches.map(({ ms }) => ms))
  const undisturbed = batches.filter(({ ms, phaseMs }) => sum(phaseMs) <= UNDISTURBED * ms)
  const divided = undisturbed.length > 0 ? undisturbed : batches
  const wallMs = divided[0].phaseMs.map((_, i) => sum(divided.map(({ phaseMs }) => phaseMs[i])))
  if (isMetered) {
    return { cpuMs: (cpuMs * wallMs[0]) / sum(wallMs), operations: cycles * phases[0].operations, phases: {} }
  }
  const nsOf = (/** @type {{operations: number}} */ { operations }, /** @type {number} */ i) =>
    (1e6 * cpuMs * wallMs[i]) / sum(wallMs) / (cycles * operations)
  return {
    cpuMs,
    operations: cycles * phases[0].operations,
    phases: phases.length === 1 ? {} : Object.fromEntries(phases.map((phase, i) => [phase.metric, nsOf(phase, i)]))
  }
}

/** @param {number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)
