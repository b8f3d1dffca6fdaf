const FEWEST = 1 << 14
const MOST = 1 << 17

/**
 * How many draws to make beforehand, which are then used round and round: a power of two, enough to reach nearly every
 * timer and for no branch predictor to learn, few enough that drawing them does not take longer than measuring.
 *
 * @param {number} size  Pending timers.
 */
export function drawsFor (size) {
  let draws = FEWEST
  while (draws < MOST && draws < 2 * size) draws *= 2
  return draws
}
