/** The findings of the source documents: which of them held here. */
import { paragraph, words } from '../blocks.js'

/** @typedef {import('../../harness/reproduce/judge.js').Row} Row */

/**
 * @param {Row[]} rows
 * @returns {import('../blocks.js').Document}
 */
export function reproductionDocument (rows) {
  return {
    title: '',
    blocks: [
      {
        kind: 'table',
        caption: '',
        columns: [
          words('id'), words('claim', { narrow: 'note' }), words('documented', { wide: true }), words('measured', { wide: true }),
          words(''), words('repeat with', { wide: true })
        ],
        rows: rows.map(row => {
          const { id, claim, documented, measured, command } = row
          return {
            cells: [
              { text: id },
              { text: claim, short: `${claim}\ndocumented: ${documented}\nmeasured:   ${measured}` },
              { text: documented },
              { text: measured },
              verdictOf(row),
              { text: command, code: true }
            ]
          }
        })
      },
      paragraph(`${countVerdicts(rows)}; to repeat one: timerq reproduce --only ${rows[0]?.id ?? 'A1'}`)
    ],
    sections: []
  }
}

/**
 * @param {Row} row
 * @returns {import('../blocks.js').TableCell}
 */
function verdictOf ({ verdict, holds }) {
  return { text: verdict, tone: holds === null ? 'open' : holds ? 'good' : 'bad' }
}

/** What is not held, in the order of how much was found out. @type {import('../../harness/reproduce/judge.js').RowVerdict[]} */
const OTHERS = ['not held', 'undecided', 'not measured', 'excluded']

/** @param {Row[]} rows */
function countVerdicts (rows) {
  const count = (/** @type {string} */ wanted) => rows.filter(({ verdict }) => verdict === wanted).length
  const others = OTHERS.flatMap(verdict => count(verdict) > 0 ? [`${count(verdict)} ${verdict}`] : [])
  return [`${count('held')} of ${rows.length} findings held`, ...others].join(', ')
}
