import { chanceOfHeads, MOST_EXACT } from './binomial.js'
import { lowerNormalQuantile } from './normal.js'

/**
 * The median and a distribution-free interval for it: two order statistics between which the true median lies with the
 * given confidence, by the binomial distribution alone. Few values cannot reach that confidence: then the interval is the
 * whole range, and `coverage` says how likely it is to hold the median. Of more than a thousand values, the normal distribution
 * gives the same two, or their neighbours.
 *
 * Source: H. A. David and H. N. Nagaraja, "Order Statistics", 3rd edition, 2003, section 7.1.
 *
 * @param {number[]} values  at least one
 * @param {number} [confidence]
 * @returns {{median: number, low: number, high: number, n: number, coverage: number}}
 */
export function medianInterval (values, confidence = 0.95) {
  const sorted = [...values].sort((a, b) => a - b)
  const n = sorted.length
  const { rank, tail } = n > MOST_EXACT ? cutNormalTail(n, confidence) : cutTail(n, confidence)
  const middle = n >> 1
  const median = n % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  return { median, low: sorted[rank], high: sorted[n - 1 - rank], n, coverage: 1 - 2 * tail }
}

/**
 * How many values at each end lie outside, and the chance of the median to be beyond one end.
 *
 * @param {number} n
 * @param {number} confidence
 */
function cutTail (n, confidence) {
  let rank = 0
  // P(the median lies outside the ranks 0 .. n - 1) is twice the lower tail of the binomial distribution at rank - 1.
  let tail = 0.5 ** n
  let probability = tail
  for (;;) {
    probability *= (n - rank) / (rank + 1)
    if (1 - 2 * (tail + probability) < confidence || 2 * (rank + 1) >= n) break
    tail += probability
    rank++
  }
  return { rank, tail }
}

/**
 * @param {number} n
 * @param {number} confidence
 */
function cutNormalTail (n, confidence) {
  // The highest rank whose tail is no more than this: chanceOfHeads turned round.
  const rank = Math.floor((n - 1 + lowerNormalQuantile((1 - confidence) / 2) * Math.sqrt(n)) / 2)
  return { rank, tail: chanceOfHeads(n, n - rank) }
}
