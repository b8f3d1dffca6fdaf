/**
 * The results directory: run.json says what was planned and where, samples.jsonl holds one finished sample a line.
 * Both are validated against their schema when they are read. Only a killed run's last line may be truncated; it is
 * skipped, and reported.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import { UsageError } from './model/errors.js'
import { groupBy } from './model/group-by.js'

/**
 * @typedef {object} Run  run.json
 * @property {'timerq-run/1'} format
 * @property {string} id
 * @property {string[]} command
 * @property {string} started  ISO 8601
 * @property {string | null} ended  null while it runs, or when it was killed.
 * @property {import('./environment.js').Environment} environment
 * @property {import('./plan.js').Plan} plan
 * @property {{directory: string, environment: import('./environment.js').Environment}[]} [parts]  Of a merged run.
 *
 * @typedef {object} Sample  One line of samples.jsonl.
 * @property {string} cell
 * @property {number} round
 * @property {import('./plan.js').Channel} channel
 * @property {string} [heat]  Id of the heat that it was measured in, at the same time as the others of it.
 * @property {number} [heatSize]  Samples of that heat.
 * @property {string} scenario
 * @property {Record<string, number>} params
 * @property {string} queue
 * @property {string} runtime
 * @property {string} started  ISO 8601
 * @property {number} seconds  What it took in all.
 * @property {Record<string, number>} metrics  Empty when it failed.
 * @property {Record<string, (number | null)[]>} [slices]  Of a heat: by metric, the value in each slice of it; null where this
 *   cell sat out. Slices of one heat are aligned.
 * @property {{kind: string, message: string}} [failure]
 * @property {string[]} warnings
 * @property {any} [details]  What else was seen, by kind of scenario.
 *
 * @typedef {{directory: string, run: Run, samples: Sample[], warnings: string[]}} Results
 */

/** @type {'timerq-run/1'} */
export const RUN_FORMAT = 'timerq-run/1'

const ajv = new Ajv({ allErrors: false })
const validateRun = ajv.compile(readSchema('run'))
const validateSample = ajv.compile(readSchema('sample'))

/**
 * @param {string} directory  Must not hold results yet.
 * @param {Run} run
 * @throws {UsageError} when the directory cannot be written or is not empty
 */
export function createResults (directory, run) {
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new UsageError(`cannot create ${directory}: ${/** @type {Error} */ (error).message}; choose another with --out`)
  }
  if (readdirSync(directory).length > 0) throw new UsageError(`${directory} is not empty; choose another with --out, or continue it with --resume`)
  writeRun(directory, run)
}

/**
 * @param {string} directory
 * @param {Run} run
 */
export function writeRun (directory, run) {
  const file = path.join(directory, 'run.json')
  try {
    // A crash between the two leaves the old file whole.
    writeFileSync(`${file}.new`, JSON.stringify(run, null, 2) + '\n')
    renameSync(`${file}.new`, file)
  } catch (error) {
    throw new UsageError(`cannot write to ${directory}: ${/** @type {Error} */ (error).message}; choose another with --out`)
  }
}

/**
 * @param {string} directory
 * @param {Sample[]} samples  Kept together: all of a heat, for example.
 */
export function appendSamples (directory, samples) {
  appendFileSync(path.join(directory, 'samples.jsonl'), samples.map(sample => JSON.stringify(sample) + '\n').join(''))
}

/**
 * Removes what a killed run was writing, before more is appended: the last line, and a heat of which only a part is there.
 *
 * @param {string} directory
 */
export function dropUnfinished (directory) {
  const file = path.join(directory, 'samples.jsonl')
  if (!existsSync(file)) return
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf('\n') + 1
  const lines = bytes.subarray(0, end).toString().split('\n').slice(0, -1)
  const whole = wholeHeats(lines.map(line => JSON.parse(line)))
  if (whole.length === lines.length) truncateSync(file, end)
  else writeFileSync(file, whole.map(sample => JSON.stringify(sample) + '\n').join(''))
}

/**
 * @param {Sample[]} samples
 * @returns {Sample[]} without those of heats that were cut off
 */
function wholeHeats (samples) {
  const counts = groupBy(samples, ({ heat }) => heat)
  return samples.filter(({ heat, heatSize }) => heat === undefined || counts.get(heat)?.length === heatSize)
}

/**
 * @param {string} directory
 * @returns {Results}
 * @throws {UsageError} when it is not a results directory, or of another format, or damaged
 */
export function readResults (directory) {
  const run = /** @type {Run} */ (parse(readText(directory, 'run.json'), `${directory}/run.json`))
  if (/** @type {any} */ (run)?.format !== RUN_FORMAT) {
    throw new UsageError(`${directory}/run.json: format ${JSON.stringify(/** @type {any} */ (run)?.format)}, expected "${RUN_FORMAT}"; was it written by another version of timerq?`)
  }
  check(validateRun, run, `${directory}/run.json`)
  return { directory, run, ...readSamples(directory) }
}

/**
 * @param {string} directory
 * @returns {{samples: Sample[], warnings: string[]}}
 */
function readSamples (directory) {
  let text
  try {
    text = readFileSync(path.join(directory, 'samples.jsonl'), 'utf8')
  } catch {
    return { samples: [], warnings: ['no samples'] }
  }
  const lines = text.split('\n')
  const unfinished = lines.pop()
  const samples = lines.map((line, index) => {
    const where = `${directory}/samples.jsonl:${index + 1}`
    const sample = parse(line, where)
    check(validateSample, sample, where)
    return /** @type {Sample} */ (sample)
  })
  const whole = wholeHeats(samples)
  return {
    samples: whole,
    warnings: [
      ...(whole.length < samples.length ? ['a heat was cut off and skipped: the run was killed while writing it'] : []),
      ...(unfinished ? ['the last sample is truncated and was skipped: the run was killed while writing it'] : [])
    ]
  }
}

/**
 * @param {string} directory
 * @param {string} file
 */
function readText (directory, file) {
  try {
    return readFileSync(path.join(directory, file), 'utf8')
  } catch (error) {
    throw new UsageError(`${directory} is not a results directory: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * @param {string} text
 * @param {string} where
 */
function parse (text, where) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${where}: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * @param {import('ajv').ValidateFunction} validate
 * @param {unknown} value
 * @param {string} where
 */
function check (validate, value, where) {
  if (!validate(value)) throw new UsageError(`${where}: ${ajv.errorsText(validate.errors, { dataVar: '' })}`)
}

/** @param {string} name */
function readSchema (name) {
  return JSON.parse(readFileSync(new URL(`./schema/${name}.schema.json`, import.meta.url), 'utf8'))
}
