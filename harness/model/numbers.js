/** Numbers, and the places they were measured at, in words. */

const THOUSANDS = [
  { from: 1e6, unit: 1e6, suffix: 'M' },
  { from: 1e4, unit: 1e3, suffix: 'k' }
]

/**
 * Three significant digits, from 10 000 on in thousands and millions: 0.0123, 4.56, 789, 5432, 65.4k, 1.20M.
 *
 * @param {number} value
 * @returns {string}
 */
export function formatNumber (value) {
  if (Math.abs(value) === Infinity) return value > 0 ? '∞' : '-∞'
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
 * Prints 0.35x, 1.00x, 23.4x.
 *
 * @param {number} ratio
 */
export function formatRatio (ratio) {
  if (ratio >= 0.995 && ratio < 1.005) return '1.00x'
  return `${ratio < 1 ? ratio.toPrecision(2) : formatNumber(ratio)}x`
}

/**
 * Prints 2.57–2.64x.
 *
 * @param {{low: number, high: number}} ratio
 */
export const formatRatioRange = ({ low, high }) =>
  low === high ? formatRatio(low) : `${formatRatio(low).slice(0, -1)}–${formatRatio(high)}`

/**
 * A ratio as tables show it, with its interval: 2.60x (2.57–2.64).
 *
 * @param {{median: number, low: number, high: number}} ratio
 */
export function formatRatioWithInterval ({ median, low, high }) {
  return low === high ? formatRatio(median) : `${formatRatio(median)} (${formatRatioRange({ low, high }).slice(0, -1)})`
}

/**
 * Prints 400, 10 000.
 *
 * @param {number} value
 */
export const formatParam = value => value.toLocaleString('en-US').replaceAll(',', ' ')

/** @param {Record<string, number>} params */
export function formatParams (params) {
  return Object.entries(params)
    .map(([name, value]) => `${name} ${formatParam(value)}`)
    .join(', ')
}

/**
 * @param {string[]} words
 * @param {'and' | 'or'} [last]
 */
export function enumerate (words, last = 'and') {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`
}

/**
 * Prints refresh, size 10 000, Node v24.1.0. A trace has no parameters.
 *
 * @param {{scenario?: string, params: Record<string, number>, runtime?: string}} place Parts that the reader knows may
 *   be left out.
 */
export function placeOf ({ scenario = '', params, runtime }) {
  return [scenario, formatParams(params), runtime ? `Node ${runtime}` : ''].filter(Boolean).join(', ')
}

/**
 * Prints lazy-wheel on refresh-one-duration, size 10 000.
 *
 * @param {{queue: string, scenario: string, params: Record<string, number>}} cell
 */
export const describeCell = ({ queue, scenario, params }) => `${queue} on ${placeOf({ scenario, params })}`

const MOST_NAMED = 6

/**
 * Prints a; b; c; 4 more.
 *
 * @param {string[]} names
 */
export function formatSome (names) {
  const more = names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : []
  return [...names.slice(0, MOST_NAMED), ...more].join('; ')
}

/**
 * A difference or a probability: 0 %, <0.1 %, 4.2 %, 12 %. Effects below a tenth of a percent are noise.
 *
 * @param {number} fraction
 */
export function formatPercent (fraction) {
  const percent = fraction * 100
  if (percent < 0.1) return percent === 0 ? '0 %' : '<0.1 %'
  return `${percent < 10 ? Number(percent.toFixed(1)) : formatNumber(percent)} %`
}

/**
 * A part of a whole, with the same digits in every row of a column: 4.2 %, 12.0 %.
 *
 * @param {number} share
 */
export const formatShare = share => `${(100 * share).toFixed(1)} %`

/**
 * Prints 0.0004 %, 0.2 %, 12.0 %.
 *
 * @param {number} share  May be tiny.
 */
export function formatSmallShare (share) {
  const percent = 100 * share
  return percent < 0.0001 ? '<0.0001 %' : percent < 1 ? `${percent.toPrecision(1)} %` : formatShare(share)
}

/**
 * The probability that an interval holds the true value, rounded down, so that it promises no more than is true.
 *
 * @param {number} coverage
 */
export const formatCoverage = coverage => `${Math.floor(100 * coverage)} %`

/** @param {number} share  Between two shares: +1.4 pt. */
export const formatPoints = share => `${share < 0 ? '-' : '+'}${Math.abs(100 * share).toFixed(1)} pt`

/**
 * A ratio that is judged, with its interval: 1.123 (1.100–1.150).
 *
 * @param {{ratio: number | null, low: number | null, high: number | null}} measured null: not measured, or an end that
 *   is open because many samples were lost.
 */
export function formatRatioInterval ({ ratio, low, high }) {
  if (ratio === null) return '-'
  const three = (/** @type {number} */ value) => (value < 9.995 ? value.toFixed(3) : formatNumber(value))
  return low === high
    ? three(ratio)
    : `${three(ratio)} (${low === null ? 0 : three(low)}–${high === null ? '∞' : three(high)})`
}

/** @param {number | null} p  null: there is none. */
export function formatP (p) {
  if (p === null) return ''
  return p < 0.001 ? '<0.001' : p.toFixed(3)
}

/**
 * Prints 250 ms, 1.5 s.
 *
 * @param {number} ms
 */
export const formatDuration = ms => (ms < 1000 ? `${formatNumber(ms)} ms` : `${formatNumber(ms / 1000)} s`)

/**
 * Prints 1 queue, 3 queues.
 *
 * @param {number} count
 * @param {string} noun  Its plural ends in s.
 */
export const formatCount = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * @param {number[]} counts
 * @returns {number[]} the fewest and the most; one number where all are alike
 */
export const endsOf = counts => [...new Set([Math.min(...counts), Math.max(...counts)])]

/**
 * Numbers for other programs: no clock knows an eighth digit.
 *
 * @param {number} value
 */
export const sevenDigits = value => Number(value.toPrecision(7))

/** @param {string} text */
export const capitalise = text => text.charAt(0).toUpperCase() + text.slice(1)
