#!/usr/bin/env node
/**
 * `npm run league`: timer queues in C, Rust, Go and JavaScript replay the same streams in heats; see
 * lab/notebook/league.md.
 *
 *     npm run league                                      everything, in 10 minutes
 *     npm run league -- --minutes 60                      more heats
 *     npm run league -- --load                            with a busy loop on each core
 *     npm run league -- --stream mixed-10k --only C,Node  some streams, some competitors (names or their beginnings)
 *     npm run league -- --queue ./old.js,./new.js         with queues of your own
 *
 * TIMEOUT_REPOSITORY is the repository to clone wahern/timeout from.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { captureEnvironment } from '../../harness/processes/environment.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { choosePins } from '../../harness/processes/pinning.js'
import { createRandom, shuffle } from '../../harness/model/random.js'
import { startBusyLoops } from '../busy-loops.js'
import { partiesOf, SELDOM, withDrivers } from './competitors.js'
import { runHeat } from './heat.js'
import { renderLeague } from './report.js'
import { standingsOf } from './standings.js'
import { encodeStream, streams } from './streams.js'

const DIRECTORY = fileURLToPath(new URL('../../results/league', import.meta.url))

/**
 * @typedef {import('./competitors.js').Competitor} Competitor
 *
 * @typedef {import('./heat.js').Outcome} Outcome
 */

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError || error instanceof MeasurementError)) throw error
  process.stderr.write(`league: ${error.message}\n`)
  process.exitCode = error.exitCode
}

async function main () {
  const options = readOptions()
  mkdirSync(DIRECTORY, { recursive: true })
  const { competitors, skipped } = await gather(options)
  const chosen = streams.filter(({ name }) => options.streams.length === 0 || options.streams.includes(name))
  const pins = choosePins()
  const environment = captureEnvironment({ pinning: pins.note, loadGenerator: 'none' })
  const stop = options.load ? startBusyLoops(pins.cores) : () => {}
  let results
  try {
    results = await measure(chosen, competitors, { ...options, pin: pins.subject })
  } finally {
    stop()
  }
  process.stdout.write(renderLeague({
    control: competitors[0].name,
    drivers: competitors.filter(({ name, driver }) => name === driver).map(({ name }) => name),
    streams: results,
    skipped,
    environment,
    load: options.load,
    date: new Date().toISOString().slice(0, 10)
  }))
}

function readOptions () {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      stream: { type: 'string', default: '' },
      only: { type: 'string', default: '' },
      queue: { type: 'string', default: '' },
      load: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' }
    }
  })
  const list = (/** @type {string} */ text) => text.split(',').filter(Boolean)
  const options = {
    load: values.load,
    streams: list(values.stream),
    only: list(values.only),
    queues: list(values.queue),
    minutes: Number(values.minutes),
    seed: Number(values.seed)
  }
  const known = streams.map(({ name }) => name)
  const unknown = options.streams.find(name => !known.includes(name))
  if (unknown) throw new UsageError(`--stream ${unknown}: there is no such stream (${known.join(', ')})`)
  return options
}

/**
 * @param {ReturnType<typeof readOptions>} options
 */
async function gather ({ queues, only }) {
  const cache = path.join(DIRECTORY, 'cache')
  mkdirSync(cache, { recursive: true })
  /** @type {Competitor[]} */
  const competitors = []
  const skipped = []
  for (const { name, make } of partiesOf({ cache, extra: queues })) {
    process.stderr.write(`making ready: ${name}\n`)
    try {
      competitors.push(...(await make()))
    } catch (error) {
      const reason = /** @type {Error} */ (error).message
      process.stderr.write(`skipped: ${name}: ${reason}\n`)
      skipped.push({ name, reason })
    }
  }
  if (competitors.length === 0) throw new MeasurementError('no competitor could be made')
  const isWanted = (/** @type {Competitor} */ { name }) =>
    only.length === 0 || only.some(start => name.startsWith(start)) || queues.some(file => name.endsWith(` ${file}`))
  return { competitors: withDrivers(competitors, isWanted), skipped }
}

/**
 * Measures heat after heat, one of each stream in every round, until the time is over; at least one round.
 *
 * @param {import('./streams.js').StreamEntry[]} chosen
 * @param {Competitor[]} competitors
 * @param {{minutes: number, seed: number, load: boolean, pin: string[]}} options
 * @returns {Promise<import('./report.js').StreamResult[]>}
 */
async function measure (chosen, competitors, { minutes, seed, load, pin }) {
  const random = createRandom(seed)
  const file = path.join(DIRECTORY, `heats-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.jsonl`)
  const courses = chosen.map(entry => {
    const stream = entry.make()
    const file = path.join(DIRECTORY, 'cache', `${entry.name}.tqs`)
    writeFileSync(file, encodeStream(stream))
    return {
      entry,
      stream,
      path: file,
      entrants: withDrivers(competitors, ({ expires }) => expires || !entry.fires),
      heats: /** @type {Outcome[][]} */ ([])
    }
  })
  const end = performance.now() + minutes * 60_000
  for (let round = 0; round === 0 || performance.now() < end; round++) {
    for (const course of shuffle(courses, random)) {
      if (round > 0 && performance.now() >= end) break
      const begun = performance.now()
      const entrants = course.entrants.filter(({ isSeldom }) => !isSeldom || round % SELDOM === 0)
      const outcomes = await runHeat(entrants, course, { seed: 1 + random(2 ** 31 - 1), pin })
      course.heats.push(outcomes)
      appendFileSync(file, JSON.stringify({ stream: course.entry.name, load, outcomes }) + '\n')
      process.stderr.write(
        `${course.entry.name}: heat ${course.heats.length}, ${((performance.now() - begun) / 1000).toFixed(1)} s\n`
      )
    }
  }
  return courses.map(({ entry: { name, title }, heats, entrants }) => ({
    name,
    title,
    heats: heats.length,
    ...standingsOf(heats, entrants)
  }))
}
