/**
 * Are wild values as likely above as below? A median does not see a tenth of values that are far off. Of identical
 * programs either may be the one that was disturbed.
 *
 * Source: J. Arbuthnot, "An argument for divine providence", Philosophical Transactions 27, 1710.
 *
 * @param {number[]} values
 * @param {number} centre
 * @param {number} far  Values further than this from the centre are wild.
 * @returns {{above: number, below: number, p: number}} p: the probability of this many above or more if either side is
 *   as likely
 */
export function compareTails (values, centre, far) {
  const above = values.filter(value => value - centre > far).length
  const below = values.filter(value => centre - value > far).length
  return { above, below, p: chanceOfHeads(above + below, above) }
}

/**
 * Probability of this many heads or more.
 *
 * @param {number} tosses  Number of tosses, 1000 or fewer: single results of more tosses are too unlikely for a number.
 * @param {number} heads
 */
function chanceOfHeads (tosses, heads) {
  let probability = 0.5 ** tosses
  let sum = 0
  for (let exactly = tosses; exactly >= heads; exactly--) {
    sum += probability
    probability *= exactly / (tosses - exactly + 1)
  }
  return sum
}
