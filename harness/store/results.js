/**
 * The results directory: run.json says what was planned and where, samples.jsonl holds one finished sample a line.
 * Both are checked against their schema, and against each other, when they are read. Only a killed run's last line may be
 * truncated; it is skipped, and reported.
 */
import { appendFileSync, closeSync, existsSync, fstatSync, openSync, readSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from './make-folder.js'
import { LIMITS, readInput } from './input.js'
import { checkWith, parseJson } from './json.js'
import { isLock, lockResults, unlockResults } from './lock.js'
import { cellId } from '../model/cell.js'
import { MeasurementError, UsageError } from '../model/errors.js'
import { readSamples, SAMPLES } from './samples.js'

/**
 * @typedef {object} Run  run.json
 * @property {'timerq-run/1'} format
 * @property {string} id
 * @property {string[]} command
 * @property {string} started  ISO 8601
 * @property {string | null} ended  null while it runs, or when it was killed.
 * @property {import('../processes/environment.js').Environment} environment
 * @property {import('../plan/plan.js').Plan} plan
 * @property {{directory: string, environment: import('../processes/environment.js').Environment, cells?: string[]}[]} [parts]  Of a merged
 *   run: which cells were measured where.
 *
 * @typedef {object} Sample  One line of samples.jsonl.
 * @property {string} cell
 * @property {number} round
 * @property {import('../plan/plan.js').Channel} channel
 * @property {string} [heat]  Id of the heat that it was measured in, at the same time as the others of it.
 * @property {number} [heatSize]  Samples of that heat.
 * @property {string} scenario
 * @property {Record<string, number>} params
 * @property {string} queue
 * @property {import('../model/cell.js').Side} [side]  Only in gates.
 * @property {string} runtime
 * @property {string} started  ISO 8601
 * @property {number} seconds  What it took in all.
 * @property {Record<string, number>} metrics  Empty when it failed.
 * @property {Record<string, (number | null)[]>} [slices]  Of a heat: by metric, the value in each slice of it; null where this
 *   cell sat out, or the core was slow. Slices of one heat are aligned.
 * @property {boolean} [satOut]  Most slices of its heat, because its cycles are so long.
 * @property {import('../model/core-speed.js').CoreSpeed} [core]  Of a heat that watched it.
 * @property {{kind: string, message: string}} [failure]
 * @property {string[]} warnings
 * @property {any} [details]  What else was seen, by kind of scenario.
 *
 * @typedef {{directory: string, run: Run, samples: import('./samples.js').Samples, warnings: string[]}} Results
 */

/** @type {'timerq-run/1'} */
export const RUN_FORMAT = 'timerq-run/1'

const checkRun = checkWith('run')

/**
 * Begins a results directory, and locks it for this process.
 *
 * @param {string} directory  Must not hold results yet.
 * @param {Run} run
 * @throws {UsageError} when the directory cannot be written or is not empty
 */
export function createResults (directory, run) {
  // What cannot be read back must not be measured first: an odd declaration of a user's queue, for example.
  checkRun(run, path.join(directory, 'run.json'))
  try {
    makeFolder(directory)
    lockResults(directory)
    if (readdirSync(directory).every(isLock)) return replaceRun(directory, run)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`cannot create ${directory}: ${/** @type {Error} */ (error).message}; choose another with --out`)
  }
  unlockResults(directory)
  throw new UsageError(`${directory} is not empty; choose another with --out, or continue it with --resume`)
}

/**
 * @param {string} directory
 * @param {Run} run
 * @param {boolean} [isResumable]  Whether its command has a --resume.
 * @throws {MeasurementError} when it cannot be written
 */
export function writeRun (directory, run, isResumable) {
  writing(directory, () => replaceRun(directory, run), isResumable)
}

/**
 * A crash on the way leaves the old file whole.
 *
 * @param {string} directory
 * @param {Run} run
 */
function replaceRun (directory, run) {
  const file = path.join(directory, 'run.json')
  writeFileSync(`${file}.new`, JSON.stringify(run, null, 2) + '\n')
  renameSync(`${file}.new`, file)
}

/**
 * @param {string} directory
 * @param {Sample[]} samples  Kept together: all of a heat, for example.
 * @param {boolean} [isResumable]  Whether the command that takes them has a --resume.
 * @throws {MeasurementError} when they cannot be written
 */
export function appendSamples (directory, samples, isResumable) {
  writing(directory, () => appendFileSync(path.join(directory, SAMPLES), linesOf(samples)), isResumable)
}

/** @param {Sample[]} samples */
const linesOf = samples => samples.map(sample => JSON.stringify(sample) + '\n').join('')

/** A million samples together are longer than a string may be, and one by one they are slow to write. */
const AT_ONCE = 1000

/**
 * @param {string} file
 * @param {Iterable<Sample>} samples
 */
function writeSamples (file, samples) {
  const descriptor = openSync(file, 'w')
  /** @type {Sample[]} */
  let next = []
  const flush = () => {
    writeFileSync(descriptor, linesOf(next))
    next = []
  }
  try {
    for (const sample of samples) {
      if (next.push(sample) === AT_ONCE) flush()
    }
    flush()
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes the results of a run that is over already. Where they cannot be written whole, none of them stays.
 *
 * @param {string} directory  Must not hold results yet.
 * @param {Run} run
 * @param {Iterable<Sample>} samples
 * @throws {UsageError} when the directory cannot be written or is not empty
 * @throws {MeasurementError} when there is no room for the samples
 */
export function writeResults (directory, run, samples) {
  createResults(directory, run)
  try {
    writeSamples(path.join(directory, SAMPLES), samples)
  } catch (error) {
    for (const file of ['run.json', SAMPLES]) rmSync(path.join(directory, file), { force: true })
    throw new MeasurementError(`cannot write to ${directory}: ${causeOf(error)}. Nothing of it is kept: try again, or choose another with --out`)
  }
}

/** By the system's error code. */
const CAUSES = new Map([
  ['ENOSPC', 'its disk is full'],
  ['EDQUOT', 'your disk quota is used up'],
  ['ENOENT', 'it was deleted or moved during the run']
])
const NO_SPACE = ['ENOSPC', 'EDQUOT']

/**
 * What the user can do when a file of the results cannot be written any more.
 *
 * @param {string} code  The system's.
 * @param {boolean} isResumable
 */
function remedyFor (code, isResumable) {
  const next = isResumable ? 'continue with --resume' : 'start again'
  if (code === 'ENOENT') return `What was measured is lost${isResumable ? ', unless you find it again: then' : ':'} ${next}`
  return `Finished samples are kept: ${NO_SPACE.includes(code) ? 'free some space, then ' : ''}${next}`
}

/**
 * @param {string} directory
 * @param {() => void} write
 * @param {boolean} [isResumable]
 */
function writing (directory, write, isResumable = true) {
  try {
    write()
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new MeasurementError(`cannot write to ${directory}: ${causeOf(error)}. ${remedyFor(code, isResumable)}`)
  }
}

/** @param {unknown} error */
function causeOf (error) {
  const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error)
  return CAUSES.get(code) ?? message
}

/**
 * Removes what a killed run was writing, before more is appended: the last line, a heat of which only a part is there, and
 * samples that are there twice. The file is replaced at once, so that nothing is lost when this is cut off, too.
 *
 * @param {string} directory
 * @returns {Results} what is left
 * @throws {MeasurementError} when it cannot be written
 */
export function dropUnfinished (directory) {
  const file = path.join(directory, SAMPLES)
  if (!existsSync(file)) return readResults(directory)
  writing(directory, () => truncateSync(file, endOfLines(file)))
  const results = readResults(directory)
  if (results.warnings.length === 0) return results
  writing(directory, () => {
    writeSamples(`${file}.new`, results.samples)
    renameSync(`${file}.new`, file)
  })
  return readResults(directory)
}

/**
 * @param {string} file
 * @returns {number} bytes up to the last line feed, and with it
 */
function endOfLines (file) {
  const descriptor = openSync(file, 'r')
  try {
    const chunk = Buffer.alloc(LIMITS.sample)
    let end = fstatSync(descriptor).size
    while (end > 0) {
      const start = Math.max(0, end - chunk.length)
      const bytes = readSync(descriptor, chunk, 0, end - start, start)
      const at = chunk.lastIndexOf(10, bytes - 1)
      if (at !== -1) return start + at + 1
      end = start
    }
    return 0
  } finally {
    closeSync(descriptor)
  }
}

/**
 * @param {string} directory
 * @returns {Results}
 * @throws {UsageError} when it is not a results directory, or of another format, or damaged
 */
export function readResults (directory) {
  const file = path.join(directory, 'run.json')
  if (!existsSync(file)) throw new UsageError(`${directory} is not a results directory: ${file} is not there`)
  const run = /** @type {Run} */ (parseJson(readInput(file, 'run').toString(), file))
  if (/** @type {any} */ (run)?.format !== RUN_FORMAT) {
    throw new UsageError(`${file}: format ${JSON.stringify(/** @type {any} */ (run)?.format)}, expected "${RUN_FORMAT}"; was it written by another version of timerq?`)
  }
  checkRun(run, file)
  assertWholePlan(run.plan, file)
  return { directory, run, ...readSamples(directory, run.plan.cells) }
}

/**
 * Every name in the plan stands for one thing, and every cell for what its id says.
 *
 * @param {import('../plan/plan.js').Plan} plan
 * @param {string} where
 */
function assertWholePlan ({ cells, ...parts }, where) {
  const [scenarios, queues] = /** @type {const} */ (['scenarios', 'queues', 'runtimes']).map(part => {
    const names = new Set(parts[part].map(({ name }) => name))
    if (names.size < parts[part].length) throw new UsageError(`${where}: /plan/${part} has a name twice`)
    return names
  })
  const ids = new Set()
  for (const [i, cell] of cells.entries()) {
    const isKnown = scenarios.has(cell.scenario) && queues.has(cell.queue)
    if (!isKnown) throw new UsageError(`${where}: /plan/cells/${i} is of a scenario or queue that the plan does not have`)
    if (cell.id !== cellId(cell) || ids.has(cell.id)) throw new UsageError(`${where}: /plan/cells/${i}/id is not that of a cell of its own`)
    ids.add(cell.id)
  }
}
