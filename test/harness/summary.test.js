import { test } from 'node:test'
import assert from 'node:assert/strict'
import { summarise } from '../../harness/summary.js'

const cell = { id: 'refresh heap v20', scenario: 'refresh', params: { size: 10 }, queue: 'heap', runtime: 'v20' }

/** @param {any[]} samples */
function summariseSamples (samples, { rounds = 3, ended = /** @type {string | null} */ ('later') } = {}) {
  const run = { command: [], started: 'now', ended, environment: {}, plan: { settings: { rounds, budgetSeconds: 80 }, queues: [], scenarios: [], cells: [cell] } }
  const complete = samples.map((sample, round) => ({ cell: cell.id, round, channel: 'time', metrics: {}, warnings: [], ...sample }))
  return summarise(/** @type {any} */ ({ directory: 'results/x', run, samples: complete, warnings: [] }))
}

const timeLimit = { failure: { kind: 'time-limit', message: 'no answer within 1 s' } }

test('a metric is the median over its samples, with an interval and how sure that is', () => {
  const { cells, skipped } = summariseSamples([{ metrics: { nsPerOp: 30 } }, { metrics: { nsPerOp: 10 } }, { metrics: { nsPerOp: 20 } }])
  assert.deepEqual(cells[0].metrics.nsPerOp, { unit: 'ns', better: 'lower', median: 20, low: 10, high: 30, n: 3, coverage: 0.75 })
  assert.deepEqual(skipped, [])
})

test('what is counted stands beside what is timed, alone', () => {
  const { cells } = summariseSamples([{ metrics: { nsPerOp: 30 } }, { channel: 'exact', metrics: { workPerOp: 7 } }])
  assert.deepEqual({ ...cells[0].metrics.workPerOp, coverage: 0 }, { unit: 'blocks', better: 'lower', median: 7, low: 7, high: 7, n: 1, coverage: 0 })
})

test('a cell of which nothing finished in time is skipped, with the reason', () => {
  const { cells, skipped } = summariseSamples([timeLimit])
  assert.deepEqual(cells, [])
  assert.deepEqual({ queue: skipped[0].queue, reason: skipped[0].reason }, { queue: 'heap', reason: 'no answer within 1 s' })
})

test('a sample lost to the time limit among valid ones is a warning', () => {
  const { cells, skipped } = summariseSamples([{ metrics: { nsPerOp: 30 } }, timeLimit])
  assert.equal(cells[0].metrics.nsPerOp.n, 1)
  assert.deepEqual(cells[0].warnings, ['a sample was lost: no answer within 1 s'])
  assert.deepEqual(skipped, [])
})

test('a crash skips the cell, and keeps what was measured before', () => {
  const { cells, skipped } = summariseSamples([{ metrics: { nsPerOp: 30 } }, { failure: { kind: 'crash', message: 'it died' } }])
  assert.equal(cells[0].metrics.nsPerOp.n, 1)
  assert.equal(skipped[0].kind, 'crash')
})

test('times of a queue that fires the wrong timers do not count', () => {
  const { cells, skipped } = summariseSamples([{ metrics: { nsPerOp: 30 } }, { failure: { kind: 'wrong', message: 'fired 3, the model 4' } }])
  assert.deepEqual(cells, [])
  assert.equal(skipped[0].kind, 'wrong')
})

test('warnings of one kind are given once, with their number', () => {
  const slow = (/** @type {number} */ ns) => ({ metrics: { nsPerOp: 1 }, warnings: [`rare slow cycles: ${ns} ns`] })
  assert.deepEqual(summariseSamples([slow(1), slow(2), slow(3)]).cells[0].warnings, ['rare slow cycles: 1 ns (and 2 more like it)'])
})

test('a run that did not end, or ran out of time, says so', () => {
  const sample = { metrics: { nsPerOp: 1 } }
  assert.match(summariseSamples([sample], { ended: null }).warnings[0], /did not end/)
  assert.match(summariseSamples([sample, sample]).warnings[0], /2 rounds of 3: the time budget of 80 s/)
  assert.deepEqual(summariseSamples([sample, sample, sample]).warnings, [])
})
