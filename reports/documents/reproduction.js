/** The findings of the source documents: which of them held here. */
import { paragraph, words } from '../blocks.js'

/** @typedef {import('../../harness/reproduce/judge.js').Row} Row */

/**
 * @param {Row[]} rows
 * @returns {import('../blocks.js').Document}
 */
export function reproductionDocument (rows) {
  const held = rows.filter(({ holds }) => holds).length
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
      paragraph(`${held} of ${rows.length} findings held; to repeat one: timerq reproduce --only ${rows[0]?.id ?? 'A1'}`)
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
