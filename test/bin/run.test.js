/** `timerq run` from the command line. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { assertMeasured } from '../../bin/run-results.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import './brief.js'
import { pick, timerq, timerqHere, words } from './timerq.js'
import { SMALL } from './whole-run.js'

const FIXTURES = new URL('../fixtures/queues/', import.meta.url).pathname

test('a queue file of the user is measured with the others; its faults do not affect them, and one that fires early ' +
  'has no figure, not even where no timer expires', async t => {
  const out = path.join(temporaryFolder(t), 'results')
  const { code, stderr, json } = await timerqHere(
    words`run --queue ./dying.js,./early.js,binary-heap --scenario refresh-one-duration,staggered-expiry ${SMALL} --rounds
      1 --out ${out} --json`,
    { cwd: FIXTURES }
  )
  assert.equal(code, 4)
  assert.match(stderr, /\d of 8 cells failed; the first: dying on /)
  const { cells, skipped } = json
  assert.deepEqual(
    new Set(skipped.map((/** @type {any} */ { queue, kind }) => `${queue} ${kind}`)),
    new Set(['dying crash', 'early wrong'])
  )
  const early = skipped.filter((/** @type {any} */ { queue }) => queue === 'early')
  assert.deepEqual(pick(early, 'scenario').sort(), ['refresh-one-duration', 'staggered-expiry'])
  assert.equal(
    early.find((/** @type {any} */ { scenario }) => scenario === 'refresh-one-duration').reason,
    'it fired a timer early: run `timerq check`'
  )
  assert.ok(cells.every((/** @type {any} */ { queue }) => queue !== 'early'))
  assert.equal(cells.filter((/** @type {any} */ { queue }) => queue === 'binary-heap').length, 2)
})

test('a port that is taken is reported before anything is measured', async t => {
  const cwd = temporaryFolder(t)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (other.address())
  // A directory that stays empty is removed when the process ends.
  const { code, stderr } = await timerq(words`run --queue node --scenario keep-alive --port ${String(port)}`, { cwd })
  other.close()
  assert.equal(code, 2)
  assert.match(stderr, new RegExp(`--port ${port} cannot be used \\(EADDRINUSE\\)`))
  assert.ok(!existsSync(path.join(cwd, 'results')))
})

test('what a run had no time for is no failure, as long as something was measured', () => {
  const at = (/** @type {string} */ queue) => ({ scenario: 'start-cancel', params: {}, queue, runtime: 'v20' })
  const measured = /** @type {any[]} */ ([{ ...at('heap'), metrics: {}, warnings: [] }])
  const skip = (/** @type {string} */ kind) => /** @type {any} */ ({ ...at('list'), kind, reason: `it was ${kind}` })
  assertMeasured({ cells: measured, skipped: [] })
  assertMeasured({ cells: measured, skipped: [skip('out-of-time')] })
  for (const [cells, kinds, message] of /** @type {[any[], string[], string][]} */ ([
    [[], ['out-of-time'], 'nothing was measured: it was out-of-time'],
    [measured, ['out-of-time', 'crash'], '1 of 2 cells failed; the first: list on start-cancel: it was crash'],
    [
      measured,
      ['time-limit'],
      'list was too slow to measure (start-cancel: it was time-limit): raise --time-limit, or leave it out'
    ]
  ])) {
    assert.throws(() => assertMeasured({ cells, skipped: kinds.map(skip) }), { exitCode: 4, message })
  }
})
