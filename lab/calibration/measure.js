/**
 * Measures the calibration in heats like a gate's: identical code after neutral edits, code slowed by known amounts,
 * servers of both, and counts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pMap from 'p-map'
import { SampleError } from '../../harness/model/errors.js'
import { runHttpHeat } from '../../harness/measure/heat/http.js'
import { runMicroHeat } from '../../harness/measure/heat/micro.js'
import { countMicro } from '../../harness/measure/micro/alone.js'
import { measuredMetrics } from '../../harness/model/metrics.js'
import { heatRatio } from '../../harness/judge/pairs.js'
import { createRandom, shuffle } from '../../harness/model/random.js'
import { variantName, VARIANTS } from './neutral-edits.js'
import { append, readSoFar } from './samples.js'
import { MICRO_PRICING, priceWork, SLOWED_QUEUE, slowedUrl } from './slow-down.js'

/**
 * @typedef {import('./samples.js').Heat} Heat
 *
 * @typedef {object} Cell
 * @property {string} queue
 * @property {string} scenario
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params
 *
 * @typedef {object} Settings
 * @property {string} directory
 * @property {string} variants  The folder of the queues and their neutral edits.
 * @property {number} seed
 * @property {boolean} load
 * @property {import('../../harness/processes/pinning.js').Pins} pins
 * @property {Cell[]} micro
 * @property {Cell[]} servers
 * @property {number} countedSize
 * @property {Pick<import('../../harness/plan/plan.js').Settings, 'micro' | 'httpWarmupMs' | 'httpHeat' | 'load'>}
 *   timing  A gate's.
 * @property {(line: string) => void} onProgress
 *
 * @typedef {{arm: string, queueUrl: string, base?: string}} Entrant
 */

export const BASE = 'base'
/** A server of identical code after a neutral edit. */
export const EDITED = 'edited'
/** Slowdowns of the head, in parts of the base's time. */
export const SLOWDOWNS = [0.02, 0.03, 0.05, 0.1, 0.25]
export const SERVER_SLOWDOWNS = [0.05, 0.1]
/** Heats that compare the same two variants: about the pairs that a row of a two-minute gate gets. */
export const HEATS_PER_PAIRING = 24

const PRICING = {
  micro: MICRO_PRICING,
  /** A server starts few timers in a slice, so that its work is spread more evenly. */
  servers: { firstGuess: 50_000, heats: [2, 4, 8], period: 20 }
}
/** One count in eight has one comparison more. */
const COMPARED_ONCE_IN = 8
/** Neighbouring seeds draw alike at first; multiples of the golden ratio are far apart. */
const GOLDEN = 0x9e3779b1
const SEEDS = 2 ** 31

const runtime = { name: process.version, path: process.execPath, flags: [] }

/** @param {Cell} cell */
const cellName = ({ scenario, queue }) => `${queue} on ${scenario}`

/**
 * Creates functions that each measure one kind for some time, and continue the measurements of earlier calls.
 *
 * @param {Settings} settings
 */
export function createCalibration (settings) {
  const { directory, variants, seed, load, pins, timing, onProgress } = settings
  return { identical, slowed, servers, counts }

  /**
   * Eight neutral edits of a queue make four disjoint pairs. Pairs and bases are drawn again for every stretch of
   * heats; a stretch is measured without a break, as a gate's row is.
   *
   * @param {number} seconds
   */
  async function identical (seconds) {
    await measureRounds(
      'identical',
      settings.micro,
      { seconds, lanes: pins.cores, stretch: HEATS_PER_PAIRING },
      (cell, round, pin) => {
        const pairing = shuffle([...VARIANTS.keys()], drawFor(cell, Math.floor(round / HEATS_PER_PAIRING)))
        const entrants = pairing.map((variant, i) => ({
          arm: variantName(variant),
          queueUrl: urlOf(cell, variant),
          ...(i % 2 === 1 ? { base: variantName(pairing[i - 1]) } : {})
        }))
        return microHeat(cell, entrants, { round, pin })
      }
    )
  }

  /** @param {number} seconds */
  async function slowed (seconds) {
    await measureRounds(
      'slowed',
      settings.micro,
      { seconds, lanes: pins.cores, stretch: 1 },
      async (cell, round, pin) => {
        const heat = (/** @type {Entrant[]} */ entrants) => microHeat(cell, entrants, { round, pin })
        const works = await worksOf(cell, SLOWDOWNS, PRICING.micro, heat)
        return heat(slowedEntrants(cell, works, PRICING.micro.period))
      }
    )
  }

  /** @param {number} seconds */
  async function servers (seconds) {
    await measureRounds(
      'servers',
      settings.servers,
      { seconds, lanes: [pins.subject], stretch: 1 },
      async (cell, round) => {
        const { period } = PRICING.servers
        const works = await worksOf(cell, SERVER_SLOWDOWNS, PRICING.servers, entrants => httpHeat(cell, entrants))
        const draw = drawFor(cell, Math.floor(round / HEATS_PER_PAIRING))
        const edited = {
          arm: EDITED,
          queueUrl: slowedUrl(urlOf(cell, 1 + draw(VARIANTS.length - 1)), { period }),
          base: BASE
        }
        return httpHeat(cell, shuffle([...slowedEntrants(cell, works, period), edited], drawFor(cell, round)))
      }
    )
  }

  /**
   * Counts every cell again, and with one comparison more.
   *
   * @param {number} seconds
   */
  async function counts (seconds) {
    const end = performance.now() + seconds * 1000
    const cells = settings.micro.map(cell => ({ ...cell, params: { size: settings.countedSize } }))
    /** @type {Map<Cell, Promise<Record<string, number>>>} */
    const bases = new Map()
    let next = 0
    await pMap(pins.cores, async () => {
      while (performance.now() < end) {
        const turn = next++
        const cell = cells[turn % cells.length]
        const same = Math.floor(turn / cells.length) % COMPARED_ONCE_IN !== 0
        const base = bases.get(cell) ?? count(cell, 'work=0')
        bases.set(cell, base)
        onProgress(`counts: ${cellName(cell)}`)
        const [before, now] = [await base, await count(cell, same ? 'work=0' : 'work=0&compare')]
        append(
          directory,
          ['workPerOp', 'bytesPerTimer'].map(metric => ({
            kind: 'counts',
            cell: cellName(cell),
            metric,
            same,
            base: before[metric],
            head: now[metric]
          }))
        )
      }
    })
  }

  /**
   * @param {Heat['kind']} kind
   * @param {Cell[]} cells
   * @param {{seconds: number, lanes: string[][], stretch: number}} options  `lanes`: command prefixes, each of which
   *   measures one heat at a time. `stretch`: heats of one cell that follow each other.
   * @param {(cell: Cell, round: number, pin: string[]) => Promise<Pick<Heat, 'seconds' | 'arms'>>} measure
   */
  async function measureRounds (kind, cells, { seconds, lanes, stretch }, measure) {
    const end = performance.now() + seconds * 1000
    const taken = /** @type {Heat[]} */ (readSoFar(directory)).filter(line => line.kind === kind && line.load === load)
    const rounds = new Map(cells.map(cell => [cell, taken.filter(({ cell: name }) => name === cellName(cell)).length]))
    const roundsOf = (/** @type {Cell} */ cell) => Number(rounds.get(cell))
    const stretchesOf = (/** @type {Cell} */ cell) => Math.floor(roundsOf(cell) / stretch)
    const free = new Set(cells)

    await pMap(lanes, async pin => {
      while (performance.now() < end && free.size > 0) {
        // A stretch that was begun is ended first; then the cell with the fewest is next.
        const [cell] = [...free].sort((a, b) => stretchesOf(a) - stretchesOf(b) || roundsOf(b) - roundsOf(a))
        free.delete(cell)
        const until = (stretchesOf(cell) + 1) * stretch
        for (let round = roundsOf(cell); round < until && performance.now() < end; round++) {
          onProgress(`${kind}: ${cellName(cell)}, heat ${round}`)
          const heat = await measure(cell, round, pin)
          append(directory, [
            { kind, cell: cellName(cell), round, load, ...heat }
          ])
          rounds.set(cell, round + 1)
        }
        free.add(cell)
      }
    })
  }

  /**
   * @param {Cell} cell
   * @param {Entrant[]} entrants
   * @param {{round: number, pin: string[]}} place
   */
  async function microHeat ({ scenarioUrl, params, ...cell }, entrants, { round, pin }) {
    const start = performance.now()
    const results = await runMicroHeat(
      entrants.map(({ queueUrl }) => ({
        job: { queueUrl, scenarioUrl, params, seed, timing: timing.micro },
        runtime,
        expected: null
      })),
      { seed: drawFor({ scenarioUrl, params, ...cell }, round)(SEEDS), pin }
    )
    return { seconds: secondsSince(start), arms: armsOf(entrants, results) }
  }

  /**
   * @param {Cell} cell
   * @param {Entrant[]} entrants
   */
  async function httpHeat ({ scenarioUrl, params }, entrants) {
    const start = performance.now()
    const results = await runHttpHeat(
      entrants.map(({ queueUrl }) => ({
        job: { queueUrl, scenarioUrl, params, port: 0, load: timing.load, warmupMs: timing.httpWarmupMs },
        runtime
      })),
      { timing: timing.httpHeat, pins }
    )
    return { seconds: secondsSince(start), arms: armsOf(entrants, results) }
  }

  /**
   * Finds the work that makes each slowdown of this cell, once.
   *
   * @param {Cell} cell
   * @param {number[]} slowdowns
   * @param {import('./slow-down.js').Pricing} pricing
   * @param {(entrants: Entrant[]) => Promise<Pick<Heat, 'arms'>>} heat
   * @returns {Promise<Record<string, number>>} by slowdown
   */
  async function worksOf (cell, slowdowns, pricing, heat) {
    const name = cellName(cell)
    const known = readWorks()
    if (known[name]) return known[name]
    const works = await priceWork(slowdowns, pricing, async work => {
      onProgress(`${name}: what ${work} units of work cost`)
      const { arms } = await heat(slowedEntrants(cell, { priced: work }, pricing.period))
      return Object.values(arms.priced?.ratios ?? {})[0]
    })
    writeFileSync(worksFile(), JSON.stringify({ ...readWorks(), [name]: works }, null, 2) + '\n')
    return works
  }

  function worksFile () {
    return path.join(directory, 'work.json')
  }

  /** @returns {Record<string, Record<string, number>>} */
  function readWorks () {
    return existsSync(worksFile()) ? JSON.parse(readFileSync(worksFile(), 'utf8')) : {}
  }

  /**
   * The base and the slowed queues, which are compared with it.
   *
   * @param {Cell} cell
   * @param {Record<string, number>} works  Units of work by arm.
   * @param {number} period
   * @returns {Entrant[]}
   */
  function slowedEntrants (cell, works, period) {
    return [
      { arm: BASE, queueUrl: slowedUrl(urlOf(cell), { period }) },
      ...Object.entries(works).map(([arm, work]) => ({
        arm,
        queueUrl: slowedUrl(urlOf(cell), { work, period }),
        base: BASE
      }))
    ]
  }

  /**
   * @param {Cell} cell
   * @param {string} query
   * @returns {Promise<Record<string, number>>}
   */
  async function count (cell, query) {
    const queueUrl = `${SLOWED_QUEUE.href}?of=${encodeURIComponent(urlOf(cell))}&${query}`
    const { scenarioUrl, params } = cell
    const { metrics } = await countMicro({ queueUrl, scenarioUrl, params, seed }, runtime, timing.micro.exactLimitMs)
    return metrics
  }

  /**
   * @param {{queue: string}} cell
   * @param {number} [variant]
   */
  function urlOf ({ queue }, variant = 0) {
    return pathToFileURL(path.join(variants, variantName(variant), `${queue}.js`)).href
  }

  /**
   * The same draws whenever a round is measured, others for every round, and under load.
   *
   * @param {Cell} cell
   * @param {number} round
   */
  function drawFor (cell, round) {
    const names = [...settings.micro, ...settings.servers].map(cellName)
    const index = 2 * (round * names.length + names.indexOf(cellName(cell)) + 1) + Number(load)
    return createRandom(seed ^ Math.imul(index, GOLDEN))
  }
}

/**
 * @param {Entrant[]} entrants
 * @param {(import('../../harness/measure/heat/micro.js').HeatResult | SampleError)[]} results
 * @returns {Heat['arms']} the arms that did not fail
 */
function armsOf (entrants, results) {
  const resultOf = new Map(entrants.map(({ arm }, i) => [arm, results[i]]))
  return Object.fromEntries(
    entrants.flatMap(({ arm, base }, i) => {
      const own = results[i]
      if (own instanceof SampleError) return []
      const metrics = Object.fromEntries(
        measuredMetrics.filter(metric => metric in own.metrics).map(metric => [metric, round(own.metrics[metric])])
      )
      const other = base === undefined ? undefined : resultOf.get(base)
      if (base === undefined || other === undefined || other instanceof SampleError) return [[arm, { metrics }]]
      const ratios = Object.fromEntries(
        Object.keys(metrics).flatMap(metric => {
          const ratio = heatRatio(/** @type {any} */ (own), /** @type {any} */ (other), metric)
          return ratio === null ? [] : [[metric, round(ratio)]]
        })
      )
      return [[arm, { metrics, base, ratios }]]
    })
  )
}

/**
 * Five digits are more than any clock gives, and keep the samples small.
 *
 * @param {number} value
 */
const round = value => Number(value.toPrecision(5))

/** @param {number} start */
const secondsSince = start => round((performance.now() - start) / 1000)
