/** A curve as a line of bars, for where there is no picture. */

const BARS = '▁▂▃▄▅▆▇█'

/**
 * @param {number[]} values
 * @param {{most: number, leastSpan?: number}} options `most`: of the latest values. `leastSpan`: of the lowest value;
 *   smaller differences do not fill the height.
 */
export function sparkline (values, { most, leastSpan = 0 }) {
  const shown = values.slice(-most)
  const low = Math.min(...shown)
  const span = Math.max(Math.max(...shown) - low, leastSpan * low)
  return shown.map(value => BARS[span === 0 ? 0 : Math.round(((value - low) / span) * (BARS.length - 1))]).join('')
}
