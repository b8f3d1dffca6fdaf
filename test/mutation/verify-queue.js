/**
 * Replaces the test files of queues when queues are mutated: `node --import ./test/mutation/verify-queue.js
 * queues/binary-heap.js` checks that queue against the contract, in this process. So Stryker sees which mutants run.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { Search } from '../../harness/conformance/subject/search.js'
import { faultsOfMeta, promisesOf } from '../../harness/conformance/subject/declaration.js'
import { loadQueue } from '../../harness/subject/modules/load.js'

test('the queue keeps the contract', async () => {
  const { Queue, meta } = await loadQueue(pathToFileURL(process.argv[1]).href)
  assert.deepEqual(faultsOfMeta(meta), [])
  const search = new Search({ Queue, promises: promisesOf(meta), seed: 1 })
  for (const { clause } of search.breaches()) assert.fail(clause)
})
