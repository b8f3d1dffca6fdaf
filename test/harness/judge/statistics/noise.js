/** Seeded noise for simulations. */
import { probit } from 'simple-statistics'
import { createRandom } from '../../../../harness/model/random.js'

/**
 * Between 0 and 1, both excluded.
 *
 * @param {number} seed
 */
export function uniform (seed) {
  const random = createRandom(seed)
  return () => (random(2 ** 30) + 0.5) / 2 ** 30
}

/**
 * Standard normal.
 *
 * @param {number} seed
 */
export function normal (seed) {
  const next = uniform(seed)
  return () => probit(next())
}

/**
 * Standard normal, each value correlated with the one before.
 *
 * @param {number} correlation
 * @param {() => number} next  Independent standard normal values.
 */
export function correlated (correlation, next) {
  let value = next()
  return () => {
    const current = value
    value = correlation * value + Math.sqrt(1 - correlation ** 2) * next()
    return current
  }
}
