/**
 * @param {number[]} values
 * @throws {RangeError} when a value is NaN
 */
export function assertRankable (values) {
  const index = values.findIndex(Number.isNaN)
  if (index >= 0) {
    throw new RangeError(`value ${index} of ${values.length} is NaN and has no rank: drop it or say why it is missing`)
  }
}

/**
 * Twice the rank of each value, from 2 on. Doubled, the middle ranks of equal values are integers too.
 *
 * @param {number[]} values
 */
export function doubledRanks (values) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b])
  /** @type {number[]} */
  const ranks = new Array(values.length)
  for (let first = 0, end; first < order.length; first = end) {
    end = first
    while (end < order.length && values[order[end]] === values[order[first]]) end++
    for (let i = first; i < end; i++) ranks[order[i]] = first + 1 + end
  }
  return ranks
}
