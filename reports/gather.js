/** Merges identical remarks about several places. */
import { groupBy } from '../harness/model/group-by.js'
import { enumerate, formatParam } from '../harness/model/numbers.js'

/**
 * @typedef {{queue: string, scenario: string, params: Record<string, number>, reason: string}} Remark
 *
 * @param {Remark[]} remarks
 * @returns {{queue: string, place: string, reason: string}[]} places such as: mixed, size 1 000 and 10 000, expiring 0
 *   and 1
 */
export function gather (remarks) {
  const together = groupBy(remarks, ({ queue, scenario, reason }) => JSON.stringify([queue, scenario, reason]))
  return [...together.values()].flatMap(alike => {
    const [{ queue, scenario, reason }] = alike
    return gatherParams(alike.map(({ params }) => Object.entries(params))).map(params => ({
      queue,
      place: [scenario, ...params].join(', '),
      reason
    }))
  })
}

/**
 * @param {[string, number][][]} all  Lists with the same names in the same order.
 * @returns {string[][]} names and values, for each set in which every value occurs with every other
 */
function gatherParams (all) {
  if (all[0].length === 0) return [[]]
  const [[name]] = all[0]
  const byValue = [...groupBy(all, ([[, value]]) => value)].map(([value, own]) => ({
    value,
    others: gatherParams(own.map(params => params.slice(1)))
  }))
  return [...groupBy(byValue, ({ others }) => JSON.stringify(others)).values()].flatMap(alike => {
    const values = enumerate(alike.map(({ value }) => formatParam(value)))
    return alike[0].others.map(others => [`${name} ${values}`, ...others])
  })
}
