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

/**
 * The share of the error probability of the n-th try at one goal, for as many tries as it takes: 6/pi² times 1, 1/4,
 * 1/9, ... adds up to 1.
 *
 * Source: L. Euler, "De summis serierum reciprocarum", Commentarii academiae scientiarum Petropolitanae 7, 1740.
 *
 * @param {number} attempt  Number of the try, from 1 on.
 */
export const attemptShare = attempt => 6 / (Math.PI * attempt) ** 2
