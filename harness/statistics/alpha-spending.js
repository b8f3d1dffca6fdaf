/**
 * Looking at the pairs several times while they come in gives chance several tries. Each planned look may therefore spend
 * only its share of the error probability: at the fraction t of the planned pairs, t^power of it is spent in all (the
 * power family of spending functions; power 1 spends evenly, 3 keeps nearly all for the end). A look is tested at what it
 * may spend, without counting on its correlation with earlier looks: a little cautious, and exact for any test.
 *
 * Sources: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70(3), 1983;
 * K. Kim and D. L. DeMets, "Design and analysis of group sequential tests based on the type I error spending rate
 * function", Biometrika 74(1), 1987.
 *
 * @param {number[]} fractions  Of the planned pairs, at each look; increasing, the last is 1.
 * @param {number} [power]
 * @returns {number[]} the share of the error probability that each look spends; together 1
 */
export function spendAlpha (fractions, power = 1) {
  return fractions.map((fraction, look) => fraction ** power - (look === 0 ? 0 : fractions[look - 1] ** power))
}
