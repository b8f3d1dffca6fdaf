import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createMeasure } from '../../../harness/gate/measure-pair.js'
import { createGatePlan, orderPairs } from '../../../harness/gate/plan.js'
import { DEFAULT_RULES } from '../../../harness/verdict.js'
import { scenarios } from '../../../scenarios/index.js'
import { temporaryFolder } from '../temporary-folder.js'

const HEAP = new URL('../../../queues/binary-heap.js', import.meta.url)
const [refresh] = scenarios.filter(({ name }) => name === 'refresh-one-duration')

/** @param {string[]} flags  Of the runtime. */
function planWith (flags) {
  return createGatePlan(/** @type {any} */ ({
    settings: { seed: 1, rounds: 1, micro: { warmupMs: 1, measureMs: 1, limitMs: 10_000, exactLimitMs: 10_000 } },
    scenarios: [{ name: refresh.name, kind: 'micro', url: refresh.url, values: { size: [10] } }],
    runtimes: [{ name: 'own', path: process.execPath, flags }]
  }), {
    baseRef: 'main',
    baseCommit: 'abc',
    queues: /** @type {any} */ ([{ name: 'heap', file: 'heap.mjs', origin: 'user', meta: { accuracy: 'exact' } }]),
    rules: DEFAULT_RULES,
    budgetSeconds: 10,
    unmatched: []
  })
}

/**
 * A heap that is loaded only where the last semi-space size given is this one.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} size
 */
function heapFor (t, size) {
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, 'heap.mjs'), `export * from ${JSON.stringify(HEAP.href)}
const given = process.execArgv.filter(flag => flag.startsWith('--max-semi-space-size=')).at(-1)
if (given !== '--max-semi-space-size=${size}') throw new Error(\`got \${given}\`)
`)
  return folder
}

for (const { flags, size, title } of [
  { flags: [], size: '16', title: 'timed samples begin with a young generation of one size' },
  { flags: ['--max-semi-space-size=32'], size: '32', title: 'unless the user asks for another' }
]) {
  test(title, async t => {
    const plan = planWith(flags)
    const folder = heapFor(t, size)
    const [pair] = orderPairs(plan, 0)
    const samples = await createMeasure(plan).pair(pair, { base: folder, head: folder })
    assert.deepEqual(samples.map(({ failure }) => failure), pair.order.map(() => undefined))
  })
}
