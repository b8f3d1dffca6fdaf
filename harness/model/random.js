/** Random numbers from a seed, the same on every machine. */
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** @typedef {(limit: number) => number} Random  Draws an integer from 0 to limit - 1. */

/**
 * @param {number} seed  32 bit
 * @returns {Random}
 */
export function createRandom (seed) {
  const generator = xoroshiro128plus(seed)
  return limit => uniformInt(generator, 0, limit - 1)
}

/**
 * A shuffled copy (Fisher & Yates).
 *
 * @template T
 * @param {readonly T[]} items
 * @param {Random} random
 */
export function shuffle (items, random) {
  const shuffled = [...items]
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random(i + 1)
    const moved = shuffled[i]
    shuffled[i] = shuffled[j]
    shuffled[j] = moved
  }
  return shuffled
}
