/**
 * What the calibration measures: in every round of every cell the base, the base again, and the base slowed by known
 * amounts, each in a fresh process, in random order, exactly as a gate measures them.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { median } from 'simple-statistics'
import { SampleError } from '../child.js'
import { measureExact, measureMicro } from '../micro/measure.js'
import { choosePins } from '../pinning.js'
import { createRandom, shuffle } from '../random.js'
import { spin } from './spin.js'

/**
 * @typedef {object} CalibrationCell
 * @property {string} scenario
 * @property {string} scenarioUrl
 * @property {string} queue
 * @property {string} queueUrl
 * @property {Record<string, number>} params
 *
 * @typedef {object} CalibrationSample
 * @property {string} cell
 * @property {number} round
 * @property {string} arm
 * @property {number} ns  Median, what the gate uses.
 * @property {number} mean  Of the batches within the process, ns.
 * @property {number} errorPercent  Half of the 95 % interval of that mean, as tinybench prints it.
 *
 * @typedef {{kind: 'same' | 'compare', cell: string, metric: string, base: number, head: number}} CalibrationCount
 *
 * @typedef {object} CalibrationSettings
 * @property {CalibrationCell[]} cells
 * @property {import('../micro/measure.js').Timing} timing
 * @property {number} seed
 * @property {string} directory
 */

/** Injected into the head, in parts of the base's time. */
export const SLOWDOWNS = [0.02, 0.03, 0.05, 0.1, 0.25]
export const BASE = 'base'
export const AGAIN = 'again'
export const ARMS = [BASE, AGAIN, ...SLOWDOWNS.map(String)]

const SLOWED = new URL('./slowed-queue.js', import.meta.url)
/** As in slowed-queue.js: the work is done once for so many operations. */
const PERIOD = 500
const PRICED_UNITS = 1e6
const PRICING_ROUNDS = 7

/** @param {CalibrationCell} cell */
export const cellName = ({ scenario, queue }) => `${queue} on ${scenario}`

/**
 * Measures until the time is up; what is there from earlier calls is continued.
 *
 * @param {CalibrationSettings} settings
 * @param {{seconds: number, arms: string[], onProgress?: (line: string) => void}} options
 */
export async function measureSlice ({ cells, timing, seed, directory }, { seconds, arms, onProgress = () => {} }) {
  mkdirSync(directory, { recursive: true })
  const end = performance.now() + seconds * 1000
  const taken = readLines(path.join(directory, 'samples.jsonl'))
  const rounds = new Map(cells.map(cell => [cell, taken.filter(sample => sample.cell === cellName(cell)).reduce((next, { round }) => Math.max(next, round + 1), 0)]))
  while (performance.now() < end) {
    // The cell with the fewest rounds is next, so that every slice leaves all cells about alike.
    const cell = cells.reduce((fewest, cell) => Number(rounds.get(cell)) < Number(rounds.get(fewest)) ? cell : fewest)
    const round = Number(rounds.get(cell))
    const works = await priceWork(cell)
    onProgress(`${cellName(cell)}, round ${round}`)
    const lines = []
    for (const arm of shuffle(arms, createRandom(seed ^ Math.imul(round * cells.length + cells.indexOf(cell) + 1, 0x9e3779b1)))) {
      try {
        lines.push({ cell: cellName(cell), round, arm, ...await take(cell, `work=${works[arm] ?? 0}`) })
      } catch (error) {
        // A sample lost to other programs' load is a pair lost, as in a gate.
        if (!(error instanceof SampleError)) throw error
      }
    }
    appendLines(path.join(directory, 'samples.jsonl'), lines)
    rounds.set(cell, round + 1)
  }

  /**
   * How much work makes each slowdown of this cell; measured once and kept.
   *
   * @param {CalibrationCell} cell
   * @returns {Promise<Record<string, number>>}
   */
  async function priceWork (cell) {
    const file = path.join(directory, 'work.json')
    /** @type {Record<string, Record<string, number>>} */
    const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    const name = cellName(cell)
    if (!known[name]) {
      onProgress(`${name}: how long it takes`)
      const price = nsPerUnit()
      /** @type {number[]} */
      const times = []
      for (let i = 0; i < PRICING_ROUNDS; i++) times.push((await take(cell, 'work=0')).ns)
      known[name] = Object.fromEntries(SLOWDOWNS.map(slowdown => [String(slowdown), Math.round(slowdown * median(times) * PERIOD / price)]))
      writeFileSync(file, JSON.stringify(known, null, 2) + '\n')
    }
    return known[name]
  }

  /**
   * @param {CalibrationCell} cell
   * @param {string} query
   */
  async function take (cell, query) {
    const { metrics, cycles } = await measureMicro({ ...taskOf(cell, query, seed), timing }, null, ownRuntime(), choosePins().subject)
    return { ns: metrics.nsPerOp, mean: cycles.meanNs, errorPercent: cycles.relativeErrorPercent }
  }
}

/** The price of useless arithmetic on this machine: the least of several measurements, for nothing makes it faster. */
function nsPerUnit () {
  const times = Array.from({ length: PRICING_ROUNDS }, () => {
    const start = performance.now()
    const waste = spin(PRICED_UNITS, 1)
    return waste === 0 ? Infinity : (performance.now() - start) * 1e6 / PRICED_UNITS
  })
  return Math.min(...times)
}

/**
 * The exact channel: every cell counted again, and counted with one comparison more.
 *
 * @param {CalibrationSettings} settings
 * @param {{seconds: number}} options
 */
export async function countSlice ({ cells, timing, seed, directory }, { seconds }) {
  mkdirSync(directory, { recursive: true })
  const end = performance.now() + seconds * 1000
  const runtime = { name: process.version, path: process.execPath, flags: [] }
  /**
   * @param {CalibrationCell} cell
   * @param {string} query
   * @returns {Promise<Record<string, number>>}
   */
  async function count (cell, query) {
    const { metrics } = await measureExact(taskOf(cell, query, seed), runtime, timing.exactLimitMs)
    return metrics
  }
  const bases = new Map()
  let next = 0

  const countNext = async () => {
    while (performance.now() < end) {
      const turn = next++
      const cell = cells[turn % cells.length]
      if (!bases.has(cell)) bases.set(cell, count(cell, 'work=0'))
      const kind = turn / cells.length % 8 < 1 ? 'compare' : 'same'
      const [base, head] = [await bases.get(cell), await count(cell, kind === 'compare' ? 'work=0&compare' : 'work=0')]
      appendLines(path.join(directory, 'counts.jsonl'), ['workPerOp', 'bytesPerTimer'].map(metric =>
        ({ kind, cell: cellName(cell), metric, base: base[metric], head: head[metric] })))
    }
  }
  await Promise.all(Array.from({ length: os.availableParallelism() }, countNext))
}

/**
 * @param {string} directory
 * @returns {{samples: CalibrationSample[], counts: CalibrationCount[]}}
 */
export function readCalibration (directory) {
  return { samples: readLines(path.join(directory, 'samples.jsonl')), counts: readLines(path.join(directory, 'counts.jsonl')) }
}

/**
 * @param {CalibrationCell} cell
 * @param {string} query
 * @param {number} seed
 */
function taskOf ({ queueUrl, scenarioUrl, params }, query, seed) {
  return { queueUrl: `${SLOWED.href}?of=${encodeURIComponent(queueUrl)}&${query}`, scenarioUrl, params, seed }
}

function ownRuntime () {
  return { name: process.version, path: process.execPath, flags: [] }
}

/**
 * @param {string} file
 * @param {object[]} lines
 */
function appendLines (file, lines) {
  appendFileSync(file, lines.map(line => JSON.stringify(line) + '\n').join(''))
}

/**
 * @param {string} file
 * @returns {any[]}
 */
function readLines (file) {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8').split('\n').slice(0, -1).map(line => JSON.parse(line))
}
