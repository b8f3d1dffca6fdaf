/**
 * The answer of a gate for programs: the row that decides, the seconds spent, and the command that comes next. The try
 * of many (--attempt) that was picked for being faster looks better than it is, so the next command measures it again,
 * with other seeds and as the only try.
 */
import { decisiveRow, describeWhole } from '../reports/verdicts.js'
import { commandLine } from '../reports/blocks.js'
import { GATE } from './presets.js'
import { retyped } from './request/again.js'

/** @import { ComparisonRecord } from '../harness/judge/compare.js' */

/**
 * @typedef {object} GateAnswer
 * @property {string} text  The verdict in a line.
 * @property {number | null} ratio  Head to base, of the row that decides. null: unknown, as are its ends.
 * @property {number | null} low
 * @property {number | null} high
 * @property {number} pairs
 * @property {number | null} seconds  Seconds of measuring. null: unknown.
 * @property {{command: string | null, seconds: number} | null} next  Command that would decide, or confirm a gain
 *   (null in a program that called timerq), and about the seconds that it measures. null: the verdict stands.
 */

/**
 * @param {ComparisonRecord} record
 * @param {number} [budgetSeconds]  Budget of the gate.
 * @returns {ComparisonRecord & {answer: GateAnswer}}
 */
export function withGateAnswer (record, budgetSeconds = GATE.budgetSeconds) {
  const { ratio = null, low = null, high = null, pairs = 0, morePairs } = decisiveRow(record) ?? {}
  const { verdict, command, seconds = null } = record
  const text = describeWhole(record)
  const figures = { text, ratio, low, high, pairs, seconds }
  const withNext = (/** @type {Record<string, string | null>} */ changes, /** @type {number} */ measured) => {
    const again = command[0] === 'timerq' ? commandLine(retyped(command, { seed: null, ...changes })).text : null
    return { ...record, answer: { ...figures, next: { command: again, seconds: measured } } }
  }
  const isGain = verdict === 'pass' && record.comparisons.some(({ expect }) => expect?.attempt !== undefined)
  if (isGain) return withNext({ attempt: null, out: null }, seconds ?? budgetSeconds)
  // More time does not measure what both sides share.
  if (verdict !== 'inconclusive' || record.unmeasured) return { ...record, answer: { ...figures, next: null } }
  const needed = pairs + (morePairs ?? pairs)
  const enough = Math.ceil(seconds !== null && pairs > 0 ? (seconds * needed) / pairs : 2 * budgetSeconds)
  // More time, and draws of its own. A row that is decided early does not use it up.
  const budget = Math.max(2 * budgetSeconds, 2 * enough)
  const rounds = needed > GATE.rounds ? String(needed) : null
  return withNext({ budget: `${budget}s`, rounds }, enough)
}
