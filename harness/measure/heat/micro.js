/**
 * A micro heat: the queues of one table, each in a fresh process, take turns on one core. A turn lasts milliseconds,
 * and each queue has one in every slice unless it has used up its share, so a disturbance of the machine disturbs all
 * of them alike. Ratios hold still while times move. (L. Bulej et al., "Duet benchmarking", ICPE 2020, run pairs side
 * by side.)
 *
 * Turns are passed, not preempted: nothing else of timerq runs on the core meanwhile, so no permission to pin and no
 * second core is needed.
 */
import { mean, median } from 'simple-statistics'
import { SampleError } from '../../model/errors.js'
import { createRandom, shuffle } from '../../model/random.js'
import { QueueProcess } from '../micro/queue-process.js'
/** @import { Random } from '../../model/random.js' */
/** @import { Runtime } from '../../processes/child.js' */
/** @import { Fired, MicroTask, Timing, Turn } from '../micro/queue-process.js' */

/**
 * @typedef {object} MicroEntrant
 * @property {MicroTask & {timing: Timing}} task  All entrants have the same timing and seed.
 * @property {Runtime} runtime
 * @property {Fired | null} expected  The reference model's outcome; null where the queue may differ.
 * @property {number} [processes]  Processes that measure this queue (default 1); the result is their mean.
 *
 * @typedef {object} HeatResult  Figures of one entrant.
 * @property {Record<string, number>} metrics
 * @property {Record<string, (number | null)[]>} slices Value in each slice of the heat, by metric; null where the
 *   entrant had no turn.
 * @property {boolean} [isSlow]  The entrant had no turn in most slices, because its cycles take longer than its share.
 * @property {string[]} warnings
 * @property {object} [details]
 */

/** A queue whose cycles are longer than its turns may use this many times its share; then it misses slices. */
const PATIENCE = 4
/** An environment of one size can favour one of two identical programs (T. Mytkowicz et al., ASPLOS 2009). */
const MAX_PADDING = 4096
const SEEDS = 2 ** 31 - 1

/**
 * @param {MicroEntrant[]} entrants  In any order.
 * @param {{seed: number, pin?: string[], signal?: AbortSignal}} options Memory layout and hashes are drawn from `seed`,
 *   the same for all entrants: a lucky layout helps all of them, in one heat only. `pin`: command prefix (see
 *   pinning.js).
 * @returns {Promise<(HeatResult | SampleError)[]>} one an entrant. A queue that dies, hangs or fires the wrong timers
 *   loses its own result only.
 */
export async function runMicroHeat (entrants, { seed, pin = [], signal }) {
  const random = createRandom(seed)
  const layout = drawLayout(random)
  const processes = entrants.flatMap((entrant, index) =>
    Array.from({ length: entrant.processes ?? 1 }, (_, i) => ({
      ...entrant,
      index,
      layout: i === 0 ? layout : drawLayout(random)
    }))
  )
  const starts = await Promise.allSettled(
    processes.map(({ task, runtime, expected, layout: { flags, env } }) =>
      orError(
        QueueProcess.start(task, {
          expected,
          runtime: { ...runtime, env: { ...runtime.env, ...env } },
          flags,
          pin,
          signal
        })
      )
    )
  )
  const started = starts.flatMap(start => (start.status === 'fulfilled' ? [start.value] : []))
  try {
    const failed = starts.find(({ status }) => status === 'rejected')
    if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason
    if (entrants[0].task.isCode) warnOfDifference(started)
    const results = await takeTurns(entrants[0].task.timing, started, random)
    return entrants.map((_, index) => meanOfProcesses(results.filter((_, i) => processes[i].index === index)))
  } finally {
    await Promise.all(started.map(process => process instanceof SampleError || process.end()))
  }
}

/**
 * @param {Timing} timing
 * @param {(QueueProcess | SampleError)[]} started
 * @param {Random} random  Draws the order of turns in each slice.
 * @returns {Promise<(HeatResult | SampleError)[]>} one a process
 */
async function takeTurns ({ turns, leadMs, turnMs }, started, random) {
  const entries = started.map(process => ({ process, turns: /** @type {(Turn | null)[]} */ ([]), usedMs: 0 }))
  for (let slice = 0; slice < turns; slice++) {
    const allowedMs = PATIENCE * (leadMs + turnMs) * (slice + 1)
    for (const entry of shuffle(entries, random)) {
      entry.turns[slice] = null
      if (entry.process instanceof SampleError || (slice > 0 && entry.usedMs > allowedMs)) continue
      const turn = await orError(entry.process.turn({ leadMs, turnMs }))
      if (turn instanceof SampleError) {
        await entry.process.end()
        entry.process = turn
      } else {
        entry.turns[slice] = turn
        entry.usedMs += turn.cpuMs
      }
    }
  }
  return Promise.all(
    entries.map(async ({ process, turns }) =>
      process instanceof SampleError ? process : ((await orError(process.drain())) ?? summarise(process, turns))
    )
  )
}

/**
 * Decides where V8 and the system put things in memory.
 *
 * @param {Random} random
 * @returns {{flags: string[], env: Record<string, string>}}
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
 * @param {(QueueProcess | SampleError)[]} started
 */
function warnOfDifference (started) {
  const processes = started.flatMap(process => (process instanceof SampleError ? [] : [process]))
  const checksums = new Set(processes.map(({ outcome }) => outcome.checksum))
  if (checksums.size < 2) return
  for (const { warnings } of processes) {
    warnings.push(
      `different outcomes: the checksums of a heat were ${[...checksums].join(', ')}, so not all did the same work`
    )
  }
}

/**
 * @param {QueueProcess} process
 * @param {(Turn | null)[]} turns  One a slice; null where the queue had none.
 * @returns {HeatResult}
 */
function summarise ({ outcome: { spuriousWakeups }, warnings }, turns) {
  const [first, ...others] = notNull(turns)
  const slices = Object.fromEntries([
    ['nsPerOp', turns.map(turn => turn && round((1e6 * turn.cpuMs) / turn.operations))],
    ...Object.keys(first.phases).map(metric => [metric, turns.map(turn => turn && round(turn.phases[metric]))])
  ])
  return {
    metrics: { ...mediansOf(slices), ...(spuriousWakeups !== undefined && { spuriousWakeups }) },
    slices,
    ...(1 + others.length < turns.length / 2 && { isSlow: true }),
    warnings
  }
}

/**
 * @param {(HeatResult | SampleError)[]} results  Of the processes of one queue.
 * @returns {HeatResult | SampleError} an error if any process failed
 */
function meanOfProcesses (results) {
  const measured = results.flatMap(result => (result instanceof SampleError ? [] : [result]))
  if (measured.length < results.length) {
    return /** @type {SampleError} */ (results.find(result => result instanceof SampleError))
  }
  const slices = Object.fromEntries(
    Object.keys(measured[0].slices).map(metric => [metric, meanOfSlices(measured.map(({ slices }) => slices[metric]))])
  )
  const warnings = [...new Set(measured.flatMap(({ warnings }) => warnings))]
  return { ...measured[0], metrics: { ...measured[0].metrics, ...mediansOf(slices) }, slices, warnings }
}

/**
 * @param {(number | null)[][]} slices  Of each process.
 * @returns {(number | null)[]}
 */
function meanOfSlices (slices) {
  return slices[0].map((_, slice) => {
    const values = notNull(slices.map(process => process[slice]))
    return values.length === 0 ? null : round(mean(values))
  })
}

/** @param {Record<string, (number | null)[]>} slices */
function mediansOf (slices) {
  return Object.fromEntries(Object.entries(slices).map(([metric, values]) => [metric, median(notNull(values))]))
}

/**
 * @template T
 * @param {(T | null)[]} values
 */
const notNull = values => values.filter(value => value !== null)

/**
 * Digits beyond the fifth are beyond every clock, and would fill the results directory.
 *
 * @param {number} value
 */
const round = value => Number(value.toPrecision(5))

/**
 * A failure of one queue is a result; any other error ends the heat.
 *
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T | SampleError>}
 */
async function orError (work) {
  try {
    return await work
  } catch (error) {
    if (error instanceof SampleError) return error
    throw error
  }
}
