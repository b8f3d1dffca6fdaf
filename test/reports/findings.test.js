import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fitGrowth } from '../../harness/statistics/growth.js'
import { conclusion, crossovers, prosAndCons, undecided } from '../../reports/findings/index.js'

/**
 * A summary with one micro scenario, from figures by queue and size: the median, its interval 5 % to either side.
 *
 * @param {Record<string, Record<number, number>>} times
 * @param {object} [more]
 * @param {number} [more.spread]
 * @param {Record<string, Record<number, number>>} [more.work]
 */
function summaryOf (times, { spread = 0.05, work = {} } = {}) {
  const metric = (/** @type {number} */ median, unit = 'ns', wide = spread) =>
    ({ unit, better: 'lower', median, low: median * (1 - wide), high: median * (1 + wide), n: 5, coverage: 0.94 })
  const cells = Object.entries(times).flatMap(([queue, bySize]) => Object.entries(bySize).map(([size, ns]) => ({
    scenario: 'refresh',
    params: { size: Number(size) },
    queue,
    runtime: 'v20',
    metrics: { nsPerOp: metric(ns), ...(work[queue] ? { workPerOp: metric(work[queue][Number(size)], 'blocks', 0) } : {}) },
    warnings: []
  })))
  return /** @type {any} */ ({
    settings: { control: { micro: 'none', http: 'none' } },
    scenarios: [{ name: 'refresh', kind: 'micro', title: '' }],
    queues: Object.keys(times).map(name => ({ name })),
    cells,
    growth: [...growthOf('nsPerOp', times), ...growthOf('workPerOp', work)],
    skipped: []
  })
}

/**
 * @param {string} metric
 * @param {Record<string, Record<number, number>>} costs
 */
function growthOf (metric, costs) {
  return Object.entries(costs).filter(([, bySize]) => Object.keys(bySize).length > 2).map(([queue, bySize]) => ({
    scenario: 'refresh',
    runtime: 'v20',
    queue,
    params: {},
    parameter: 'size',
    metric,
    ...fitGrowth(Object.entries(bySize).map(([size, cost]) => ({ x: Number(size), cost })), true)
  }))
}

const TURNING = { array: { 10: 5, 100: 50, 1000: 500 }, wheel: { 10: 20, 100: 20, 1000: 20 } }

test('a crossover is interpolated along straight lines in log-log', () => {
  // 5 ns a decade of ten: 20 ns at 40 pending timers.
  assert.deepEqual(crossovers(summaryOf(TURNING)),
    ['Time per operation on refresh: below about 40 pending timers array is cheaper than wheel, above it dearer (5 against 20 ns at 10; 50 against 20 ns at 100).'])
})

test('no crossover is told where the intervals overlap', () => {
  assert.deepEqual(crossovers(summaryOf(TURNING, { spread: 0.99 })), [])
})

test('where sizes between are level, the crossover lies between those that are apart', () => {
  const times = { array: { 10: 5, 100: 20, 1000: 80 }, wheel: { 10: 20, 100: 20, 1000: 20 } }
  assert.match(crossovers(summaryOf(times))[0], /below about 100 pending timers .*at 10; .*at 1000/)
})

test('a queue that is the least everywhere, and one that is far from it, are told with their figures', () => {
  const [wheel, list] = prosAndCons(summaryOf({ wheel: { 10: 10, 1000: 12 }, list: { 10: 30, 1000: 3000 } }))
  assert.deepEqual(wheel.pros, ['Time per operation on refresh: the least at every size measured, 12 (11.4–12.6) ns at 1000, 0.0040x that of list, the next.'])
  assert.deepEqual(list.cons, ['Time per operation on refresh: 3000 (2850–3150) ns at 1000, 250 times the least (wheel).'])
})

test('growth is told by counted work', () => {
  const work = { list: { 10: 20, 100: 200, 1000: 2000 }, wheel: { 10: 2, 100: 2, 1000: 2 } }
  const times = { list: { 10: 30, 100: 300, 1000: 3000 }, wheel: { 10: 10, 100: 11, 1000: 12 } }
  const [list, wheel] = prosAndCons(summaryOf(times, { work }))
  assert.ok(list.cons.includes('Work on refresh grows as n^1.0 with pending timers: 20 at 10, 2000 at 1000 (basic blocks per operation).'))
  assert.ok(wheel.pros.includes('Work on refresh does not grow with pending timers: 2 at 10, 2 at 1000 (basic blocks per operation).'))
})

test('time that grows faster than work is told', () => {
  const work = { map: { 10: 5, 100: 5, 1000: 5 } }
  const [map] = prosAndCons(summaryOf({ map: { 10: 10, 100: 40, 1000: 160 } }, { work }))
  assert.match(map.cons[0], /^Time on refresh grows faster than work, 10 ns at 10 and 160 at 1000/)
})

test('queues whose intervals overlap everywhere are neither praised nor blamed', () => {
  const judged = prosAndCons(summaryOf({ one: { 10: 10, 100: 10 }, other: { 10: 10.1, 100: 9.9 } }))
  assert.deepEqual(judged.map(({ pros, cons }) => [...pros, ...cons]), [[], []])
  assert.match(undecided(summaryOf({ one: { 10: 10, 100: 10 }, other: { 10: 10.1, 100: 9.9 } }))[0], /which is the least, one or other at 10; other or one at 100\?/)
})

test('the queue for everything is the one that is never far from the least', () => {
  const times = { array: { 10: 5, 1000: 5000 }, wheel: { 10: 20, 1000: 20 }, heap: { 10: 12, 1000: 50 } }
  assert.match(conclusion(summaryOf(times)).short, /take heap: in 2 comparisons without a server it never takes more than 2\.50 times the least \(time per operation on refresh at 1000\)/)
})

test('nothing measured, nothing concluded', () => {
  assert.deepEqual(conclusion(summaryOf({})), { short: 'Nothing was measured.', points: [] })
})
