/**
 * Runs Node's own tests of timers and timeouts, each natively and with timers/ in place of Node's timers.
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
const CHOSEN = /^test-(timer|domain-timer|(net|https?|tls)-.*timeout).*\.m?js$/
const PRELOAD = new URL('replace.js', import.meta.url)
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
process.stdout.write(
  `${files.length} files: ${['pass', 'expected', 'FAIL', 'passes now', 'never called it', 'fails natively'].map(verdict => `${count(verdict)} ${verdict}`).join(', ')}\n`
)
process.exitCode = count('FAIL') > 0 ? 1 : 0

/** @param {string} file */
async function judge (file, /** @type {number} */ index) {
  const name = path.basename(file)
  const native = await run(file, {}, index)
  const called = path.join(temporary, `${index}`)
  // On a busy machine, tests that wait for milliseconds fail now and then.
  const replaced =
    (await run(file, { TIMERQ_CALLED: called }, index)) && (await run(file, { TIMERQ_CALLED: called }, index))
  const verdict =
    native !== null
      ? 'fails natively'
      : replaced !== null
        ? name in expected
          ? 'expected'
          : 'FAIL'
        : existsSync(called)
          ? name in expected
            ? 'passes now'
            : 'pass'
          : 'never called it'
  if (verdict !== 'pass') {
    process.stdout.write(
      `${verdict.padEnd(16)} ${name}${verdict === 'FAIL' ? `\n${replaced}` : expected[name] ? `: ${expected[name]}` : ''}\n`
    )
  }
  return verdict
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
