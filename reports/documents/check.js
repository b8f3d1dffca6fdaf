/**
 * What `timerq check` found: a line for each clause, and below a broken one the counter-example that shows it.
 *
 * @typedef {object} CheckedQueue  As in timerq-check/1.
 * @property {string} queue
 * @property {boolean} holds
 * @property {{tried: number, planned: number} | null} sequences
 * @property {{clause: string, sentence: string, holds: boolean, counterexample: string | null}[]} clauses
 */
import { formatCount } from '../../harness/model/numbers.js'
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
export function checkedQueueDocument ({ queue, clauses, sequences }) {
  const untried = describeUntried(clauses, sequences)
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
      remarks: untried ? [untried] : []
    }])]
  }
}

/**
 * @param {CheckedQueue['clauses']} clauses
 * @param {CheckedQueue['sequences']} sequences
 */
function describeUntried (clauses, sequences) {
  if (sequences === null || sequences.tried === sequences.planned) return null
  const isEndless = clauses.some(({ clause, holds }) => clause === 'returns' && !holds)
  return `tried ${sequences.tried} of ${sequences.planned} sequences: ${isEndless ? 'an operation did not return' : 'this queue is slow'}`
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
