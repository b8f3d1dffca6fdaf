import { test } from 'node:test'
import assert from 'node:assert/strict'
import { UsageError } from '../../../harness/model/errors.js'
import { mergeShards } from '../../../harness/store/merge.js'
import { readResults } from '../../../harness/store/results.js'
import { temporaryFolder } from '../temporary-folder.js'
import { writeLargeResults } from '../../soak/large-results.js'

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
