/**
 * Useless arithmetic that no optimiser can skip: every step needs the one before.
 *
 * @param {number} units
 * @param {number} waste
 */
export function spin (units, waste) {
  for (let i = 0; i < units; i++) waste = (Math.imul(waste, 0x85ebca6b) + i) | 0
  return waste
}
