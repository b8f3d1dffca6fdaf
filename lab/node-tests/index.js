/**
 * Runs Node's own tests of the timeouts of sockets, each natively and with idle timeouts under all sockets.
 *
 *     npm run node-tests -- PATH [--node BINARY] [NAME...]
 *
 * PATH is a folder with Node's test/common, test/parallel and test/sequential of the same release as the binary: a
 * checkout of Node, or of the repository denoland/node_test. Exit code 1: a test fails that expected.json does not
 * list.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pMap from 'p-map'

const CONCURRENCY = 2
const LIMIT_MS = 60_000
const CHOSEN = /^test-(net|https?|tls)-.*timeout.*\.m?js$/
const VERDICTS = ['pass', 'expected', 'FAIL', 'passes now', 'never called it', 'fails natively']
const PRELOAD = new URL('plug.js', import.meta.url)
/**
 * Tests that may fail, with the reason.
 *
 * @type {Record<string, string>}
 */
const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8'))

const {
  values: { node },
  positionals: [root, ...names]
} = parseArgs({
  options: { node: { type: 'string', default: process.execPath } },
  allowPositionals: true
})
if (root === undefined || !existsSync(path.join(root, 'test/common'))) {
  process.stderr.write('usage: npm run node-tests -- PATH [--node BINARY] [NAME...], where PATH/test/common exists\n')
  process.exit(2)
}
const files = ['parallel', 'sequential']
  .flatMap(folder => readdirSync(path.join(root, 'test', folder)).map(name => path.join(root, 'test', folder, name)))
  .filter(file => (names.length === 0 ? CHOSEN.test(path.basename(file)) : names.includes(path.basename(file))))

const temporary = mkdtempSync(path.join(os.tmpdir(), 'timerq-node-tests-'))
const results = await pMap(files, judge, { concurrency: CONCURRENCY })
rmSync(temporary, { recursive: true })

const count = (/** @type {string} */ verdict) => results.filter(result => result === verdict).length
const counts = VERDICTS.map(verdict => `${count(verdict)} ${verdict}`)
process.stdout.write(`${files.length} files: ${counts.join(', ')}\n`)
process.exitCode = count('FAIL') > 0 ? 1 : 0

/**
 * Prints and returns the verdict on one test file.
 *
 * @param {string} file
 * @param {number} index
 */
async function judge (file, index) {
  const name = path.basename(file)
  const called = path.join(temporary, `${index}`)
  const native = await run(file, {}, index)
  // On a busy machine, tests that wait for milliseconds fail now and then.
  const plugged =
    (await run(file, { TIMERQ_CALLED: called }, index)) && (await run(file, { TIMERQ_CALLED: called }, index))
  const verdict = verdictOf({ native, plugged, isExpected: name in expected, wasCalled: existsSync(called) })
  const reason = verdict === 'FAIL' ? `\n${plugged}` : expected[name] ? `: ${expected[name]}` : ''
  if (verdict !== 'pass') process.stdout.write(`${verdict.padEnd(16)} ${name}${reason}\n`)
  return verdict
}

/** @param {{native: string | null, plugged: string | null, isExpected: boolean, wasCalled: boolean}} outcome */
function verdictOf ({ native, plugged, isExpected, wasCalled }) {
  if (native !== null) return 'fails natively'
  if (plugged !== null) return isExpected ? 'expected' : 'FAIL'
  if (!wasCalled) return 'never called it'
  return isExpected ? 'passes now' : 'pass'
}

/**
 * @type {(file: string, env: Record<string, string>, index: number) => Promise<string | null>} null: passed; otherwise
 *   the end of its output.
 */
function run (file, env, index) {
  const flags = /^\/\/ Flags:(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1].trim().split(/\s+/) ?? []
  // TEST_THREAD_ID keeps the temporary folders and ports of concurrent tests apart.
  const child = spawn(/** @type {string} */ (node), [...flags, file], {
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${PRELOAD}`,
      NODE_TEST_KNOWN_GLOBALS: '0',
      TEST_THREAD_ID: `${index}`,
      ...env
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', text => {
      output += text
    })
  }
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      resolve(
        code === 0 ? null : `${output.trim().split('\n').slice(-25).join('\n')}\n(${signal ?? `exit code ${code}`})`
      )
    })
  })
}
