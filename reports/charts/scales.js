/**
 * Scales from values to pixels, and the ticks of axes.
 *
 * @typedef {object} Scale
 * @property {(value: number) => number} at  Pixels.
 * @property {Tick[]} ticks
 *
 * @typedef {{value: number, major: boolean}} Tick  Only major ticks are labelled.
 */

/** Ticks at 2 and 5 would crowd an axis of more decades. */
const MANY_DECADES = 2.2
/** Approximate number of ticks on a linear axis. */
const LINEAR_TICKS = 6

/**
 * @param {object} options
 * @param {[number, number]} options.domain
 * @param {[number, number]} options.range  Pixels.
 * @param {boolean} options.log
 * @returns {Scale}
 */
export function createScale ({ domain, range, log }) {
  const bend = log ? Math.log10 : (/** @type {number} */ value) => value
  const [from, to] = domain.map(bend)
  const perUnit = (range[1] - range[0]) / (to - from || 1)
  return {
    at: value => range[0] + (bend(value) - from) * perUnit,
    ticks: log ? logTicks(domain) : linearTicks(domain)
  }
}

/**
 * Room around values. A linear axis begins at zero, so that lengths can be compared; a logarithmic one needs positive
 * values.
 *
 * @param {number[]} values
 * @param {boolean} log
 * @returns {[number, number]}
 */
export function domainOf (values, log) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (!log) return [Math.min(0, low), high > 0 ? Math.min(high * 1.05, Number.MAX_VALUE) : 1]
  // A twentieth of the span on either side, at least a factor of 1.4. `high / low` overflows for values near 1e-310.
  const room = Math.max((Math.log10(high) - Math.log10(low)) * 0.05, 0.15)
  return [Math.max(low / 10 ** room, Number.MIN_VALUE), Math.min(high * 10 ** room, Number.MAX_VALUE)]
}

/**
 * @param {[number, number]} domain
 * @returns {Tick[]}
 */
function logTicks ([low, high]) {
  const decades = Math.log10(high) - Math.log10(low)
  const ticks = []
  for (let exponent = Math.floor(Math.log10(low)); 10 ** exponent <= high; exponent++) {
    for (let digit = 1; digit <= 9; digit++) {
      // 10 ** -1 * 3 is not 0.3.
      const value = Number(`${digit}e${exponent}`)
      const major = digit === 1 || (decades < MANY_DECADES && (digit === 2 || digit === 5))
      if (value >= low && value <= high) ticks.push({ value, major })
    }
  }
  // Within one digit logarithmic ticks are too few.
  return ticks.filter(({ major }) => major).length >= 2 ? ticks : linearTicks([low, high])
}

/**
 * @param {[number, number]} domain
 * @returns {Tick[]}
 */
function linearTicks ([low, high]) {
  const rough = (high - low) / LINEAR_TICKS
  if (rough === 0) return []
  const exponent = Math.floor(Math.log10(rough))
  const digit = [1, 2, 5, 10].find(digit => digit * 10 ** exponent >= rough) ?? 10
  const step = Number(`${digit}e${exponent}`)
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  return Array.from({ length: count }, (_, i) => ({ value: Number(((first + i) * step).toPrecision(12)), major: true }))
}
