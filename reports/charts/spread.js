/**
 * Moves labels apart that would touch: down from the top, then up again from the bottom.
 *
 * @param {number[]} positions
 * @param {number} gap
 * @param {[number, number]} limits
 * @returns {number[]} in the order of `positions`
 */
export function spread (positions, gap, [low, high]) {
  const order = positions.map((_, i) => i).sort((a, b) => positions[a] - positions[b] || a - b)
  const placed = [...positions]
  let free = low
  for (const i of order) {
    placed[i] = Math.max(free, positions[i])
    free = placed[i] + gap
  }
  free = Math.max(high, low + (positions.length - 1) * gap)
  for (const i of order.reverse()) {
    placed[i] = Math.min(free, placed[i])
    free = placed[i] - gap
  }
  return placed
}
