/**
 * What `timerq check` found: a line for each clause, and below a broken one the counter-example that shows it.
 *
 * @typedef {object} CheckedQueue  As in timerq-check/1.
 * @property {string} queue
 * @property {boolean} holds
 * @property {Tally & {largest: Tally} | null} sequences  `largest`: timers in one sequence.
 * @property {CheckedClause[]} clauses
 *
 * @typedef {{tried: number, planned: number}} Tally
 * @typedef {{clause: string, sentence: string, holds: boolean, counterexample: string | null}} CheckedClause
 */
import { formatCount, formatParam } from '../../harness/model/numbers.js'
import { paragraph, section, words } from '../blocks.js'

/** As wide as each other, so that queues shown one after the other line up. */
const HOLDS = 'holds '
const BROKEN = 'broken'

/**
 * One queue: shown as soon as it has been checked.
 *
 * @param {CheckedQueue} checked
 * @returns {import('../blocks.js').Document}
 */
export function checkedQueueDocument (checked) {
  const { queue, clauses } = checked
  return {
    title: '',
    blocks: [],
    sections: [section(queue, [{
      kind: 'table',
      caption: '',
      columns: [words(''), words(''), words('counter-example', { narrow: 'note' })],
      rows: clauses.map(({ sentence, holds, counterexample }) => ({
        cells: [holds ? { text: HOLDS, tone: 'good' } : { text: BROKEN, tone: 'bad' }, { text: sentence }, { text: counterexample ?? '', code: true }]
      })),
      remarks: describeUntried(checked)
    }])]
  }
}

/**
 * What there was no time for: it says nothing about the queue.
 *
 * @param {CheckedQueue} checked
 * @returns {string[]}
 */
function describeUntried ({ clauses, sequences }) {
  if (sequences === null) return []
  const { tried, planned, largest } = sequences
  const isEndless = clauses.some(({ clause, holds }) => clause === 'returns' && !holds)
  const why = isEndless ? 'an operation did not return' : 'it is slow, which is no fault'
  return [
    ...(tried < planned ? [`tried ${tried} of ${planned} sequences: ${why}`] : []),
    ...(largest.tried < largest.planned ? [`tried with up to ${formatParam(largest.tried)} timers, not ${formatParam(largest.planned)}: ${why}`] : [])
  ]
}

/**
 * @param {CheckedQueue[]} checked
 * @returns {import('../blocks.js').Document}
 */
export function checkSummary (checked) {
  const broken = checked.filter(({ holds }) => !holds)
  const names = broken.map(({ queue, clauses }) => `${queue} (${clauses.filter(({ holds }) => !holds).length})`)
  const text = `${checked.length - broken.length} of ${formatCount(checked.length, 'queue')} kept the contract` +
    (broken.length > 0 ? `; clauses broken by ${names.join(', ')}` : '')
  return { title: '', blocks: [paragraph(text)], sections: [] }
}
