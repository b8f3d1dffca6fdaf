/**
 * Expectations: results that the times of a row must show. By default, a head must not be slower.
 *
 *   faster   passes when the head is shown to be faster by more than the floor; missed when it is shown not to be
 *   level    passes when the head is shown to be neither slower nor faster by the margin; missed when it is shown to be
 *            slower or faster by more than the floor
 */
import { isGuard } from '../model/metrics.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { Rules } from './records.js'
 *
 * @typedef {object} Expectation
 * @property {'faster' | 'level'} change
 * @property {number} [floor]  Smallest gain to be exceeded: 0.05 for 5 %. Default: the floor of the rules.
 *
 * @typedef {object} Expected  A word of `--expect`.
 * @property {Expectation['change'] | 'not-slower'} change
 * @property {number} [floor]
 * @property {string} [rows]  Pattern of scenarios or queues, in which * stands for anything. Default: all rows.
 *
 * @typedef {'slower' | 'faster'} Direction  What a test looks for.
 */

/**
 * The expectation of a row: the last that names it, else the last that names no rows.
 *
 * @param {{scenario: string, queue: string, metric: string}} row
 * @param {{expect?: Expected[]}} gate
 * @returns {Expectation | undefined} undefined: not slower. Noisy metrics are never expected to improve.
 */
export function expectationOf (row, { expect: expected = [] }) {
  if (isGuard(row.metric)) return undefined
  const own =
    expected.findLast(({ rows }) => rows !== undefined && isMeant(row, rows)) ??
    expected.findLast(({ rows }) => rows === undefined)
  if (!own || own.change === 'not-slower') return undefined
  return { change: own.change, ...(own.floor !== undefined && { floor: own.floor }) }
}

/**
 * @param {Pick<CellPlace, 'scenario' | 'queue'>} row
 * @param {string} pattern
 */
export function isMeant ({ scenario, queue }, pattern) {
  const parts = pattern.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const named = new RegExp(`^${parts.join('.*')}$`)
  return named.test(scenario) || named.test(queue)
}

/**
 * @param {Expectation} [expect]
 * @returns {Direction[]} the tests that a row needs
 */
export function directionsOf (expect) {
  if (expect === undefined) return ['slower']
  return expect.change === 'faster' ? ['faster'] : ['slower', 'faster']
}

/**
 * The rules of a test, so that log1p of a bound is its distance from "as fast" in the direction of the test. A gain of
 * 5 % takes 0.95 times as long, which is as far as a slowdown of 5.3 %.
 *
 * @param {Rules} rules
 * @param {Direction} direction
 * @param {Expectation} [expect]
 * @returns {Rules}
 */
export function rulesFor (rules, direction, expect) {
  if (direction === 'slower') return rules
  const { change, floor = rules.floor } = /** @type {Expectation} */ (expect)
  // Nothing lies between faster and not faster: near the floor, a row stays open.
  return { ...rules, floor: mirrored(floor), margin: mirrored(change === 'faster' ? floor : rules.margin) }
}

/** @param {number} gain */
const mirrored = gain => 1 / (1 - gain) - 1

/**
 * Verdicts of a test: its direction is shown by more than the floor, or excluded at the margin.
 *
 * @param {Expectation} [expect]
 * @returns {{shown: 'regression' | 'pass' | 'missed', excluded: 'pass' | 'missed'}}
 */
export function verdictsOf (expect) {
  if (expect === undefined) return { shown: 'regression', excluded: 'pass' }
  return expect.change === 'faster'
    ? { shown: 'pass', excluded: 'missed' }
    : { shown: 'missed', excluded: 'pass' }
}
