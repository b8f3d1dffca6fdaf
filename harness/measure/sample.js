/** One measurement and what is kept of it: what a cell's names stand for, how it is measured, a line of samples.jsonl. */
import { SampleError } from '../processes/child.js'
import { Core } from './heat/core.js'
import { Pace } from './heat/full-speed.js'
import { runHttpHeat } from './heat/http.js'
import { runMicroHeat } from './heat/micro.js'
import { countServerWork } from './http/exact.js'
import { measureHttp } from './http/measure.js'
import { expectedOutcome, measureExact } from './micro/measure.js'
import { measureTails } from './micro/tails.js'
import { placeOfCell } from '../model/cell.js'
import { countSeedOf } from '../plan/plan.js'
import { PauseWatch } from '../processes/pauses.js'
import { choosePins } from '../processes/pinning.js'

/** Thousands of requests, interpreted. */
const SERVER_COUNT_LIMIT_MS = 60_000
/** To measure something in one go, while the machine is suspended again and again. */
const ATTEMPTS = 3

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../plan/plan.js').PlannedSample} PlannedSample
 * @typedef {import('../store/results.js').Sample} Sample
 * @typedef {ReturnType<typeof lookUp>} Found
 *
 * @typedef {object} Measured
 * @property {Record<string, number>} metrics
 * @property {Record<string, (number | null)[]>} [slices]
 * @property {boolean} [satOut]  Most slices of a heat.
 * @property {import('../model/core-speed.js').CoreSpeed} [core]  Of a heat whose turns are watched.
 * @property {string[]} warnings
 * @property {object} [details]
 */

/**
 * What a cell's names stand for.
 *
 * @param {Plan} plan
 * @param {import('../model/cell.js').CellPlace} cell
 */
export function lookUp (plan, { scenario: scenarioName, queue: queueName, runtime: runtimeName, params }) {
  const { settings, queues, scenarios, runtimes } = plan
  const find = (/** @type {any[]} */ entries, /** @type {string} */ name) => entries.find(entry => entry.name === name)
  const queue = /** @type {import('../plan/plan.js').PlannedQueue} */ (find(queues, queueName))
  const scenario = /** @type {import('../plan/plan.js').PlannedScenario} */ (find(scenarios, scenarioName))
  const runtime = /** @type {import('../processes/child.js').Runtime} */ (find(runtimes, runtimeName))
  const { load, loadCommand, listen, target, port, httpWarmupMs, seed, micro, trace = null, serverLimitMs, memoryMb } = settings
  const task = { scenarioUrl: scenario.url, params, seed, trace }
  const queueUrl = queue.origin === 'built-in' ? null : queue.url
  return {
    queue,
    scenario,
    runtime: memoryMb === undefined ? runtime : { ...runtime, memoryMb },
    countSeed: countSeedOf(plan),
    httpTask: { ...task, queueUrl, port, load, loadCommand, listen, target, warmupMs: httpWarmupMs, limitMs: serverLimitMs },
    microTask: { ...task, queueUrl: queue.url, timing: micro }
  }
}

/**
 * How the cells of a plan are measured.
 *
 * @param {import('../plan/plan.js').Settings} settings
 * @param {AbortSignal} [signal]
 */
export function createMeasure ({ micro, httpHeat, control }, signal) {
  const pins = choosePins()
  /** @type {Map<string, Promise<import('./micro/measure.js').Fired>>} */
  const expectedOf = new Map()
  /** By runtime: V8 compiles the loop differently. @type {Map<string, Pace>} */
  const paces = new Map()
  const cores = new Map(pins.cores.map(pin => [pin, new Core(pin)]))
  return { pins, heat, window, count }

  /**
   * Cells of one scenario at the same time.
   *
   * @param {Found[]} entrants
   * @param {{seed: number, pin?: string[]}} options  `pin`: for a micro heat, which may run on any core, one of `pins.cores`. Two at a
   *   time on each: while one is measured, the other starts.
   * @returns {Promise<(Measured | SampleError)[]>}
   */
  async function heat (entrants, { seed, pin = pins.subject }) {
    if (entrants[0].scenario.kind === 'http') {
      // They run at the same time: each needs a port of its own.
      const portOf = (/** @type {number} */ port, /** @type {number} */ i) => port === 0 ? 0 : port + i
      return runHttpHeat(entrants.map(({ httpTask, runtime }, i) => ({ task: { ...httpTask, port: portOf(httpTask.port, i) }, runtime })), { timing: httpHeat, pins, signal })
    }
    const prepared = await Promise.all(entrants.map(async found =>
      ({ task: found.microTask, runtime: found.runtime, expected: found.queue.meta.accuracy === 'exact' ? await expect(found) : null, processes: processesFor(found, entrants) })))
    return runMicroHeat(prepared, { seed, core: cores.get(pin) ?? new Core(pin), pace: paceOf(entrants[0].runtime), signal })
  }

  /**
   * A cell alone.
   *
   * @param {Found} found
   * @param {string[]} [pin]  For a micro cell, which may run on any core.
   * @returns {Promise<Measured>}
   */
  function window ({ scenario, httpTask, microTask, runtime }, pin = pins.subject) {
    return scenario.kind === 'http' ? measureHttp(httpTask, runtime, pins, signal) : measureTails(microTask, runtime, pin, signal)
  }

  /**
   * @param {Found} found  Of a scenario that is counted, and no built-in queue.
   * @returns {Promise<Measured>}
   */
  function count ({ scenario, httpTask, microTask, runtime, countSeed: seed }) {
    if (scenario.kind === 'http') return countServerWork({ ...httpTask, queueUrl: microTask.queueUrl }, runtime, SERVER_COUNT_LIMIT_MS, signal)
    return measureExact({ ...microTask, seed }, runtime, micro.exactLimitMs, signal)
  }

  /**
   * What varies about the control is in every ratio to it, so it is measured by more processes: the root of the number of queues that
   * are compared with it (C. W. Dunnett, "A multiple comparison procedure for comparing several treatments with a control", 1955).
   *
   * @param {Found} found
   * @param {Found[]} entrants
   */
  function processesFor ({ queue }, entrants) {
    const isLoneControl = queue.name === control?.micro && entrants.filter(entrant => entrant.queue.name === queue.name).length === 1
    return isLoneControl ? processesOfControl(entrants.length) : 1
  }

  /** @param {import('../processes/child.js').Runtime} runtime */
  function paceOf ({ name }) {
    const pace = paces.get(name) ?? new Pace()
    paces.set(name, pace)
    return pace
  }

  /**
   * What fires in the verified cycles is the same for every exact queue: the model is asked once.
   *
   * @param {Found} found
   */
  function expect ({ scenario, microTask }) {
    const key = JSON.stringify([scenario.url, microTask.params])
    const expected = expectedOf.get(key) ?? expectedOutcome(microTask, { name: 'model', path: process.execPath, flags: [] }, signal)
    expectedOf.set(key, expected)
    // It may have been killed: the next heat asks again.
    expected.catch(() => expectedOf.delete(key))
    return expected
  }
}

/** @param {number} entrants  Of a micro heat, the control included. */
const processesOfControl = entrants => Math.max(1, Math.round(Math.sqrt(entrants - 1)))

/** @param {number} entrants  Of a micro heat. */
export const mostProcesses = entrants => entrants - 1 + processesOfControl(entrants)

/**
 * @param {PlannedSample} planned
 * @param {() => Promise<Measured>} measure
 * @returns {Promise<Sample>}
 */
export async function takeSample (planned, measure) {
  const start = readClocks()
  const [measured] = await inOneGo(async () => [await measure()]).catch(error => [onlySampleErrors(error)])
  return toSample(planned, measured, start)
}

/**
 * @param {Pick<import('../plan/plan.js').PlannedHeat, 'id' | 'cells' | 'round'>} planned
 * @param {() => Promise<(Measured | SampleError)[]>} measure  One result a cell.
 * @returns {Promise<Sample[]>}
 */
export async function takeHeat ({ id, cells, round }, measure) {
  const start = readClocks()
  const results = await inOneGo(measure).catch(error => cells.map(() => onlySampleErrors(error)))
  return cells.map((cell, i) => ({ ...toSample({ cell, round, channel: 'heat' }, results[i], start), heat: id, heatSize: cells.length }))
}

/**
 * Measures again what the machine did not measure in one go: see pauses.js.
 *
 * @param {() => Promise<(Measured | SampleError)[]>} measure
 * @param {() => Pick<PauseWatch, 'end'>} [createWatch]
 * @returns {Promise<(Measured | SampleError)[]>}
 * @throws {SampleError} when there is a pause each time
 */
export async function inOneGo (measure, createWatch = () => new PauseWatch()) {
  let pause = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const watch = createWatch()
    // What failed may have failed because of the pause.
    const results = await measure().catch(onlySampleErrors)
    const paused = watch.end()
    if (paused > 0) pause = paused
    else if (results instanceof SampleError) throw results
    else return attempt === 0 ? results : results.map(result => noteAgain(result, pause))
  }
  throw new SampleError('load', `this machine stood still for ${describePause(pause)}, and so it did each of the ${ATTEMPTS} times that this was measured`)
}

/**
 * @param {Measured | SampleError} result
 * @param {number} pause  Milliseconds.
 */
function noteAgain (result, pause) {
  if (result instanceof SampleError) return result
  return { ...result, warnings: [...result.warnings, `taken again: the machine stood still for ${describePause(pause)} the first time`] }
}

/** @param {number} milliseconds */
const describePause = milliseconds => `${Math.round(milliseconds / 1000)} s`

/** @param {unknown} error */
function onlySampleErrors (error) {
  if (error instanceof SampleError) return error
  throw error
}

/** The date for the record, and a clock that nobody sets for the duration. */
const readClocks = () => ({ date: new Date(), time: performance.now() })

/**
 * @param {PlannedSample} planned
 * @param {Measured | SampleError} measured
 * @param {ReturnType<typeof readClocks>} start
 * @returns {Sample}
 */
function toSample ({ cell, round, channel }, measured, start) {
  const seconds = Math.round(performance.now() - start.time) / 1000
  const result = measured instanceof SampleError
    ? { metrics: {}, failure: { kind: measured.kind, message: measured.message }, warnings: [] }
    : measured
  return { cell: cell.id, round, channel, ...placeOfCell(cell), started: start.date.toISOString(), seconds, ...result }
}
