/**
 * Measures the steps of a plan: cells at the same time in a heat, one alone, one whose work is counted, one that is
 * profiled. An entrant of a heat is a cell with its job and its Node; each has a process, its lane, or several.
 * Everything that runs a stranger's code is a fresh process; this room starts it and asks it. Runs without servers load
 * no code for them.
 */
import { runMicroHeat } from './heat/micro.js'
import { measureWithAll } from './instruments.js'
import { lookUp } from './look-up.js'
import { Reference } from './micro/reference.js'
import { isOwn } from './modules/own-modules.js'
import { exactlyIn, isSame } from './twice.js'
import { controlIn } from '../model/cell.js'
import { SampleError } from '../model/errors.js'
import { kinds } from '../model/kinds.js'
import { createRandom } from '../model/random.js'
import { hasWarning } from '../model/warnings.js'
import { PauseWatch } from '../processes/pauses.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Warning } from '../model/warnings.js' */
/** @import { Plan, Sides } from '../plan/plan.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Runtime } from '../processes/child.js' */
/** @import { Pins } from '../processes/pinning.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { CellJob } from './look-up.js' */
/** @import { Fired } from './micro/queue-process.js' */

/** Attempts to measure in one go, on a machine that is suspended again and again. */
const ATTEMPTS = 3
/** Seed of counted workloads, the same in all runs: counts can be compared. */
const COUNT_SEED = 1
/** V8's flags are signed, of 32 bits. */
const MOST_SEEDS = 2 ** 31 - 2

/**
 * @typedef {object} Measured
 * @property {Record<string, number>} metrics
 * @property {Record<string, (number | null)[]>} [slices]
 * @property {boolean} [isSlow]  The queue had no turn in most slices of a heat.
 * @property {Warning[]} warnings
 * @property {object} [details]
 *
 * @typedef {object} MeasureOptions
 * @property {Pins} pins
 * @property {AbortSignal} signal
 * @property {(step: Step, signal: AbortSignal) => Promise<Measured>} [profile]  Records the profile of a step.
 */

export class Measure {
  #plan
  #pins
  #signal
  #profile
  /** @type {Reference | undefined} */
  #reference
  /**
   * Names of queues whose counts a second process repeated.
   *
   * @type {Set<string>}
   */
  #repeated = new Set()

  /**
   * @param {Plan & {sides?: Sides}} plan
   * @param {MeasureOptions} options
   */
  constructor (plan, { pins, signal, profile }) {
    this.#plan = plan
    this.#pins = pins
    this.#signal = signal
    this.#profile = /** @type {NonNullable<typeof profile>} */ (profile)
  }

  /**
   * @param {Step} step
   * @param {string[]} pin  Command prefix that keeps a micro heat on its core.
   * @returns {Promise<Sample[]>} a sample for each cell, also where measuring failed
   */
  step (step, pin) {
    return takeSamples(step, async () => {
      if (step.kind === 'profile') return [await this.#profile(step, this.#signal)]
      const jobs = step.cells.map(cell => lookUp(this.#plan, cell))
      if (step.kind === 'heat') return this.#heat(jobs, { seed: seedOf(this.#plan.settings.seed, step.id), pin })
      return step.kind === 'alone' ? [await this.#take('alone', jobs[0], pin)] : this.#counts(jobs)
    })
  }

  /**
   * Measures cells of one scenario at the same time. Everything that varies is drawn from the seed, the same for all of
   * them: the workload, Math.random, the layout of memory, hashes. Sides with different binaries run a copy of theirs.
   *
   * @param {CellJob[]} jobs
   * @param {{seed: number, pin: string[]}} options
   * @returns {Promise<(Measured | SampleError)[]>} one a cell
   */
  async #heat (jobs, { seed, pin }) {
    const { settings } = this.#plan
    const signal = this.#signal
    const random = createRandom(seed)
    const runtimes = jobs.map(({ runtime, copies }) => ({
      ...runtime,
      ...(copies && { path: copies[random(copies.length)] })
    }))
    if (kinds[jobs[0].scenario.kind].isServer) {
      const { runHttpHeat } = await import('./heat/http.js')
      const entrants = jobs.map(({ httpJob }, i) => ({
        job: { ...httpJob, seed, port: httpJob.port === 0 ? 0 : httpJob.port + i },
        runtime: withDraws(runtimes[i], seed)
      }))
      return runHttpHeat(entrants, { timing: settings.httpHeat, pins: this.#pins, signal })
    }
    const outcomes = await this.#referenceOutcomes(jobs, seed)
    const entrants = jobs.map((job, i) => ({
      job: { ...job.microJob, seed },
      runtime: runtimes[i],
      expected: isExact(job) ? (outcomes.get(paramsKey(job)) ?? null) : null,
      processes: this.#processesFor(job, jobs)
    }))
    return runMicroHeat(entrants, { seed, pin, signal })
  }

  /**
   * Returns what exact queues must fire. A heat may hold a queue in several sizes, and each size is another workload.
   *
   * @param {CellJob[]} jobs
   * @param {number} seed
   * @returns {Promise<Map<string, Fired>>} by the workload's parameters
   */
  async #referenceOutcomes (jobs, seed) {
    const outcomes = new Map()
    for (const job of jobs.filter(isExact)) {
      const key = paramsKey(job)
      if (!outcomes.has(key)) {
        // The scenario may be a file that only this Node, or its flags, can load.
        this.#reference ??= new Reference(job.runtime)
        outcomes.set(key, await this.#reference.outcomeOf({ ...job.microJob, seed }, this.#signal))
      }
    }
    return outcomes
  }

  /**
   * @param {'alone' | 'count'} step
   * @param {CellJob} job
   * @param {string[]} [pin]
   */
  #take (step, job, pin = []) {
    const { exactLimitMs: limitMs } = this.#plan.settings.micro
    return measureWithAll(step, job, { pin, pins: this.#pins, limitMs, signal: this.#signal })
  }

  /**
   * A count is exact if a second process counts the same: no flag seeds the time, crypto, a process id, a network or an
   * order of files. In a gate, each side is the other's second process: only sides that differ are counted again, and
   * those of a queue in one row, since timerq draws its workloads. In a run, code alone is counted twice.
   *
   * @param {CellJob[]} jobs  One, or the sides of a row.
   * @returns {Promise<(Measured | SampleError)[]>}
   */
  async #counts (jobs) {
    const [{ queue, scenario, microJob: { isCode } }] = jobs
    const counts = await this.#countEach(jobs)
    const isSure = jobs.length > 1 ? isSame(counts) || this.#repeated.has(queue.name) : !isCode
    if (isSure) return counts
    const exact = exactlyIn(counts, await this.#countEach(jobs))
    const isRepeated = !exact.some(one => one instanceof SampleError || hasWarning(one, 'not-exact'))
    if (isRepeated && isOwn(scenario.url)) this.#repeated.add(queue.name)
    return exact
  }

  /** @param {CellJob[]} jobs  Counted one after the other: each is several processes. */
  async #countEach (jobs) {
    const counts = []
    for (const job of jobs) counts.push(await this.#count(job).catch(onlySampleErrors))
    return counts
  }

  /**
   * @param {CellJob} job
   * @returns {Promise<Measured>}
   */
  async #count (job) {
    const { scenario, runtime, microJob } = job
    if (!scenario.steps.includes('count')) return { metrics: {}, warnings: [] }
    return this.#take('count', {
      ...job,
      runtime: withDraws(runtime, COUNT_SEED),
      microJob: { ...microJob, seed: COUNT_SEED }
    })
  }

  end () {
    return this.#reference?.end()
  }

  /**
   * Noise in the control affects every ratio, so several processes measure it: the root of the number of queues that
   * are compared with it (C. W. Dunnett, "A multiple comparison procedure for comparing several treatments with a
   * control", 1955).
   *
   * @param {CellJob} job
   * @param {CellJob[]} jobs
   */
  #processesFor ({ queue, scenario }, jobs) {
    const isOnlyControl =
      queue.name === controlIn(this.#plan.settings, scenario) &&
      jobs.filter(job => job.queue.name === queue.name).length === 1
    return isOnlyControl ? Math.max(1, Math.round(Math.sqrt(jobs.length - 1))) : 1
  }
}

/**
 * Math.random draws the same in all processes with one seed. The user's own flags win.
 *
 * @param {Runtime} runtime
 * @param {number} seed
 * @returns {Runtime}
 */
const withDraws = (runtime, seed) => ({
  ...runtime,
  // V8 draws a seed of its own in place of 0.
  flags: [`--random-seed=${1 + (seed % MOST_SEEDS)}`, ...runtime.flags]
})

/** @param {CellJob} job */
const isExact = ({ queue }) => queue.meta.accuracy === 'exact'

/** @param {CellJob} job */
const paramsKey = ({ microJob }) => JSON.stringify(microJob.params)

/**
 * Every heat draws a new workload, layout and hashes. The run's seed decides the sequence of draws.
 *
 * @param {number} seed  Seed of the run.
 * @param {string} id  Id of the heat.
 */
function seedOf (seed, id) {
  let hash = seed
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash >>> 0
}

/**
 * Lines of samples.jsonl: a measurement becomes a sample for each of its cells, also where the measurement failed.
 *
 * @param {Step} step
 * @param {() => Promise<(Measured | SampleError)[]>} measure  One result a cell.
 * @returns {Promise<Sample[]>}
 */
export async function takeSamples ({ kind, cells, round, id }, measure) {
  const date = new Date()
  const start = performance.now()
  const results = await inOneGo(measure).catch(error => cells.map(() => onlySampleErrors(error)))
  const seconds = Math.round(performance.now() - start) / 1000
  return cells.map((cell, i) => ({
    ...placeOf(cell),
    round,
    kind,
    started: date.toISOString(),
    seconds,
    ...(kind === 'heat' && { heat: id, heatSize: cells.length }),
    ...resultOf(results[i])
  }))
}

/** @param {Cell} cell */
const placeOf = ({ id, ...place }) => ({ cell: id, ...place })

/** @param {Measured | SampleError} measured */
function resultOf (measured) {
  if (!(measured instanceof SampleError)) return measured
  return { metrics: {}, failure: { kind: measured.kind, message: measured.message }, warnings: [] }
}

/**
 * Measures again if the machine paused: see pauses.js.
 *
 * @param {() => Promise<(Measured | SampleError)[]>} measure
 * @param {() => Pick<PauseWatch, 'end'>} [createWatch]
 * @returns {Promise<(Measured | SampleError)[]>}
 * @throws {SampleError} when the machine pauses each time
 */
export async function inOneGo (measure, createWatch = () => new PauseWatch()) {
  let pause = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const watch = createWatch()
    const results = await measure().catch(onlySampleErrors)
    const paused = watch.end()
    // A failure may come from the pause.
    if (paused > 0) pause = `the machine paused for ${Math.round(paused / 1000)} s`
    else if (results instanceof SampleError) throw results
    else return attempt === 0 ? results : results.map(result => noteAgain(result, pause))
  }
  throw new SampleError('load', `${pause} during each of ${ATTEMPTS} attempts`)
}

/**
 * @param {Measured | SampleError} result
 * @param {string} pause
 * @returns {Measured | SampleError}
 */
function noteAgain (result, pause) {
  if (result instanceof SampleError) return result
  const text = `${pause} during the first attempt`
  return { ...result, warnings: [...result.warnings, { kind: 'measured-again', text }] }
}

/** @param {unknown} error */
function onlySampleErrors (error) {
  if (error instanceof SampleError) return error
  throw error
}
