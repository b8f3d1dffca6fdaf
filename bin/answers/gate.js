/** The answer of a gate, which is judged again from its samples. */
import { rooms } from '../../harness/index.js'
import { comparisonDocument, ratiosIn } from '../../reports/documents/comparison.js'
import { withGateAnswer } from '../gate-answer.js'

/** @import { ComparisonRecord } from '../../harness/judge/records.js' */
/** @import { Results } from '../../harness/store/results.js' */

/** @param {Results} results */
export async function answer (results) {
  const { directory, run: { plan } } = results
  const { judgedAgain } = await rooms.gate()
  const { budgetSeconds } = plan.of.gate
  return gateAnswer(judgedAgain(directory), { directory, budgetSeconds })
}

/**
 * @param {ComparisonRecord} record
 * @param {{budgetSeconds?: number, directory?: string}} gate  `directory`: its results; missing: nothing was measured.
 */
export function gateAnswer (record, gate) {
  const value = withGateAnswer(record, gate)
  const { next } = value.answer
  const purpose = record.verdict === 'pass' ? 'to confirm' : 'to settle'
  return {
    value,
    document: () => comparisonDocument(record),
    whole: () => ({ ...comparisonDocument(record, ratiosIn(record)), title: 'Did the change make code slower?' }),
    notes: next?.command && gate.directory !== undefined ? [`${purpose} it: ${next.command}`] : []
  }
}
