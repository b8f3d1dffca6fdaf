/** The caveats of a run's report. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { runDocument, seededCommand } from '../../../reports/documents/run.js'
import { gather } from '../../../reports/gather.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { heatsRun } from '../fixture.js'

test('skipped cells, warnings and open tables are caveats', () => {
  const { results, summary } = heatsRun()
  const place = { scenario: 'trace', params: {}, queue: 'wheel', runtime: 'v20' }
  const changed = {
    ...summary,
    skipped: [{ ...place, kind: 'crash', reason: 'it died' }],
    cells: [{ ...summary.cells[0], ...place, warnings: [{ kind: /** @type {const} */ ('put-off'), text: '7 ns' }] }]
  }
  const text = renderMarkdown(runDocument(results, changed))
  assert.match(text, /^- wheel on trace: it died\.$/m)
  assert.match(text, /^- wheel on trace: 7 ns\.$/m)
  assert.match(
    text,
    /^The fastest queue is open in 1 of 4 tables; more rounds are needed:\n\n- keep-alive, 50 connections: node, duration-lists, binary-heap or sorted-list\.$/m
  )
})

test("the command that reproduces a run has its seed before the program's words", () => {
  const settings = /** @type {any} */ ({ seed: 7 })
  for (const [command, repeated] of [
    ['timerq run', 'timerq run --seed 7'],
    ['timerq try --budget 28s -- node a.js --seed 3', 'timerq try --budget 28s --seed 7 -- node a.js --seed 3'],
    ['timerq run --seed=7', 'timerq run --seed=7'],
    ['node measure.js', 'node measure.js']
  ]) {
    assert.equal(seededCommand({ command: command.split(' '), settings }).join(' '), repeated)
  }
})

test('a report says which server of a program took the load', () => {
  const { results, summary } = heatsRun()
  const { plan } = results.run
  const program = { command: ['npm', 'start'], cwd: '', path: '/users', startSeconds: 1, askedPort: 3000 }
  const run = { ...results.run, plan: { ...plan, settings: { ...plan.settings, program } } }
  const text = renderMarkdown(runDocument(/** @type {any} */ ({ ...results, run }), summary))
  assert.match(text, /npm start; port 3000, path \/users/)
})

test('remarks on places in which every value goes with every other are merged', () => {
  const placesOf = (/** @type {object[]} */ ...all) =>
    gather(
      all.map(params => ({ queue: 'list', scenario: 'mixed', reason: 'slow', params: /** @type {any} */ (params) }))
    ).map(({ place }) => place)
  const [a, b, c, d] = [1000, 10_000].flatMap(size => [0, 50].map(expiring => ({ size, expiring })))
  assert.deepEqual(placesOf(a, b, c, d), ['mixed, size 1 000 and 10 000, expiring 0 and 50'])
  assert.deepEqual(placesOf(b, c, d), ['mixed, size 1 000, expiring 50', 'mixed, size 10 000, expiring 0 and 50'])
  assert.deepEqual(placesOf(a, a), ['mixed, size 1 000, expiring 0'])
  const reasons = ['too slow', 'dead'].map(reason => ({ queue: 'list', scenario: 'mixed', reason, params: {} }))
  assert.deepEqual(
    gather(reasons).map(({ place, reason }) => `${place}: ${reason}`),
    ['mixed: too slow', 'mixed: dead']
  )
})
