/** Numbers as people read them. */

const THOUSANDS = [
  { from: 1e7, unit: 1e6, suffix: 'M' },
  { from: 1e4, unit: 1e3, suffix: 'k' }
]

/**
 * Three significant digits, from 10 000 on in thousands: 0.0123, 4.56, 789, 5432, 65.4k.
 *
 * @param {number} value
 * @returns {string}
 */
export function formatNumber (value) {
  const scale = THOUSANDS.find(({ from }) => Math.abs(value) >= from)
  if (scale) return formatNumber(value / scale.unit) + scale.suffix
  const magnitude = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)))
  return value.toFixed(Math.min(Math.max(0, 2 - magnitude), 4)).replace(/^(-?\d+)\.0+$/, '$1')
}

/**
 * A median and its interval: 4.56 (4.50–4.71); alone when there is one sample, or all are the same.
 *
 * @param {{median: number, low: number, high: number}} metric
 */
export function formatInterval ({ median, low, high }) {
  if (low === high) return formatNumber(median)
  return `${formatNumber(median)} (${formatNumber(low)}–${formatNumber(high)})`
}

/**
 * An exponent and its interval, and those at the two ends if they differ: 0.52 (0.30–0.74), bends 0.1 to 0.9.
 *
 * @param {import('../statistics/growth.js').Growth} growth
 * @param {(first: string, last: string) => string} [formatBend]
 */
export function formatGrowth ({ exponent, low, high, first, last, bends }, formatBend = (first, last) => `, bends ${first} to ${last}`) {
  const interval = low === high ? '' : ` (${formatExponent(low)}–${formatExponent(high)})`
  return formatExponent(exponent) + interval + (bends ? formatBend(formatExponent(first, 1), formatExponent(last, 1)) : '')
}

/**
 * @param {number} exponent
 * @param {number} [digits]
 */
function formatExponent (exponent, digits = 2) {
  return exponent.toFixed(digits).replace(/^-(?=[0.]+$)/, '')
}

/**
 * 0.35x, 1.00x, 23.4x.
 *
 * @param {number} ratio
 */
export function formatRatio (ratio) {
  if (ratio >= 0.995 && ratio < 1.005) return '1.00x'
  return `${ratio < 1 ? ratio.toPrecision(2) : formatNumber(ratio)}x`
}

/**
 * As it is given on the command line, but for groups of three: 400, 10 000.
 *
 * @param {number} value  Of a parameter.
 */
export const formatParam = value => value.toLocaleString('en-US').replaceAll(',', ' ')

/** @param {Record<string, number>} params */
export function formatParams (params) {
  return Object.entries(params).map(([name, value]) => `${name} ${formatParam(value)}`).join(', ')
}

/**
 * @param {string[]} words
 * @param {'and' | 'or'} [last]
 */
export function enumerate (words, last = 'and') {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`
}

/**
 * Where something was measured: refresh, size 10 000, Node v24.1.0. A trace has no parameters.
 *
 * @param {{scenario?: string, params: Record<string, number>, runtime?: string}} place  Without what goes without saying.
 */
export function placeOf ({ scenario = '', params, runtime }) {
  return [scenario, formatParams(params), runtime ? `Node ${runtime}` : ''].filter(Boolean).join(', ')
}

/** @param {number} share  Between two shares: +1.4 pt. */
export const formatPoints = share => `${share < 0 ? '-' : '+'}${Math.abs(100 * share).toFixed(1)} pt`

/** @param {string} text */
export const capitalise = text => text.charAt(0).toUpperCase() + text.slice(1)
