/** Two gates of the same sides, with different draws, perhaps on two machines: do they agree? */
import { placeOfCell } from '../model/cell.js'
import { describeCell } from '../model/numbers.js'

/** @import { Comparison, ComparisonRecord, Earlier } from '../judge/records.js' */
/** @import { Run } from '../store/results.js' */

/** @typedef {{record: ComparisonRecord, run: Pick<Run, 'environment' | 'plan'>}} JudgedGate */

/**
 * @param {JudgedGate} now
 * @param {JudgedGate & {directory: string}} before
 * @returns {Earlier}
 */
export function besideEarlier ({ record: { verdict, comparisons }, run }, before) {
  const rows = before.record.comparisons
    .filter(({ gates, exact }) => gates && !exact)
    .map(row => {
      const { metric, ratio, low, high, verdict } = row
      return { ...placeOfCell(row), metric, ratio, low, high, verdict }
    })
  const overlaps = rows.every(row => {
    const now = comparisons.find(
      ({ metric, ...place }) => metric === row.metric && describeCell(place) === describeCell(row)
    )
    return now !== undefined && startOf(now) <= endOf(row) && startOf(row) <= endOf(now)
  })
  return {
    directory: before.directory,
    verdict: before.record.verdict,
    agrees: overlaps && before.record.verdict === verdict,
    rows,
    differences: differencesOf(before.run, run)
  }
}

/** @typedef {Pick<Comparison, 'low' | 'high'>} OpenInterval  An end that is null is open. */

const startOf = (/** @type {OpenInterval} */ { low }) => low ?? 0
const endOf = (/** @type {OpenInterval} */ { high }) => high ?? Infinity

/**
 * @param {Pick<Run, 'environment' | 'plan'>} before
 * @param {Pick<Run, 'environment' | 'plan'>} now
 */
function differencesOf (before, now) {
  const [first, second] = [before, now].map(factsOf)
  return Object.keys(first).flatMap(fact =>
    first[fact] === second[fact] ? [] : [{ fact, before: first[fact], now: second[fact] }]
  )
}

/**
 * @param {Pick<Run, 'environment' | 'plan'>} run
 * @returns {Record<string, string>}
 */
const factsOf = ({ environment: { cpu, cores, kernel, v8, timerq }, plan: { runtimes } }) => ({
  Node: runtimes.map(({ name }) => name).join(' and '),
  V8: v8,
  CPU: `${cores} x ${cpu}`,
  system: kernel,
  timerq
})
