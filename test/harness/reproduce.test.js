import { test } from 'node:test'
import assert from 'node:assert/strict'
import { judgeFinding } from '../../harness/reproduce.js'
import { queues } from '../../queues/index.js'
import { findings } from '../../scenarios/findings.js'
import { scenarios } from '../../scenarios/index.js'

/** @param {string} id */
const findingOf = id => /** @type {import('../../scenarios/findings.js').Finding} */ (findings.find(finding => finding.id === id))

/**
 * @param {string} queue
 * @param {number} size
 * @param {Record<string, number>} medians
 */
const cellOf = (queue, size, medians) => /** @type {any} */ ({
  scenario: 'staggered-expiry',
  queue,
  params: { size },
  runtime: 'v20',
  metrics: Object.fromEntries(Object.entries(medians).map(([name, median]) => [name, { median, low: median * 0.9, high: median * 1.1 }]))
})

test('a finding holds when the figures have its shape, and fails when they have not', () => {
  const linear = [1000, 10_000].map(size => cellOf('unsorted-array', size, { expireNsPerTimer: size }))
  const flat = [1000, 10_000].map(size => cellOf('unsorted-array', size, { expireNsPerTimer: 50 }))
  assert.equal(judgeFinding(findingOf('A4'), linear, 'quick').holds, true)
  assert.equal(judgeFinding(findingOf('A4'), flat, 'quick').holds, false)
})

test('figures whose intervals overlap cannot be told apart', () => {
  const cells = (/** @type {number} */ list) => [cellOf('unordered-list', 10_000, { expireNsPerTimer: list }), cellOf('duration-lists', 10_000, { expireNsPerTimer: 100 })]
  assert.equal(judgeFinding(findingOf('E2'), cells(150), 'quick').holds, true)
  assert.equal(judgeFinding(findingOf('E2'), cells(110), 'quick').holds, null)
  assert.equal(judgeFinding(findingOf('E2'), cells(50), 'quick').holds, false)
})

test('what was not measured does not hold, and says what is missing', () => {
  const row = judgeFinding(findingOf('A4'), [], 'quick')
  assert.equal(row.holds, null)
  assert.match(row.measured, /could not be measured: no expireNsPerTimer of unsorted-array on staggered-expiry/)
})

test('no finding holds without figures', () => {
  for (const finding of findings) assert.equal(judgeFinding(finding, [], 'quick').holds, null, finding.id)
})

test('every finding has an id of its own, and names queues and scenarios that there are', () => {
  assert.equal(new Set(findings.map(({ id }) => id)).size, findings.length)
  const known = new Set([...queues, ...scenarios].map(({ name }) => name))
  for (const { id, cells } of findings) {
    for (const name of cells.flatMap(({ scenario, queues }) => [scenario, ...queues])) assert.ok(known.has(name), `${id}: ${name}`)
  }
})
