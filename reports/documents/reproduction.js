/** Findings of the source documents, with a verdict for each. */
import { createDocument, paragraph, table, words } from '../blocks.js'

/** @import { JudgedClaim, ClaimVerdict } from '../../harness/reproduce/judge-claims.js' */
/** @import { Document } from '../blocks.js' */

/**
 * @param {JudgedClaim[]} rows
 * @returns {Document}
 */
export function reproductionDocument (rows) {
  return createDocument([
    table({
      columns: [
        'id',
        words('claim', { narrow: 'note' }),
        words('documented', { wide: true }),
        words('measured', { wide: true }),
        '',
        words('repeat with', { wide: true })
      ],
      rows: rows.map(({ id, claim, documented, measured, command, verdict, holds }) => [
        id,
        { text: claim, short: `${claim}\ndocumented: ${documented}\nmeasured:   ${measured}` },
        documented,
        measured,
        { text: verdict, tone: holds === null ? 'open' : holds ? 'good' : 'bad' },
        { text: command, code: true }
      ])
    }),
    paragraph(`${countVerdicts(rows)}; to repeat one: timerq reproduce --only ${rows[0]?.id ?? 'A1'}`)
  ])
}

/**
 * Verdicts other than `held`, the best known first.
 *
 * @type {ClaimVerdict[]}
 */
const OTHERS = ['not held', 'undecided', 'not measured', 'excluded']

/** @param {JudgedClaim[]} rows */
function countVerdicts (rows) {
  const count = (/** @type {string} */ name) => rows.filter(({ verdict }) => verdict === name).length
  const rest = OTHERS.flatMap(verdict => (count(verdict) > 0 ? [`${count(verdict)} ${verdict}`] : []))
  return [`${count('held')} of ${rows.length} findings held`, ...rest].join(', ')
}
