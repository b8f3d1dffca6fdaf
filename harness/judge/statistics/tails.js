import { chanceOfHeads } from './binomial.js'

/**
 * Do wild values lie on both sides alike, or mostly on one? A median does not see a tenth of values that are far off:
 * this does. Of identical programs either may be the one that was disturbed, so wild values are as likely above as below.
 *
 * Source: J. Arbuthnot, "An argument for divine providence", Philosophical Transactions 27, 1710: the sign test.
 *
 * @param {number[]} values
 * @param {number} centre
 * @param {number} far  Values further than this from the centre are wild.
 * @returns {{above: number, below: number, p: number}} p: the probability of so many above if either side is as likely
 */
export function compareTails (values, centre, far) {
  const above = values.filter(value => value - centre > far).length
  const below = values.filter(value => centre - value > far).length
  return { above, below, p: chanceOfHeads(above + below, above) }
}
