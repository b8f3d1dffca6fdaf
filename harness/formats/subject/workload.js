/** The workload of one task: its function in a loop, or in a loop that times the function itself. */
import { cpuMs, INTERRUPTED, isCoarse, wallMs } from '../../processes/clock.js'
import { isPromise } from '../../model/promise.js'
/** @import { CodePhase } from '../../../scenarios/contract.js' */
/** @import { Meter } from '../../subject/micro/cycles.js' */
/** @import { Turns } from '../../subject/micro/turns.js' */
/** @import { BenchmarkTask, Timed } from './tasks.js' */

/** CPU time of a run that makes its overhead negligible: a call, and a promise if it is awaited. */
const LONG_ENOUGH_MS = 0.05
/** V8 has optimised the function by then, about: a loop that was long enough before is short now. */
const FIT_MS = 20

/**
 * Time of a managed function's loop: the start of the loop must not count for much. bench-node's own is 50 ms, but a
 * heat has many runs.
 */
const MANAGED_MS = 10
/** CPU time of a whole run of a managed function, which may prepare for longer than its loop takes. */
const LONGEST_MANAGED_MS = 50
/** Runs after which V8 has optimised a managed function. */
const FIT_RUNS = 10
/** Growth of the count after a run. */
const MOST_GROWTH = 10

/** Calls of the function in a run before its time is known. */
const FEW = 4

/** The last result: V8 must not leave out work because nothing uses its result. */
const sink = { value: /** @type {unknown} */ (undefined) }

/**
 * @typedef {{count: number}} Loop  Calls in a run.
 *
 * @typedef {object} TaskWorkload
 * @property {CodePhase[]} phases
 * @property {Meter} [meter]  Times a part of the loop; default: the whole loop is timed.
 * @property {() => unknown} [end]  Runs the hooks that come after all calls.
 * @property {Pick<Turns, 'warmUp' | 'turn'>} [turns]  Times the runs; default: as those of all workloads.
 * @property {() => number} [countLate]  Modules that were transformed since it was there.
 * @property {() => Promise<void>} [fit]  Chooses the operations of a run by its time. Counts keep the same few.
 * @property {boolean} [drawsNothing]  No seed changes it: all of its cycles should do the same.
 */

/**
 * @param {BenchmarkTask} task
 * @param {Record<string, number>} [params]
 * @returns {Promise<TaskWorkload>}
 */
export async function workloadOf (task, params) {
  const timed = await task.prepare(params)
  const first = await firstCall(timed)
  const phase = { metric: 'nsPerOp', operations: FEW, run: () => /** @type {unknown} */ (undefined) }
  const isTimedApart = timed.before || timed.after || timed.isManaged || first.isOverridden
  const clock = first.isAwaited ? cpuMs : wallMs
  const meter = isTimedApart ? { ms: 0, clock } : undefined
  const loop = { count: FEW }
  if (!meter) phase.run = first.isAwaited ? awaitedLoop(loop, timed) : plainLoop(loop, timed)
  else if (timed.isManaged) phase.run = managedRun(loop, timed, meter, phase)
  else phase.run = meteredLoop(loop, timed, meter, first)
  const hasStart = timed.isManaged && !timed.isPrompt
  const fitOwn = hasStart && meter ? () => fitManaged(phase, loop, meter) : () => fit(phase, loop)
  return { phases: [phase], drawsNothing: true, meter, end: timed.end, fit: timed.isFixed ? async () => {} : fitOwn }
}

/** @param {Timed} timed */
async function firstCall ({ fn, before, after }) {
  const results = [before?.()]
  await results[0]
  results.push(fn(timerOf({ ms: 0, clock: wallMs }, 1)))
  const result = await results[1]
  results.push(after?.())
  await results[2]
  return { isAwaited: results.some(isPromise), isOverridden: isOverride(result) }
}

/**
 * A task of tinybench may say itself how long it took.
 *
 * @param {any} result
 */
const isOverride = result => typeof result?.overriddenDuration === 'number'

/** @type {(loop: Loop, timed: Timed) => () => void} */
function plainLoop (loop, { fn }) {
  const call = /** @type {() => unknown} */ (fn)
  return () => {
    for (let left = loop.count; left > 0; left--) sink.value = call()
  }
}

/** @type {(loop: Loop, timed: Timed) => () => Promise<void>} */
function awaitedLoop (loop, { fn }) {
  const call = /** @type {() => unknown} */ (fn)
  return async () => {
    for (let left = loop.count; left > 0; left--) sink.value = await call()
  }
}

/**
 * Times the function alone, between its hooks.
 *
 * @type {(loop: Loop, timed: Timed, meter: Meter, first: Awaited<ReturnType<typeof firstCall>>) => () => unknown}
 */
function meteredLoop (loop, { fn, before = () => {}, after = () => {} }, meter, { isAwaited, isOverridden }) {
  const call = /** @type {() => any} */ (fn)
  const note = (/** @type {number} */ ms, /** @type {any} */ result) => {
    sink.value = result
    meter.ms += isOverridden ? result.overriddenDuration : ms
  }
  if (isAwaited) {
    return async () => {
      for (let left = loop.count; left > 0; left--) {
        await before()
        const start = meter.clock()
        const result = await call()
        note(meter.clock() - start, result)
        await after()
      }
    }
  }
  return () => {
    for (let left = loop.count; left > 0; left--) {
      before()
      const start = meter.clock()
      const result = call()
      note(meter.clock() - start, result)
      after()
    }
  }
}

/**
 * The function reports how many operations it has run, which may differ from the number requested.
 *
 * @type {(loop: Loop, timed: Timed, meter: Meter, phase: CodePhase) => () => unknown}
 */
function managedRun (loop, { fn }, meter, phase) {
  return () => {
    const timer = timerOf(meter, loop.count)
    const done = () => {
      if (timer.operations === 0) throw new Error('the function returned and had not started and ended its timer')
      phase.operations = timer.operations
    }
    const result = fn(timer)
    return isPromise(result) ? result.then(done) : done()
  }
}

/**
 * @param {Meter} meter
 * @param {number} count
 */
function timerOf (meter, count) {
  let start = NaN
  return {
    count,
    operations: 0,
    start () {
      start = meter.clock()
    },
    end (operations = 1) {
      const ms = meter.clock() - start
      if (Number.isNaN(ms)) throw new Error('the timer was ended before it was started')
      meter.ms += ms
      this.operations += operations
    }
  }
}

/** @type {(phase: CodePhase, loop: Loop, meter: Meter) => Promise<void>} */
async function fitManaged (phase, loop, meter) {
  let operations = 0
  // A start that V8 has not optimised yet looks like a long loop.
  for (let spentMs = 0; spentMs < FIT_RUNS * MANAGED_MS;) {
    const [before, start] = [meter.ms, cpuMs()]
    await phase.run()
    const ms = meter.ms - before
    const wholeMs = cpuMs() - start
    spentMs += Math.max(ms, wholeMs)
    if (ms >= MANAGED_MS / 2 || wholeMs >= LONGEST_MANAGED_MS) continue
    // A function may run a fixed number of operations, and ignore the number it was asked for.
    if (phase.operations <= operations) return
    operations = phase.operations
    loop.count = Math.ceil(loop.count * Math.min(MOST_GROWTH, MANAGED_MS / Math.max(ms, MANAGED_MS / MOST_GROWTH)))
  }
}

/** @type {(phase: CodePhase, loop: Loop) => Promise<void>} */
async function fit (phase, loop) {
  for (let spentMs = 0, leastMs = Infinity; spentMs < FIT_MS;) {
    const start = cpuMs()
    await phase.run()
    const timed = cpuMs() - start
    // The wall clock goes on in an interruption, and the sides of a gate would get loops of different lengths.
    const ms = isCoarse ? Math.min(timed, INTERRUPTED * leastMs) : timed
    leastMs = Math.min(leastMs, ms)
    spentMs += ms
    if (ms >= LONG_ENOUGH_MS) continue
    loop.count *= 2
    leastMs *= 2
  }
  phase.operations = loop.count
}
