/** The work for a run grows with its cells, no faster. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { compareQueues } from '../../../harness/judge/compare.js'
import { execute } from '../../../harness/run/execute.js'
import { stagesOf } from '../../../harness/run/stages.js'
import { readResults } from '../../../harness/store/results.js'
import { summarise } from '../../../harness/judge/summary.js'
import { DEFAULT_RULES } from '../../../harness/judge/decision.js'
import { aPlan } from '../a-run.js'
import { temporaryFolder } from '../temporary-folder.js'
import { writeLargeResults } from '../../soak/large-results.js'

/**
 * How often anything of a cell or a sample is read.
 *
 * @param {import('node:test').TestContext} t
 * @param {number} cells
 * @returns {(work: (results: import('../../../harness/store/results.js').Results) => unknown) => Promise<number>}
 */
function countReads (t, cells) {
  const directory = temporaryFolder(t)
  writeLargeResults(directory, { cells, rounds: 2 })
  const { run, samples, warnings } = readResults(directory)
  let reads = 0
  const counted = (/** @type {object} */ item) =>
    new Proxy(item, {
      get (target, name) {
        reads++
        return Reflect.get(target, name)
      }
    })
  const plan = { ...run.plan, cells: run.plan.cells.map(counted) }
  const results = /** @type {any} */ ({ directory, run: { ...run, plan }, samples: samples.map(counted), warnings })
  return async work => {
    reads = 0
    await work(results)
    return reads
  }
}

/** @type {Record<string, (results: import('../../../harness/store/results.js').Results) => unknown>} */
const WORK = {
  summarising: summarise,
  'comparing two queues': results =>
    compareQueues(results, 'queue-0', 'queue-3', { rules: DEFAULT_RULES, command: [] }),
  'resuming a run that is complete': async ({ run: { plan }, samples }) => {
    const complete = {
      ...plan,
      end: { ...plan.end, rounds: 2 },
      settings: {
        ...plan.settings,
        windows: 0,
        micro: { ...plan.settings.micro, exactLimitMs: 0, tailMs: 0 }
      }
    }
    const options = { finished: samples, order: stagesOf(complete) }
    const { done } = await execute(complete, { see () {}, wants: () => true }, options).next()
    assert.ok(done, 'nothing is left to measure')
  }
}

test('ten times as many cells are ten times the work, not a hundred times', async t => {
  const [few, many] = [countReads(t, 104), countReads(t, 1040)]
  for (const [what, work] of Object.entries(WORK)) {
    const [one, ten] = [await few(work), await many(work)]
    t.diagnostic(`${what}: ${one} and ${ten}`)
    assert.ok(ten < 12 * one, `${what}: ${one} reads, and ${ten} of ten times as many cells`)
  }
})

test('a plan of 5 000 cells has 5 000 names, each made once', () => {
  const params = Array.from({ length: 625 }, (_, i) => i)
  let reads = 0
  const queues = Array.from({ length: 8 }, (_, i) => ({
    origin: 'own',
    get name () {
      reads++
      return `queue-${i}`
    }
  }))
  const plan = aPlan({ scenario: { values: { size: params } }, queues })
  assert.equal(plan.cells.length, 5000)
  assert.equal(reads, 5000)
})
