/** Steps of a plan, in real processes. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Measure } from '../../../harness/measure/measure.js'
import { createCell } from '../../../harness/model/cell.js'
import { createPlan } from '../../../harness/plan/plan.js'
import { choosePins } from '../../../harness/processes/pinning.js'
import { runtime, TIMING, urlOf } from './entrants.js'
import { temporaryFolder, temporaryModule } from '../temporary-folder.js'

const QUEUE = urlOf('queues/binary-heap.js')

/**
 * Heats of all cells of a plan: the heap, in one scenario, unless it is changed.
 *
 * @param {import('node:test').TestContext} t
 * @param {{queues?: object[], scenario?: object, control?: Record<string, string>}} changed
 */
function heatsOf (t, { queues = [{ name: 'binary-heap', origin: 'own' }], scenario, control = {} }) {
  const plan = createPlan(
    /** @type {any} */ ({
      settings: { micro: { ...TIMING, turns: 2 }, httpHeat: { seconds: 1, sliceMs: 100 }, seed: 1, control },
      queues: queues.map(queue => ({ url: QUEUE, meta: { accuracy: 'exact' }, ...queue })),
      scenarios: [
        {
          ...{ name: 'start-cancel', kind: 'micro', url: urlOf('scenarios/start-cancel.js'), values: { size: [10] } },
          steps: ['heat'],
          ...scenario
        }
      ],
      runtimes: [runtime],
      of: {}
    })
  )
  const measure = new Measure(plan, { pins: choosePins(), signal: new AbortController().signal })
  t.after(() => measure.end())
  return () => measure.step({ kind: 'heat', id: 'heat', round: 0, cells: plan.cells }, [])
}

test('a killed process of the model costs one heat, not every heat of its scenario', async t => {
  const url = temporaryModule(
    t,
    `import { existsSync, writeFileSync } from 'node:fs'
const trace = new URL('killed', import.meta.url)
if (!existsSync(trace)) {
  writeFileSync(trace, '')
  process.kill(process.pid, 'SIGKILL')
}
export { scenario } from ${JSON.stringify(urlOf('scenarios/start-cancel.js'))}
`
  )
  const heat = heatsOf(t, { scenario: { url } })
  const [lost] = await heat()
  assert.equal(lost.failure?.kind, 'load')
  assert.match(lost.failure?.message ?? '', /the reference model: .*SIGKILL/)
  const [measured] = await heat()
  assert.ok(measured.metrics.nsPerOp > 0)
})

test('the control of five queues is measured by two processes, every other queue by one', async t => {
  const folder = temporaryFolder(t)
  const names = ['control', 'a', 'b', 'c', 'd']
  const log = (/** @type {string} */ name) => path.join(folder, `${name}.log`)
  const queues = names.map(name => {
    const source = `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(log(name))}, process.pid + '\\n')
export { BinaryHeap as default, meta } from ${JSON.stringify(QUEUE)}
`
    return { name, origin: 'user', url: temporaryModule(t, source) }
  })
  const results = await heatsOf(t, { queues, control: { micro: 'control', http: 'node' } })()
  assert.equal(results.length, names.length)
  const processesOf = (/** @type {string} */ name) => new Set(readFileSync(log(name), 'utf8').trim().split('\n')).size
  assert.deepEqual(names.map(processesOf), [2, 1, 1, 1, 1])
})

test('a queue shares a heat with itself in another size, and each size must fire its own timers', async t => {
  const name = 'staggered-expiry'
  const scenario = { name, url: urlOf(`scenarios/${name}.js`), values: { size: [10, 100] } }
  const results = await heatsOf(t, { scenario, control: { micro: 'duration-lists', http: 'node' } })()
  assert.deepEqual(
    results.map(({ failure }) => failure?.message ?? 'measured'),
    ['measured', 'measured']
  )
})

/**
 * Counts of both sides of a row, by their metrics and warnings.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<'base' | 'head', string>} draws  Expression that each side's module draws the length of its data by.
 */
async function countsOf (t, draws) {
  const folders = Object.fromEntries(
    Object.entries(draws).map(([side, length]) => {
      const folder = temporaryFolder(t)
      writeFileSync(
        path.join(folder, 'drawn.mjs'),
        `import { randomInt } from 'node:crypto'
const xs = Array(${length}).fill(1)
let sum = 0
export const scenario = {
  name: 'drawn',
  kind: 'code',
  createWorkload: () => ({
    phases: [{ metric: 'nsPerOp', operations: 1, run () { for (const x of xs) sum += x } }]
  })
}
`
      )
      return [side, { folder, cwd: folder }]
    })
  )
  const scenario = { name: 'drawn', kind: 'code', file: 'drawn.mjs', url: '', steps: ['heat', 'count'], values: {} }
  const queue = { name: 'drawn', origin: 'code', file: 'drawn.mjs', url: '', scenarios: ['drawn'], meta: {} }
  const place = { scenario: 'drawn', params: {}, queue: 'drawn', runtime: runtime.name }
  const settings = { micro: TIMING, seed: 1, control: {} }
  const plan = { settings, queues: [queue], scenarios: [scenario], runtimes: [runtime], of: {}, sides: folders }
  const measure = new Measure(/** @type {any} */ (plan), { pins: choosePins(), signal: new AbortController().signal })
  const cells = Object.keys(draws).map(side => createCell(/** @type {any} */ ({ ...place, side })))
  return measure.step({ kind: 'count', id: 'count', round: 0, cells }, [])
}

test('counts of data that Math.random drew are exact, and the same on both sides', async t => {
  const drawn = '2 + Math.floor(1e4 * Math.random())'
  const [base, head] = await countsOf(t, { base: drawn, head: drawn })
  assert.ok(base.metrics.workPerOp > 0)
  assert.deepEqual([head.metrics, head.warnings], [base.metrics, base.warnings])
})

test('a count that no seed fixes is left out on both sides, and the report says where it differs', async t => {
  const [base, head] = await countsOf(t, { base: '20', head: 'randomInt(2, 1e6)' })
  assert.deepEqual([base.failure, head.failure], [undefined, undefined])
  assert.ok(!('workPerOp' in base.metrics) && !('workPerOp' in head.metrics))
  const [{ kind, text }] = head.warnings
  assert.equal(kind, 'not-exact')
  assert.match(text, /^work per operation was .* in one process and .* in the next, mostly in run \(drawn\.mjs:\d+\): /)
})

test('in a run, a second process counts code', async t => {
  const [sample] = await countsOf(t, /** @type {any} */ ({ head: 'randomInt(2, 1e6)' }))
  assert.deepEqual(sample.warnings.map(({ kind }) => kind), ['not-exact'])
})
