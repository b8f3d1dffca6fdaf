/**
 * What a comparison could have seen: the smallest shift that it would have called a regression in four of five
 * repetitions, with all its looks, levels and early stops; and how many pairs it would take to see a smaller one.
 *
 * The first is simulated with normal noise: each look of each simulated series has a bound, and the bounds say from which
 * shift on that series ends as a regression. The second is the normal approximation, good enough for "about".
 *
 * Source: J. M. Bloom, "Minimum detectable effects", Evaluation Review 19(5), 1995.
 */
import { probit } from 'simple-statistics'
import { createRandom } from '../../model/random.js'
import { boundsOf } from './pseudo-median.js'

const POWER = 0.8
const SERIES = 400
/** Simulated at most, because their time grows with the square: more pairs count as this many that spread less. */
const MOST_PAIRS = 60
const SEED = 20_150_419

/**
 * @typedef {object} PlannedLook
 * @property {number} pairs  So far.
 * @property {number} low  One-sided level of the test for a regression.
 * @property {number} high  One-sided level of the bound that must lie below the margin to pass.
 */

/**
 * A row ends as a regression at the first look whose lower bound is above the floor, unless at an earlier one its upper
 * bound was below the margin and its estimate not above the floor: then it passed, and nobody looked again.
 *
 * @param {PlannedLook[]} looks
 * @param {{spread: number, floor: number, margin: number}} row  In one unit; `spread` is a standard deviation.
 * @returns {number} Infinity where no shift can be found with so few pairs
 */
export function detectableShift (looks, { spread, floor, margin }) {
  const scale = Math.max(1, ...looks.map(({ pairs }) => pairs / MOST_PAIRS))
  const deviation = spread / Math.sqrt(scale)
  const needed = simulatedBounds(looks.map(look => ({ ...look, pairs: Math.round(look.pairs / scale) }))).map(bounds => {
    let smallest = Infinity
    let passedBelow = -Infinity
    for (const { low, high, estimate } of bounds) {
      smallest = Math.min(smallest, Math.max(floor - deviation * low, passedBelow))
      passedBelow = Math.max(passedBelow, Math.min(margin - deviation * high, floor - deviation * estimate))
    }
    return smallest
  })
  return needed.sort((a, b) => a - b)[Math.ceil(POWER * SERIES) - 1]
}

/** @type {Map<string, {low: number, high: number, estimate: number}[][]>} */
const known = new Map()

/**
 * Of standard normal noise, at each look of each series. The same every time.
 *
 * @param {PlannedLook[]} looks
 */
function simulatedBounds (looks) {
  const key = JSON.stringify(looks)
  const simulated = known.get(key) ?? simulateBounds(looks)
  known.set(key, simulated)
  return simulated
}

/** @param {PlannedLook[]} looks */
function simulateBounds (looks) {
  const random = createRandom(SEED)
  const normal = () => probit((random(2 ** 30) + 0.5) / 2 ** 30)
  const most = Math.max(...looks.map(({ pairs }) => pairs))
  return Array.from({ length: SERIES }, () => {
    const noise = Array.from({ length: most }, normal)
    return looks.map(({ pairs, ...levels }) => {
      if (pairs === 0) return { low: -Infinity, high: Infinity, estimate: 0 }
      const { low, high, estimate, chance } = boundsOf(noise.slice(0, pairs), levels)
      return { estimate, low: chance.low <= levels.low ? low : -Infinity, high: chance.high <= levels.high ? high : Infinity }
    })
  })
}

/**
 * @param {number} pairs  That gave this standard error.
 * @param {number} standardError
 * @param {number} level  One-sided.
 * @param {number} shift
 */
export function pairsToDetect (pairs, standardError, level, shift) {
  return Math.ceil(pairs * ((probit(1 - level) + probit(POWER)) * standardError / shift) ** 2)
}

/**
 * Read off the interval of an estimate that is about normally distributed.
 *
 * @param {{low: number, high: number, coverage: number}} interval
 */
export function standardErrorOf ({ low, high, coverage }) {
  return (high - low) / (2 * probit((1 + coverage) / 2))
}
