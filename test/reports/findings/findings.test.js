import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fitGrowth } from '../../../harness/judge/growth.js'
import * as findings from '../../../reports/findings/index.js'

/** @param {any} summary */
const crossovers = summary => findings.crossovers(summary, findings.contestsOf(summary))
/** @param {any} summary */
const prosAndCons = summary => findings.prosAndCons(summary, findings.contestsOf(summary))
/** @param {any} summary */
const undecided = summary => findings.undecided(findings.contestsOf(summary))
/** @param {any} summary */
const conclusion = summary => findings.conclusion(summary, findings.contestsOf(summary))

/**
 * A summary with one micro scenario, from figures by queue and size: the median, its interval 5 % to either side.
 *
 * @param {Record<string, Record<number, number>>} times
 * @param {object} [more]
 * @param {number} [more.spread]
 * @param {number} [more.n]  Samples.
 * @param {string} [more.parameter]
 * @param {Record<string, Record<number, number>>} [more.work]
 */
function summaryOf (times, { spread = 0.05, n = 5, parameter = 'size', work = {} } = {}) {
  const metric = (/** @type {number} */ median, unit = 'ns', wide = spread) =>
    ({ unit, better: 'lower', median, low: median * (1 - wide), high: median * (1 + wide), n, coverage: 0.94 })
  const cells = Object.entries(times).flatMap(([queue, bySize]) => Object.entries(bySize).map(([size, ns]) => ({
    scenario: 'refresh',
    params: { [parameter]: Number(size) },
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
    ['Time per operation on refresh: array costs less than wheel from 10 to about 40 pending timers, and more from there to 1 000 (5 against 20 ns at 10; 50 against 20 ns at 100).'])
})

test('no crossover is reported where the intervals overlap', () => {
  assert.deepEqual(crossovers(summaryOf(TURNING, { spread: 0.99 })), [])
})

test('two crossovers do not contradict each other: each lies between its own neighbours', () => {
  assert.deepEqual(crossovers(summaryOf({ a: { 10: 5, 100: 50, 1000: 20 }, b: { 10: 20, 100: 20, 1000: 50 } })), [
    'Time per operation on refresh: a costs less than b from 10 to about 40 pending timers, and more from there to 100 (5 against 20 ns at 10; 50 against 20 ns at 100).',
    'Time per operation on refresh: b costs less than a from 100 to about 320 pending timers, and more from there to 1 000 (20 against 50 ns at 100; 50 against 20 ns at 1 000).'
  ])
})

test('a crossover holds as far as the intervals stay apart', () => {
  const times = { array: { 1: 20, 10: 5, 100: 50, 1000: 20 }, wheel: { 1: 20, 10: 20, 100: 20, 1000: 20 } }
  assert.match(crossovers(summaryOf(times))[0], /: array costs less than wheel from 10 to about 40 pending timers, and more from there to 100 /)
})

test('where medians cross several times between sizes that are apart, no size is named', () => {
  const times = { array: { 10: 5, 100: 20.1, 300: 19.9, 1000: 80 }, wheel: { 10: 20, 100: 20, 300: 20, 1000: 20 } }
  assert.deepEqual(crossovers(summaryOf(times)),
    ['Time per operation on refresh: array costs less than wheel at 10 pending timers and more at 1 000; they cross several times between (5 against 20 ns at 10; 80 against 20 ns at 1 000).'])
})

test('where queues tie at sizes between, the crossover lies between those that are apart', () => {
  const times = { array: { 10: 5, 100: 20, 1000: 80 }, wheel: { 10: 20, 100: 20, 1000: 20 } }
  assert.match(crossovers(summaryOf(times))[0], /from 10 to about 100 pending timers, .*at 10; .*at 1 000/)
})

test('a queue that is lowest everywhere, and one that is far from it, are reported with their figures', () => {
  const [wheel, list] = prosAndCons(summaryOf({ wheel: { 10: 10, 1000: 12 }, list: { 10: 30, 1000: 3000 } }))
  assert.deepEqual(wheel.pros, ['Time per operation on refresh: lowest at every value of size, 12 (11.4–12.6) ns at 1 000, 0.0040x that of list, the next.'])
  assert.deepEqual(list.cons, ['Time per operation on refresh: 3000 (2850–3150) ns at 1 000, 250 times the lowest (wheel).'])
})

test('growth is reported by counted work', () => {
  const work = { list: { 10: 20, 100: 200, 1000: 2000 }, wheel: { 10: 2, 100: 2, 1000: 2 } }
  const times = { list: { 10: 30, 100: 300, 1000: 3000 }, wheel: { 10: 10, 100: 11, 1000: 12 } }
  const [list, wheel] = prosAndCons(summaryOf(times, { work }))
  assert.ok(list.cons.includes('Work on refresh grows as n^1.0 with pending timers: 20 at 10, 2000 at 1 000 (basic blocks per operation).'))
  assert.ok(wheel.pros.includes('Work on refresh does not grow with pending timers: 2 at 10, 2 at 1 000 (basic blocks per operation).'))
})

test('time that grows faster than work is reported', () => {
  const work = { map: { 10: 5, 100: 5, 1000: 5 } }
  const [map] = prosAndCons(summaryOf({ map: { 10: 10, 100: 40, 1000: 160 } }, { work }))
  assert.match(map.cons[0], /^Time on refresh grows faster than work, 10 ns at 10 and 160 at 1 000/)
})

test('queues whose intervals overlap everywhere are neither praised nor blamed', () => {
  const judged = prosAndCons(summaryOf({ one: { 10: 10, 100: 10 }, other: { 10: 10.1, 100: 9.9 } }))
  assert.deepEqual(judged.map(({ pros, cons }) => [...pros, ...cons]), [[], []])
  assert.match(undecided(summaryOf({ one: { 10: 10, 100: 10 }, other: { 10: 10.1, 100: 9.9 } }))[0], /which is lowest, one or other at 10; other or one at 100\? The intervals overlap; more rounds are needed\.$/)
})

test('the queue for everything is the one that is never far from the fastest', () => {
  const times = { array: { 10: 5, 1000: 5000 }, wheel: { 10: 20, 1000: 20 }, heap: { 10: 12, 1000: 50 } }
  assert.match(conclusion(summaryOf(times)).points[0], /take heap: in 2 comparisons without a server it is at worst 2\.50 times as slow as the fastest \(time per operation on refresh at 1 000\)/)
})

test('a queue is called further from the fastest only where its intervals show it', () => {
  assert.match(conclusion(summaryOf({ wheel: { 10: 10, 100: 10 }, list: { 10: 30, 100: 300 } })).points[0], / No other queue stays as close everywhere\.$/)
  assert.match(conclusion(summaryOf({ a: { 10: 10, 100: 20 }, b: { 10: 20, 100: 10 } })).points[0],
    /take a: .* at worst 2 times as slow as the fastest \(.* at 100\)\. Another may stay as close: b is at worst 2 times as slow as the fastest \(.* at 10\)\.$/)
  assert.match(conclusion(summaryOf({ a: { 10: 10, 100: 10 }, b: { 10: 10, 100: 20 } }, { n: 1 })).points[0], /Another may stay as close/)
  assert.match(conclusion(summaryOf({ a: { 10: 10, 100: 10 }, b: { 10: 5 }, c: { 100: 5 } })).points[0], /take a: .* No other queue was measured in all of them\.$/)
})

test('the sum of two phases is no better known than the phase with fewer samples', () => {
  const summary = summaryOf({ wheel: { 10: 10, 100: 10 }, list: { 10: 100, 100: 300 } })
  for (const { metrics } of summary.cells) {
    metrics.startNsPerTimer = metrics.nsPerOp
    metrics.expireNsPerTimer = { ...metrics.nsPerOp }
  }
  assert.match(conclusion(summary).points[0], /No other queue stays as close everywhere/)
  for (const { metrics } of summary.cells) metrics.expireNsPerTimer.n = 1
  assert.match(conclusion(summary).points[0], /Another may stay as close/)
})

test('where asking for the next timer and looking for due ones are timed apart, both count for everything', () => {
  const summary = summaryOf({ a: { 1: 1, 100: 1 }, b: { 1: 1, 100: 1 } })
  for (const { queue, metrics } of summary.cells) {
    metrics.nextExpiryNsPerCall = { ...metrics.nsPerOp, median: queue === 'a' ? 10 : 20 }
    metrics.advanceNsPerCall = { ...metrics.nsPerOp, median: 10 }
  }
  const { points } = conclusion(summary)
  assert.match(points[0], /at worst 1\.50 times as slow as the fastest \(time to ask when the next timer is due and to look for due ones on refresh at 1\)/)
  assert.deepEqual(points.slice(1).map(point => point.split(' on ')[0]), ['Time to ask when the next timer is due', 'Time to look for due timers'])
})

test('one sample a cell shows nothing', () => {
  const one = summaryOf({ array: { 10: 5, 1000: 500 }, wheel: { 10: 20, 1000: 20 } }, { spread: 0, n: 1 })
  assert.deepEqual(crossovers(one), [])
  assert.deepEqual(prosAndCons(one).map(({ pros, cons }) => [...pros, ...cons]), [[], []])
  assert.ok(conclusion(one).points.includes('Time per operation on refresh: the lowest is array at 10 (5 ns, tied with wheel), then wheel at 1 000 (20 ns, tied with array).'))
  assert.deepEqual(undecided(one),
    ['Time per operation on refresh: which is lowest, array or wheel at 10; wheel or array at 1 000? One sample has no interval; more rounds are needed.'])
  assert.match(conclusion(summaryOf({ array: { 10: 5 }, wheel: { 10: 20 } }, { spread: 0, n: 1 })).points[0], /no clear winner/)
})

/** Medians rise from heap to array, and the interval of array alone reaches down to heap. */
function wideSummary () {
  const summary = summaryOf({ heap: { 10: 5, 100: 5, 1000: 5 }, wheel: { 10: 10, 100: 10, 1000: 10 }, array: { 10: 100, 100: 100, 1000: 100 } })
  for (const { queue, params, metrics } of summary.cells) if (queue === 'array' && params.size < 1000) metrics.nsPerOp.low = 4
  return summary
}

test('a queue ties with the lowest wherever their intervals overlap, whatever its median', () => {
  assert.ok(conclusion(wideSummary()).points.includes(
    'Time per operation on refresh: the lowest is heap from 10 to 1 000 (5 (4.75–5.25) ns at 1 000, tied with array at 10 and 100).'))
  assert.match(undecided(wideSummary())[0], /which is lowest, heap or array at 10; heap or array at 100\?/)
  assert.deepEqual(prosAndCons(wideSummary())[0].pros, ['Time per operation on refresh: lowest at every value of size, 5 (4.75–5.25) ns at 1 000, ' +
    '0.50x that of wheel, the next; tied with array at 10 and 100.'])
})

test('only medians make a queue near the lowest, not intervals that happen to overlap', () => {
  const summary = summaryOf({ wheel: { 10: 10, 100: 10 }, heap: { 10: 11, 100: 160 }, list: { 10: 90, 100: 90 } })
  for (const { queue, params, metrics } of summary.cells) if (queue === 'heap' && params.size === 100) metrics.nsPerOp.low = 10
  assert.deepEqual(prosAndCons(summary)[1], { queue: 'heap', pros: [], cons: [] })
})

test('what is clearly higher than the lowest and not near it counts against a queue, where it is worst', () => {
  const [, heap] = prosAndCons(summaryOf({ wheel: { 10: 10, 100: 10 }, heap: { 10: 16, 100: 15 } }))
  assert.deepEqual(heap.cons, ['Time per operation on refresh: 16 (15.2–16.8) ns at 10, 1.60 times the lowest (wheel).'])
})

test('a queue leads or is near the lowest at the values where it was measured', () => {
  const [wheel] = prosAndCons(summaryOf({ wheel: { 10: 10, 100: 10 }, list: { 10: 30, 100: 300 } }, { parameter: 'connections' }))
  assert.match(wheel.pros[0], /: lowest at every value of connections, /)
  const [heap, list] = prosAndCons(summaryOf({ heap: { 10: 10, 100: 10 }, list: { 10: 12, 100: 12 }, wheel: { 10: 30, 100: 30, 1000: 10 } }))
  assert.match(heap.pros[0], /: lowest at 10 and 100, /)
  assert.match(list.pros[0], /: near the lowest at 10 and 100, /)
})

/** @param {number} n */
function mappedSummary (n) {
  const summary = summaryOf({ heap: { 10: 10, 100: 10, 1000: 50 }, wheel: { 10: 10.1, 100: 30, 1000: 10 } }, { n })
  const other = structuredClone(summary.cells)
  for (const { params } of summary.cells) params.share = 1
  for (const { params } of other) params.share = 2
  return { ...summary, cells: [...summary.cells, ...other], growth: [] }
}

test('over two parameters, combinations are counted, and those in doubt among them', () => {
  const on = 'Time per operation on refresh'
  const map = mappedSummary(5)
  assert.ok(conclusion(map).points.includes(`${on}: of 6 combinations of size and share, the lowest is heap at 4 (tied with others at 2), wheel at 2.`))
  assert.deepEqual(undecided(map), [`${on}: others tie with the lowest at 2 of 6 combinations.`])
  const [heap] = prosAndCons(map)
  assert.deepEqual(heap.pros, [`${on}: lowest at 4 of 6 combinations of size and share (tied with others at 2).`])
  assert.deepEqual(heap.cons, [`${on}: up to 5 times the lowest (wheel), at size 1 000, share 1: 50 (47.5–52.5) ns.`])
  assert.deepEqual(prosAndCons(mappedSummary(1))[0], { queue: 'heap', pros: [], cons: [] })
})

test('nothing measured, nothing concluded', () => {
  assert.deepEqual(conclusion(summaryOf({})), { answer: { kind: 'answer', text: 'Nothing was measured.', reasons: [] }, points: [] })
})

test('the answer for a hurried reader is two plain sentences: the queue for everything, and the server', () => {
  const summary = summaryOf({ array: { 10: 5, 1000: 5000 }, wheel: { 10: 20, 1000: 20 }, heap: { 10: 12, 1000: 50 } })
  const served = (/** @type {string} */ queue, /** @type {number} */ median) => ({
    scenario: 'keep-alive',
    params: {},
    queue,
    runtime: 'v20',
    metrics: { cpuMicrosPerRequest: { unit: 'µs', better: 'lower', median, low: median - 1, high: median + 1, n: 5, coverage: 0.94 } },
    warnings: []
  })
  const answerWith = (/** @type {number} */ heap) => {
    const { answer: { text, reasons } } = conclusion({
      ...summary,
      scenarios: [...summary.scenarios, { name: 'keep-alive', kind: 'http', title: '' }],
      cells: [...summary.cells, served('wheel', 12), served('heap', heap)]
    })
    return [text, ...reasons]
  }
  const forAll = 'Take heap if one queue must do for everything: at worst it is 2.50 times as slow as the fastest.'
  assert.deepEqual(answerWith(13), [forAll, 'No queue clearly has the lowest server CPU per request on keep-alive: the medians are 12 to 13 µs.'])
  assert.deepEqual(answerWith(20), [forAll, 'wheel has the lowest server CPU per request on keep-alive, 12 µs.'])
})

test('queues that are as far from the fastest as each other are named together, as a tie', () => {
  const times = { a: { 10: 10, 100: 20.2 }, b: { 10: 20, 100: 10 } }
  assert.equal(conclusion(summaryOf(times)).answer.text, 'Take b or a if one queue must do for everything: at worst they are 2 and 2.02 times as slow as the fastest, a tie.')
})

/**
 * A server's summary with the ratios of heats to the control, node; the absolute medians are noise, and overlap.
 *
 * @param {Record<string, [low: number, median: number, high: number]>} ratios  By queue.
 * @param {{n?: number, medians?: Record<string, number>}} [more]
 */
function heatsSummary (ratios, { n = 8, medians = {} } = {}) {
  const cell = (/** @type {string} */ queue, /** @type {object} */ ratio) => ({
    scenario: 'keep-alive',
    params: {},
    queue,
    runtime: 'v20',
    metrics: { cpuMicrosPerRequest: { unit: 'µs', better: 'lower', median: medians[queue] ?? 100, low: 50, high: 150, n, coverage: 0.96, ...ratio } },
    warnings: []
  })
  return /** @type {any} */ ({
    settings: { control: { micro: 'none', http: 'node' } },
    scenarios: [{ name: 'keep-alive', kind: 'http', title: '' }],
    queues: ['node', ...Object.keys(ratios)].map(name => ({ name })),
    cells: [cell('node', {}), ...Object.entries(ratios).map(([queue, [low, median, high]]) =>
      cell(queue, { ratio: { to: 'node', by: 'heat', median, low, high, n, coverage: n === 2 ? 0.5 : 0.95 } }))],
    growth: [],
    skipped: []
  })
}

/** @param {any} summary */
const firstPoint = summary => conclusion(summary).points[0]

test('queues are compared by their ratios where heats gave them, whatever their absolute times', () => {
  // The absolute median of the heap is the lowest, by the machine's luck.
  const summary = heatsSummary({ heap: [1.1, 1.12, 1.14], list: [1.3, 1.32, 1.35] }, { medians: { heap: 70, list: 90 } })
  assert.equal(firstPoint(summary), 'Server CPU per request on keep-alive: node is the lowest, 100 (50–150) µs; clearly higher: heap (1.12x), list (1.32x).')
  assert.deepEqual(undecided(summary), [])
  assert.deepEqual(prosAndCons(summary)[2].cons, ['Server CPU per request on keep-alive: 90 µs (1.30–1.35x node), 1.32 times the lowest (node).'])
  const { text: first } = conclusion(summary).answer
  assert.equal(first, 'node has the lowest server CPU per request on keep-alive, 100 (50–150) µs.')
})

test('the control is apart from a queue whose interval leaves out 1, and two others are if their intervals are apart', () => {
  const lowest = (/** @type {any} */ ratios) => conclusion(heatsSummary(ratios)).answer.text
  assert.match(lowest({ heap: [0.8, 0.85, 0.9], list: [0.89, 0.95, 1.01] }), /^heap has the lowest .*, 100 µs \(0\.80–0\.90x node\); list may be as low\.$/)
  assert.match(lowest({ heap: [0.8, 0.85, 0.88], list: [0.89, 0.95, 1.01] }), /^heap has the lowest .*, 100 µs \(0\.80–0\.88x node\)\.$/)
  assert.equal(lowest({ heap: [0.99, 1.1, 1.2] }), 'No queue clearly has the lowest server CPU per request on keep-alive: the ratios to node are 1.00x to 1.10x (0.99–1.20).')
})

test('a queue that is shown to be within 5 % of the lowest is level with it, and nothing is left open', () => {
  const level = heatsSummary({ heap: [1.01, 1.02, 1.03], list: [1.2, 1.21, 1.22] })
  assert.equal(conclusion(level).answer.text, 'node has the lowest server CPU per request on keep-alive, 100 (50–150) µs; level within 5 %: heap.')
  assert.match(conclusion(level).points[0], /; level within 5 %: heap; clearly higher: list \(1\.21x\)\.$/)
  assert.match(prosAndCons(level)[0].pros[0], /: lowest, 100 \(50–150\) µs; level within 5 % with heap\.$/)
  assert.deepEqual(undecided(level), [])
  const all = heatsSummary({ heap: [0.98, 1, 1.03] })
  assert.equal(conclusion(all).answer.text, 'All queues are level within 5 % in server CPU per request on keep-alive: the ratios to node are 1.00x to 1.00x (0.98–1.03).')
  assert.deepEqual([undecided(all), prosAndCons(all).flatMap(({ pros, cons }) => [...pros, ...cons])], [[], []])
  assert.equal(undecided(heatsSummary({ heap: [0.98, 1, 1.06] })).length, 1)
})

test('two heats show gross differences only, for their range misses the true ratio half of the time', () => {
  const two = heatsSummary({ heap: [1.1, 1.12, 1.14], list: [9, 9.5, 10] }, { n: 2 })
  assert.match(conclusion(two).points[0], /tied with heap; clearly higher: list \(9\.50x\)/)
  assert.match(undecided(two)[0], /which is lowest, node or heap\? Two heats show gross differences only; more rounds are needed\.$/)
  assert.match(undecided(heatsSummary({ list: [9, 9, 9] }, { n: 1 }))[0], /One sample has no interval/)
})

test('ratios of rounds, one after the other, decide nothing: there medians do', () => {
  const summary = heatsSummary({ heap: [1.1, 1.12, 1.14] })
  for (const { metrics } of summary.cells) if (metrics.cpuMicrosPerRequest.ratio) metrics.cpuMicrosPerRequest.ratio.by = 'round'
  assert.match(firstPoint(summary), /no clear winner; the medians lie between 100 \(50–150\) µs \(node\) and/)
})

test('crossovers follow the ratios', () => {
  const summary = summaryOf({ list: { 10: 20, 1000: 20 }, heap: { 10: 20, 1000: 20 } }, { spread: 0.5 })
  summary.settings.control.micro = 'list'
  for (const { queue, params, metrics } of summary.cells) {
    const median = params.size === 10 ? 0.5 : 2
    if (queue === 'heap') metrics.nsPerOp.ratio = { to: 'list', by: 'heat', median, low: median * 0.98, high: median * 1.02, n: 8, coverage: 0.95 }
  }
  assert.deepEqual(crossovers(summary), ['Time per operation on refresh: heap costs less than list from 10 to about 100 pending timers, ' +
    'and more from there to 1 000 (10 against 20 ns at 10; 40 against 20 ns at 1 000).'])
})
