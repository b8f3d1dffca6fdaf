/** The history as a terminal and a report show it. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { historyDocument } from '../../../reports/documents/history.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { picturesOf } from '../../../reports/render/pictures.js'
import { renderTerminal } from '../../../reports/render/terminal.js'
import { assertGolden } from '../assert-golden.js'

/** @import { History } from '../../../harness/judge/history.js' */

const place = { scenario: 'refresh-one-duration', params: { size: 1000 }, runtime: 'v20.20.2', better: 'lower' }

/**
 * @param {string} queue
 * @param {string} metric
 * @param {number[]} medians  Run by run.
 * @param {[low: number, high: number]} interval  Of the ratio of the latest run to the runs before it.
 */
function trendOf (queue, metric, medians, [low, high]) {
  const exact = metric === 'workPerOp'
  const value = /** @type {number} */ (medians.at(-1))
  const [spread, before] = [exact ? 0 : value / 50, medians[0]]
  const points = medians.map((median, run) => ({ run, median, low: median - spread, high: median + spread }))
  const latest = {
    value,
    before,
    runs: medians.length - 1,
    ratio: value / before,
    low,
    high,
    changed: low > 1 || high < 1
  }
  return {
    ...place,
    queue,
    metric,
    unit: exact ? 'blocks' : 'ns',
    exact,
    points,
    toControl: !exact && queue !== 'duration-lists',
    latest: medians.length === 1 ? null : latest,
    drift: queue === 'drifting' ? { ratio: 1.045, low: 1.03, high: 1.06, changed: true } : null
  }
}

const history = /** @type {History} */ (
  /** @type {any} */ ({
    format: 'timerq-history/1',
    runs: [1, 2, 3].map(day => ({
      directory: `results/${day}`,
      started: `2026-01-0${day}T00:00:00.000Z`,
      gitCommit: `c0ffee${day}`,
      machine: '2 x AMD EPYC, 24 GiB'
    })),
    trends: [
      trendOf('binary-heap', 'nsPerOp', [20, 20.4, 26], [1.21, 1.39]),
      trendOf('binary-heap', 'workPerOp', [8.4, 8.4, 9.5], [9.5 / 8.4, 9.5 / 8.4]),
      trendOf('lazy-wheel', 'nsPerOp', [6, 6.1, 5], [0.8, 0.9]),
      trendOf('duration-lists', 'nsPerOp', [8, 8.1, 8.05], [0.97, 1.04]),
      trendOf('duration-lists', 'workPerOp', [8, 8, 8], [1, 1]),
      trendOf('new-queue', 'nsPerOp', [7], [1, 1]),
      trendOf('drifting', 'nsPerOp', [1, 1.01, 1.01], [0.99, 1.03])
    ],
    warnings: ['1 of 3 runs are from another machine']
  })
)

test('the history fits 80 columns of a terminal, and is the same as when somebody last read it', () => {
  const text = renderTerminal(historyDocument(history), picocolors.createColors(false))
  for (const line of text.split('\n').filter(line => !line.startsWith('4 of'))) {
    assert.ok(line.length <= 80, `${line.length} ${line}`)
  }
  assertGolden('history.txt', text)
  assert.match(text, /^4 of 7 trends changed in the latest of 3 runs/m)
})

test('changes are named worse or better, and drawn; steady trends are listed with all others', () => {
  const document = historyDocument(history)
  const [changed, all] = renderMarkdown(document, 'pictures').split('## All trends')
  const judged = [...changed.matchAll(/^\| (\S+) .*\| (worse|better)\b/gm)].map(
    ([, queue, judgement]) => `${queue} ${judgement}`
  )
  assert.deepEqual(judged, ['binary-heap worse', 'binary-heap worse', 'lazy-wheel better', 'drifting worse'])
  assert.match(all, /\| duration-lists .*\| +\+0\.6 % \(-3\.0 to \+4\.0\) /)
  assert.match(all, /\| new-queue .*\| +- \| +7 \| +- /)
  assert.deepEqual(
    picturesOf(document).map(({ name }) => name),
    [1, 2].flatMap(n => [`trend-${n}.svg`, `trend-${n}-dark.svg`])
  )
})
