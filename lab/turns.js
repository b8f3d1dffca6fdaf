#!/usr/bin/env node
/**
 * `npm run turns`: do heats tell the truth? Queues that take turns disturb each other: after every change the caches
 * hold another queue's timers, and a queue with many timers pays more for that than a queue with few. So every turn is
 * compared with a stretch of the same process right after it. Prints tables for docs/reference/trust.md.
 *
 *     npm run turns -- --minutes 10                         every size, in turns as tables of results use them
 *     npm run turns -- --minutes 10 --load                  the same with a busy loop on each core
 *     npm run turns -- --turns 0/3,1/4,2/6,2/10,10/20       other turns: milliseconds of lead and of measuring
 *     npm run turns -- --sizes 100000 --scenario refresh-one-duration --queues duration-lists,binary-heap,lazy-wheel
 *
 * The first queue is the control, and is also compared with itself.
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
import { renderTurns } from './turns/report.js'

const SIZES = '100,10000,100000,1000000'
/** Two heaps, an array, linked objects, and two wheels. */
const QUEUES = 'binary-heap,quaternary-heap,unsorted-array,duration-lists,hierarchical-wheel,lazy-wheel'
const TURNS = [presets.quick, presets.documented].map(({ micro: { leadMs, turnMs } }) => `${leadMs}/${turnMs}`)

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    sizes: { type: 'string', default: SIZES },
    scenario: { type: 'string', default: 'start-cancel' },
    queues: { type: 'string', default: QUEUES },
    turns: { type: 'string', default: TURNS.join() },
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
  const names = list('--queues', values.queues)
  const sizes = list('--sizes', values.sizes).map(size => integer('--sizes', size, 1))
  const urls = names.map(name => pickByName('queue', queues, name).url)
  const scenarioUrl = pickByName('scenario', scenarios, values.scenario).url
  const choices = list('--turns', values.turns).map(parseLengths)
  const end = performance.now() + integer('--minutes', values.minutes, 1) * 60_000
  const pins = choosePins()
  process.stderr.write(`${values.scenario}, ${pins.note}; load average ${os.loadavg()[0].toFixed(1)}\n`)
  /** @type {import('./turns/measure.js').Round[]} */
  const rounds = []
  /**
   * Duration of the latest round of each size.
   *
   * @type {Map<number, number>}
   */
  const tookMs = new Map()
  const fits = (/** @type {number} */ size) => performance.now() + (tookMs.get(size) ?? 0) < end

  const stop = values.load ? startBusyLoops(pins.cores) : () => {}
  try {
    for (let seed = 1; sizes.some(fits); seed++) {
      for (const size of sizes.filter(fits)) {
        const start = performance.now()
        process.stderr.write(`round ${seed}, ${size} timers\n`)
        const place = { size, scenarioUrl, seed, pin: pins.subject }
        rounds.push(await measureRound([urls[0], ...urls], choices, place))
        tookMs.set(size, performance.now() - start)
      }
    }
  } finally {
    stop()
  }
  process.stdout.write(renderTurns([names[0], ...names], choices, rounds))
}

/** @param {string} text  lead/turn, in milliseconds */
function parseLengths (text) {
  const lengths = text.split('/').map(Number)
  if (lengths.length !== 2 || !lengths.every(ms => ms >= 0) || lengths[1] === 0) {
    throw new UsageError(`--turns must be milliseconds of lead and turn, got "${text}" (try 2/6)`)
  }
  return { leadMs: lengths[0], turnMs: lengths[1] }
}
