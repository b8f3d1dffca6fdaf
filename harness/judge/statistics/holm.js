/**
 * Adjusts p values for being many: if each is then compared with alpha, the chance of any false alarm among them is at
 * most alpha, however they depend on each other.
 *
 * Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6(2),
 * 1979.
 *
 * @param {number[]} pValues
 * @returns {number[]} in the same order
 */
export function holm (pValues) {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b])
  /** @type {number[]} */
  const adjusted = new Array(pValues.length)
  let largest = 0
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, pValues[index] * (pValues.length - rank)))
    adjusted[index] = largest
  })
  return adjusted
}
