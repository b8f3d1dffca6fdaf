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
    this.#finite = values.filter(Number.isFinite).sort((a, b) => a - b)
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
 * Plain arrays: typed ones live outside the heap, and short ones by the hundred thousand hold up the garbage collector.
 *
 * @param {number[]} sorted
 * @param {number} index
 */
function select (sorted, index) {
  const n = sorted.length
  // What may still be the one sought: in row i, the averages with the values from starts[i] up to ends[i].
  let starts = sorted.map((_, i) => i)
  let ends = sorted.map(() => n)
  let spare = sorted.map(() => n)
  for (;;) {
    const guess = guessFrom(sorted, starts, ends)
    if (index < findEnds(sorted, average => average < guess, spare)) {
      [ends, spare] = [spare, ends]
    } else if (index < findEnds(sorted, average => average <= guess, spare)) {
      return guess
    } else {
      [starts, spare] = [spare, starts]
    }
  }
}

/**
 * The middle of the row in which half of what is left is reached.
 *
 * @param {number[]} sorted
 * @param {number[]} starts
 * @param {number[]} ends
 */
function guessFrom (sorted, starts, ends) {
  const left = starts.reduce((sum, start, i) => sum + ends[i] - start, 0)
  let row = 0
  for (let passed = ends[0] - starts[0]; 2 * passed < left; passed += ends[row] - starts[row]) row++
  return (sorted[row] + sorted[(starts[row] + ends[row]) >> 1]) / 2
}

/**
 * Finds where in each row the averages end that are low enough: earlier with each row, for its first value is higher.
 *
 * @param {number[]} sorted
 * @param {(average: number) => boolean} isLow
 * @param {number[]} ends  Filled in.
 * @returns {number} how many are low enough
 */
function findEnds (sorted, isLow, ends) {
  let count = 0
  for (let i = 0, end = sorted.length; i < sorted.length; i++) {
    end = Math.max(end, i)
    while (end > i && !isLow((sorted[i] + sorted[end - 1]) / 2)) end--
    ends[i] = end
    count += end - i
  }
  return count
}
