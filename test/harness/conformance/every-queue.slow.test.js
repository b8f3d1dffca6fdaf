import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import os from 'node:os'
import path from 'node:path'
import { checkQueue } from '../../../harness/conformance/index.js'
import { EFFORTS, findBreaches } from '../../../harness/conformance/search.js'
import { queues } from '../../../queues/index.js'
import { subjectOf } from './noticed.js'

const FIXTURES = ['pooled-queue', 'coarse-queue'].map(name => new URL(`mutants/${name}.js`, import.meta.url).href)
const own = queues.filter(({ origin }) => origin === 'own').map(({ url }) => url)

describe('every queue of timerq keeps the contract', { concurrency: os.availableParallelism() }, () => {
  for (const url of [...own, ...FIXTURES]) {
    test(path.basename(url, '.js'), async () => {
      const { clauses } = await checkQueue(url)
      assert.deepEqual(clauses.filter(({ holds }) => !holds), [])
    })
  }
})

describe('every adapter of a package keeps the contract', () => {
  for (const { name, url } of queues.filter(({ origin }) => origin === 'peer')) {
    test(name, async () => assert.deepEqual([...findBreaches(await subjectOf(url), { ...EFFORTS.full, lives: false })], []))
  }
})
