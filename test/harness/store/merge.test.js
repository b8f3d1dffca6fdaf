/** Shards that are of one plan, and shards that are not. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { mergeShards } from '../../../harness/store/merge.js'
import { aPlan, aRun } from '../a-run.js'

const LOAD = { generator: 'wrk', command: ['node', '/home/a/client.js', '{url}'], port: 0 }
const TRACE = { file: '/home/a/a.trace', sha256: 'a' }

/**
 * @param {{seed?: number, load?: object, trace?: object}} [changed]
 * @param {any[]} [samples]  Samples of its cell.
 * @param {string} [started]
 */
const shardWith = ({ seed = 1, load, trace } = {}, samples = [], started = '2026-01-01T00:00:00.000Z') => {
  const of = { load: { ...LOAD, ...load }, trace: { ...TRACE, ...trace } }
  return aRun({ plan: aPlan({ settings: { seed }, of }), run: { started }, samplesOf: () => samples })
}

test('a shard that began at no date is refused', () => {
  const message = /\/started of run\.json is not a date, got "yesterday"/
  assert.throws(() => mergeShards([shardWith({}, [], 'yesterday')]), { exitCode: 2, message })
})

for (const [what, changes, message] of /** @type {[string, object, RegExp | null][]} */ ([
  [
    'folders and addresses of their machines',
    {
      trace: { file: '/home/b/a.trace' },
      load: { command: ['node', '/home/b/client.js', '{url}'], listen: '10.0.0.2', port: 1 }
    },
    null
  ],
  ['other traces of one name', { trace: { sha256: 'b' } }, /has other trace than/],
  ['other seeds', { seed: 6 }, /has other settings than/],
  ['other clients', { load: { command: ['node', '/home/a/other.js', '{url}'] } }, /has other load than/]
])) {
  test(`shards with ${what} are ${message ? 'not ' : ''}merged`, () => {
    const merge = () => mergeShards([shardWith({}, [{}, {}]), shardWith(changes)])
    if (message) assert.throws(merge, { exitCode: 2, message })
    else assert.equal(merge().samples.length, 2)
  })
}

test('a merged run has ended when all of its shards have, with the last', () => {
  const [first, last] = ['2026-01-01T00:01:00.000Z', '2026-01-01T00:02:00.000Z']
  const endOf = (/** @type {(string | null)[]} */ ...ends) =>
    mergeShards(ends.map(ended => ({ ...shardWith({}), run: { ...shardWith({}).run, ended } }))).run.ended
  assert.deepEqual([endOf(last, first), endOf(last, null), endOf(null, last)], [last, null, null])
})

test('shards with another file of a queue are not merged', () => {
  const other = shardWith({})
  other.run.plan.queues[0].sha256 = 'another'
  assert.throws(() => mergeShards([shardWith({}), other]), { exitCode: 2, message: /has other queues than/ })
})

test('shards of a file whose operations are fitted to each machine are merged, each row with its own number', () => {
  const shardOf = (/** @type {number} */ n, /** @type {string} */ mode) => {
    const values = { mode: [1, 2], n: [n] }
    const shard = aRun({ plan: aPlan({ scenario: { values, isFitted: true } }), run: { started: '2026-01-01T00:00Z' } })
    const { run } = shard
    run.plan.cells = run.plan.cells.filter(({ params }) => params.mode === Number(mode))
    return { ...shard, samples: run.plan.cells.map(cell => /** @type {any} */ ({ cell: cell.id })) }
  }
  const { run, samples } = mergeShards([shardOf(1000, '1'), shardOf(2000, '2')])
  const ids = run.plan.cells.map(({ id }) => id)
  assert.deepEqual([samples.map(({ cell }) => cell), ids.length], [ids, samples.length])
  assert.deepEqual(run.plan.cells.map(({ params: { mode, n } }) => [mode, n])[0], [1, 1000])
  assert.throws(() => mergeShards([shardOf(1000, '1'), shardOf(2000, '1')]), { exitCode: 2, message: /in two of the dir/ })
})
