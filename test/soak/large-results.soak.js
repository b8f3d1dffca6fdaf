import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { writeLargeResults } from './large-results.js'

const TIMERQ = fileURLToPath(new URL('../../bin/timerq.js', import.meta.url))
const ROUNDS = Number(process.env.TIMERQ_SOAK_ROUNDS ?? 200)
const SAYS_PEAK = 'data:text/javascript,process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))'

const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-soak-'))
const at = (/** @type {string} */ name) => path.join(folder, name)
before(() => {
  for (const [i, name] of ['a', 'b'].entries()) {
    mkdirSync(at(name))
    writeLargeResults(at(name), { cells: 5000, rounds: ROUNDS, seed: i + 1 })
  }
})
after(() => rmSync(folder, { recursive: true }))

/** Whatever a verdict is. */
const VERDICTS = [0, 1, 3]

for (const { args, most, codes = [0] } of [
  { args: ['report', at('a'), '--format', 'markdown', '--out', at('report.md')], most: 400 },
  { args: ['report', at('a'), '--out', at('report.html')], most: 400 },
  { args: ['compare', at('a'), '--queue', 'queue-0,queue-3'], most: 250, codes: VERDICTS }
]) {
  test(`${args[0]} of ${5000 * ROUNDS} samples of 5 000 cells takes at most ${most} MiB: ${args.slice(2).join(' ')}`, t => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', SAYS_PEAK, TIMERQ, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, NODE_OPTIONS: '' } })
    assert.ok(codes.includes(Number(status)), `${args[0]} ended with ${status}: ${stderr.slice(-500)}`)
    const peak = Math.ceil(Number(/peak (\d+)\n$/.exec(stderr)?.[1]) / 1024)
    t.diagnostic(`${peak} MiB`)
    assert.ok(peak <= most, `${peak} MiB`)
  })
}

test('the page stays small', () => {
  const { size } = statSync(at('report.html'))
  assert.ok(size < 100 * 2 ** 20, `the page has ${size} bytes`)
})
