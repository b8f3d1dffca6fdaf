#!/usr/bin/env node
/**
 * `npm run example`: makes docs/example from scratch. Measures, profiles, and writes both reports, their pictures and the
 * profiles that they link. Takes about a quarter of an hour.
 *
 *     node lab/example.js                 everything
 *     node lab/example.js --only report   the reports, from the last measurement
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** What the example measures: change it here. */
const RUN = [
  '--queue', 'node,sorted-list,sorted-list-from-tail,unsorted-array,single-wakeup,binary-heap,duration-lists,hierarchical-wheel,lazy-wheel',
  '--scenario', 'refresh-one-duration,staggered-expiry,start-cancel,mixed,keep-alive',
  '--sweep', 'size=100,1000,10000,100000', '--sweep', 'expiring=0,10,100', '--sweep', 'seconds=2',
  '--rounds', '6', '--seed', '7'
]
const PROFILE = [
  '--queue', 'sorted-list,unsorted-array,binary-heap,duration-lists,hierarchical-wheel',
  '--scenario', 'keep-alive', '--seed', '7'
]

const PROJECT = new URL('../', import.meta.url)
const TIMERQ = fileURLToPath(new URL('bin/timerq.js', PROJECT))
const MEASURED = 'results/example'
const PROFILED = 'results/example-profiles'
const EXAMPLE = 'docs/example'
const LINKED = `${EXAMPLE}/profiles`
/** Parts of a results directory that the reports are made from but do not link. */
const NOT_LINKED = ['run.json', 'samples.jsonl']

const { values: { only } } = parseArgs({ options: { only: { type: 'string' } } })
if (only !== undefined && only !== 'report') fail(`--only must be report, got "${only}"`)
process.chdir(fileURLToPath(PROJECT))
if (only === undefined) measure()
report()

function measure () {
  for (const directory of [MEASURED, PROFILED]) rmSync(directory, { recursive: true, force: true })
  timerq('run', ...RUN, '--out', MEASURED)
  timerq('profile', ...PROFILE, '--out', PROFILED)
}

function report () {
  for (const directory of [MEASURED, PROFILED]) {
    if (!existsSync(directory)) fail(`${directory} is not there: measure first (npm run example)`)
  }
  rmSync(EXAMPLE, { recursive: true, force: true })
  mkdirSync(EXAMPLE, { recursive: true })
  cpSync(PROFILED, LINKED, { recursive: true })
  for (const file of ['report.md', 'report.html']) timerq('report', MEASURED, '--profiles', LINKED, '--out', `${EXAMPLE}/${file}`)
  for (const file of NOT_LINKED) rmSync(path.join(LINKED, file))
  forgetProjectFolder()
}

/** Profiles name modules by URL. The example does not reveal where the project was on the machine that measured it. */
function forgetProjectFolder () {
  for (const entry of readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    const text = readFileSync(file, 'utf8')
    if (text.includes(PROJECT.href)) writeFileSync(file, text.replaceAll(PROJECT.href, 'file:///timerq/'))
  }
}

/** @param {string[]} args */
function timerq (...args) {
  process.stderr.write(`timerq ${args.join(' ')}\n`)
  const { status, signal } = spawnSync(process.execPath, [TIMERQ, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) fail(`timerq ${args[0]} ended with ${signal ?? `exit code ${status}`}; samples are kept in results/`)
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail (message) {
  process.stderr.write(`example: ${message}\n`)
  process.exit(2)
}
