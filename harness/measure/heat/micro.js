/**
 * A micro heat: the queues of one table, each in a fresh process, take turns on one core. A turn lasts milliseconds, and each has
 * one in every slice unless it has used up its share, so that what disturbs the machine disturbs all of them alike; their ratios
 * hold still while their times move. (L. Bulej et al., "Duet benchmarking", ICPE 2020, run pairs side by side.)
 *
 * Turns are passed, not preempted: nothing else of ours runs on the core meanwhile, so this needs no permission to pin and no
 * second core. Each begins with an unmeasured lead, in which the queue gets its timers back into the caches.
 * docs/heats-measured.md has the figures behind the lengths.
 */
import { mean, median, sum } from 'simple-statistics'
import { SampleError } from '../../processes/child.js'
import { MicroRunner } from '../micro/measure.js'
import { createRandom, shuffle } from '../../model/random.js'
import { Core } from './core.js'
import { FullSpeed, Pace } from './full-speed.js'

/**
 * @typedef {import('../micro/measure.js').MicroTask} MicroTask
 * @typedef {import('../micro/measure.js').Timing} Timing
 * @typedef {import('./full-speed.js').JudgedTurn} JudgedTurn
 * @typedef {import('../micro/measure.js').Timed} Timed
 *
 * @typedef {object} MicroEntrant
 * @property {MicroTask & {timing: Timing}} task  All entrants have the same timing.
 * @property {import('../../processes/child.js').Runtime} runtime
 * @property {import('../micro/measure.js').Fired | null} expected
 * @property {number} [processes]  That measure it, 1 by default: each has its own luck, and the result is their mean.
 *
 * @typedef {object} HeatResult  Of one entrant.
 * @property {Record<string, number>} metrics
 * @property {Record<string, (number | null)[]>} slices  By metric, the value in each slice of the heat, null where the
 *   entrant sat out, or where nothing was measured at full speed and only that counts.
 * @property {boolean} [satOut]  It did, in most slices: its cycles are so long.
 * @property {import('../../model/core-speed.js').CoreSpeed} [core]  Where turns are watched.
 * @property {string[]} warnings
 * @property {object} [details]
 */

/** A queue whose turns take longer than its share may use this many times the share; then it sits slices out. */
const PATIENCE = 4
/** Times the turns of a queue: slices in which it may try to take them at full speed. */
const MOST_SLICES = 2
/** A core that has been slow for so long is put to another use, if there is one. Many spells are as short. */
const SHORT_WAIT_MS = 5
/** An environment of one size can favour one of two identical programs (T. Mytkowicz et al., ASPLOS 2009). */
const MAX_PADDING = 4096
const SEEDS = 2 ** 31 - 1

/**
 * @param {MicroEntrant[]} entrants  The order does not matter.
 * @param {{seed: number, core?: Core, pace?: Pace, signal?: AbortSignal}} options  `seed`: of this heat. Memory layout and hashes
 *   are drawn from it, the same for all entrants, so that a lucky layout helps all of them, in one heat only. `pace`: of the heats
 *   before, of the same runtime.
 * @returns {Promise<(HeatResult | SampleError)[]>} one an entrant. One that dies, hangs or fires the wrong timers costs its
 *   own result only.
 */
export async function runMicroHeat (entrants, { seed, core = new Core(), pace = new Pace(), signal }) {
  const random = createRandom(seed)
  const layout = drawLayout(random)
  const processes = entrants.flatMap((entrant, of) => Array.from({ length: entrant.processes ?? 1 }, (_, i) =>
    ({ ...entrant, of, layout: i === 0 ? layout : drawLayout(random) })))
  const starts = await Promise.allSettled(processes.map(({ task, runtime, expected, layout: { flags, env } }) => core.start(() =>
    orError(MicroRunner.start(task, { expected, runtime: { ...runtime, env: { ...runtime.env, ...env } }, flags, pin: core.pin, signal })))))
  const started = starts.flatMap(start => start.status === 'fulfilled' ? [start.value] : [])
  try {
    // The others have started, and are ended below.
    const failed = starts.find(({ status }) => status === 'rejected')
    if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason
    const results = await core.measure(() => takeTurns(entrants[0].task.timing, { started, core, pace, random }))
    return entrants.map((_, i) => asOne(results.filter((_, process) => processes[process].of === i)))
  } finally {
    await Promise.all(started.map(runner => runner instanceof SampleError || runner.end()))
  }
}

/**
 * @param {Timing} timing
 * @param {object} heat
 * @param {(MicroRunner | SampleError)[]} heat.started
 * @param {Core} heat.core
 * @param {Pace} heat.pace
 * @param {import('../../model/random.js').Random} heat.random
 * @returns {Promise<(HeatResult | SampleError)[]>} one a process
 */
async function takeTurns ({ turns, leadMs, turnMs, waitMs }, { started, core, pace, random }) {
  const alive = started.flatMap(runner => runner instanceof SampleError ? [] : [runner])
  const fullSpeed = new FullSpeed({ pace, loops: alive.map(({ loopMs }) => loopMs), waitMs, turnMs, turns })
  const lanes = started.map(runner => ({ runner, turns: /** @type {JudgedTurn[][]} */ ([]), usedMs: 0 }))
  for (let slice = 0; slice < MOST_SLICES * turns; slice++) {
    const due = slice < turns ? lanes : dueAgain()
    if (due.length === 0) break
    for (const lane of lanes) lane.turns.push([])
    const allowedMs = PATIENCE * (leadMs + turnMs) * (slice + 1)
    for (const lane of shuffle(due, random)) {
      if (lane.runner instanceof SampleError || (slice > 0 && lane.usedMs > allowedMs)) continue
      const tries = await orError(takeTurn(lane.runner))
      if (tries instanceof SampleError) {
        await lane.runner.end()
        lane.runner = tries
      } else {
        lane.turns[slice] = tries
        lane.usedMs += sum(tries.map(({ cpuMs, watched }) => cpuMs - (watched?.slowMs ?? 0)))
      }
    }
  }
  fullSpeed.end()
  return Promise.all(lanes.map(async lane => {
    if (lane.runner instanceof SampleError) return lane.runner
    const { timed, core: speed } = fullSpeed.judge(lane.turns)
    return await orError(lane.runner.drain()) ?? {
      ...summarise(lane.runner, timed),
      ...(lane.turns.filter(tries => tries.length > 0).length < turns / 2 && { satOut: true }),
      ...(speed && { core: { ...speed, loopMs: round(speed.loopMs) } })
    }
  }))

  /** Who has measured too little at full speed; nobody, unless the core has been there for one of them in this slice. */
  function dueAgain () {
    const lacking = lanes.filter(lane => !(lane.runner instanceof SampleError) && fullSpeed.lacksTurns(lane.turns))
    return lacking.some(({ turns }) => fullSpeed.fastMs(turns[turns.length - 1]) > 0) ? lacking : []
  }

  /**
   * Again after each process that could be started while the core was slow.
   *
   * @param {MicroRunner} runner
   * @returns {Promise<JudgedTurn[]>}
   */
  async function takeTurn (runner) {
    /** @type {JudgedTurn[]} */
    const tries = []
    for (; ;) {
      const { waitMs, paceMs } = fullSpeed.wait
      const givesUp = waitMs > 0 && core.hasStarts
      const turn = { ...await runner.turn({ leadMs, turnMs }, { waitMs: givesUp ? Math.min(waitMs, SHORT_WAIT_MS) : waitMs, paceMs, givesUp }), paceMs }
      fullSpeed.see(turn)
      tries.push(turn)
      if (!givesUp || fullSpeed.isEnough(tries)) return tries
      await core.letStart()
    }
  }
}

/**
 * What the queues of a heat share, and no other heat has: it decides where V8 and the system put what they keep.
 *
 * @param {import('../../model/random.js').Random} random
 * @returns {{flags: string[], env: Record<string, string>}}
 */
export function drawLayout (random) {
  return {
    flags: [`--hash-seed=${1 + random(SEEDS)}`, `--random-seed=${1 + random(SEEDS)}`],
    env: { TIMERQ_PADDING: 'x'.repeat(random(MAX_PADDING)) }
  }
}

/**
 * @param {MicroRunner} runner
 * @param {(Timed | null)[]} turns  By slice.
 * @returns {HeatResult}
 */
function summarise (runner, turns) {
  const taken = notNull(turns)
  const phases = Object.keys(taken[0].phases)
  /** @type {Record<string, (number | null)[]>} */
  const slices = Object.fromEntries([
    ['nsPerOp', turns.map(turn => turn && round(1e6 * turn.cpuMs / turn.operations))],
    ...phases.map(metric => [metric, turns.map(turn => turn && round(turn.phases[metric]))])
  ])
  const total = (/** @type {'cpuMs' | 'operations'} */ name) => taken.reduce((sum, turn) => sum + turn[name], 0)
  return {
    metrics: {
      ...mediansOf(slices),
      windowNsPerOp: 1e6 * total('cpuMs') / total('operations'),
      ...(runner.spuriousWakeups === undefined ? {} : { spuriousWakeups: runner.spuriousWakeups })
    },
    slices,
    warnings: runner.warnings
  }
}

/**
 * The mean of the processes of one queue; of those that ran at full speed, if any did.
 *
 * @param {(HeatResult | SampleError)[]} results
 * @returns {HeatResult | SampleError}
 */
function asOne (results) {
  const measured = results.flatMap(result => result instanceof SampleError ? [] : [result])
  if (measured.length < results.length) return /** @type {SampleError} */ (results.find(result => result instanceof SampleError))
  const fast = measured.filter(({ core }) => !core?.isSlow)
  const counted = fast.length > 0 ? fast : measured
  const metrics = Object.fromEntries(Object.keys(counted[0].metrics).map(metric => [metric, mean(counted.map(({ metrics }) => metrics[metric]))]))
  const slices = Object.fromEntries(Object.keys(counted[0].slices).map(metric => [metric, meanOf(counted.map(({ slices }) => slices[metric]))]))
  const warnings = [...new Set(measured.flatMap(({ warnings }) => warnings))]
  return { ...counted[0], metrics, slices, warnings }
}

/**
 * Slice by slice. Processes may have taken different numbers of turns.
 *
 * @param {(number | null)[][]} slices  Of each process.
 * @returns {(number | null)[]}
 */
function meanOf (slices) {
  return Array.from({ length: Math.max(...slices.map(({ length }) => length)) }, (_, slice) => {
    const taken = notNull(slices.map(values => values[slice] ?? null))
    return taken.length === 0 ? null : round(mean(taken))
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
 * What went wrong with one entrant is its own matter; anything else ends the heat.
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
