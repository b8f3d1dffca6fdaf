/** Shards that are of one plan, and shards that are not. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mergeShards } from '../../../harness/store/merge.js'
import { aPlan, aRun } from '../a-run.js'

const FIRST = { trace: '/home/a/a.trace', traceSha256: 'a', loadCommand: ['node', '/home/a/client.js', '{url}'] }

/**
 * @param {object} [settings]
 * @param {any[]} [samples]  Samples of its cell.
 * @param {string} [started]
 */
const shardWith = (settings, samples = [], started = '2026-01-01T00:00:00.000Z') =>
  aRun({ plan: aPlan({ settings: { ...FIRST, ...settings } }), run: { started }, samplesOf: () => samples })

test('a shard that began at no date is refused', () => {
  const message = /\/started of run\.json is not a date, got "yesterday"/
  assert.throws(() => mergeShards([shardWith({}, [], 'yesterday')]), { exitCode: 2, message })
})

for (const [what, changes, message] of /** @type {[string, object, RegExp | null][]} */ ([
  [
    'folders and addresses of their machines',
    { trace: '/home/b/a.trace', loadCommand: ['node', '/home/b/client.js', '{url}'], listen: '10.0.0.2', port: 1 },
    null
  ],
  ['other traces of one name', { trace: '/home/b/a.trace', traceSha256: 'b' }, /has other settings than/],
  ['other seeds', { seed: 6 }, /has other settings than/],
  ['other clients', { loadCommand: ['node', '/home/a/other.js', '{url}'] }, /has other settings than/]
])) {
  test(`shards with ${what} are ${message ? 'not ' : ''}merged`, () => {
    const merge = () => mergeShards([shardWith({}, [{}, {}]), shardWith(changes)])
    if (message) assert.throws(merge, { exitCode: 2, message })
    else assert.equal(merge().samples.length, 2)
  })
}

test('shards with another file of a queue are not merged', () => {
  const other = shardWith({})
  other.run.plan.queues[0].sha256 = 'another'
  assert.throws(() => mergeShards([shardWith({}), other]), { exitCode: 2, message: /has other queues than/ })
})
