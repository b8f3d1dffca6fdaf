/** Measures a task in a separate process, as a heat does. */
import assert from 'node:assert/strict'
import { PROCESS } from '../../../harness/processes/entries.js'
import { Child } from '../../../harness/processes/child.js'
/** @import { TaskName } from '../../../harness/formats/choose-tasks.js' */

const LIMIT_MS = 60_000
const LENGTHS = { leadMs: 0, turnMs: 0.5 }

/**
 * @param {string} scenarioUrl
 * @param {TaskName} of
 * @param {{params?: Record<string, number>, flags?: string[], kept?: string}} [options]
 * @returns {Promise<any>}
 */
export async function measure (scenarioUrl, of, { params = {}, flags = [], kept } = {}) {
  const child = new Child(PROCESS, { flags: ['--expose-gc', ...flags] })
  try {
    const task = { queueUrl: '', isCode: true, scenarioUrl, of, params, kept, seed: 1, warmupMs: 0 }
    const { outcome } = await child.ask({ type: 'prepareCode', ...task }, LIMIT_MS)
    assert.deepEqual(outcome, { fired: 0, checksum: 0, pending: 0 })
    const turn = await child.ask({ type: 'turn', ...LENGTHS }, LIMIT_MS)
    await child.ask({ type: 'finish', ...LENGTHS }, LIMIT_MS)
    assert.ok(turn.operations > 0 && turn.cpuMs > 0, `${of.task}: ${JSON.stringify(turn)}`)
    return turn
  } finally {
    await child.end()
  }
}
