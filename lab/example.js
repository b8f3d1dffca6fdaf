#!/usr/bin/env node
/**
 * `npm run example`: makes the runs and reports that the documents show from scratch.
 *
 *   docs/recorded/run, try, recommend
 *                            runs whose output README.md and docs/ quote (`npm run blocks`)
 *   docs/example             the report of a longer run, the pictures that pages show, and profiles, packed
 *   lab/notebook/example     the run itself, packed
 *
 *     node lab/example.js                   everything, in about half an hour
 *     node lab/example.js --only recorded   the quoted runs and the blocks, in about nine minutes
 *     node lab/example.js --only report     reports and blocks from the last measurements
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { queues } from '../queues/index.js'
import { packExample, packFile, unpackExample } from './example-data.js'
import { writeReports } from './example-reports.js'

const OWN = queues.filter(({ origin }) => origin === 'own').map(({ name }) => name)
/** Measurements of the example: all queues, for the map. */
const RUN = [
  '--queue',
  ['node', ...OWN].join(),
  '--scenario',
  'refresh-one-duration,staggered-expiry,start-cancel,mixed,hold,keep-alive',
  '--sweep',
  'size=10,1000,10000,100000,1000000',
  '--sweep',
  'expiring=0,10,100',
  '--sweep',
  'seconds=2',
  '--rounds',
  '5',
  '--budget',
  '20m',
  '--seed',
  '7'
]
const PROFILE = [
  '--queue',
  'sorted-list,unsorted-array,binary-heap,duration-lists,hierarchical-wheel',
  '--scenario',
  'keep-alive',
  '--seed',
  '7'
]

const PROJECT = new URL('../', import.meta.url)
const ROOT = fileURLToPath(PROJECT)
const TIMERQ = path.join(ROOT, 'bin/timerq.js')
const RECORDED = 'docs/recorded'
const EXAMPLE = 'docs/example'
/** The run of the example, unpacked. */
const EXAMPLE_RUN = 'results/example'
const PROFILES = `${EXAMPLE}/profiles`
/** Measured here, so that an interrupted measurement does not cost the last one. */
const MEASURED = path.resolve(ROOT, 'results/documents')
/** Files of a results directory that documents are made from. */
const KEPT = ['run.json', 'samples.jsonl', 'profiles']
/** Files that name folders. */
const TEXT = /\.(jsonl?|cpuprofile|html|txt)$/

const {
  values: { only = 'everything' }
} = parseArgs({ options: { only: { type: 'string' } } })
if (!['everything', 'recorded', 'report'].includes(only)) fail(`--only must be recorded or report, got "${only}"`)
process.chdir(ROOT)
if (only !== 'report') {
  // Without other options: these are the commands of the pages.
  measure(`${RECORDED}/run`, ['run'])
  measure(`${RECORDED}/try`, ['try', '--', 'node', 'server.js'], RECORDED)
  measure(`${RECORDED}/recommend`, ['recommend', 'test/fixtures/traces/fastify-app.trace'])
}
if (only === 'everything') {
  measure(EXAMPLE_RUN, ['run', ...RUN])
  packExample(EXAMPLE_RUN)
  measure(PROFILES, ['profile', ...PROFILE])
  packProfiles()
}
if (only !== 'recorded') {
  unpackExample(EXAMPLE_RUN)
  // Pictures may have other names than before.
  rmSync(`${EXAMPLE}/report-pictures`, { recursive: true, force: true })
  await writeReports(EXAMPLE_RUN, PROFILES, EXAMPLE)
}
start('npm', ['run', '--silent', 'blocks'], ROOT)

/**
 * @param {string} directory  Results directory, made anew.
 * @param {string[]} command
 * @param {string} [cwd]
 */
function measure (directory, [command, ...args], cwd = ROOT) {
  rmSync(MEASURED, { recursive: true, force: true })
  timerq([command, '--out', MEASURED, ...args], cwd)
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory)
  for (const name of readdirSync(MEASURED).filter(name => KEPT.includes(name))) {
    cpSync(path.join(MEASURED, name), path.join(directory, name), { recursive: true })
  }
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && TEXT.test(entry.name)) forgetFolders(path.join(entry.parentPath, entry.name))
  }
}

function packProfiles () {
  const folder = path.join(PROFILES, 'profiles')
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.cpuprofile')) packFile(path.join(folder, name))
    // The report shows heavy profiles, and any report makes them again.
    else rmSync(path.join(folder, name))
  }
}

/**
 * Documents do not reveal where the project and Node were on the machine that measured.
 *
 * @param {string} file
 */
function forgetFolders (file) {
  const text = readFileSync(file, 'utf8')
    .replaceAll(MEASURED, 'results/documents')
    .replaceAll(path.resolve(ROOT, 'test'), 'test')
    .replaceAll(path.resolve(ROOT), '/timerq')
    .replaceAll(`"${process.execPath}"`, '"node"')
  writeFileSync(file, text)
}

/**
 * @param {string[]} args
 * @param {string} [cwd]
 */
function timerq (args, cwd = ROOT) {
  process.stderr.write(`timerq ${args.join(' ')}\n`)
  start(process.execPath, [TIMERQ, ...args], cwd)
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 */
function start (program, args, cwd) {
  const { status, signal } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  // Exit code 3 is an undecided answer.
  if (status !== 0 && status !== 3) fail(`${program} ${args[1] ?? ''} ended with ${signal ?? `exit code ${status}`}`)
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail (message) {
  process.stderr.write(`example: ${message}\n`)
  process.exit(2)
}
