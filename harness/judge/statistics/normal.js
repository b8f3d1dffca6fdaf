/**
 * The normal distribution in its tails, to about twelve digits: where thousands of values are judged, tests and intervals are read
 * off there, and have to agree.
 *
 * Source: M. Abramowitz and I. A. Stegun, "Handbook of Mathematical Functions", 1964, 26.2.11 and 26.2.14.
 */

/** From here on the continued fraction needs fewer terms than the series. */
const FAR = 3
const TERMS = 100
/** Below this no double is left of the chance. */
const LOWEST_NORMAL = -40
const CLOSE = 1e-12

/**
 * The normal distribution above z, however far, to about twelve digits.
 *
 * @param {number} z
 * @returns {number}
 */
export function upperNormal (z) {
  if (z < 0) return 1 - upperNormal(-z)
  const density = Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)
  if (z >= FAR) {
    let fraction = z
    for (let term = TERMS; term > 0; term--) fraction = z + term / fraction
    return density / fraction
  }
  let sum = 0
  for (let term = z, n = 3; term > Number.EPSILON * sum; n += 2) {
    sum += term
    term *= z ** 2 / n
  }
  return 0.5 - density * sum
}

/**
 * The value that the normal distribution lies below with this chance, as exactly as upperNormal.
 *
 * @param {number} chance  Above 0, at most a half.
 * @returns {number} at most 0
 */
export function lowerNormalQuantile (chance) {
  let [low, high] = [LOWEST_NORMAL, 0]
  while (high - low > CLOSE) {
    const middle = (low + high) / 2
    if (upperNormal(-middle) <= chance) low = middle
    else high = middle
  }
  return low
}
