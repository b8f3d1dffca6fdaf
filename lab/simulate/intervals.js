/** Candidates for the one interval of ratios, compared on log ratios of heats whose true value is 0. */
import { median } from 'simple-statistics'
import { tQuantile, trimmedMean } from '../../harness/judge/statistics/interval.js'
import { pseudoMedian } from '../../harness/judge/statistics/pseudo-median.js'
import { normal, uniform } from '../../test/harness/judge/statistics/noise.js'

const HEATS = [3, 5, 8, 12, 20, 30]
const noise = normal(201)
const chance = uniform(202)

/** @param {number} spread */
const steady = spread => () => spread * noise()
/** @param {number} spread */
const withOutliers = spread => () =>
  spread * noise() + (chance() < 0.1 ? (chance() < 0.5 ? 1 : -1) * (0.1 + 0.3 * chance()) : 0)

/** @type {Record<string, () => number>} */
export const LOG_RATIOS = {
  'spread 1 %': steady(0.01),
  'spread 6 %': steady(0.06),
  'spread 1 %, one in ten 10 to 40 % off': withOutliers(0.01),
  'spread 6 %, one in ten 10 to 40 % off': withOutliers(0.06),
  'two peaks 6 % apart': () => (chance() < 0.5 ? 0.03 : -0.03) + 0.01 * noise()
}

/**
 * Student's t of a trimmed mean.
 *
 * @param {number} share  Share trimmed at each end.
 * @returns {(values: number[]) => {low: number, high: number}}
 */
const trimmedBy = share => values => {
  const { estimate, error, freedom } = trimmedMean(values, share)
  const reach = tQuantile(0.975, freedom) * error
  return { low: estimate - reach, high: estimate + reach }
}

/** @type {Record<string, (values: number[]) => {low: number, high: number}>} */
const CANDIDATES = {
  "Student's t": trimmedBy(0),
  'trimmed by 1/8': trimmedBy(1 / 8),
  'trimmed by 1/5': trimmedBy(1 / 5),
  'signed ranks': values => pseudoMedian(values)
}

/**
 * @param {number} count  Repetitions.
 * @returns {string[]} lines of a table in markdown
 */
export function intervalTable (count) {
  const names = Object.keys(CANDIDATES)
  return [
    'Each cell: intervals that hold the ratio; pairs of runs whose intervals are disjoint; median half-width.\n',
    `| log ratios | heats | ${names.join(' | ')} |`,
    `| --- | ---: | ${names.map(() => '---:').join(' | ')} |`,
    ...Object.entries(LOG_RATIOS).flatMap(([data, next]) =>
      HEATS.map(heats => {
        const runs = Array.from({ length: 2 * count }, () => Array.from({ length: heats }, next))
        return `| ${data} | ${heats} | ${Object.values(CANDIDATES)
          .map(interval => describeIntervals(runs.map(interval)))
          .join(' | ')} |`
      })
    )
  ]
}

/** @param {{low: number, high: number}[]} intervals  Two neighbours are a pair of runs. */
function describeIntervals (intervals) {
  const share = (/** @type {unknown[]} */ found, /** @type {number} */ of) =>
    `${((100 * found.length) / of).toFixed(1)} %`
  const pairs = intervals.filter((_, i) => i % 2 === 0).map((one, i) => [one, intervals[2 * i + 1]])
  return [
    share(
      intervals.filter(({ low, high }) => low <= 0 && high >= 0),
      intervals.length
    ),
    share(
      pairs.filter(([one, other]) => one.low > other.high || other.low > one.high),
      pairs.length
    ),
    `${(100 * median(intervals.map(({ low, high }) => (high - low) / 2))).toFixed(1)} %`
  ].join('; ')
}
