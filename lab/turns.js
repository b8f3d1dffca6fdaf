#!/usr/bin/env node
/**
 * `npm run turns`: do heats tell the truth? Queues that take turns disturb each other: after every change the caches
 * hold another queue's timers, and a queue with many timers pays more for that than a queue with few. So the ratios of
 * queues in heats are compared with those of the same queues alone, and every turn with a stretch of the same process
 * right after it. And do known slowdowns come out as themselves? Prints tables for docs/lessons.md.
 *
 *     npm run turns -- --minutes 10                         every size, in turns as tables of results use them
 *     npm run turns -- --minutes 10 --load                  the same with a busy loop beside it on each core
 *     npm run turns -- --turns 0/3,1/4,2/6,2/10,10/20       other turns: milliseconds of lead and of measuring
 *     npm run turns -- --sizes 100000 --scenario refresh-one-duration --queues duration-lists,binary-heap,lazy-wheel
 *     npm run turns -- --minutes 10 --slowdowns 2,5,10,25   each queue with itself, slowed by these percentages
 *
 * Without slowdowns, the first queue is the control, and is also compared with itself.
 */
import os from 'node:os'
import { parseArgs } from 'node:util'
import { UsageError } from '../harness/model/errors.js'
import { choosePins } from '../harness/processes/pinning.js'
import { pickByName } from '../bin/request/catalogue.js'
import { integer, list } from '../bin/request/values.js'
import { presets } from '../bin/presets.js'
import { scenarios } from '../scenarios/index.js'
import { queues } from '../queues/index.js'
import { startBusyLoops } from './calibration/busy-loops.js'
import { measureRound } from './turns/measure.js'
import { renderSlowdowns, renderTurns } from './turns/report.js'
import { entrantsOf } from './turns/slowdowns.js'

const SIZES = '100,10000,100000,1000000'
/** Two heaps, an array, linked objects, and two wheels. */
const QUEUES = [
  'binary-heap',
  'quaternary-heap',
  'unsorted-array',
  'duration-lists',
  'hierarchical-wheel',
  'lazy-wheel'
]
/** Queues of two kinds, at sizes that fit into a cache and that do not. */
const SLOWED = { queues: ['binary-heap', 'lazy-wheel'], sizes: '100,10000' }
const TURNS = [presets.quick, presets.documented].map(({ micro: { leadMs, turnMs } }) => `${leadMs}/${turnMs}`)

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    sizes: { type: 'string' },
    scenario: { type: 'string', default: 'start-cancel' },
    queues: { type: 'string' },
    turns: { type: 'string', default: TURNS.join(',') },
    slowdowns: { type: 'string' },
    load: { type: 'boolean', default: false }
  }
})

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`turns: ${error.message}\n`)
  process.exitCode = error.exitCode
}

async function main () {
  const slowdowns =
    values.slowdowns === undefined
      ? null
      : list('--slowdowns', values.slowdowns).map(text => integer('--slowdowns', text, 1) / 100)
  const names = list('--queues', values.queues ?? (slowdowns ? SLOWED.queues : QUEUES).join(','))
  const sizes = list('--sizes', values.sizes ?? (slowdowns ? SLOWED.sizes : SIZES)).map(size =>
    integer('--sizes', size, 1)
  )
  const urls = names.map(name => pickByName('queue', queues, name).url)
  const scenarioUrl = pickByName('scenario', scenarios, values.scenario).url
  const choices = list('--turns', values.turns).map(parseLengths)
  const end = performance.now() + integer('--minutes', values.minutes, 1) * 60_000
  const pins = choosePins()
  process.stderr.write(`${values.scenario}, ${pins.note}; load average ${os.loadavg()[0].toFixed(1)}\n`)

  const stop = values.load ? startBusyLoops(pins.cores) : () => {}
  try {
    process.stdout.write(slowdowns ? await measureSlowdowns(slowdowns) : await measureQueues())
  } finally {
    stop()
  }

  async function measureQueues () {
    const together = [urls[0], ...urls]
    const rounds = await takeRounds(sizes, (size, seed) =>
      measureRound(together, choices, { size, scenarioUrl, seed, pin: pins.subject })
    )
    return renderTurns([names[0], ...names], choices, [...rounds.values()].flat())
  }

  /** @param {number[]} slowdowns */
  async function measureSlowdowns (slowdowns) {
    const cells = sizes.flatMap(size => names.map((name, i) => ({ name, size, url: urls[i] })))
    /**
     * URLs of the entrants of each cell.
     *
     * @type {Map<typeof cells[number], string[]>}
     */
    const entrants = new Map()
    const rounds = await takeRounds(cells, async (cell, seed) => {
      const place = { size: cell.size, scenarioUrl, pin: pins.subject }
      const slowed = entrants.get(cell) ?? (await entrantsOf(cell.url, slowdowns, place))
      entrants.set(cell, slowed)
      return measureRound(slowed, choices, { ...place, seed })
    })
    return renderSlowdowns(
      slowdowns,
      choices,
      [...rounds].map(([{ name }, taken]) => ({ name, rounds: taken }))
    )
  }

  /**
   * Measures round after round until the time is over.
   *
   * @template T
   * @param {T[]} cells
   * @param {(cell: T, seed: number) => Promise<import('./turns/measure.js').Round>} measure
   */
  async function takeRounds (cells, measure) {
    const rounds = new Map(cells.map(cell => [cell, /** @type {import('./turns/measure.js').Round[]} */ ([])]))
    /**
     * Duration of the latest round of each cell.
     *
     * @type {Map<T, number>}
     */
    const tookMs = new Map()
    const fits = (/** @type {T} */ cell) => performance.now() + (tookMs.get(cell) ?? 0) < end
    for (let seed = 1; cells.some(fits); seed++) {
      for (const [i, cell] of cells.entries()) {
        if (!fits(cell)) continue
        const start = performance.now()
        process.stderr.write(`round ${seed}, ${i + 1} of ${cells.length}\n`)
        rounds.get(cell)?.push(await measure(cell, seed))
        tookMs.set(cell, performance.now() - start)
      }
    }
    return new Map([...rounds].filter(([, taken]) => taken.length > 0))
  }
}

/** @param {string} text  lead/turn, in milliseconds */
function parseLengths (text) {
  const lengths = text.split('/').map(Number)
  if (lengths.length !== 2 || !lengths.every(ms => ms >= 0) || lengths[1] === 0) {
    throw new UsageError(`--turns must be milliseconds of lead and turn, got "${text}" (try 2/6)`)
  }
  return { leadMs: lengths[0], turnMs: lengths[1] }
}
