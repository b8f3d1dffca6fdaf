/**
 * A micro heat: the queues of one table, each in a fresh process, take turns on one core. A turn lasts milliseconds,
 * and each queue has one in every slice unless it has used up its share, so a disturbance of the machine disturbs all
 * of them alike. Ratios hold still while times move. (L. Bulej et al., "Duet benchmarking", ICPE 2020, run pairs side
 * by side.)
 *
 * Turns are passed, not preempted: nothing else of timerq runs on the core at that time, so no permission to pin and no
 * second core is needed.
 */
import { mean, median } from 'simple-statistics'
import { SampleError } from '../../model/errors.js'
import { formatNumber } from '../../model/numbers.js'
import { createRandom, shuffle } from '../../model/random.js'
import { allOrNone } from '../../processes/processes.js'
import { QueueProcess } from '../micro/queue-process.js'
/** @import { Random } from '../../model/random.js' */
/** @import { Warning } from '../../model/warnings.js' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Fired, MicroJob, Turn, TurnTimes } from '../micro/queue-process.js' */

/**
 * @typedef {object} MicroEntrant
 * @property {MicroJob & {timing: TurnTimes}} job  All entrants have the same timing and seed.
 * @property {Runtime} runtime
 * @property {Fired | null} expected  The reference model's outcome; null where the queue may differ.
 * @property {number} [processes]  Processes that measure this queue (default 1); the result is their mean.
 *
 * @typedef {object} HeatResult  Figures of one entrant.
 * @property {Record<string, number>} metrics
 * @property {Record<string, (number | null)[]>} slices  Value in each slice of the heat, by metric; null where the
 *   entrant had no turn.
 * @property {boolean} [isSlow]  The entrant had no turn in most slices, because its cycles take longer than its share.
 * @property {Warning[]} warnings
 * @property {object} [details]
 */

/** A queue whose cycles are longer than its turns may use this many times its share; then it misses slices. */
const PATIENCE = 4
/** Part of a turn's time by which the time after it may be longer than in another process of the heat. */
const PUT_OFF = 0.1
/** Share of interrupted batches with which few are left to compare them with. */
const MANY_INTERRUPTED = 0.5
/** An environment of one size can favour one of two identical programs (T. Mytkowicz et al., ASPLOS 2009). */
const MAX_PADDING = 4096
const SEEDS = 2 ** 31 - 1

/** A process of a heat. A failure of its queue is its result; any other error ends the heat. */
class Lane {
  /**
   * Turn in each slice; null where the queue had none.
   *
   * @type {(Turn | null)[]}
   */
  turns = []
  /** CPU time of all turns. */
  usedMs = 0
  /** @type {QueueProcess | undefined} */
  process
  /** @type {SampleError | undefined} */
  failure

  /**
   * @param {MicroEntrant} entrant
   * @param {Layout} layout
   */
  constructor (entrant, layout) {
    this.entrant = entrant
    this.layout = layout
  }

  /** @type {(pin: string[], signal: AbortSignal) => Promise<void>} */
  async start (pin, signal) {
    const { job, expected, runtime } = this.entrant
    const { flags, env } = this.layout
    const options = { expected, runtime: { ...runtime, env: { ...runtime.env, ...env } }, flags, pin, signal }
    await this.attempt(async () => {
      this.process = await QueueProcess.start(job, options)
    })
  }

  /** @param {(process: QueueProcess) => Promise<void>} step  Left out after a failure. */
  async attempt (step) {
    if (this.failure) return
    try {
      await step(/** @type {QueueProcess} */ (this.process))
    } catch (error) {
      if (!(error instanceof SampleError)) throw error
      this.failure = error
      await this.process?.end()
    }
  }
}

/**
 * @param {MicroEntrant[]} entrants  Entrants in any order.
 * @param {object} options
 * @param {number} options.seed  Seed of the layout of memory and of hashes, which all entrants share: a lucky layout
 *   helps all of them, in one heat only.
 * @param {string[]} [options.pin]  Command prefix (see pinning.js).
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<(HeatResult | SampleError)[]>} one per entrant. A queue that dies, hangs or fires the wrong timers
 *   loses its own result only.
 */
export async function runMicroHeat (entrants, { seed, pin = [], signal }) {
  const random = createRandom(seed)
  const layout = drawLayout(random)
  const { isCode, timing } = entrants[0].job
  const otherLayout = () => {
    const other = drawLayout(random)
    // Code may draw its data by Math.random.
    return isCode ? { ...other, flags: [other.flags[0], layout.flags[1]] } : other
  }
  const lanesOf = entrants.map(entrant =>
    Array.from({ length: entrant.processes ?? 1 }, (_, i) => new Lane(entrant, i === 0 ? layout : otherLayout()))
  )
  const lanes = lanesOf.flat()
  try {
    await allOrNone(
      lanes.map(lane => end => lane.start(pin, end)),
      signal
    )
    await takeTurns(timing, lanes, random)
    const finish = (/** @type {QueueProcess} */ process, /** @type {Lane} */ { turns }) =>
      isCode ? process.finish(notNull(turns), timing) : process.drain()
    await Promise.all(lanes.map(lane => lane.attempt(process => finish(process, lane))))
    if (isCode) warnOfOtherWork(lanes.filter(({ failure }) => !failure))
    return lanesOf.map(meanOfLanes)
  } finally {
    await Promise.all(lanes.map(({ process }) => process?.end()))
  }
}

/**
 * @param {TurnTimes} times
 * @param {Lane[]} lanes
 * @param {Random} random  Draws the order of turns in each slice.
 */
async function takeTurns ({ turns, leadMs, turnMs }, lanes, random) {
  for (let slice = 0; slice < turns; slice++) {
    const allowedMs = PATIENCE * (leadMs + turnMs) * (slice + 1)
    for (const lane of shuffle(lanes, random)) {
      lane.turns[slice] = null
      if (slice > 0 && lane.usedMs > allowedMs) continue
      await lane.attempt(async process => {
        const turn = await process.turn({ leadMs, turnMs })
        lane.turns[slice] = turn
        lane.usedMs += turn.cpuMs
      })
    }
  }
}

/**
 * Decides where V8 and the system put things in memory, and what Math.random draws.
 *
 * @typedef {{flags: string[], env: Record<string, string>}} Layout
 *
 * @type {(random: Random) => Layout}
 */
export function drawLayout (random) {
  return {
    flags: [`--hash-seed=${1 + random(SEEDS)}`, `--random-seed=${1 + random(SEEDS)}`],
    env: { TIMERQ_PADDING: 'x'.repeat(random(MAX_PADDING)) }
  }
}

/**
 * No model knows what a workload without a queue should do, so its alternatives are compared.
 *
 * @param {Lane[]} lanes  Lanes that did not fail.
 */
function warnOfOtherWork (lanes) {
  const processes = lanes.flatMap(({ process }) => process ?? [])
  const warnAll = (/** @type {string} */ text) =>
    processes.forEach(({ warnings }) => warnings.push({ kind: 'different-outcomes', text }))
  const checksums = new Set(processes.map(({ outcome }) => outcome.checksum))
  // A checksum of all cycles differs from process to process.
  const changed = processes.filter(({ outcome, lastChecksum }) => lastChecksum !== outcome.checksum)
  if (checksums.size > 1) {
    warnAll(`the checksums of a heat were ${[...checksums].join(', ')}, so not all did the same work`)
  } else if (changed.length > 0 && changed.length < processes.length) {
    const [{ outcome, lastChecksum }] = changed
    warnAll(
      `a checksum was ${outcome.checksum} at first and ${lastChecksum} in the last cycle, and ` +
        'others stayed as they were, so not all did the same work'
    )
  }
  const between = lanes.map(({ turns }) => median(notNull(turns).map(({ betweenMs }) => betweenMs)))
  const least = Math.min(...between)
  for (const [i, { turns, process }] of lanes.entries()) {
    const turnMs = median(notNull(turns).map(({ cpuMs }) => cpuMs))
    // Passing a turn takes CPU time, too: about as much in all processes.
    if (between[i] - least <= Math.max(PUT_OFF * turnMs, least)) continue
    process?.warnings.push({
      kind: 'put-off',
      text:
        `${formatNumber(between[i])} ms of CPU time after each turn of ${formatNumber(turnMs)} ms, and ` +
        `${formatNumber(least)} ms in another process: work that is put off is not measured`
    })
  }
}

/**
 * @param {Lane[]} lanes  Processes of one entrant.
 * @returns {HeatResult | SampleError} an error if any process failed
 */
function meanOfLanes (lanes) {
  const failed = lanes.find(({ failure }) => failure)
  if (failed) return /** @type {SampleError} */ (failed.failure)
  const [{ turns, process }] = lanes
  const taken = notNull(turns)
  const slices = Object.fromEntries(
    ['nsPerOp', ...Object.keys(taken[0].phases)].map(metric => [
      metric,
      turns.map((_, slice) => meanOf(notNull(lanes.map(lane => lane.turns[slice])).map(turn => timeOf(turn, metric))))
    ])
  )
  warnOfInterruptions(lanes)
  const { spuriousWakeups } = /** @type {QueueProcess} */ (process).outcome
  return {
    metrics: mediansOf(slices),
    ...(spuriousWakeups !== undefined && { details: { spuriousWakeups } }),
    slices,
    ...(taken.length < turns.length / 2 && { isSlow: true }),
    warnings: distinct(lanes.flatMap(({ process }) => process?.warnings ?? []))
  }
}

/** @param {Lane[]} lanes */
function warnOfInterruptions (lanes) {
  for (const { turns, process } of lanes) {
    const share = mean(notNull(turns).map(({ interrupted = 0 }) => interrupted))
    if (share <= MANY_INTERRUPTED) continue
    process?.warnings.push({
      kind: 'shared-core',
      text: 'other programs had the core so often that the wall clock may have counted their time'
    })
  }
}

/** @param {Warning[]} warnings */
const distinct = warnings => [...new Map(warnings.map(warning => [warning.text, warning])).values()]

/** @type {(turn: Turn, metric: string) => number} */
const timeOf = ({ cpuMs, operations, phases }, metric) => phases[metric] ?? (1e6 * cpuMs) / operations

/**
 * Digits beyond the fifth are beyond every clock, and would fill the results directory.
 *
 * @param {number[]} values
 */
const meanOf = values => (values.length === 0 ? null : Number(mean(values).toPrecision(5)))

/** @param {Record<string, (number | null)[]>} slices */
function mediansOf (slices) {
  return Object.fromEntries(Object.entries(slices).map(([metric, values]) => [metric, median(notNull(values))]))
}

/**
 * @template T
 * @param {(T | null)[]} values
 */
const notNull = values => values.filter(value => value !== null)
