#!/usr/bin/env node
/**
 * `npm run calibrate`: measures the gate itself, and writes lab/notebook/calibration.md. It takes long and may be
 * stopped and continued: samples are kept in results/calibration/, and packed into lab/notebook/calibration/ for the
 * page.
 *
 *     npm run calibrate -- --minutes 60                 everything, and the page
 *     npm run calibrate -- --minutes 60 --load          the same with a busy loop on each core
 *     npm run calibrate -- --minutes 20 --only servers  more of one kind: identical, slowed, servers or counts
 *     npm run calibrate -- --page                       the page again, from the samples in lab/notebook/calibration/
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { GATE } from '../bin/presets.js'
import { captureEnvironment } from '../harness/processes/environment.js'
import { chooseLoadGenerator, describeLoadGenerator } from '../harness/measure/load/load-generator.js'
import { UsageError } from '../harness/model/errors.js'
import { choosePins } from '../harness/processes/pinning.js'
import { scenarios } from '../scenarios/index.js'
import { scenario as keepAlive } from '../scenarios/keep-alive.js'
import { startBusyLoops } from './calibration/busy-loops.js'
import { createCalibration } from './calibration/measure.js'
import { writeVariants } from './calibration/neutral-edits.js'
import { makePage, PAGE_FOLDER, SAMPLES_FILE } from './calibration/page.js'
import { keepEnvironment, pack } from './calibration/samples.js'

const QUEUES = ['binary-heap', 'quaternary-heap', 'hierarchical-wheel', 'lazy-wheel']
const SERVER_QUEUES = ['binary-heap', 'hierarchical-wheel']
const SIZE = 10_000
/** Counts are exact with any number of timers, and faster with fewer. */
const COUNTED_SIZE = 1000
const DIRECTORY = 'results/calibration'
const SEED = 1
/** Shares of the time: rows of identical code must be many, counts need little. */
const SHARES = { identical: 0.6, slowed: 0.15, servers: 0.22, counts: 0.03 }

/** @typedef {keyof typeof SHARES} Kind */

const {
  values: { minutes, only, load, page }
} = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    only: { type: 'string' },
    load: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false }
  }
})

try {
  if (only !== undefined && !(only in SHARES)) {
    throw new UsageError(`--only must be one of ${Object.keys(SHARES).join(', ')}, got "${only}"`)
  }
  if (!page) await measure()
  writePage()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`calibrate: ${error.message}\n`)
  process.exitCode = error.exitCode
}

async function measure () {
  const pins = choosePins()
  const timed = await timedScenarios()
  const generator = await chooseLoadGenerator()
  keepEnvironment(DIRECTORY, {
    ...captureEnvironment({ pinning: pins.note, loadGenerator: await describeLoadGenerator({ load: generator }) }),
    day: new Date().toISOString().slice(0, 10)
  })
  // An edit of a queue while the calibration runs must not change the measured code.
  const variants = path.resolve(DIRECTORY, 'queues')
  if (!existsSync(variants)) writeVariants(variants)
  const onProgress = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)
  const calibration = createCalibration({
    directory: DIRECTORY,
    variants,
    seed: SEED,
    load,
    pins,
    micro: QUEUES.flatMap(queue =>
      timed.map(scenario => ({ queue, scenario, scenarioUrl: find(scenario).url, params: { size: SIZE } }))
    ),
    servers: SERVER_QUEUES.map(queue => ({
      queue,
      scenario: keepAlive.name,
      scenarioUrl: find(keepAlive.name).url,
      params: serverParams()
    })),
    countedSize: COUNTED_SIZE,
    timing: { ...GATE, load: generator },
    onProgress
  })
  const stop = load ? startBusyLoops(pins.cores) : () => {}
  try {
    for (const kind of /** @type {const} */ (['identical', 'slowed', 'servers', 'counts'])) {
      await calibration[kind](secondsFor(kind))
    }
  } finally {
    stop()
  }
  mkdirSync(PAGE_FOLDER, { recursive: true })
  writeFileSync(SAMPLES_FILE, pack(DIRECTORY))
}

function writePage () {
  const { file, text } = makePage()
  writeFileSync(file, text)
}

/** @param {Kind} kind */
function secondsFor (kind) {
  return Number(minutes) * 60 * (only === undefined ? SHARES[kind] : Number(only === kind))
}

/** @param {string} wanted */
function find (wanted) {
  return /** @type {import('../scenarios/index.js').ScenarioEntry} */ (scenarios.find(({ name }) => name === wanted))
}

/** @returns {Promise<string[]>} names; a gate only counts its other scenarios */
async function timedScenarios () {
  const modules = await Promise.all(GATE.scenarios.map(name => import(find(name).url)))
  return modules.flatMap(({ scenario: { name, countsOnly } }) =>
    countsOnly || GATE.countedOnly.includes(name) ? [] : name
  )
}

/** The largest values of the preset, which a gate uses, too. */
function serverParams () {
  /** @type {Record<string, number[]>} */
  const values = keepAlive.presets.ci
  return Object.fromEntries(Object.entries(values).map(([name, alternatives]) => [name, Math.max(...alternatives)]))
}
