/** What the pictures of a run hold. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { rank } from '../../../harness/judge/rank.js'
import { summaryOf } from '../../harness/judge/summary-of-heats.js'
import { figuresOf, heatsRun } from '../fixture.js'

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
  return figuresOf({ ...summary, ranking: rank(summary) })
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

test('the first figure of a scenario shows ratios to the control, on a logarithmic axis', () => {
  const drawn = figuresOf(heatsRun().summary)
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
