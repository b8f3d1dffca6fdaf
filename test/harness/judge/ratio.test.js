import { test } from 'node:test'
import assert from 'node:assert/strict'
import { intervalOf } from '../../../harness/judge/ratio.js'
import { normal, uniform } from './statistics/noise.js'

test('a ratio lies within its interval, however heats scatter and however many they are', () => {
  const [noise, chance] = [normal(1), uniform(2)]
  const kinds = [noise, () => Math.exp(2 * noise()), () => (chance() < 0.3 ? 1 : 0), () => (chance() < 0.1 ? 100 : noise())]
  for (const next of kinds) {
    for (let n = 2; n <= 40; n++) {
      for (let i = 0; i < 25; i++) {
        const logs = Array.from({ length: n }, next)
        const { estimate, low, high } = intervalOf(logs, 'heat')
        assert.ok(low <= estimate && estimate <= high, `${estimate} of ${logs.join(', ')} in ${low} to ${high}`)
      }
    }
  }
})
