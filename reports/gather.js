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
  const groups = groupBy(remarks, ({ queue, scenario, reason }) => JSON.stringify([queue, scenario, reason]))
  return [...groups.values()].flatMap(group => {
    const [{ queue, scenario, reason }] = group
    const paramLists = group.map(({ params }) => Object.entries(params))
    return gatherParams(paramLists).map(params => ({
      queue,
      place: [scenario, ...params].join(', '),
      reason
    }))
  })
}

/**
 * Merges the values of the first parameter that occur with the same lists of the others.
 *
 * @param {[string, number][][]} all  Lists with the same names in the same order.
 * @returns {string[][]} a list for each set of combinations that is complete, such as ['size 1 000 and 10 000',
 *   'expiring 0 and 1']: each value of a parameter occurs with all values of the others
 */
function gatherParams (all) {
  if (all[0].length === 0) return [[]]
  const [[name]] = all[0]
  const byValue = [...groupBy(all, ([[, value]]) => value)].map(([value, withValue]) => ({
    value,
    others: gatherParams(withValue.map(params => params.slice(1)))
  }))
  return [...groupBy(byValue, ({ others }) => JSON.stringify(others)).values()].flatMap(alike => {
    const values = enumerate(alike.map(({ value }) => formatParam(value)))
    return alike[0].others.map(others => [`${name} ${values}`, ...others])
  })
}
