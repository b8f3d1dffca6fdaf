/** Two gates of the same sides, measured with other draws, perhaps on another machine: do they agree? */
import { placeOfCell } from '../model/cell.js'
import { describeCell } from '../model/numbers.js'

/** @import { Comparison, ComparisonRecord, Earlier } from '../judge/records.js' */

/**
 * Whether two gates measured the same sides, by their hashes of git.
 *
 * @param {ComparisonRecord} first
 * @param {ComparisonRecord} second
 */
export const haveSameSides = ({ receipt: first }, { receipt: second }) =>
  first?.trees?.base === second?.trees?.base && first?.trees?.head === second?.trees?.head

/**
 * @param {string} directory  Results of the first gate.
 * @param {ComparisonRecord} first
 * @param {ComparisonRecord} second
 * @returns {Earlier}
 */
export function agreementOf (directory, first, second) {
  const rows = first.comparisons
    .filter(({ gates, exact }) => gates && !exact)
    .map(row => {
      const { metric, ratio, low, high, verdict } = row
      return { ...placeOfCell(row), metric, ratio, low, high, verdict }
    })
  const overlaps = rows.every(row => {
    // Another machine may have another Node.
    const now = second.comparisons.find(
      ({ metric, ...place }) => metric === row.metric && describeCell(place) === describeCell(row)
    )
    return now !== undefined && startOf(now) <= endOf(row) && startOf(row) <= endOf(now)
  })
  const [before, now] = [first, second].map(factsOf)
  return {
    directory,
    verdict: first.verdict,
    agrees: overlaps && first.verdict === second.verdict,
    rows,
    differences: Object.keys(before).flatMap(fact =>
      before[fact] === now[fact] ? [] : [{ fact, before: before[fact], now: now[fact] }]
    )
  }
}

/** @typedef {Pick<Comparison, 'low' | 'high'>} OpenInterval  An end that is null is open. */

const startOf = (/** @type {OpenInterval} */ { low }) => low ?? 0
const endOf = (/** @type {OpenInterval} */ { high }) => high ?? Infinity

/**
 * @param {ComparisonRecord} record
 * @returns {Record<string, string>}
 */
function factsOf ({ comparisons, receipt }) {
  const { cpu, cores, kernel, v8, timerq } = /** @type {NonNullable<typeof receipt>} */ (receipt).environment
  return {
    Node: [...new Set(comparisons.map(({ runtime }) => runtime))].join(' and '),
    V8: v8,
    CPU: `${cores} x ${cpu}`,
    system: kernel,
    timerq
  }
}
