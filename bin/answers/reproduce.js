/** The answer of a reproduction: which findings of the source documents hold. */
import { reproductionDocument } from '../../reports/documents/reproduction.js'
import { findingsIn } from '../findings.js'
import { REPRODUCE } from '../presets.js'

/** @import { JudgedClaim } from '../../harness/reproduce/judge-claims.js' */
/** @import { Results } from '../../harness/store/results.js' */

/** Verdicts that more rounds may settle. */
const OPEN = ['undecided', 'not measured']

/** @param {Results} results */
export const answer = results => findingsAnswer(findingsIn(results))

/** @param {JudgedClaim[]} rows */
export function findingsAnswer (rows) {
  const document = () => reproductionDocument(rows)
  const open = rows.filter(({ verdict }) => OPEN.includes(verdict)).map(({ id }) => id)
  const minutes = REPRODUCE.budgetSeconds.quick / 60
  return {
    value: { format: 'timerq-reproduce/1', rows },
    document,
    whole: () => ({ ...document(), title: 'Which findings hold?' }),
    notes: open.length > 0 ? [`to settle the rest: timerq reproduce --only ${open.join(',')} --budget ${minutes}m`] : []
  }
}
