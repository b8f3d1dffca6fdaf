/** The same said of many places, said once. */
import { enumerate, formatParam } from '../../harness/model/numbers.js'

/**
 * @typedef {{queue: string, scenario: string, params: Record<string, number>, reason: string}} Remark
 *
 * @param {Remark[]} remarks
 * @returns {{queue: string, place: string, reason: string}[]} places such as: mixed, size 1 000 and 10 000, expiring 0 and 1
 */
export function gather (remarks) {
  const keyOf = (/** @type {Remark} */ { queue, scenario, reason }) => JSON.stringify([queue, scenario, reason])
  return groups(remarks, keyOf).flatMap(alike => {
    const [{ queue, scenario, reason }] = alike
    return gatherParams(alike.map(({ params }) => Object.entries(params)))
      .map(params => ({ queue, place: [scenario, ...params].join(', '), reason }))
  })
}

/**
 * @param {[string, number][][]} all  Of the same names in the same order.
 * @returns {string[][]} for each set of them in which every value goes with every other: name and values
 */
function gatherParams (all) {
  if (all[0].length === 0) return [[]]
  const [[name]] = all[0]
  const byValue = groups(all, ([[, value]]) => value).map(own => ({
    value: own[0][0][1],
    rest: gatherParams(own.map(params => params.slice(1)))
  }))
  return groups(byValue, ({ rest }) => JSON.stringify(rest)).flatMap(alike => {
    const values = enumerate(alike.map(({ value }) => formatParam(value)))
    return alike[0].rest.map(rest => [`${name} ${values}`, ...rest])
  })
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => unknown} keyOf
 * @returns {T[][]} in the order of first appearance
 */
function groups (items, keyOf) {
  const keys = items.map(keyOf)
  return [...new Set(keys)].map(key => items.filter((_, i) => keys[i] === key))
}
