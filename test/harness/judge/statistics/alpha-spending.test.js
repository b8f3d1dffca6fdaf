/** Alpha that is spent over looks. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { createRandom } from '../../../../harness/model/random.js'
import { spendAlpha } from '../../../../harness/judge/statistics/alpha-spending.js'
import { signedRank } from '../../../../harness/judge/statistics/signed-rank.js'

test('each look spends as much as it brings new pairs', () => {
  assert.deepEqual(spendAlpha([0.25, 0.5, 1]), [0.25, 0.25, 0.5])
})

test('three looks at pure noise raise false alarms no more often than alpha', () => {
  const random = createRandom(5)
  const normal = () => Array.from({ length: 12 }, () => random(2 ** 20) / 2 ** 20).reduce((sum, part) => sum + part, -6)
  const looks = [8, 16, 24]
  const shares = spendAlpha(looks.map(pairs => pairs / 24))
  const repetitions = 4000
  let alarms = 0
  let unplanned = 0
  for (let i = 0; i < repetitions; i++) {
    const differences = Array.from({ length: 24 }, normal)
    const pValues = looks.map(pairs => signedRank(differences.slice(0, pairs)))
    if (pValues.some((p, look) => p <= 0.05 * shares[look])) alarms++
    if (pValues.some(p => p <= 0.05)) unplanned++
  }
  assert.ok(alarms / repetitions <= 0.05, `${alarms} of ${repetitions}`)
  assert.ok(unplanned / repetitions > 0.08, `looking without a plan: ${unplanned} of ${repetitions}`)
})
