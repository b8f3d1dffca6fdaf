import { test } from 'node:test'
import assert from 'node:assert/strict'
import path from 'node:path'
import { findBreaches } from '../../../harness/conformance/check-sequences.js'
import { countWork } from '../../../harness/conformance/children.js'
import { faultsOfMeta, promisesOf } from '../../../harness/conformance/declaration.js'
import { loadQueue } from '../../../harness/modules/load-queue.js'
import { temporaryFolder } from '../temporary-folder.js'
import { mutants, writeMutant } from './mutants/index.js'
import { stopCpuClock } from './stop-cpu-clock.js'

for (const mutant of mutants) {
  test(`finds that ${mutant.title}`, async t => {
    const url = writeMutant(mutant, path.join(temporaryFolder(t), 'queues'))
    stopCpuClock(t)
    assert.ok(await isBroken(url, mutant.breaks))
  })
}

test('there are at least 25 broken queues', () => assert.ok(mutants.length >= 25))

/**
 * Asks about this clause only. Sequences are tried in this process.
 *
 * @param {string} url
 * @param {string} clause
 */
async function isBroken (url, clause) {
  if (clause.startsWith('complexity') || clause === 'pause') return (await countWork(url, undefined, { clause })).has(clause)
  const { Queue, meta } = await loadQueue(url)
  if (clause === 'meta') return faultsOfMeta(meta).length > 0
  for (const found of findBreaches({ Queue, declared: promisesOf(meta), seed: 1 })) {
    if (found.clause === clause) return true
  }
  return false
}
