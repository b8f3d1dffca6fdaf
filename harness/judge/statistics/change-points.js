/**
 * Where a series changed its level for good: optimal partitioning of a sequence into segments of constant mean. The
 * squared deviations from the segments' means, in units of the noise, and a penalty for every change are minimised
 * together, exactly, by dynamic programming. The noise is estimated from successive differences, so that changes do not
 * count as noise.
 *
 * Whether it changed at all is another question: runs of one week resemble each other, and a series that wanders has steps
 * of its own. Its best single step is therefore compared with the best steps of many simulated series that wander as much
 * and change nowhere.
 *
 * Sources: F. R. Hampel, "The influence curve and its role in robust estimation", JASA 69, 1974; B. Jackson et al., "An
 * algorithm for optimal partitioning of data on an interval", IEEE Signal Processing Letters 12(2), 2005; Killick,
 * Fearnhead and Eckley, "Optimal detection of changepoints with a linear computational cost" (PELT), JASA 107, 2012,
 * whose pruning a few hundred runs can do without; the best step: D. W. K. Andrews, "Tests for parameter instability and
 * structural change with unknown change point", Econometrica 61, 1993.
 */
import { mean, median, probit } from 'simple-statistics'
import { createRandom } from '../../model/random.js'

/** A level that was seen once is an outlier until it is seen again. */
const SHORTEST = 2
/** In units of the noise. */
const OUTLIER = 3
/** Turns the median absolute deviation of normal values into their standard deviation. */
const MAD_TO_SD = 1.4826
/**
 * Times log n, for each change. The Bayesian criterion, 3, is for normal noise; this one bears outliers.
 */
const PENALTY = 6
/** Simulated series: enough to be sure of one change among 500 series. */
const SERIES = 10_000
const SEED = 19_930_701
/** Correlations are rounded to this, so that few of them are simulated. */
const GRAIN = 0.05
const HIGHEST = 0.95

/**
 * @param {number[]} values  in the order of time
 * @param {number} leastNoise  Standard deviation: no series is believed to have less.
 * @returns {number[]} indices at which a new level begins, ascending
 */
export function changePoints (values, leastNoise) {
  const n = values.length
  if (n < 2 * SHORTEST) return []
  const noise = Math.max(noiseOf(values), leastNoise)
  const cost = segmentCosts(withoutOutliers(values, OUTLIER * noise).map(value => value / noise))
  const penalty = PENALTY * Math.log(n)
  const best = [-penalty, ...Array(n).fill(Infinity)]
  const lastChange = Array(n + 1).fill(0)
  for (let end = SHORTEST; end <= n; end++) {
    for (let start = 0; start <= end - SHORTEST; start++) {
      const total = best[start] + cost(start, end) + penalty
      if (total < best[end]) {
        best[end] = total
        lastChange[end] = start
      }
    }
  }
  const changes = []
  for (let at = lastChange[n]; at > 0; at = lastChange[at]) changes.unshift(at)
  return changes
}

/**
 * Hampel's filter over three values: one that is alone with its level is replaced by the median of it and its
 * neighbours.
 *
 * @param {number[]} values
 * @param {number} far
 */
function withoutOutliers (values, far) {
  return values.map((value, i) => {
    const first = Math.max(0, Math.min(i - 1, values.length - 3))
    const middle = median(values.slice(first, first + 3))
    return Math.abs(value - middle) > far ? middle : value
  })
}

/** @param {number[]} values */
function noiseOf (values) {
  const steps = values.slice(1).map((value, i) => Math.abs(value - values[i]))
  return MAD_TO_SD * median(steps) / Math.SQRT2
}

/**
 * Sums up to each index make the cost of any segment a matter of two subtractions.
 *
 * @param {number[]} values
 * @returns {(start: number, end: number) => number} squared deviations from the mean of values[start .. end - 1]
 */
function segmentCosts (values) {
  // Around zero, so that the difference of large squares loses nothing.
  const middle = median(values)
  const sums = [0]
  const squares = [0]
  for (const value of values) {
    const centred = value - middle
    sums.push(sums[sums.length - 1] + centred)
    squares.push(squares[squares.length - 1] + centred ** 2)
  }
  return (start, end) => squares[end] - squares[start] - (sums[end] - sums[start]) ** 2 / (end - start)
}

/**
 * For each series, the probability that one which changes nowhere, but wanders as much, has as clear a step. They are from
 * one machine: none is taken to wander less than they do on average. One that seems to wander more does so with one
 * standard error added, because wandering that is missed looks like steps.
 *
 * @param {number[][]} allSeries  Each in the order of time.
 * @returns {number[]}
 */
export function chancesOfSteps (allSeries) {
  const long = allSeries.filter(({ length }) => length >= 2 * SHORTEST)
  const common = long.length > 0 ? mean(long.map(correlationOf)) : 0
  return allSeries.map(values => {
    if (values.length < 2 * SHORTEST) return 1
    const wander = Math.max(0, common, correlationOf(values) + 1 / Math.sqrt(values.length))
    const clearest = clearestSteps(values.length, Math.min(HIGHEST, Math.ceil(wander / GRAIN) * GRAIN))
    const own = clearestStep(values)
    return (1 + clearest.filter(step => step >= own).length) / (1 + clearest.length)
  })
}

/**
 * Of each value with the next one, as far as a step lets it be seen: from the differences of ranks, to which a step adds
 * but one.
 *
 * @param {number[]} values
 */
function correlationOf (values) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b])
  /** @type {number[]} */
  const ranks = new Array(values.length)
  order.forEach((index, rank) => { ranks[index] = rank })
  const steps = ranks.slice(1).map((rank, i) => rank - ranks[i])
  const together = steps.slice(1).reduce((sum, step, i) => sum + step * steps[i], 0)
  const squares = steps.reduce((sum, step) => sum + step * step, 0)
  return 1 + 2 * together / squares
}

/**
 * How much of the squared deviations the best single step explains, to what it leaves.
 *
 * @param {number[]} values
 */
function clearestStep (values) {
  const n = values.length
  const middle = mean(values)
  const all = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  let sum = 0
  let best = 0
  for (let k = 1; k <= n - SHORTEST; k++) {
    sum += values[k - 1] - middle
    if (k >= SHORTEST) best = Math.max(best, sum * sum * n / (k * (n - k)))
  }
  return best >= all ? (all > 0 ? Infinity : 0) : best / (all - best)
}

/** @type {Map<string, Float64Array>} */
const known = new Map()

/**
 * Of simulated series without a change. The same every time.
 *
 * @param {number} length
 * @param {number} wander
 */
function clearestSteps (length, wander) {
  const key = `${length} ${wander.toFixed(2)}`
  const steps = known.get(key) ?? simulate()
  known.set(key, steps)
  return steps

  function simulate () {
    const random = createRandom(SEED)
    const normal = () => probit((random(2 ** 30) + 0.5) / 2 ** 30)
    return Float64Array.from({ length: SERIES }, () => {
      let value = normal()
      return clearestStep(Array.from({ length }, () => {
        const current = value
        value = wander * value + Math.sqrt(1 - wander ** 2) * normal()
        return current
      }))
    })
  }
}
