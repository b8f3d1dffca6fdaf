/** Code without a queue, in turns. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runMicroHeat } from '../../../../harness/measure/heat/micro.js'
import { measureCell } from '../../../../harness/measure/instruments/executed-work.js'
import { SampleError } from '../../../../harness/model/errors.js'
import { hasWarning } from '../../../../harness/model/warnings.js'
import { temporaryFolder, temporaryModule } from '../../temporary-folder.js'

const runtime = { name: process.version, path: process.execPath, flags: [] }
const timing = { warmupMs: 1, leadMs: 0.5, turnMs: 3, turns: 3, limitMs: 20_000, exactLimitMs: 0, tailMs: 0 }
const urlOf = (/** @type {string} */ name) => new URL(`../../../fixtures/workloads/${name}.js`, import.meta.url).href
const sum = { scenarioUrl: urlOf('sum'), queueUrl: urlOf('sum'), params: { texts: 100 }, seed: 1, isCode: true }
const adders = { ...sum, scenarioUrl: urlOf('adders'), params: {} }

/** @param {(typeof sum)[]} tasks */
async function heatOf (tasks) {
  const results = await runMicroHeat(
    tasks.map(job => ({ job: { ...job, timing }, runtime, expected: null })),
    { seed: 7 }
  )
  return results.map(result => {
    if (result instanceof SampleError) throw result
    return result
  })
}

/** @param {typeof sum} job */
const countOf = job =>
  measureCell(/** @type {any} */ ({ microJob: job, runtime }), /** @type {any} */ ({ limitMs: 60_000 }))

test('a workload without a queue is timed in every slice, and does the same work for the same seed', async () => {
  const [{ metrics, slices, warnings }] = await heatOf([sum, sum])
  assert.deepEqual(Object.keys(metrics), ['nsPerOp'])
  assert.equal(slices.nsPerOp.length, timing.turns)
  assert.ok(metrics.nsPerOp > 0)
  assert.ok(!hasWarning({ warnings }, 'different-outcomes'))
})

test('alternatives are timed by phase, and a difference of their outcomes is told', async () => {
  const results = await heatOf([
    { ...adders, queueUrl: urlOf('add') },
    { ...adders, queueUrl: urlOf('late-add') }
  ])
  for (const { metrics, warnings } of results) {
    assert.deepEqual(Object.keys(metrics), ['nsPerOp', 'addNsPerOp', 'askLaterNsPerOp'])
    assert.ok(Object.values(metrics).every(value => value > 0))
    assert.deepEqual(warnings.filter(({ kind }) => kind === 'different-outcomes'), [
      {
        kind: 'different-outcomes',
        text: 'the checksums of a heat were 1000, 1010, so not all did the same work'
      }
    ])
  }
})

test('time of waiting is not counted', async t => {
  const url = temporaryModule(
    t,
    `
    const busy = () => { const end = process.cpuUsage().user + 2000; while (process.cpuUsage().user < end); }
    const run = async () => {
      busy()
      await new Promise(resolve => setTimeout(resolve, 300))
    }
    export const scenario = {
      name: 'waiting',
      kind: 'code',
      createWorkload: () => ({ phases: [{ metric: 'nsPerOp', operations: 1, run }] })
    }`
  )
  const [{ metrics }] = await heatOf([{ ...sum, scenarioUrl: url, queueUrl: url, params: /** @type {any} */ ({}) }])
  assert.ok(metrics.nsPerOp >= 2e6 && metrics.nsPerOp < 150e6, `${metrics.nsPerOp} ns`)
})

test('loading that takes most of the time of a process is told', async t => {
  const slow = temporaryModule(
    t,
    `
    const spent = () => process.cpuUsage().user + process.cpuUsage().system
    const end = spent() + 6e5
    while (spent() < end);
    export * from ${JSON.stringify(urlOf('sum'))}`
  )
  const [{ warnings }, plain] = await heatOf([{ ...sum, scenarioUrl: slow, queueUrl: slow }, sum])
  const [{ text }] = warnings.filter(({ kind }) => kind === 'slow-to-load')
  assert.match(text, /^loading takes [\d.]+ s of [\d.]+ s a process$/)
  assert.ok(!hasWarning(plain, 'slow-to-load'))
  // A budget may end before the first heat.
  const counted = await countOf({ ...sum, scenarioUrl: slow, queueUrl: slow })
  assert.ok(hasWarning(counted, 'slow-to-load'))
})

test('blocks of all modules of the user are counted, to the block, but none of packages', async t => {
  const folder = temporaryFolder(t)
  const [mine, theirs] = [path.join(folder, 'sum.mjs'), path.join(folder, 'node_modules/adder')]
  mkdirSync(theirs, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  cpSync(new URL(urlOf('sum')), mine)
  cpSync(new URL(urlOf('late-add')), path.join(folder, 'add.js'))
  cpSync(new URL(urlOf('late-add')), path.join(theirs, 'index.js'))
  writeFileSync(path.join(theirs, 'package.json'), '{ "name": "adder", "type": "module", "exports": "./index.js" }')
  const workOf = async (/** @type {string} */ url) =>
    (await countOf({ ...sum, scenarioUrl: url, queueUrl: url })).metrics.workPerOp
  const [plain, again, late] = await Promise.all([urlOf('sum'), urlOf('sum'), pathToFileURL(mine).href].map(workOf))
  assert.equal(again, plain)
  assert.ok(late > plain + 20, `${late} and ${plain} blocks`)
  writeFileSync(path.join(folder, 'add.js'), "export * from 'adder'\n")
  assert.ok((await workOf(pathToFileURL(mine).href)) < plain, 'the adder is in a package now')
})

test('a count names the functions that executed its blocks, with their places', async () => {
  const { metrics, details } = await countOf(sum)
  const { functions } = /** @type {any} */ (details)
  const places = functions.map((/** @type {any} */ { name, file, line }) => `${name} ${file}:${line}`).sort()
  assert.deepEqual(places, ['add test/fixtures/workloads/add.js:2', 'run test/fixtures/workloads/sum.js:17'])
  const total = functions.reduce((/** @type {number} */ blocks, /** @type {any} */ own) => blocks + own.blocks, 0)
  assert.ok(Math.abs(total - metrics.workPerOp) < 1e-9, `${total} and ${metrics.workPerOp}`)
})

test('nothing is counted where a phase is awaited', async () => {
  assert.deepEqual((await countOf({ ...adders, queueUrl: urlOf('add') })).metrics, {})
})
