import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cellId } from '../../../harness/model/cell.js'
import { createPlan, planHeats } from '../../../harness/plan/plan.js'
import { summarise } from '../../../harness/judge/summary.js'
import { figuresOf } from '../../../reports/figures/index.js'
import { heatsRun, smallRun } from '../fixture.js'

/**
 * The figures of one micro scenario.
 *
 * @param {{params: Record<string, number>, queue: string, metrics: Record<string, [number, number, number]>}[]} cells  low, median and high
 * @param {number} n  Samples.
 */
function draw (cells, n) {
  const summary = /** @type {any} */ ({
    settings: { control: { micro: 'none' } },
    scenarios: [{ name: 'refresh', kind: 'micro', title: '' }],
    queues: [...new Set(cells.map(({ queue }) => queue))].map(name => ({ name })),
    cells: cells.map(({ metrics, ...cell }) => ({
      ...cell,
      scenario: 'refresh',
      runtime: 'v20',
      metrics: Object.fromEntries(Object.entries(metrics).map(([name, [low, median, high]]) => [name, { unit: 'ns', better: 'lower', low, median, high, n }])),
      warnings: []
    })),
    growth: [],
    skipped: []
  })
  return figuresOf(/** @type {any} */ ({ samples: [] }), summary).map(({ figure }) => figure)
}

test('only what is counted is said to be the same every time', () => {
  const notes = (/** @type {number[]} */ sizes, /** @type {number} */ n) => draw(sizes.map(size => (
    { params: { size }, queue: 'heap', metrics: { nsPerOp: [5, 5, 5], workPerOp: [8, 8, 8], bytesPerTimer: [56, 56, 56] } }
  )), n).map(({ subtitle }) => subtitle.split('; ').pop())
  const counted = 'counted, the same every time'
  assert.deepEqual(notes([10, 100], 1), ['one sample each: no intervals', counted, counted])
  assert.deepEqual(notes([10, 100], 5), ['bands are intervals of the medians', counted, counted])
  assert.deepEqual(notes([10], 1), ['one sample each: no intervals', counted, counted])
  assert.deepEqual(notes([10], 5), ['whiskers are intervals of the medians', counted, counted])
})

test('the phases of a cycle are drawn, not their sum', () => {
  const figures = draw([{ params: {}, queue: 'heap', metrics: { nsPerOp: [5, 5, 5], nextExpiryNsPerCall: [2, 2, 2], advanceNsPerCall: [3, 3, 3] } }], 5)
  assert.deepEqual(figures.map(({ title }) => title), ['refresh: time to ask when the next timer is due', 'refresh: time to look for due timers'])
})

/**
 * What the cheapest ties with, by size and share.
 *
 * @param {Record<string, [number, number, number]>} costs  By queue.
 * @param {number} n
 */
function tiesOf (costs, n) {
  const places = [10, 100].flatMap(size => [1, 2].map(share => ({ size, share })))
  const cells = places.flatMap(params => Object.entries(costs).map(([queue, figures]) => ({ params, queue, metrics: { nsPerOp: figures } })))
  const [map] = draw(cells, n)
  assert.ok(map.kind === 'map')
  return [...new Set(map.fields.map(({ tiedWith }) => tiedWith))]
}

test('on a map a queue ties with all whose intervals reach it, and with all where there is one sample', () => {
  assert.deepEqual(tiesOf({ heap: [4, 5, 6], wheel: [9, 10, 11], list: [5, 50, 60] }, 5), ['list'])
  assert.deepEqual(tiesOf({ heap: [4, 5, 6], wheel: [9, 10, 11] }, 5), [null])
  assert.deepEqual(tiesOf({ heap: [5, 5, 5], wheel: [10, 10, 10], list: [50, 50, 50] }, 1), ['wheel and 1 more'])
})

test('pauses of every kind that the server reports are drawn', () => {
  const kinds = ['minor', 'incremental', 'major', 'weakCallbacks', 'other']
  const place = { scenario: 'keep-alive', params: {}, queue: 'heap', runtime: 'v20' }
  const collections = Object.fromEntries(kinds.map((kind, i) => [kind, { count: 1, pauseMs: i + 1, longestMs: i + 1 }]))
  const sample = { ...place, cell: cellId(place), kind: 'alone', metrics: {}, details: { window: { collections, windowMs: 1000 } } }
  const summary = {
    settings: { control: { http: 'none' } },
    scenarios: [{ name: 'keep-alive', kind: 'http', title: '' }],
    queues: [{ name: 'heap' }],
    cells: [{ ...place, metrics: {}, warnings: [] }],
    growth: [],
    skipped: []
  }
  const [{ figure }] = figuresOf(/** @type {any} */ ({ samples: [sample] }), /** @type {any} */ (summary))
  assert.ok(figure.kind === 'bars')
  assert.deepEqual(figure.parts, ['minor', 'incremental', 'major', 'weak callbacks', 'other'])
  assert.deepEqual(figure.rows[0].values, [1, 2, 3, 4, 5])
})

test('where there are heats, the first figure of a scenario shows ratios to the control, on a logarithmic axis', () => {
  const { results, summary } = heatsRun()
  const figures = figuresOf(results, summary).map(({ figure }) => figure)
  const [curves, dots] = ['refresh-one-duration', 'keep-alive'].map(scenario => figures.find(({ title }) => title.startsWith(scenario)))
  assert.ok(curves?.kind === 'lines' && dots?.kind === 'dots')
  assert.deepEqual([curves.title, curves.y, curves.subtitle], ['refresh-one-duration: time per operation, ratio to duration-lists',
    { title: 'times duration-lists', log: true }, 'Node v20.20.2; bands are intervals over 4 heats; = control'])
  const control = curves.series.find(({ control }) => control)
  assert.deepEqual(control?.points.map(({ value, low, high }) => [value, low, high]), Array(3).fill([1, 1, 1]))
  assert.deepEqual([dots.x, dots.reference], [{ title: 'times node', log: true }, { value: 1, title: 'node' }])
  assert.ok(figures.some(({ title }) => title === 'keep-alive: server CPU per request'), 'the absolute figure stays')
  assert.ok(!figuresOf(smallRun().results, smallRun().summary).some(({ figure }) => figure.title.includes('ratio to')))
})

test('latency is that of servers which had the machine for themselves', () => {
  const { results, summary } = heatsRun()
  const latencyOf = (/** @type {(sample: any) => boolean} */ isTaken) =>
    figuresOf({ ...results, samples: [...results.samples].filter(isTaken) }, summary).find(({ figure }) => figure.title === 'keep-alive: latency')?.figure
  assert.deepEqual(latencyOf(() => true), latencyOf(({ kind }) => kind === 'alone'))
  assert.notDeepEqual(latencyOf(() => true), latencyOf(({ kind }) => kind === 'heat'))
})

/**
 * The figures of a sweep of slack on a machine whose speed differs from heat to heat.
 *
 * @param {Record<string, Record<number, {cost: number, lateMs: number}>>} queues  By slack.
 * @param {number[]} slack
 */
function drawSlack (queues, slack) {
  const plan = createPlan(/** @type {any} */ ({
    settings: { seed: 1, rounds: 3, budgetSeconds: null, control: { micro: 'lists' } },
    queues: Object.keys(queues).map(name => ({ name, origin: 'own' })),
    scenarios: [{ name: 'cache', kind: 'micro', title: '', values: { slack } }],
    runtimes: [{ name: 'v20', path: 'node', flags: [] }]
  }))
  const figuresAt = (/** @type {any} */ { queue, params }) => queues[queue][params.slack]
  let speed = 1
  const timed = [0, 1, 2].flatMap(round => planHeats(plan, round)).flatMap(({ id, cells, round }) => {
    speed *= 1.7
    return cells.map(cell => {
      const nsPerOp = speed * figuresAt(cell).cost
      return { cell: cell.id, round, kind: 'heat', heat: id, heatSize: cells.length, metrics: { nsPerOp }, slices: { nsPerOp: [nsPerOp] }, warnings: [] }
    })
  })
  const counted = plan.cells.map(cell => ({ cell: cell.id, round: 0, kind: 'count', metrics: { virtualLatenessP99Ms: figuresAt(cell).lateMs }, warnings: [] }))
  const results = /** @type {any} */ ({ directory: '', run: { command: [], started: '', ended: '', environment: {}, plan }, samples: /** @type {any} */ ([...timed, ...counted]), warnings: [] })
  return figuresOf(results, summarise(results)).map(({ figure }) => figure)
}

const SLACK = {
  lists: { 0: { cost: 10, lateMs: 0 }, 64: { cost: 15, lateMs: 62 }, 1024: { cost: 40, lateMs: 1012 } },
  coarse: { 0: { cost: 20, lateMs: 506 }, 64: { cost: 18, lateMs: 506 }, 1024: { cost: 16, lateMs: 1012 } }
}

test('cost against lateness: each queue by its own lateness, its cost the ratio to the control without slack', () => {
  const figure = drawSlack(SLACK, [0, 64, 1024]).find(({ title }) => title === 'cache: cost against lateness')
  assert.ok(figure?.kind === 'lines')
  const rounded = (/** @type {number} */ value) => Number(value.toFixed(9))
  assert.deepEqual(figure.series.map(({ name, control, points }) => [name, control, points.map(({ x, value, low, high }) => [x, ...[value, low, high].map(rounded)])]), [
    ['lists', true, [[1, 1, 1, 1], [62, 1.5, 1.5, 1.5], [1012, 4, 4, 4]]],
    ['coarse', false, [[506, 2, 2, 2], [506, 1.8, 1.8, 1.8], [1012, 1.6, 1.6, 1.6]]]
  ])
  assert.deepEqual([figure.x.log, figure.y], [true, { title: 'times lists without slack', log: true }])
  assert.equal(figure.subtitle, 'Node v20; a point for each slack: 0, 64, 1024 ms; bands are intervals over 3 heats; = control')
  assert.match(figure.description, /^At slack 1.024: coarse 1\.60 .*times lists without slack, lists 4 times lists without slack\.$/)
})

test('without a slack of 0 there is nothing to compare lateness with', () => {
  assert.ok(!drawSlack(SLACK, [64, 1024]).some(({ title }) => title.includes('lateness')))
})
