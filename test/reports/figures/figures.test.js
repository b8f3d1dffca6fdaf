/** What the pictures of a run hold. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { rank } from '../../../harness/judge/rank.js'
import { cellId } from '../../../harness/model/cell.js'
import { summaryOf } from '../../harness/judge/summary-of-heats.js'
import { figuresOf, heatsRun, withSamples } from '../fixture.js'

/**
 * The figures of one micro scenario.
 *
 * @param {{params: Record<string, number>, queue: string, metrics: Record<string, object>}[]} cells
 * @param {string} [control]
 */
function draw (cells, control = 'none') {
  const summary = /** @type {any} */ ({
    ...summaryOf({}),
    settings: { control: { micro: control } },
    scenarios: [{ name: 'refresh', kind: 'micro', title: '' }],
    queues: [...new Set(cells.map(({ queue }) => queue))].map(name => ({ name })),
    cells: cells.map(cell => ({ ...cell, scenario: 'refresh', runtime: 'v20', warnings: [] }))
  })
  return figuresOf(/** @type {any} */ ({ samples: [] }), { ...summary, ranking: rank(summary) })
}

const figures = (/** @type {number} */ median, { low = median, high = median, n = 5, ...more } = {}) => ({
  unit: 'ns',
  better: 'lower',
  low,
  median,
  high,
  n,
  coverage: 0.95,
  ...more
})

test('only counts are said to be the same every time', () => {
  const notes = (/** @type {number[]} */ sizes, /** @type {number} */ n) => {
    const metrics = { nsPerOp: figures(5, { n }), workPerOp: figures(8, { n }) }
    return draw(sizes.map(size => ({ params: { size }, queue: 'heap', metrics }))).map(({ subtitle }) =>
      subtitle.split('; ').pop()
    )
  }
  const counted = 'counted, the same every time'
  assert.deepEqual(notes([10, 100], 1), ['one sample each: no intervals', counted])
  assert.deepEqual(notes([10, 100], 5), ['bands are intervals of the medians', counted])
  assert.deepEqual(notes([10], 5), ['whiskers are intervals of the medians', counted])
})

test('a map shows the fastest queue of each field, and queues that tie with it', () => {
  const tiesOf = (/** @type {Record<string, [number, number, number]>} */ costs, n = 5) => {
    const places = [10, 100].flatMap(size => [1, 2].map(share => ({ size, share })))
    const [map] = draw(
      places.flatMap(params =>
        Object.entries(costs).map(([queue, [low, median, high]]) => ({
          params,
          queue,
          metrics: { nsPerOp: figures(median, { low, high, n }) }
        }))
      )
    )
    assert.ok(map.kind === 'map')
    return [...new Set(map.fields.map(({ name, tiedWith }) => `${name} ${tiedWith}`))]
  }
  assert.deepEqual(tiesOf({ heap: [4, 5, 6], wheel: [9, 10, 11], list: [5, 50, 60] }), ['heap list'])
  assert.deepEqual(tiesOf({ heap: [4, 5, 6], wheel: [9, 10, 11] }), ['heap null'])
  assert.deepEqual(tiesOf({ heap: [5, 5, 5], wheel: [10, 10, 10], list: [50, 50, 50] }, 1), ['heap wheel and 1 more'])
})

test('pauses of every kind that the server reports are drawn', () => {
  const kinds = ['minor', 'incremental', 'major', 'weakCallbacks', 'other']
  const { results, summary } = heatsRun()
  const server = summary.cells.filter(({ scenario, queue }) => scenario === 'keep-alive' && queue === 'node')
  const collections = Object.fromEntries(kinds.map((kind, i) => [kind, { count: 1, pauseMs: i + 1, longestMs: i + 1 }]))
  const samples = [...results.samples]
    .filter(({ cell }) => cell === cellId(server[0]))
    .map(sample => ({ ...sample, details: { window: { collections, windowMs: 1000 } } }))
  const figure = figuresOf(withSamples(results, samples), { ...summary, cells: server })
    .find(({ kind }) => kind === 'bars')
  assert.ok(figure?.kind === 'bars')
  assert.deepEqual(figure.parts, ['minor', 'incremental', 'major', 'weak callbacks', 'other'])
  assert.deepEqual(figure.rows[0].values, [1, 2, 3, 4, 5])
})

test('the first figure of a scenario shows ratios to the control, on a logarithmic axis', () => {
  const { results, summary } = heatsRun()
  const drawn = figuresOf(results, summary)
  const [curves, dots] = ['refresh-one-duration', 'keep-alive'].map(scenario =>
    drawn.find(({ title }) => title.startsWith(scenario))
  )
  assert.ok(curves?.kind === 'lines' && dots?.kind === 'dots')
  assert.equal(curves.title, 'refresh-one-duration: time per operation, ratio to duration-lists')
  assert.equal(curves.subtitle, 'Node v20.20.2; bands are intervals over 4 heats; = control')
  assert.deepEqual(curves.y, { title: 'times duration-lists', log: true })
  assert.deepEqual(
    curves.rows.find(({ control }) => control)?.points.map(({ value, low, high }) => [value, low, high]),
    Array(3).fill([1, 1, 1])
  )
  assert.deepEqual(dots.x, { title: 'times node', log: true })
  assert.deepEqual(dots.reference, { value: 1, title: 'node' })
  assert.ok(drawn.some(({ title }) => title === 'keep-alive: server CPU per request'), 'the absolute figure stays')
})

test('latency is that of servers which had the machine for themselves, where there are such samples', () => {
  const { results, summary } = heatsRun()
  const latencyOf = (/** @type {(kind: string) => boolean} */ isTaken) =>
    figuresOf(withSamples(results, [...results.samples].filter(({ kind }) => isTaken(kind))), summary).find(
      ({ title }) => title === 'keep-alive: latency'
    )
  const all = latencyOf(() => true)
  assert.deepEqual(all, latencyOf(kind => kind !== 'heat'))
  assert.notDeepEqual(all, latencyOf(kind => kind === 'heat'))
})

test('cost against lateness: each queue by its own lateness, its cost the ratio to the control without slack', () => {
  /** @type {[queue: string, slack: number, cost: number, ms: number][]} */
  const late = [
    ['lists', 0, 1, 0],
    ['lists', 64, 1.5, 62],
    ['lists', 1024, 4, 1012],
    ['coarse', 0, 2, 506],
    ['coarse', 64, 1.8, 506],
    ['coarse', 1024, 1.6, 1012]
  ]
  const cells = late.map(([queue, slack, cost, ms]) => {
    const ratio = { to: 'lists', by: 'heat', median: cost, low: cost, high: cost, n: 3, coverage: 0.95 }
    const ratios = slack > 0 ? { toExact: ratio } : queue === 'lists' ? {} : { ratio }
    const metrics = { nsPerOp: figures(10 * cost, ratios), virtualLatenessP99Ms: figures(ms) }
    return { params: { slack }, queue, metrics }
  })
  const titled = (/** @type {typeof cells} */ drawn) =>
    draw(drawn, 'lists').find(({ title }) => title === 'refresh: cost against lateness')
  const figure = titled(cells)
  assert.ok(figure?.kind === 'lines')
  assert.deepEqual(
    figure.rows.map(({ name, points }) => [name, ...points.map(({ x, value }) => `${value} at ${x}`)].join(', ')),
    ['lists, 1 at 1, 1.5 at 62, 4 at 1012', 'coarse, 2 at 506, 1.8 at 506, 1.6 at 1012']
  )
  assert.deepEqual(figure.rows.map(({ control }) => control), [true, false])
  assert.equal(
    figure.subtitle,
    'Node v20; a point for each slack: 0, 64, 1024 ms; bands are intervals over 3 heats; = control'
  )
  assert.match(
    figure.description,
    /^At slack 1.024: coarse 1\.60 times lists without slack, lists 4 times lists without slack\.$/
  )
  assert.equal(titled(cells.filter(({ params }) => params.slack === 0)), undefined)
})
