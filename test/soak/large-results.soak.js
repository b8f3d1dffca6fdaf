/** Memory of very large results. */
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { writeLargeResults } from './large-results.js'

const TIMERQ = fileURLToPath(new URL('../../bin/timerq.js', import.meta.url))
const ROUNDS = Number(process.env.TIMERQ_SOAK_ROUNDS ?? 40)
const SAYS_PEAK =
  'data:text/javascript,process.on("exit", () => { const { maxRSS, userCPUTime } = process.resourceUsage(); ' +
    'console.error("peak", maxRSS, "KiB,", Math.round(userCPUTime / 1e6), "s") })'

const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-soak-'))
const at = (/** @type {string} */ name) => path.join(folder, name)
/** Two runs, and a third in two shards. */
const RUNS = [
  { name: 'a', seed: 1 },
  { name: 'b', seed: 2 },
  { name: 'first-shard', seed: 3, shard: { index: 1, count: 2 } },
  { name: 'second-shard', seed: 4, shard: { index: 2, count: 2 } }
]
before(() => {
  for (const { name, ...options } of RUNS) {
    mkdirSync(at(name))
    writeLargeResults(at(name), { cells: 5000, rounds: ROUNDS, ...options })
  }
})
after(() => rmSync(folder, { recursive: true }))

/** Memory of a command, all samples of two runs included. */
const MOST_MIB = 1000
/** Exit codes of a verdict. */
const VERDICTS = [0, 1, 3]

for (const { what, args, codes = [0] } of [
  { what: 'report as Markdown', args: ['report', at('a'), '--out', at('report.md')] },
  { what: 'report as a page', args: ['report', at('a'), '--out', at('report.html')] },
  { what: 'compare two queues', args: ['compare', at('a'), '--queue', 'queue-0,queue-3'], codes: VERDICTS },
  { what: 'compare two runs', args: ['compare', at('a'), at('b')], codes: VERDICTS },
  { what: 'merge', args: ['merge', at('first-shard'), at('second-shard'), '--out', at('merged')] }
]) {
  test(`${what}: ${5000 * ROUNDS} samples of 5 000 cells take at most ${MOST_MIB} MiB`, t => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', SAYS_PEAK, TIMERQ, ...args], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { ...process.env, NODE_OPTIONS: '' }
    })
    assert.ok(codes.includes(Number(status)), `it ended with ${status}: ${stderr.slice(-500)}`)
    const [, kib, seconds] = /peak (\d+) KiB, (\d+) s\n$/.exec(stderr) ?? []
    const peak = Math.ceil(Number(kib) / 1024)
    t.diagnostic(`${peak} MiB, ${seconds} s of CPU`)
    assert.ok(peak <= MOST_MIB, `${peak} MiB`)
  })
}

test('the page stays small', () => {
  const { size } = statSync(at('report.html'))
  assert.ok(size < 100 * 2 ** 20, `the page has ${size} bytes`)
})
