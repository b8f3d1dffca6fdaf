/**
 * Samples of the calibration: lines of JSON, one a heat, a gate or a count. They are appended to a results directory as
 * they come; the documentation keeps them compressed, and its page is made from that file alone.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { UsageError } from '../../harness/model/errors.js'

/**
 * @typedef {import('../../harness/processes/environment.js').Environment & {day: string}} Environment  `day`: of the
 *   first sample, 2026-11-25.
 *
 * @typedef {object} HeatArm
 * @property {Record<string, number>} metrics  The metrics that decide.
 * @property {string} [base]  The arm to compare with.
 * @property {Record<string, number>} [ratios]  Ratios to `base` by metric, where slices were measured.
 *
 * @typedef {object} Heat
 * @property {'identical' | 'slowed' | 'servers'} kind
 * @property {string} cell
 * @property {number} round
 * @property {boolean} load  Whether a busy loop ran on each core.
 * @property {number} seconds  Duration of the heat.
 * @property {Record<string, HeatArm>} arms  Lost arms are missing.
 *
 * @typedef {{kind: 'counts', cell: string, metric: string, same: boolean, base: number, head: number}} Count  `same`:
 *   counted again without a change; else with one comparison more per operation.
 *
 * @typedef {Heat | Count} Measurement
 */

/**
 * Keeps the environment with the samples. Call it before the first sample.
 *
 * @param {string} directory
 * @param {Environment} environment  The present one.
 * @throws {UsageError} when the directory holds samples of another machine or Node, because together they would
 *   describe neither
 */
export function keepEnvironment (directory, environment) {
  const file = environmentFile(directory)
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(file, JSON.stringify(environment, null, 2) + '\n')
    return
  }
  const [then, now] = [readEnvironment(directory), environment].map(
    ({ cores, cpu, node }) => `${cores} x ${cpu}, Node ${node}`
  )
  if (then !== now) {
    throw new UsageError(`${directory} was measured on ${then}, this is ${now}: move it away to start again`)
  }
}

/**
 * @param {string} directory
 * @param {Measurement[]} lines
 */
export function append (directory, lines) {
  appendFileSync(samplesFile(directory), lines.map(line => JSON.stringify(line) + '\n').join(''))
}

/**
 * @param {string} directory
 * @returns {Measurement[]} so far; a line that was being written when the calibration was killed is removed
 */
export function readSoFar (directory) {
  const file = samplesFile(directory)
  if (!existsSync(file)) return []
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) truncateSync(file, end)
  return parseLines(bytes.subarray(0, end).toString())
}

/**
 * @param {string} directory
 * @returns {Buffer} all samples and their environment, compressed
 */
export function pack (directory) {
  const lines = [readEnvironment(directory), ...readSoFar(directory)]
  return gzipSync(lines.map(line => JSON.stringify(line) + '\n').join(''), { level: 9 })
}

/**
 * @param {string} file
 * @returns {{environment: Environment, measurements: Measurement[]}}
 * @throws {UsageError} when there is no such file
 */
export function unpack (file) {
  if (!existsSync(file)) throw new UsageError(`${file} is not there: measure first (npm run calibrate -- --minutes 60)`)
  const [environment, ...measurements] = parseLines(gunzipSync(readFileSync(file)).toString())
  return { environment, measurements }
}

/**
 * @param {string} directory
 * @returns {Environment}
 * @throws {UsageError} when nothing was measured there
 */
function readEnvironment (directory) {
  const file = environmentFile(directory)
  if (!existsSync(file)) throw new UsageError(`${file} is not there: measure first (npm run calibrate -- --minutes 60)`)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/**
 * @param {string} text
 * @returns {any[]}
 */
const parseLines = text =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))

/** @param {string} directory */
const environmentFile = directory => path.join(directory, 'environment.json')

/** @param {string} directory */
const samplesFile = directory => path.join(directory, 'samples.jsonl')
