import { test } from 'node:test'
import assert from 'node:assert/strict'
import path from 'node:path'
import { findBreachesInLives } from '../../../harness/conformance/check-lives.js'
import { findBreaches } from '../../../harness/conformance/check-sequences.js'
import { countWork } from '../../../harness/conformance/children.js'
import { faultsOfMeta, promisesOf } from '../../../harness/conformance/declaration.js'
import { loadQueue } from '../../../harness/measure/modules/load-queue.js'
import { temporaryFolder } from '../temporary-folder.js'
import { mutantsAtScale } from './mutants/at-scale.js'
import { mutants, writeMutant } from './mutants/index.js'
import { stopCpuClock } from './stop-cpu-clock.js'

for (const mutant of mutants) {
  test(`finds that ${mutant.title}`, async t => {
    const url = writeMutant(mutant, path.join(temporaryFolder(t), 'queues'))
    stopCpuClock(t)
    assert.ok(await isBroken(url, mutant))
  })
}

test('there are at least 25 broken queues', () => assert.ok(mutants.length >= 25))

/**
 * Asks about the clause that the mutant breaks only. Sequences are tried in this process; where only long lives reach the
 * fault, nothing else is tried.
 *
 * @param {string} url
 * @param {import('./mutants/index.js').Mutant} mutant
 */
async function isBroken (url, mutant) {
  const { breaks: clause } = mutant
  if (clause.startsWith('complexity') || clause === 'pause') return (await countWork(url, undefined, { clause })).has(clause)
  const { Queue, meta } = await loadQueue(url)
  if (clause === 'meta') return faultsOfMeta(meta).length > 0
  const subject = { Queue, declared: promisesOf(meta), seed: 1 }
  const breaches = mutantsAtScale.includes(mutant) ? findBreachesInLives(subject, new Set(), { largest: 0 }) : findBreaches(subject)
  for (const found of breaches) {
    if (found.clause === clause) return true
  }
  return false
}
