/** Shards that are of one plan, and shards that are not. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { UsageError } from '../../../harness/model/errors.js'
import { mergeShards } from '../../../harness/store/merge.js'
import { readResults } from '../../../harness/store/results.js'
import { temporaryFolder } from '../temporary-folder.js'
import { writeLargeResults } from '../../soak/large-results.js'

/** @import { Sample } from '../../../harness/store/results.js' */

const FIRST = { trace: '/home/a/a.trace', traceSha256: 'a', loadCommand: ['node', '/home/a/client.js', '{url}'] }

test('a shard that began at no date is refused', t => {
  const directory = temporaryFolder(t)
  writeLargeResults(directory, { cells: 8, rounds: 1 })
  const { run, ...rest } = readResults(directory)
  const shard = { ...rest, run: { ...run, started: 'yesterday' } }
  assert.throws(
    () => mergeShards([shard]),
    error => error instanceof UsageError && /\/started of run\.json is not a date, got "yesterday"/.test(error.message)
  )
})

for (const [what, changes, message] of /** @type {[string, object, RegExp | null][]} */ ([
  [
    'folders and addresses of their machines',
    { trace: '/home/b/a.trace', loadCommand: ['node', '/home/b/client.js', '{url}'], listen: '10.0.0.2', port: 1 },
    null
  ],
  ['other traces of one name', { trace: '/home/b/a.trace', traceSha256: 'b' }, /has other settings than/],
  ['other clients', { loadCommand: ['node', '/home/a/other.js', '{url}'] }, /has other settings than/]
])) {
  test(`shards with ${what} are ${message ? 'not ' : ''}merged`, t => {
    const directory = temporaryFolder(t)
    writeLargeResults(directory, { cells: 8, rounds: 1 })
    const { run, ...rest } = readResults(directory)
    const shardWith = (/** @type {object} */ changes, /** @type {Sample[]} */ samples) => ({
      ...rest,
      samples,
      run: { ...run, plan: { ...run.plan, settings: { ...run.plan.settings, ...FIRST, ...changes } } }
    })
    const merge = () => mergeShards([shardWith({}, rest.samples), shardWith(changes, [])])
    if (message) assert.throws(merge, { exitCode: 2, message })
    else assert.equal(merge().samples.length, rest.samples.length)
  })
}
