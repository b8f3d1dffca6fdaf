/** Labels beside each other without touching. Runs in the page too: imports nothing of Node. */

/**
 * Moves positions apart as little as possible: neighbours that touch are joined to a block around their mean, again and
 * again until none does.
 *
 * @param {number[]} wanted
 * @param {number} gap
 * @param {[number, number]} limits
 * @returns {number[]} in the order of `wanted`
 */
export function spread (wanted, gap, [low, high]) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b)
  /** @type {{members: number[], middle: number}[]} */
  const blocks = []
  for (const index of order) {
    let block = { members: [index], middle: fit(wanted[index], 1) }
    for (let above = blocks.at(-1); above && touches(above, block); above = blocks.at(-1)) {
      blocks.pop()
      const members = [...above.members, ...block.members]
      const mean = members.reduce((sum, member) => sum + wanted[member], 0) / members.length
      block = { members, middle: fit(mean, members.length) }
    }
    blocks.push(block)
  }
  const placed = [...wanted]
  for (const { members, middle } of blocks) {
    members.forEach((member, i) => { placed[member] = middle + (i - (members.length - 1) / 2) * gap })
  }
  return placed

  /**
   * @param {number} middle
   * @param {number} count
   */
  function fit (middle, count) {
    const half = (count - 1) * gap / 2
    return Math.max(low + half, Math.min(high - half, middle))
  }

  /**
   * @param {{members: number[], middle: number}} above
   * @param {{members: number[], middle: number}} below
   */
  function touches (above, below) {
    return below.middle - above.middle < (above.members.length + below.members.length) * gap / 2
  }
}
