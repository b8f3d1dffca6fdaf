/** The report of a run: its command, and its caveats. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { runDocument } from '../../../reports/documents/run.js'
import { gather } from '../../../reports/gather.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { heatsRun } from '../fixture.js'

/** @import { Summary } from '../../../harness/judge/summary.js' */

/** @param {Partial<Summary>} changed */
function render (changed) {
  const { results, summary } = heatsRun()
  return renderMarkdown(runDocument(results, { ...summary, ...changed }), 'pictures')
}

test('the command to repeat a run leaves out its folder, which is not empty any more', () => {
  assert.match(
    render({ command: ['timerq', 'run', '--out', 'results/x', '--queue', './my queue.js', '--out=results/y'] }),
    /\ntimerq run --queue '\.\/my queue\.js' --seed 1\n/
  )
})

test('skipped cells, warnings and open tables are caveats', () => {
  const {
    summary: {
      cells: [cell]
    }
  } = heatsRun()
  const place = { scenario: 'trace', params: {}, queue: 'wheel', runtime: 'v20' }
  const text = render({
    skipped: [{ ...place, kind: 'crash', reason: 'it died' }],
    cells: [{ ...cell, ...place, warnings: [{ kind: 'put-off', text: '7 ns' }] }]
  })
  assert.match(text, /^- wheel on trace: it died\.$/m)
  assert.match(text, /^- wheel on trace: 7 ns\.$/m)
  assert.match(
    text,
    /^The fastest queue is open in 1 of 4 tables; more rounds are needed:\n\n- keep-alive, 50 connections: node, duration-lists, binary-heap or sorted-list\.$/m
  )
})

test('remarks on places in which every value goes with every other are merged', () => {
  const slow = { queue: 'list', scenario: 'mixed', reason: 'too slow' }
  const placesOf = (/** @type {[number, number][]} */ places) =>
    gather(places.map(([size, expiring]) => ({ ...slow, params: { size, expiring } }))).map(({ place }) => place)
  assert.deepEqual(
    placesOf([
      [1000, 0],
      [1000, 50],
      [10_000, 0],
      [10_000, 50]
    ]),
    ['mixed, size 1 000 and 10 000, expiring 0 and 50']
  )
  assert.deepEqual(
    placesOf([
      [1000, 50],
      [10_000, 0],
      [10_000, 50]
    ]),
    ['mixed, size 1 000, expiring 50', 'mixed, size 10 000, expiring 0 and 50']
  )
  assert.deepEqual(
    placesOf([
      [1000, 0],
      [1000, 0]
    ]),
    ['mixed, size 1 000, expiring 0']
  )
  assert.deepEqual(
    gather([
      { ...slow, params: {} },
      { ...slow, reason: 'dead', params: {} }
    ]).map(({ place, reason }) => `${place}: ${reason}`),
    ['mixed: too slow', 'mixed: dead']
  )
})
