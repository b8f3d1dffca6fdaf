/** Every queue keeps the contract as far as a brief check sees. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { faultsOfMeta } from '../../../harness/conformance/subject/declaration.js'
import { EFFORTS, Search } from '../../../harness/conformance/subject/search.js'
import { loadQueue } from '../../../harness/subject/modules/load.js'
import { queues } from '../../../queues/index.js'
import { skipUnless } from '../../needs.js'
import { loaded } from './noticed.js'

/** A quarter of a brief check: mutants of the queues that a whole one notices are noticed by this, too. */
const EFFORT = { ...EFFORTS.brief, share: EFFORTS.brief.share / 4, seconds: Infinity }

describe('every queue keeps the contract, as far as a brief check sees', async () => {
  for (const { name, origin, url } of queues.filter(({ origin }) => origin !== 'built-in')) {
    const isMissing =
      origin !== 'own' &&
      (await loadQueue(url).then(
        () => false,
        error => /needs the package/.test(error.message)
      ))
    test(name, { skip: skipUnless(!isMissing, 'needs its package (npm ci)') }, async () => {
      const { meta } = await loadQueue(url)
      assert.equal(meta.name, name)
      assert.deepEqual(faultsOfMeta(meta), [])
      assert.deepEqual([...new Search(await loaded(url), EFFORT).breaches()], [])
    })
  }
})
