import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createPlan } from '../../harness/plan.js'
import { createMeasure, lookUp } from '../../harness/sample.js'
import { temporaryFolder } from './temporary-folder.js'

const QUEUE = new URL('../../queues/binary-heap.js', import.meta.url).href
const SCENARIO = new URL('../../scenarios/start-cancel.js', import.meta.url).href

test('a killed process of the model costs one heat, not every heat of its scenario', async t => {
  const folder = temporaryFolder(t)
  const file = path.join(folder, 'scenario.js')
  writeFileSync(file, `import { existsSync, writeFileSync } from 'node:fs'
const trace = ${JSON.stringify(path.join(folder, 'killed'))}
if (!existsSync(trace)) {
  writeFileSync(trace, '')
  process.kill(process.pid, 'SIGKILL')
}
export { scenario } from ${JSON.stringify(SCENARIO)}
`)
  const settings = { micro: { warmupMs: 1, leadMs: 1, turnMs: 1, turns: 2, limitMs: 10_000, exactLimitMs: 0, tailMs: 0 }, httpHeat: { seconds: 1, sliceMs: 100 } }
  const plan = createPlan(/** @type {any} */ ({
    settings,
    queues: [{ name: 'binary-heap', origin: 'own', url: QUEUE, meta: { accuracy: 'exact' } }],
    scenarios: [{ name: 'start-cancel', kind: 'micro', url: pathToFileURL(file).href, values: { size: [10] } }],
    runtimes: [{ name: process.version, path: process.execPath, flags: [] }]
  }))
  const measure = createMeasure(/** @type {any} */ (settings))
  const heat = () => measure.heat([lookUp(plan, plan.cells[0])], { seed: 1, pin: [] })
  await assert.rejects(heat(), { kind: 'load', message: /the reference model: .*SIGKILL/ })
  const [result] = /** @type {import('../../harness/sample.js').Measured[]} */ (await heat())
  assert.ok(result.metrics.nsPerOp > 0)
})
