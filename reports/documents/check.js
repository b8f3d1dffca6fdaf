/**
 * Result of `timerq check`: a line for each clause, and below a broken clause its counter-example.
 *
 * @typedef {object} CheckedQueue  As in timerq-check/1.
 * @property {string} queue
 * @property {boolean} holds
 * @property {Tally & {largest: Tally} | null} sequences  `largest`: timers in one sequence.
 * @property {{clause: string, sentence: string, holds: boolean, counterexample: string | null}[]} clauses
 *
 * @typedef {{tried: number, planned: number}} Tally
 */
import { formatCount, formatParam } from '../../harness/model/numbers.js'
import { createDocument, paragraph, section, table, words } from '../blocks.js'

/** @import { Document } from '../blocks.js' */

/** Both texts have the same width, so that queues shown one after the other line up. */
const HOLDS = 'holds '
const BROKEN = 'broken'

/**
 * @param {CheckedQueue} checked
 * @returns {Document}
 */
export function checkedQueueDocument (checked) {
  const { queue, clauses } = checked
  const results = table({
    columns: ['', '', words('counter-example', { narrow: 'note' })],
    rows: clauses.map(({ sentence, holds, counterexample }) => [
      holds ? { text: HOLDS, tone: 'good' } : { text: BROKEN, tone: 'bad' },
      sentence,
      { text: counterexample ?? '', code: true }
    ]),
    remarks: describeUntried(checked)
  })
  return createDocument([], [section(queue, [results])])
}

/**
 * Parts of the check that time did not allow.
 *
 * @param {CheckedQueue} checked
 */
function describeUntried ({ clauses, sequences }) {
  if (sequences === null) return []
  const { tried, planned, largest } = sequences
  const isEndless = clauses.some(({ clause, holds }) => clause === 'returns' && !holds)
  const why = isEndless ? 'an operation did not return' : 'a slow queue, which is no fault'
  return [
    tried < planned && `tried ${tried} of ${planned} sequences: ${why}`,
    largest.tried < largest.planned &&
      `tried with up to ${formatParam(largest.tried)} timers, not ${formatParam(largest.planned)}: ${why}`
  ]
}

/**
 * @param {CheckedQueue[]} checked
 * @returns {Document}
 */
export function checkSummary (checked) {
  const broken = checked.filter(({ holds }) => !holds)
  const names = broken.map(({ queue, clauses }) => `${queue} (${clauses.filter(({ holds }) => !holds).length})`)
  const text =
    `${checked.length - broken.length} of ${formatCount(checked.length, 'queue')} kept the contract` +
    (broken.length > 0 ? `; clauses broken by ${names.join(', ')}` : '')
  return createDocument([paragraph(text)])
}
