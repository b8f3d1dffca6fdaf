/**
 * Testing several times while pairs come in gives chance several tries. Each planned look may therefore spend only its
 * share of the error probability: as much of it as it brings new pairs. A look is tested at what it may spend, without
 * counting on its correlation with earlier looks: a little cautious, and exact for any test.
 *
 * Sources: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70(3), 1983;
 * K. Kim and D. L. DeMets, "Design and analysis of group sequential tests based on the type I error spending rate
 * function", Biometrika 74(1), 1987: the power family with exponent 1.
 *
 * @param {number[]} fractions  Share of the planned pairs that each look has seen; increasing, the last is 1.
 * @returns {number[]} the share of the error probability that each look spends; together 1
 */
export function spendAlpha (fractions) {
  return fractions.map((fraction, look) => fraction - (fractions[look - 1] ?? 0))
}
