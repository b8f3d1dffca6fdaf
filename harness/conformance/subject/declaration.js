/** Checks that a queue's `meta` is complete and well-formed. */
import { OPERATIONS } from '../clauses.js'
import { parseComplexity } from '../complexity.js'
/** @import { QueueMeta } from '../../../queues/contract.js' */

const ORDERS = ['fifo', 'deadline', 'none']

/**
 * @param {any} meta  Export of the queue's module.
 * @returns {string[]} sentences; none when `meta` is correct
 */
export function faultsOfMeta (meta) {
  if (typeof meta !== 'object' || meta === null) {
    return [`the module exports no meta object (see queues/contract.js), got ${show(meta)}`]
  }
  const { name, title, complexity, order, accuracy, source } = meta
  return [
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || `meta.name must be in kebab case, got ${show(name)}`,
    isText(title) || `meta.title must be a line of text, got ${show(title)}`,
    isText(source) || `meta.source must say where the queue comes from, got ${show(source)}`,
    ORDERS.includes(order) || `meta.order must be one of ${ORDERS.join(', ')}, got ${show(order)}`,
    isAccuracy(accuracy) || `meta.accuracy must be 'exact' or, for example, { relative: 0.1 }, got ${show(accuracy)}`,
    ...OPERATIONS.map(operation => {
      const text = complexity?.[operation]
      const rule = `meta.complexity.${operation} must read like 'O(k log n)', in n, k, d or s`
      return parseComplexity(text) !== null || `${rule}, got ${show(text)}`
    })
  ].filter(fault => fault !== true)
}

/**
 * The promises to test: each as declared, or, if malformed, the default: exact firing, in any order.
 *
 * @param {any} meta
 * @returns {Pick<QueueMeta, 'order' | 'accuracy' | 'complexity'>}
 */
export function promisesOf (meta) {
  return {
    order: ORDERS.includes(meta?.order) ? meta.order : 'none',
    accuracy: isAccuracy(meta?.accuracy) ? meta.accuracy : 'exact',
    complexity: meta?.complexity ?? {}
  }
}

/** @param {any} accuracy */
function isAccuracy (accuracy) {
  return accuracy === 'exact' || (accuracy?.relative > 0 && accuracy.relative < Infinity)
}

/** @param {unknown} value */
function isText (value) {
  return typeof value === 'string' && value.trim() !== '' && !value.includes('\n')
}

/** @param {unknown} value */
const show = value => JSON.stringify(value) ?? String(value)
