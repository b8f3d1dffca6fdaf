#!/usr/bin/env node
/**
 * `npm run calibrate`: measures the gate itself, and writes docs/calibration.md. It takes long and may be stopped and
 * continued: what is measured is kept in results/calibration/.
 *
 *     node test/benchmarks/calibrate.js [--minutes 60]                  everything, and the report
 *     node test/benchmarks/calibrate.js --minutes 2 --only identical    more of one kind: time, identical or counts
 *     node test/benchmarks/calibrate.js --only report                   what there is, written anew
 */
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { captureEnvironment } from '../../harness/environment.js'
import { judgeCalibration } from './calibration/judge.js'
import { AGAIN, ARMS, BASE, cellName, countSlice, keepEnvironment, measureSlice, readCalibration } from './calibration/measure.js'
import { UsageError } from '../../harness/model/errors.js'
import { choosePins } from '../../harness/pinning.js'
import { calibrationPictures, renderCalibration } from './calibration/report.js'
import { scenarios } from '../../scenarios/index.js'
import { GATE } from '../../bin/presets.js'

const QUEUES = ['binary-heap', 'quaternary-heap', 'pairing-heap', 'hierarchical-wheel']
const SIZE = 10_000
/** Counting is as exact with fewer timers, and faster. */
const COUNTED_SIZE = 1000
const DIRECTORY = 'results/calibration'
const SEED = 1
/** What a gate has by default. */
const BUDGET_SECONDS = 300
/** Of the time: rows of identical code must be many, the exact channel needs little. */
const SHARES = { time: 0.35, identical: 0.55, counts: 0.1, report: 0 }

const { values: { minutes, only } } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, only: { type: 'string' } } })
if (only !== undefined && !(only in SHARES)) {
  process.stderr.write(`calibrate: --only must be one of ${Object.keys(SHARES).join(', ')}, got "${only}"\n`)
  process.exit(2)
}
/** @param {keyof typeof SHARES} kind */
const secondsFor = kind => Number(minutes) * 60 * (only === undefined ? SHARES[kind] : Number(only === kind))
// Whoever edits a queue meanwhile would change what is measured.
const copy = path.resolve(DIRECTORY, 'queues')
if (!existsSync(copy)) cpSync(new URL('../../queues', import.meta.url), copy, { recursive: true })
const queueUrl = (/** @type {string} */ name) => pathToFileURL(path.join(copy, `${name}.js`)).href
const scenarioUrl = (/** @type {string} */ wanted) => /** @type {{url: string}} */ (scenarios.find(({ name }) => name === wanted)).url
const settings = {
  cells: QUEUES.flatMap(queue => GATE.scenarios.map(scenario => (
    { scenario, scenarioUrl: scenarioUrl(scenario), queue, queueUrl: queueUrl(queue), params: { size: SIZE } }))),
  timing: GATE.micro,
  seed: SEED,
  directory: DIRECTORY
}
const onProgress = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)
const pins = choosePins()
const counted = { ...settings, cells: settings.cells.map(cell => ({ ...cell, params: { size: COUNTED_SIZE } })) }

try {
  if (only !== 'report') await measure()
  if (only === undefined || only === 'report') writeReport()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`calibrate: ${error.message}\n`)
  process.exitCode = error.exitCode
}

async function measure () {
  keepEnvironment(DIRECTORY, captureEnvironment({ pinning: pins.note, loadGenerator: 'none' }))
  await measureSlice(settings, { seconds: secondsFor('time'), arms: ARMS, pins: [pins.subject], onProgress })
  // Two at a time: cells disturb each other, which false alarms must bear, and more pairs come in.
  await measureSlice(settings, { seconds: secondsFor('identical'), arms: [BASE, AGAIN], pins: [pins.subject, pins.load], onProgress })
  await countSlice(counted, { seconds: secondsFor('counts') })
}

function writeReport () {
  const { environment, ...measured } = readCalibration(DIRECTORY)
  const calibration = judgeCalibration(measured, { rounds: GATE.rounds, budgetSeconds: BUDGET_SECONDS, seed: SEED })
  const report = { calibration, environment, cells: settings.cells.map(cellName), timing: GATE.micro }
  writeFileSync('docs/calibration.md', renderCalibration(report))
  for (const { name, text } of calibrationPictures(report)) writeFileSync(`docs/${name}`, text)
}
