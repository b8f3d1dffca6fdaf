/**
 * What the calibration measures: in every round of every cell the base, the base again, and the base slowed by known
 * amounts, each in a fresh process, in random order, as a gate measures them.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { SampleError } from '../../../harness/child.js'
import { UsageError } from '../../../harness/model/errors.js'
import { paddingOf } from '../../../harness/gate/measure-heat.js'
import { MAX_PADDING } from '../../../harness/gate/plan.js'
import { measureExact, measureMicro } from '../../../harness/micro/measure.js'
import { createRandom, shuffle } from '../../../harness/random.js'
import { pseudoMedian } from '../../../harness/statistics/pseudo-median.js'

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
 * @property {number} seconds  That the sample took.
 *
 * @typedef {{kind: 'same' | 'compare', cell: string, metric: string, base: number, head: number}} CalibrationCount
 *
 * @typedef {object} CalibrationSettings
 * @property {CalibrationCell[]} cells
 * @property {import('../../../harness/micro/measure.js').Timing} timing
 * @property {number} seed
 * @property {string} directory
 */

/** Injected into the head, in parts of the base's time. */
export const SLOWDOWNS = [0.02, 0.03, 0.05, 0.1, 0.25]
export const BASE = 'base'
export const AGAIN = 'again'
export const ARMS = [BASE, AGAIN, ...SLOWDOWNS.map(String)]

const ENVIRONMENT = 'environment.json'
const SLOWED = new URL('./slowed-queue.js', import.meta.url)
/**
 * Useless work in the base, too: where there is none, V8 compiles other code, and the step from none to a little is
 * larger or smaller than from a little to more.
 */
const BASE_WORK = 50
/** Work that is too much or too little by some factor at first. */
const FIRST_GUESS = 1000
/** Slowed so much, code shows what its slowdown costs; little enough for the price to be the same for less. */
const PRICED_SLOWDOWN = 0.25
const PRICING_STEPS = 3
const PAIRS_PER_STEP = 8

/**
 * Keeps with the samples where they are taken. To be called before any is.
 *
 * @param {string} directory
 * @param {import('../../../harness/environment.js').Environment} environment  As it is now.
 * @throws {UsageError} where samples of another machine or another Node are: together they would be of none
 */
export function keepEnvironment (directory, environment) {
  const file = path.join(directory, ENVIRONMENT)
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true })
    writeFileSync(file, JSON.stringify(environment, null, 2) + '\n')
    return
  }
  const [then, now] = [readEnvironment(directory), environment].map(({ cores, cpu, node }) => `${cores} x ${cpu}, Node ${node}`)
  if (then !== now) throw new UsageError(`${directory} was measured on ${then}, this is ${now}: move it away to start anew`)
}

/** @param {CalibrationCell} cell */
export const cellName = ({ scenario, queue }) => `${queue} on ${scenario}`

/**
 * Measures until the time is up; what is there from earlier calls is continued.
 *
 * @param {CalibrationSettings} settings
 * @param {{seconds: number, arms: string[], pins: string[][], onProgress?: (line: string) => void}} options  `pins`:
 *   where to measure, one sample at a time in each.
 */
export async function measureSlice ({ cells, timing, seed, directory }, { seconds, arms, pins, onProgress = () => {} }) {
  mkdirSync(directory, { recursive: true })
  const end = performance.now() + seconds * 1000
  const taken = readLines(path.join(directory, 'samples.jsonl'))
  const rounds = new Map(cells.map(cell => [cell, taken.filter(sample => sample.cell === cellName(cell)).reduce((next, { round }) => Math.max(next, round + 1), 0)]))
  await Promise.all(pins.map(measureAt))

  /** @param {string[]} pin */
  async function measureAt (pin) {
    while (performance.now() < end) {
      // The cell with the fewest rounds is next, so that every slice leaves all cells about alike.
      const cell = cells.reduce((fewest, cell) => Number(rounds.get(cell)) < Number(rounds.get(fewest)) ? cell : fewest)
      const round = Number(rounds.get(cell))
      rounds.set(cell, round + 1)
      onProgress(`${cellName(cell)}, round ${round}`)
      await measureRound(cell, round, pin)
    }
  }

  /**
   * @param {CalibrationCell} cell
   * @param {number} round
   * @param {string[]} pin
   */
  async function measureRound (cell, round, pin) {
    const works = arms.some(isSlowed) ? await priceWork(cell, pin) : {}
    const random = createRandom(seed ^ Math.imul(round * cells.length + cells.indexOf(cell) + 1, 0x9e3779b1))
    const padding = random(MAX_PADDING)
    const lines = []
    for (const arm of shuffle(arms, random)) {
      try {
        lines.push({ cell: cellName(cell), round, arm, ...await take(cell, works[arm] ?? 0, { pin, padding }) })
      } catch (error) {
        // A sample lost to other programs' load is a pair lost, as in a gate.
        if (!(error instanceof SampleError)) throw error
      }
    }
    appendLines(path.join(directory, 'samples.jsonl'), lines)
  }

  /**
   * How much work makes each slowdown of this cell; found once and kept. Work hides between the operations of a modern
   * processor, differently in every cell: what it costs is measured where it is spent.
   *
   * @param {CalibrationCell} cell
   * @param {string[]} pin
   * @returns {Promise<Record<string, number>>}
   */
  async function priceWork (cell, pin) {
    const file = path.join(directory, 'work.json')
    /** @type {Record<string, Record<string, number>>} */
    const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    const name = cellName(cell)
    if (!known[name]) {
      let work = FIRST_GUESS
      for (let step = 0; step < PRICING_STEPS; step++) {
        onProgress(`${name}: what ${work} units of work cost`)
        work = Math.round(work * PRICED_SLOWDOWN / await slowdownBy(cell, work, pin))
      }
      known[name] = Object.fromEntries(SLOWDOWNS.map(slowdown => [String(slowdown), Math.round(work * slowdown / PRICED_SLOWDOWN)]))
      writeFileSync(file, JSON.stringify(known, null, 2) + '\n')
    }
    return known[name]
  }

  /**
   * @param {CalibrationCell} cell
   * @param {number} work
   * @param {string[]} pin
   */
  async function slowdownBy (cell, work, pin) {
    const ratios = []
    while (ratios.length < PAIRS_PER_STEP) {
      const base = await take(cell, 0, { pin, padding: 0 })
      const slowed = await take(cell, work, { pin, padding: 0 })
      ratios.push(Math.log(slowed.ns / base.ns))
    }
    return Math.expm1(pseudoMedian(ratios).estimate)
  }

  /**
   * @param {CalibrationCell} cell
   * @param {number} work
   * @param {{pin: string[], padding: number}} place
   */
  async function take (cell, work, { pin, padding }) {
    const start = performance.now()
    const runtime = { ...ownRuntime(), env: paddingOf(padding) }
    const { metrics, cycles } = await measureMicro({ ...taskOf(cell, `work=${BASE_WORK + work}`, seed), timing }, null, runtime, pin)
    return { ns: metrics.nsPerOp, mean: cycles.meanNs, errorPercent: cycles.relativeErrorPercent, seconds: (performance.now() - start) / 1000 }
  }
}

/** @param {string} arm */
const isSlowed = arm => arm !== BASE && arm !== AGAIN

/**
 * The exact channel: every cell counted again, and counted with one comparison more.
 *
 * @param {CalibrationSettings} settings
 * @param {{seconds: number}} options
 */
export async function countSlice ({ cells, timing, seed, directory }, { seconds }) {
  mkdirSync(directory, { recursive: true })
  const end = performance.now() + seconds * 1000
  const runtime = ownRuntime()
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
 * @returns {{environment: import('../../../harness/environment.js').Environment, samples: CalibrationSample[], counts: CalibrationCount[]}}
 * @throws {UsageError} when nothing was measured there
 */
export function readCalibration (directory) {
  return {
    environment: readEnvironment(directory),
    samples: readLines(path.join(directory, 'samples.jsonl')),
    counts: readLines(path.join(directory, 'counts.jsonl'))
  }
}

/**
 * @param {string} directory
 * @returns {import('../../../harness/environment.js').Environment}
 */
function readEnvironment (directory) {
  const file = path.join(directory, ENVIRONMENT)
  if (!existsSync(file)) throw new UsageError(`${file} is not there: measure first (npm run calibrate -- --minutes 60)`)
  return JSON.parse(readFileSync(file, 'utf8'))
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
