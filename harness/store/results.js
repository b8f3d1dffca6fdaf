/**
 * The results directory: run.json says what was planned and where, samples.jsonl holds one finished sample a line. Both
 * are checked against their schema, and against each other, when they are read.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cellId } from '../model/cell.js'
import { MeasurementError, UsageError } from '../model/errors.js'
import { makeFolder, move } from './folders.js'
import { readInput } from './input.js'
import { checkWith, parseJson } from './json.js'
import { LOCK, lock, unlock } from './lock.js'
import { markOf, MOST_SAMPLES, readSamples } from './samples.js'
/** @import { Side } from '../model/cell.js' */
/** @import { Warning } from '../model/warnings.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Kind } from '../plan/steps.js' */
/** @import { Environment } from '../processes/environment.js' */

/**
 * @typedef {object} RunStart
 * @property {string[]} command
 * @property {string} started  ISO 8601
 * @property {Environment} environment
 * @property {Plan} plan
 *
 * @typedef {object} RunIdentity
 * @property {'timerq-run/3'} format
 * @property {string} id  Unique. Every sample names the run that it belongs to.
 * @property {string | null} ended  ISO 8601; null while it runs, or when it was killed.
 * @property {{run: string, directory: string, environment: Environment, cells: string[]}[]} [parts] Shards of a merged
 *   run: their ids, and the ids of the cells that each measured.
 *
 * @typedef {RunStart & RunIdentity} Run  run.json
 *
 * @typedef {object} Sample  One line of samples.jsonl.
 * @property {string} [run]  Id of the run; set when the sample is stored, as are seed and trees.
 * @property {number} [seed]  Seed of the run.
 * @property {{base: string, head: string}} [trees]  Hashes of a gate's sides.
 * @property {string} cell
 * @property {number} round
 * @property {Kind} kind
 * @property {string} [heat]  Id of the heat, whose samples were measured at the same time.
 * @property {number} [heatSize]  Number of samples in the heat.
 * @property {string} scenario
 * @property {Record<string, number>} params
 * @property {string} queue
 * @property {Side} [side]  Side of a gate.
 * @property {string} runtime
 * @property {string} started  ISO 8601
 * @property {number} seconds  Duration of the measurement, including start and warm-up.
 * @property {Record<string, number>} metrics  Empty when the sample failed.
 * @property {Record<string, (number | null)[]>} [slices]  Values in each slice of a heat, by metric; null where the
 *   cell had no turn. Slices of one heat are aligned.
 * @property {boolean} [isSlow]  The cell had no turn in most slices of its heat, because its cycles are so long.
 * @property {{kind: string, message: string}} [failure]
 * @property {Warning[]} warnings
 * @property {any} [details]  Further observations, by kind of scenario.
 *
 * @typedef {{directory: string, run: Run, samples: Sample[], warnings: string[]}} Results
 */

/** @type {'timerq-run/3'} */
const RUN_FORMAT = 'timerq-run/3'
const RUN = 'run.json'
const SAMPLES = 'samples.jsonl'
/** Samples written at once: all together could be longer than a string may be. */
const AT_ONCE = 1000

const checkRun = checkWith('run')

/** A results directory that this process writes, and has locked until it ends. */
export class Store {
  #isResumable

  /**
   * @param {string} directory
   * @param {Run} run
   * @param {object} [options]
   * @param {Sample[]} [options.samples]  Samples in the directory.
   * @param {boolean} [options.isResumable]  The command has a --resume, which messages may name.
   */
  constructor (directory, run, { samples = [], isResumable = true } = {}) {
    this.directory = directory
    this.run = run
    /** All samples so far, also those of earlier processes. */
    this.samples = samples
    this.#isResumable = isResumable
  }

  /**
   * @param {Sample[]} samples  Written in one piece: all samples of a heat, for example.
   * @throws {MeasurementError} when they cannot be written
   */
  append (samples) {
    if (this.samples.length + samples.length > MOST_SAMPLES) {
      throw new MeasurementError(
        `${this.directory} has ${this.samples.length} samples, and ${MOST_SAMPLES} are the most that timerq reads: ` +
          'start another run'
      )
    }
    const stored = samples.map(sample => ({ ...sample, ...markOf(this.run) }))
    this.#write(() => appendFileSync(path.join(this.directory, SAMPLES), linesOf(stored)))
    for (const sample of stored) this.samples.push(sample)
  }

  /**
   * @param {Partial<Run>} changes  New fields of run.json.
   * @throws {MeasurementError} when they cannot be written
   */
  update (changes) {
    const run = { ...this.run, ...changes }
    this.#write(() => replaceRun(this.directory, run))
    this.run = run
  }

  /**
   * Marks the run as ended.
   *
   * @returns {Results} as they are in the directory
   */
  end () {
    this.update({ ended: new Date().toISOString() })
    return readResults(this.directory)
  }

  /** Removes a directory that has no samples, and would only block the next attempt. */
  discard () {
    unlock(this.directory)
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 3 })
  }

  /** Skipped samples would stay between new ones. The file is replaced at once, so a crash on the way loses nothing. */
  rewriteSamples () {
    const file = path.join(this.directory, SAMPLES)
    this.#write(() => {
      writeSamples(`${file}.new`, this.samples)
      move(`${file}.new`, file)
    })
  }

  /** @param {() => void} write */
  #write (write) {
    try {
      write()
    } catch (error) {
      throw new MeasurementError(
        `cannot write to ${this.directory}: ${causeOf(error)}. ${remedyFor(error, this.#isResumable)}`
      )
    }
  }
}

/**
 * Begins a results directory and locks it.
 *
 * @param {string} directory  Must not hold results yet.
 * @param {RunStart & Partial<RunIdentity>} run
 * @param {{isResumable?: boolean}} [options]
 * @returns {Store}
 * @throws {UsageError} when the directory cannot be written or is not empty
 */
export function createResults (directory, run, options) {
  const { command, started, ended = null, environment, parts, plan } = run
  const id = `${started.slice(0, 19).replaceAll(':', '-')}-${randomBytes(4).toString('hex')}`
  const whole = { format: RUN_FORMAT, id, command, started, ended, environment, ...(parts && { parts }), plan }
  // A run.json that cannot be read back, for an odd declaration of a user's queue, must not cost a measurement.
  checkRun(whole, path.join(directory, RUN))
  try {
    makeFolder(directory)
    lock(directory)
    if (readdirSync(directory).every(name => name === LOCK)) {
      replaceRun(directory, whole)
      return new Store(directory, whole, options)
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `cannot create ${directory}: ${/** @type {Error} */ (error).message}; choose another with --out`
    )
  }
  unlock(directory)
  throw new UsageError(`${directory} is not empty; choose another with --out, or continue it with --resume`)
}

/**
 * Opens results to add samples. Locks the directory, then removes what a killed run left unfinished.
 *
 * @param {string} directory
 * @returns {{store: Store, killed: number | null}} killed: id of the killed process whose lock was taken over
 * @throws {UsageError} when another process writes to the directory
 * @throws {MeasurementError} when it cannot be written
 */
export function openResults (directory) {
  const killed = lock(directory)
  const { run, samples, warnings } = readResults(directory)
  const store = new Store(directory, run, { samples })
  if (warnings.length > 0) store.rewriteSamples()
  return { store, killed }
}

/**
 * Writes the results of a run that is over. Where they cannot be written whole, none of them stays.
 *
 * @param {string} directory  Must not hold results yet.
 * @param {RunStart & Partial<RunIdentity>} run
 * @param {Sample[]} samples
 * @throws {UsageError} when the directory cannot be written or is not empty
 * @throws {MeasurementError} when there is no room for the samples
 */
export function writeResults (directory, run, samples) {
  const {
    run: { id }
  } = createResults(directory, run)
  try {
    writeSamples(
      path.join(directory, SAMPLES),
      samples.map(sample => ({ ...sample, run: id }))
    )
  } catch (error) {
    for (const file of [RUN, SAMPLES]) rmSync(path.join(directory, file), { force: true })
    throw new MeasurementError(
      `cannot write to ${directory}: ${causeOf(error)}. Nothing of it is kept: try again, or choose another with --out`
    )
  }
}

/**
 * @param {string} directory
 * @returns {Results}
 * @throws {UsageError} when it is not a results directory, or of another format, or damaged
 */
export function readResults (directory) {
  const file = path.join(directory, RUN)
  if (!existsSync(file)) throw new UsageError(`${directory} is not a results directory: it has no ${RUN}`)
  const run = /** @type {Run} */ (parseJson(readInput(file, 'run').toString(), file))
  if (run?.format !== RUN_FORMAT) {
    throw new UsageError(
      `${file}: this timerq reads the format "${RUN_FORMAT}", got ${JSON.stringify(run?.format)}: ` +
        'measure again, or read it with the timerq that wrote it'
    )
  }
  checkRun(run, file)
  assertWholePlan(run.plan, file)
  return { directory, run, ...readSamples(path.join(directory, SAMPLES), run) }
}

/**
 * Links in the directory of a stranger would lead writes elsewhere.
 *
 * @param {string} directory
 * @throws {UsageError}
 */
export function assertNoLinks (directory) {
  const entries = readdirSync(directory, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? [entry, ...readdirSync(path.join(directory, entry.name), { withFileTypes: true })] : [entry]
  )
  const link = entries.find(entry => entry.isSymbolicLink())
  if (link === undefined) return
  throw new UsageError(
    `${path.join(link.parentPath, link.name)} is a link, and timerq writes through none: replace it by what it leads to`
  )
}

/**
 * A crash on the way leaves the old file whole.
 *
 * @param {string} directory
 * @param {Run} run
 */
function replaceRun (directory, run) {
  const file = path.join(directory, RUN)
  writeFileSync(`${file}.new`, JSON.stringify(run, null, 2) + '\n')
  move(`${file}.new`, file)
}

/**
 * @param {string} file
 * @param {Sample[]} samples
 */
function writeSamples (file, samples) {
  writeFileSync(file, '')
  for (let i = 0; i < samples.length; i += AT_ONCE) appendFileSync(file, linesOf(samples.slice(i, i + AT_ONCE)))
}

/** @param {Sample[]} samples */
const linesOf = samples => samples.map(sample => JSON.stringify(sample) + '\n').join('')

/**
 * Every name in the plan stands for one thing, and the id of every cell says what the cell is.
 *
 * @param {Plan} plan
 * @param {string} where
 */
function assertWholePlan ({ cells, ...parts }, where) {
  const [scenarios, queues] = /** @type {const} */ (['scenarios', 'queues', 'runtimes']).map(part => {
    const names = new Set()
    for (const { name } of parts[part]) {
      if (names.has(name)) throw new UsageError(`${where}: /plan/${part} contains the name ${name} twice`)
      names.add(name)
    }
    return names
  })
  const ids = new Set()
  for (const [i, cell] of cells.entries()) {
    const isKnown = scenarios.has(cell.scenario) && queues.has(cell.queue)
    if (!isKnown) throw new UsageError(`${where}: /plan/cells/${i} has a scenario or queue that the plan does not have`)
    if (cell.id !== cellId(cell) || ids.has(cell.id)) {
      const fault = ids.has(cell.id) ? 'is there twice' : "does not match the cell's contents"
      throw new UsageError(`${where}: /plan/cells/${i}/id ${fault}`)
    }
    ids.add(cell.id)
  }
}

/** Causes by the system's error code. */
const CAUSES = new Map([
  ['ENOSPC', 'its disk is full'],
  ['EDQUOT', 'your disk quota is used up'],
  ['ENOENT', 'it was deleted or moved during the run']
])
const NO_SPACE = ['ENOSPC', 'EDQUOT']

/** @param {unknown} error */
function causeOf (error) {
  const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error)
  return CAUSES.get(code) ?? message
}

/**
 * @param {unknown} error
 * @param {boolean} isResumable
 */
function remedyFor (error, isResumable) {
  const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error)
  const next = isResumable ? 'continue with --resume' : 'start again'
  if (code === 'ENOENT') {
    return isResumable ? 'Restore it and continue with --resume, or start again' : 'Start again'
  }
  return `Finished samples are kept: ${NO_SPACE.includes(code) ? 'free some space, then ' : ''}${next}`
}
