/**
 * Parts that the answers of all commands share, and words for intervals. A sentence says faster, slower or level only
 * where the interval carries it. It says "at worst" of the high end.
 */
import { compact } from '../../harness/model/compact.js'
import { LEVEL } from '../../harness/model/heats.js'
import { formatCoverage, formatNumber, formatPercent } from '../../harness/model/numbers.js'

/** @import { Estimate } from '../../harness/judge/records.js' */
/** @import { Absent, Answer } from '../blocks.js' */

/** Differences within this margin do not matter. */
export const WITHIN = `within ${formatPercent(LEVEL - 1)}`

/**
 * A sentence, what speaks for it, and the next command.
 *
 * @param {string} text
 * @param {object} parts
 * @param {(string | Absent)[]} parts.reasons
 * @param {string} [parts.next]
 * @param {boolean} [parts.decides]  Whether `next` measures what is still open.
 * @returns {Answer}
 */
export const answer = (text, { reasons, next, decides }) => ({
  kind: 'answer',
  text,
  reasons: compact(...reasons),
  ...(next !== undefined && { next }),
  ...(decides && { decides })
})

/**
 * Prints 3 % to 5 % less CPU; 1 % better to 2 % worse.
 *
 * @param {number} low  Change as a share; less is negative.
 * @param {number} high
 * @param {[less: string, more: string, noun?: string]} words
 */
export function describeSpan (low, high, [less, more, noun = '']) {
  const [from, to] = [low, high].map(change => formatPercent(Math.abs(change)))
  const span =
    high < 0 ? `${to} to ${from} ${less}` : `${from} ${low > 0 ? '' : `${less} `}to ${to} ${more}`
  return span + noun
}

/** @type {[less: string, more: string, noun: string]} */
export const CPU = ['less', 'more', ' CPU']

/**
 * Prints 3.12 times as fast as lists (2.93 to 3.30, 95 % sure); level with lists (0.98 to 1.01 times as fast, ...).
 *
 * @param {Estimate} ratio  Ratio of times to the control.
 * @param {string} [control]
 */
export function describeRatio ({ median, low, high, n, coverage }, control) {
  const inverse = inverseOf({ median, low, high })
  const isLevel = n > 1 && low >= 1 / LEVEL && high <= LEVEL
  const isSlower = median > 1
  if (!isLevel && (n === 1 || high < 1 || low > 1)) {
    const [factor, from, to] = endsOf(isSlower ? { median, low, high } : inverse)
    const times = `${factor} times as ${isSlower ? 'slow' : 'fast'}${control ? ` as ${control}` : ''}`
    return n === 1 ? `${times} in one heat` : `${times} (${from} to ${to}, ${formatCoverage(coverage)} sure)`
  }
  const [, from, to] = endsOf(inverse)
  const range = `${from} to ${to} times as fast, ${formatCoverage(coverage)} sure`
  const [relation, preposition] = isLevel ? ['level', 'with'] : ['not told apart', 'from']
  return `${relation}${control ? ` ${preposition} ${control}` : ''} (${range})`
}

/**
 * A ratio the other way round, such as times as fast for times as slow.
 *
 * @template {{median: number, low: number, high: number}} T
 * @param {T} ratio
 * @returns {T}
 */
export const inverseOf = ratio => ({ ...ratio, median: 1 / ratio.median, low: 1 / ratio.high, high: 1 / ratio.low })

/** @param {{median: number, low: number, high: number}} ends */
const endsOf = ({ median, low, high }) => [median, low, high].map(formatNumber)
