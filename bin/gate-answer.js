/**
 * The answer of a gate for programs: the row that decides, the seconds spent, and the command that comes next. A change
 * that was picked for being faster looks better than it is, so the next command measures it again, with other seeds.
 */
import { compact } from '../harness/model/compact.js'
import { commandLine } from '../reports/blocks.js'
import { decisiveRow, describeEarlier, describeWhole } from '../reports/answers/comparison.js'
import { GATE } from './presets.js'
import { againOf, retyped } from './request/again.js'

/** @import { ComparisonRecord } from '../harness/judge/records.js' */

/**
 * @typedef {object} GateAnswer
 * @property {string} text  The verdict in a line.
 * @property {number | null} ratio  Head to base, of the row that decides. null: unknown, as are its ends.
 * @property {number | null} low
 * @property {number | null} high
 * @property {number} pairs
 * @property {number | null} seconds  Seconds of measuring. null: unknown.
 * @property {{command: string | null, seconds: number} | null} next  Command that would decide, or confirm a gain, and
 *   about the seconds that it measures. null: the verdict stands.
 */

/**
 * @param {ComparisonRecord} record
 * @param {object} [gate]
 * @param {number} [gate.budgetSeconds]
 * @param {string} [gate.directory]  Results.
 * @returns {ComparisonRecord & {answer: GateAnswer}}
 */
export function withGateAnswer (record, { budgetSeconds = GATE.budgetSeconds, directory } = {}) {
  const { ratio = null, low = null, high = null, pairs = 0, morePairs } = decisiveRow(record) ?? {}
  const { verdict, command, seconds = null, earlier } = record
  const text = compact(describeWhole(record), describeEarlier(record)).join('; ')
  const figures = { text, ratio, low, high, pairs, seconds }
  const withNext = (/** @type {GateAnswer['next']} */ next) => ({ ...record, answer: { ...figures, next } })
  const isGain = verdict === 'pass' && record.comparisons.some(({ expect }) => expect?.change === 'faster')
  if (isGain && !earlier) {
    const confirm = directory === undefined ? null : describeAgain(directory, command)
    return withNext({ command: confirm, seconds: seconds ?? budgetSeconds })
  }
  const isShort = record.notFitting !== undefined
  // More time does not measure what both sides share.
  const isOpen = verdict === 'inconclusive' && (record.unmeasured ?? []).length <= Number(isShort)
  if (!isOpen && !(isShort && verdict === 'invalid')) return withNext(null)
  const needed = pairs + (morePairs ?? pairs)
  const enough = Math.ceil(seconds !== null && pairs > 0 ? (seconds * needed) / pairs : 2 * budgetSeconds)
  // The next gate gets more time and new random draws. It ends early once all rows are decided.
  const budget = `${Math.max(2 * budgetSeconds, 2 * enough)}s`
  const rounds = needed > GATE.rounds ? String(needed) : null
  const more = ['--budget', budget, ...(rounds === null ? [] : ['--rounds', rounds])]
  const again = earlier
    ? describeAgain(earlier.directory, command, more)
    : commandLine(retyped(command, { seed: null, budget, rounds })).text
  return withNext({ command: again, seconds: enough })
}

/** @type {(directory: string, command: string[], more?: string[]) => string} */
function describeAgain (directory, command, more = []) {
  return commandLine([...'timerq confirm'.split(' '), directory, ...more, ...againOf(command)]).text
}
