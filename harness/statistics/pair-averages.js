/**
 * The averages of all pairs of n values, each with itself too, in order, without ever listing them: there are about n² / 2, and
 * a report asks for four of them.
 *
 *   at   O(n log n) as a rule
 *
 * With the values sorted, the averages of one of them with itself and those after it rise: a row. To find the k-th lowest
 * of all, guess one, count in each row what is below it, and drop what cannot be the one sought.
 *
 * Source: D. B. Johnson and T. Mizoguchi, "Selecting the Kth element in X + Y and X1 + X2 + ... + Xm", SIAM Journal on
 * Computing 7(2), 1978; the guess is simpler here.
 */
export class PairAverages {
  #finite
  /** Averages of -Infinity: those with what is lower than Infinity, and half of those with Infinity. */
  #lowest

  /** @param {number[]} values  None is NaN. */
  constructor (values) {
    const count = (/** @type {number} */ value) => values.filter(other => other === value).length
    const [low, high] = [count(-Infinity), count(Infinity)]
    this.#finite = Float64Array.from(values.filter(Number.isFinite)).sort()
    this.#lowest = pairsOf(low) + low * this.#finite.length + Math.floor(low * high / 2)
    this.length = pairsOf(values.length)
  }

  /**
   * @param {number} index  From 0, the lowest.
   * @returns {number}
   */
  at (index) {
    if (index < this.#lowest) return -Infinity
    if (index >= this.#lowest + pairsOf(this.#finite.length)) return Infinity
    return select(this.#finite, index - this.#lowest)
  }
}

/** @param {number} n */
const pairsOf = n => n * (n + 1) / 2

/**
 * @param {Float64Array} sorted
 * @param {number} index
 */
function select (sorted, index) {
  const n = sorted.length
  const average = (/** @type {number} */ i, /** @type {number} */ j) => (sorted[i] + sorted[j]) / 2
  // What may still be the one sought: in row i, the averages with the values from starts[i] up to ends[i].
  let starts = Int32Array.from(sorted, (_, i) => i)
  let ends = new Int32Array(n).fill(n)
  for (;;) {
    const guess = guessFrom(starts, ends, average)
    const below = rowEnds(n, (i, j) => average(i, j) < guess)
    if (index < below.count) {
      ends = below.ends
      continue
    }
    const upTo = rowEnds(n, (i, j) => average(i, j) <= guess)
    if (index < upTo.count) return guess
    starts = upTo.ends
  }
}

/**
 * The middle of the row in which half of what is left is reached.
 *
 * @param {Int32Array} starts
 * @param {Int32Array} ends
 * @param {(i: number, j: number) => number} average
 */
function guessFrom (starts, ends, average) {
  let left = 0
  for (let i = 0; i < starts.length; i++) left += ends[i] - starts[i]
  let row = 0
  for (let passed = ends[0] - starts[0]; 2 * passed < left; passed += ends[row] - starts[row]) row++
  return average(row, (starts[row] + ends[row]) >> 1)
}

/**
 * Where in each row the averages end that are low enough: earlier with each row, for its first value is higher.
 *
 * @param {number} n
 * @param {(i: number, j: number) => boolean} isLow
 */
function rowEnds (n, isLow) {
  const ends = new Int32Array(n)
  let count = 0
  for (let i = 0, end = n; i < n; i++) {
    end = Math.max(end, i)
    while (end > i && !isLow(i, end - 1)) end--
    ends[i] = end
    count += end - i
  }
  return { ends, count }
}
