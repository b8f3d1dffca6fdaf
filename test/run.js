/**
 * Runs the tests of timerq:
 *
 *     node test/run.js                  those of every day; lint and types beside them, from caches
 *     node test/run.js slow             the rest (`*.slow.test.js`)
 *     node test/run.js FILE...          tests named after these files or folders, and tests that import them
 *
 * The files that took longest the last time start first, so no core is idle at the end; in a fresh clone, those that
 * are known to take long. Files above five seconds are listed at the end: such a file belongs to the slow part, or is
 * mended.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'
import reporter from './reporter.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CACHE = path.join(ROOT, 'node_modules/.cache')
/** Seconds of each file in the latest run. */
const SECONDS_FILE = path.join(CACHE, 'timerq-tests.json')
const CONCURRENCY = 4
const MINUTES = ['broken-at-scale', 'broken-queues', 'every-queue'].map(
  name => `test/harness/conformance/${name}.slow.test.js`
)
const FILE_LIMIT_MS = 900_000
const LONG_SECONDS = 5

const [part, ...more] = process.argv.slice(2)
const isSlowPart = part === 'slow'
const chosen = isSlowPart ? more : process.argv.slice(2)
const all = ['test', 'lab']
  .flatMap(folder =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(file => path.join(folder, file))
  )
  .filter(file => file.endsWith('.test.js'))
const files = chosen.length > 0 ? testsOf(chosen) : all.filter(file => file.endsWith('.slow.test.js') === isSlowPart)
const latest = readSeconds()
const expected = (/** @type {string} */ file) => latest[file] ?? (MINUTES.includes(file) ? Infinity : Number.MAX_VALUE)
files.sort((one, other) => expected(other) - expected(one) || one.localeCompare(other))

mkdirSync(CACHE, { recursive: true })
const checks = isSlowPart || chosen.length > 0 ? [] : ['lint', 'types'].map(checked)
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
for (const { name, code, output } of await Promise.all(checks)) {
  if (code === 0) continue
  process.exitCode = 1
  process.stdout.write(`\nnpm run ${name} fails:\n${output}`)
}

writeFileSync(SECONDS_FILE, JSON.stringify({ ...latest, ...seconds }))
const long = Object.entries(seconds)
  .filter(([, seconds]) => seconds > LONG_SECONDS)
  .sort(([, one], [, other]) => other - one)
if (long.length > 0 && !isSlowPart) {
  process.stdout.write(
    `\nabove ${LONG_SECONDS} s:\n${long.map(([file, seconds]) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}\n`).join('')}`
  )
}

/**
 * Tests of changed files or folders.
 *
 * @param {string[]} named  Relative to the working directory.
 * @returns {string[]}
 */
function testsOf (named) {
  const sources = named.map(file => path.relative(ROOT, path.resolve(file)))
  const isNamed = (/** @type {string} */ file) => sources.some(one => file === one || file.startsWith(`${one}/`))
  const own = all.filter(test => {
    const source = test.replace(/^test\//, '').replace(/(\.slow)?\.test\.js$/, '.js')
    const imports = [...readFileSync(path.join(ROOT, test), 'utf8').matchAll(/'(\.[^']+)'/g)]
    const read = imports.map(([, file]) => path.join(path.dirname(test), file))
    return isNamed(test) || (!test.endsWith('.slow.test.js') && [source, ...read].some(isNamed))
  })
  if (own.length > 0) return own
  throw new Error(`no test of ${named.join(', ')}`)
}

/**
 * @param {string} name  Script of package.json.
 * @returns {Promise<{name: string, code: number, output: string}>}
 */
async function checked (name) {
  const child = spawn('npm', ['run', '--silent', name], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => { output += text })
  const [code] = await once(child, 'close')
  return { name, code, output }
}

/** @returns {Record<string, number>} */
function readSeconds () {
  try {
    return JSON.parse(readFileSync(SECONDS_FILE, 'utf8'))
  } catch {
    return {}
  }
}
