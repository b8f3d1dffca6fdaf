import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createPlan } from '../../../harness/plan/plan.js'
import { Measure } from '../../../harness/measure/measure.js'
import { choosePins } from '../../../harness/processes/pinning.js'
import { temporaryFolder } from '../temporary-folder.js'

const QUEUE = new URL('../../../queues/binary-heap.js', import.meta.url).href
const SCENARIO = new URL('../../../scenarios/start-cancel.js', import.meta.url).href

/**
 * @param {import('../../../harness/plan/plan.js').Plan} plan
 * @returns {import('../../../harness/plan/steps.js').Step} a heat of all its cells
 */
const heatOf = ({ cells }) => ({ kind: 'heat', id: 'heat', round: 0, cells })

test('a killed process of the model costs one heat, not every heat of its scenario', async t => {
  const folder = temporaryFolder(t)
  const file = path.join(folder, 'scenario.js')
  writeFileSync(
    file,
    `import { existsSync, writeFileSync } from 'node:fs'
const trace = ${JSON.stringify(path.join(folder, 'killed'))}
if (!existsSync(trace)) {
  writeFileSync(trace, '')
  process.kill(process.pid, 'SIGKILL')
}
export { scenario } from ${JSON.stringify(SCENARIO)}
`
  )
  const settings = {
    micro: { warmupMs: 1, leadMs: 1, turnMs: 1, turns: 2, limitMs: 10_000, exactLimitMs: 0, tailMs: 0 },
    httpHeat: { seconds: 1, sliceMs: 100 },
    seed: 1,
    control: {}
  }
  const plan = createPlan(
    /** @type {any} */ ({
      settings,
      queues: [{ name: 'binary-heap', origin: 'own', url: QUEUE, meta: { accuracy: 'exact' } }],
      scenarios: [{ name: 'start-cancel', kind: 'micro', url: pathToFileURL(file).href, values: { size: [10] } }],
      runtimes: [{ name: process.version, path: process.execPath, flags: [] }]
    })
  )
  const measure = new Measure(plan, { pins: choosePins(), signal: new AbortController().signal })
  t.after(() => measure.end())
  const [lost] = await measure.step(heatOf(plan), [])
  assert.equal(lost.failure?.kind, 'load')
  assert.match(lost.failure?.message ?? '', /the reference model: .*SIGKILL/)
  const [measured] = await measure.step(heatOf(plan), [])
  assert.ok(measured.metrics.nsPerOp > 0)
})

test('the control of five queues is measured by two processes, every other queue by one', async t => {
  const folder = temporaryFolder(t)
  const names = ['control', 'a', 'b', 'c', 'd']
  const log = (/** @type {string} */ name) => path.join(folder, `${name}.log`)
  for (const name of names) {
    writeFileSync(
      path.join(folder, `${name}.js`),
      `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(log(name))}, process.pid + '\\n')
export { BinaryHeap as default, meta } from ${JSON.stringify(QUEUE)}
`
    )
  }
  const micro = { warmupMs: 1, leadMs: 1, turnMs: 1, turns: 2, limitMs: 10_000, exactLimitMs: 0, tailMs: 0 }
  const settings = { micro, seed: 1, httpHeat: { seconds: 1, sliceMs: 100 }, control: { micro: 'control', http: 'node' } }
  const plan = createPlan(
    /** @type {any} */ ({
      settings,
      queues: names.map(name => ({
        name,
        origin: 'user',
        url: pathToFileURL(path.join(folder, `${name}.js`)).href,
        meta: { accuracy: 'exact' }
      })),
      scenarios: [{ name: 'start-cancel', kind: 'micro', url: SCENARIO, values: { size: [10] } }],
      runtimes: [{ name: process.version, path: process.execPath, flags: [] }]
    })
  )
  const measure = new Measure(plan, { pins: choosePins(), signal: new AbortController().signal })
  t.after(() => measure.end())
  const results = await measure.step(heatOf(plan), [])
  assert.equal(results.length, names.length)
  const processesOf = (/** @type {string} */ name) => new Set(readFileSync(log(name), 'utf8').trim().split('\n')).size
  assert.deepEqual(names.map(processesOf), [2, 1, 1, 1, 1])
})

test('a queue shares a heat with itself in another size, and each size must fire its own timers', async t => {
  const micro = { warmupMs: 1, leadMs: 1, turnMs: 1, turns: 2, limitMs: 10_000, exactLimitMs: 0, tailMs: 0 }
  const settings = { micro, seed: 1, httpHeat: { seconds: 1, sliceMs: 100 }, control: { micro: 'duration-lists', http: 'node' } }
  const plan = createPlan(
    /** @type {any} */ ({
      settings,
      queues: [{ name: 'binary-heap', origin: 'own', url: QUEUE, meta: { accuracy: 'exact' } }],
      scenarios: [
        {
          name: 'staggered-expiry',
          kind: 'micro',
          url: new URL('../../../scenarios/staggered-expiry.js', import.meta.url).href,
          values: { size: [10, 100] }
        }
      ],
      runtimes: [{ name: process.version, path: process.execPath, flags: [] }]
    })
  )
  const measure = new Measure(plan, { pins: choosePins(), signal: new AbortController().signal })
  t.after(() => measure.end())
  const results = await measure.step(heatOf(plan), [])
  assert.deepEqual(
    results.map(({ failure }) => failure?.message ?? 'measured'),
    ['measured', 'measured']
  )
})
