/**
 * Rows of a comparison, from the samples of both sides: times as pairs to be judged, counts and errors judged at once.
 */
import { sum } from 'simple-statistics'
import { placeOfCell } from '../model/cell.js'
import { countedMetrics, isGuard, measuredMetrics, metrics, metricsIn } from '../model/metrics.js'
import { isLost, pairedRatios, samplesOf } from './pairs.js'
import { comparisonOfCounts, countsAsRegression, judgeErrors, judgeFailed } from './row.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { Sample } from '../store/results.js'
 * @import { Comparison, Row } from './records.js'
 *
 * @typedef {{cell: CellPlace, base: Sample[], head: Sample[], control?: Sample[]}} Match `control`: of the table, where
 *   a round splits the table into several heats.
 */

const SIDES = { base: 'base', head: 'head' }

/**
 * A cell that failed on one side gets a row too, so that it cannot disappear.
 *
 * @param {Match} match
 * @param {{base: string, head: string}} [queues] Names of two queues that are compared with each other. They need not
 *   have the same metrics.
 * @returns {Row[]}
 */
export function measuredRows ({ cell, base, head, control }, queues) {
  const names = queues ?? SIDES
  const failure = failureOf(names.base, base) ?? failureOf(names.head, head)
  const measured = metricsIn(measuredMetrics, [...base, ...head])
  // A cell without valid samples shows no metric: the first metric represents it.
  return (measured.length > 0 ? measured : measuredMetrics.slice(0, 1)).flatMap(metric => {
    const missing = queues
      ? undefined
      : (missingOn(names.head, metric, base, head) ?? missingOn(names.base, metric, head, base))
    const pairs = pairedRatios(base, head, metric, control)
    // A guard never measured on both sides, for example because no timer fired, is ignored.
    if (isGuard(metric) && !failure && !missing && !pairs.some(({ ratio }) => ratio > 0 && ratio < Infinity)) return []
    const lostOf = (/** @type {Sample[]} */ samples) => samplesOf(samples, metric).filter(isLost).length
    return [
      {
        ...placeOfCell(cell),
        metric,
        gates: true,
        pairs,
        rounds: base.reduce((rounds, { round }) => Math.max(rounds, round + 1), 0),
        lost: { base: lostOf(base), head: lostOf(head) },
        failure: failure ?? missing
      }
    ]
  })
}

/**
 * Some failures cost only their own sample (see isLost); any other makes the cell invalid.
 *
 * @param {string} side
 * @param {Sample[]} samples
 */
function failureOf (side, samples) {
  const fatal = samples.find(
    sample => sample.kind !== 'count' && sample.kind !== 'profile' && sample.failure && !isLost(sample)
  )
  return fatal ? `${side}: ${fatal.failure?.message}` : undefined
}

/**
 * @param {string} side
 * @param {string} metric
 * @param {Sample[]} there
 * @param {Sample[]} here
 */
function missingOn (side, metric, there, here) {
  const valid = (/** @type {Sample[]} */ samples) => samplesOf(samples, metric).filter(({ failure }) => !failure)
  const isAlwaysThere = valid(there).length > 0 && valid(there).every(sample => metric in sample.metrics)
  const isNeverHere = valid(here).length > 0 && !valid(here).some(sample => metric in sample.metrics)
  return isAlwaysThere && isNeverHere ? `${side}: ${metrics[metric].title} is missing` : undefined
}

/**
 * @param {Match} match
 * @returns {Comparison[]} none where no client saw an error
 */
export function errorRows ({ cell, base, head }) {
  const [before, now] = [base, head].map(samples => {
    const served = samplesOf(samples, 'errors')
      .map(({ metrics }) => metrics)
      .filter(({ errors, requestsPerSecond }) => errors !== undefined && requestsPerSecond !== undefined)
    return {
      errors: sum(served.map(({ errors }) => errors)),
      requests: sum(served.map(({ requestsPerSecond }) => requestsPerSecond)) * (cell.params.seconds ?? 1)
    }
  })
  const isKnown = before.requests + before.errors > 0 && before.errors + now.errors > 0
  return isKnown ? [judgeErrors({ ...placeOfCell(cell), gates: true }, before, now)] : []
}

/**
 * A metric that only one side counted decides nothing: it is exact there only.
 *
 * @param {Match} match  Counted on one side at least.
 * @param {{gates: boolean, margin: number}} options  `gates`: both sides counted the same workload.
 * @returns {Comparison[]}
 */
export function countRows ({ cell, base, head }, { gates, margin }) {
  const [before, after] = [base, head].map(countsOf)
  const failure = uncounted('base', before) ?? uncounted('head', after)
  if (failure) return [invalidRow(cell, failure, countedMetrics[0])]
  const [counts, newCounts] = [before, after].map(sample => sample?.metrics ?? {})
  return countedMetrics.flatMap(metric => {
    const [known, now] = [counts[metric], newCounts[metric]]
    const { isOptional, title } = metrics[metric]
    if (known !== undefined && now !== undefined) {
      const row = { ...placeOfCell(cell), metric, gates }
      return comparisonOfCounts(row, known, now, countsAsRegression(metric, known, now, margin))
    }
    if (known === now || isOptional) return []
    return invalidRow(cell, `${known === undefined ? 'base' : 'head'}: ${title} is missing`, metric, false)
  })
}

/** @param {Sample[]} samples */
const countsOf = samples => samples.find(({ kind }) => kind === 'count')

/**
 * @param {Match} match
 * @returns {boolean} false for servers that are never counted
 */
export const wasCounted = ({ base, head }) => countsOf([...base, ...head]) !== undefined

/**
 * @param {'base' | 'head'} side
 * @param {Sample | undefined} sample
 */
function uncounted (side, sample) {
  if (!sample) return `${side}: not counted, its run ended before`
  return sample.failure && `${side}: ${sample.failure.message}`
}

/**
 * @param {CellPlace} cell
 * @param {string} failure
 * @param {string} [metric]
 * @param {boolean} [gates]
 */
export function invalidRow (cell, failure, metric = measuredMetrics[0], gates = true) {
  return judgeFailed({ ...placeOfCell(cell), metric, gates, pairs: [], rounds: 0, failure })
}
