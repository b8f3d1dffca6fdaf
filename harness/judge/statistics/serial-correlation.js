/**
 * Tests on pairs assume that each pair is independent of the one before it. Where the machine drifts, neighbours resemble
 * each other, thirty pairs say as much as eight, and false alarms multiply. The lag-1 correlation of the ranks shows the drift;
 * then neighbours are averaged in blocks, so long that the blocks are about independent, and the blocks are tested.
 *
 * A row of twelve pairs cannot show a correlation, several rows of one gate can: they share the machine, so their
 * correlations are pooled.
 *
 * Sources: R. Bartels, "The rank version of von Neumann's ratio test for randomness", JASA 77, 1982; block means:
 * A. M. Law and J. S. Carson, "A sequential procedure for determining the length of a steady-state simulation",
 * Operations Research 27(5), 1979.
 */
import { probit } from 'simple-statistics'
import { doubledRanks } from './ranks.js'

/** One-sided. Blocks of independent pairs lose much where pairs are few: they must rarely form by chance. */
const LEVEL = 0.03
/** Shorter series show nothing. */
const SHORTEST = 6
/** Pairs correlated by r in place of one independent pair: (1 + r) / (1 - r). Twice that leaves blocks nearly independent. */
const BLOCK_FACTOR = 2
const HIGHEST = 0.95
/** Values closer than this differ by rounding alone. */
const CLOSE = 1e-9

/**
 * @param {number[][]} allSeries  All rows of a gate, each in the order of time.
 * @returns {{length: number, correlation: number}} 1: the pairs may be taken for independent
 */
export function blockLength (allSeries) {
  const long = allSeries.filter(({ length }) => length >= SHORTEST)
  if (long.length === 0) return { length: 1, correlation: 0 }
  const sum = (/** @type {(values: number[]) => number} */ term) => long.reduce((sum, values) => sum + term(values), 0)
  const total = sum(({ length }) => length)
  const correlation = sum(values => values.length * lagCorrelation(values)) / total
  // Without dependence the correlation of n ranks has the mean -1 / n.
  const mean = -long.length / total
  const variance = sum(({ length }) => (length - 2) ** 2 / (length - 1)) / total ** 2
  if (correlation <= mean + probit(1 - LEVEL) * Math.sqrt(variance)) return { length: 1, correlation }
  // Short series show less correlation than there is.
  const corrected = Math.min(HIGHEST, correlation + (1 + 3 * correlation) * long.length / total)
  return { length: Math.max(2, Math.ceil(BLOCK_FACTOR * (1 + corrected) / (1 - corrected))), correlation }
}

/**
 * The mean of every `length` neighbours. The earliest values that fill no block are left out.
 *
 * @param {number[]} values
 * @param {number} length
 */
export function inBlocks (values, length) {
  if (length === 1) return values
  const blocks = Math.floor(values.length / length)
  const first = values.length - blocks * length
  return Array.from({ length: blocks }, (_, block) => {
    const start = first + block * length
    const sum = values.slice(start, start + length).reduce((sum, value) => sum + value, 0)
    // Infinitely slow and infinitely fast cancel out.
    return Number.isNaN(sum) ? 0 : sum / length
  })
}

/**
 * Correlation of each value's rank with the next one's, in O(n log n).
 *
 * @param {number[]} values
 * @returns {number} 0 where all are equal
 */
export function lagCorrelation (values) {
  const rounded = values.map(value => Math.round(value / CLOSE))
  // Around zero: how many values are lower, less how many are higher.
  const ranks = doubledRanks(rounded).map(rank => rank - rounded.length - 1)
  const together = ranks.slice(1).reduce((sum, rank, i) => sum + rank * ranks[i], 0)
  return together / ranks.reduce((sum, rank) => sum + rank * rank, 0) || 0
}
