/** Sides are measured in their own folders. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gateStages } from '../../../harness/gate/stages.js'
import { resolveRevision } from '../../../harness/gate/revisions.js'
import { prepareSides } from '../../../harness/gate/sides.js'
import { Budget } from '../../../harness/run/budget.js'
import { surveySides } from '../../../harness/gate/survey.js'
import { Measure } from '../../../harness/measure/measure.js'
import { choosePins } from '../../../harness/processes/pinning.js'
import { temporaryFolder } from '../temporary-folder.js'
import { gatePlan } from './gate-fixture.js'
import { createRepository } from './repository.js'

/** @import { TestContext } from 'node:test' */
/** @import { Step } from '../../../harness/plan/steps.js' */

const QUEUES = fileURLToPath(new URL('../../../queues/', import.meta.url))
const HEAP = fileURLToPath(new URL('../../fixtures/queues/heap.js', import.meta.url))
const SCENARIO = new URL('../../../scenarios/refresh-one-duration.js', import.meta.url).href
const NODE = { name: process.version, path: process.execPath, flags: [] }
/** Differences that leave nothing known: all rows are loaded in both sides. */
const ALL = /** @type {const} */ ([{ file: 'turns.txt', kind: 'data' }])
/** A heap that turns as often as a file says before each reschedule. */
const TURNING_HEAP = `import { readFileSync } from 'node:fs'
import { Heap, meta } from './heap.js'
export { meta }
const turns = Number(readFileSync('turns.txt', 'utf8'))
export class Turning extends Heap {
  reschedule (timer, deadline) {
    for (let i = 0; i < turns; i++) deadline += 0
    super.reschedule(timer, deadline)
  }
}
`

/**
 * One turn in the base, nine in the head.
 *
 * @param {TestContext} t
 * @param {string} [from]  The folder in which the gate is started. The base does not have it.
 */
function turningGate (t, from = '.') {
  const { root, write, commit } = createRepository(t)
  cpSync(HEAP, path.join(root, 'heap.js'))
  cpSync(path.join(QUEUES, 'parts/indexed-heap.js'), path.join(root, 'parts/indexed-heap.js'))
  write('package.json', { type: 'module' })
  write('turning.js', TURNING_HEAP)
  write('turns.txt', '1')
  commit()
  write(path.join(from, 'turns.txt'), '9')
  const folder = path.join(temporaryFolder(t), 'sides')
  t.mock.method(process, 'cwd', () => path.join(root, from))
  const { sides } = prepareSides(folder, { root, baseCommit: resolveRevision(root, 'HEAD').baseCommit })
  const scenario = { url: SCENARIO, steps: ['heat', 'alone', 'count'], values: { size: [400, 500] } }
  const plan = gatePlan({ queues: ['turning', 'heap'], root, runtime: NODE, scenario })
  return { ...plan, sides }
}

test('a queue that reads a file by its relative path reads that of its side, also in a folder that the base lacks; ' +
  'sides that differ are counted again in the first row only', async t => {
  const plan = turningGate(t, 'bench')
  const log = path.join(temporaryFolder(t), 'log')
  for (const { folder } of Object.values(plan.sides)) {
    appendFileSync(
      path.join(folder, 'turning.js'),
      `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(log)}, '.')\n`
    )
  }
  const measure = new Measure(plan, { pins: choosePins(), signal: new AbortController().signal })
  t.after(() => measure.end())
  const isCount = (/** @type {Step} */ { kind, cells: [{ queue }] }) => kind === 'count' && queue === 'turning'
  const steps = gateStages(plan).flat().filter(isCount)
  const loads = []
  for (const step of steps) {
    const samples = await measure.step(step, [])
    for (const { failure, warnings } of samples) assert.deepEqual([failure, warnings], [undefined, []])
    const [base, head] = samples.map(({ metrics }) => metrics.workPerOp)
    assert.ok(head > base + 7, `${base} and ${head} blocks`)
    loads.push(readFileSync(log, 'utf8').length)
  }
  // Each count is three processes.
  assert.deepEqual(loads, [12, 18])
})

test('a side that runs the code of another, or lacks a file, fails before anything is measured', async t => {
  const plan = turningGate(t)
  const { warnings: [, ...others], ...found } = await surveySides(plan, [...ALL])
  assert.deepEqual([...others, ...Object.values(found).flat()], [])
  const messagesOf = async (/** @type {typeof plan} */ plan) =>
    new Set((await surveySides(plan, [...ALL])).failed.map(({ side, failure }) => `${side}: ${failure?.message}`))
  const queues = plan.queues.map(queue => ({ ...queue, file: `../a/${queue.file}` }))
  for (const message of await messagesOf({ ...plan, queues })) {
    assert.match(message, /^head: it runs .*\/a\/(heap|turning)\.js, which is not its own copy of that file$/)
  }
  rmSync(path.join(plan.sides.head.folder ?? '', 'heap.js'))
  assert.match([...(await messagesOf(plan))].join(), /^head: it lacks heap\.js/)
})

test('a head that declares another accuracy is reported', async t => {
  const plan = turningGate(t)
  const coarse = path.join(plan.sides.head.folder ?? '', 'heap.js')
  writeFileSync(coarse, readFileSync(coarse, 'utf8').replace("accuracy: 'exact'", 'accuracy: { relative: 1 }'))
  const { warnings: [, turning, heap] } = await surveySides(plan, [...ALL])
  assert.match(turning, /^turning declares another accuracy/)
  assert.match(heap, /^heap declares another accuracy than its base, \{"relative":1\} instead of "exact"/)
  const { warnings: [, ...others] } = await surveySides(plan, [...ALL], { budget: new Budget(0) })
  assert.deepEqual(others, [], 'no side is loaded then')
})
