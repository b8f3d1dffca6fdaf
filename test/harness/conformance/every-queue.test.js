import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { faultsOfMeta } from '../../../harness/conformance/declaration.js'
import { EFFORTS, findBreaches } from '../../../harness/conformance/search.js'
import { loadQueue } from '../../../harness/measure/modules/load.js'
import { queues } from '../../../queues/index.js'
import { skipUnless } from '../../needs.js'
import { subjectOf } from './noticed.js'

describe('every queue keeps the contract, as far as a brief check sees', () => {
  for (const { name, origin, url } of queues.filter(({ origin }) => origin !== 'built-in')) {
    test(name, async t => {
      const loaded = await loadQueue(url).catch(error => {
        if (origin === 'own' || !/needs the package/.test(error.message)) throw error
        t.skip(String(skipUnless(null, 'needs its package (npm ci)')))
      })
      if (!loaded) return
      assert.equal(loaded.meta.name, name)
      assert.deepEqual(faultsOfMeta(loaded.meta), [])
      assert.deepEqual([...findBreaches(await subjectOf(url), EFFORTS.brief)], [])
    })
  }
})
