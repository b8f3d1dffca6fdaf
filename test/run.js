/**
 * Runs the tests of timerq: `node test/run.js` those of every day, `node test/run.js slow` the rest (`*.slow.test.js`).
 *
 * The files that took longest the last time start first, so no core is idle at the end; in a fresh clone, those that
 * are known to take minutes. Files above five seconds are listed at the end: such a file belongs to the slow part, or
 * is mended.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import reporter from './reporter.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Seconds of each file in the latest run. */
const SECONDS_FILE = path.join(ROOT, 'node_modules/.cache/timerq-tests.json')
const CONCURRENCY = 4
const MINUTES = ['broken-at-scale', 'broken-queues', 'every-queue'].map(
  name => `test/harness/conformance/${name}.slow.test.js`
)
const FILE_LIMIT_MS = 900_000
const LONG_SECONDS = 5

const isSlowPart = process.argv[2] === 'slow'
const files = ['test', 'lab']
  .flatMap(folder =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => path.join(folder, file))
  )
  .filter(file => file.endsWith('.test.js') && file.endsWith('.slow.test.js') === isSlowPart)
const latest = readSeconds()
const expected = (/** @type {string} */ file) => latest[file] ?? (MINUTES.includes(file) ? Infinity : Number.MAX_VALUE)
files.sort((one, other) => expected(other) - expected(one) || one.localeCompare(other))

/** @type {Record<string, number>} */
const seconds = {}
const events = run({
  files: files.map(file => path.join(ROOT, file)),
  concurrency: CONCURRENCY,
  timeout: FILE_LIMIT_MS
})
events.on('test:fail', () => {
  process.exitCode = 1
})
events.on('test:complete', ({ name, file, details }) => {
  if (name === file) seconds[path.relative(ROOT, file)] = details.duration_ms / 1000
})
for await (const text of reporter(events)) process.stdout.write(text)

mkdirSync(path.dirname(SECONDS_FILE), { recursive: true })
writeFileSync(SECONDS_FILE, JSON.stringify({ ...latest, ...seconds }))
const long = Object.entries(seconds)
  .filter(([, seconds]) => seconds > LONG_SECONDS)
  .sort(([, one], [, other]) => other - one)
if (long.length > 0 && !isSlowPart) {
  process.stdout.write(
    `\nabove ${LONG_SECONDS} s:\n${long.map(([file, seconds]) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}\n`).join('')}`
  )
}

/** @returns {Record<string, number>} */
function readSeconds () {
  try {
    return JSON.parse(readFileSync(SECONDS_FILE, 'utf8'))
  } catch {
    return {}
  }
}
