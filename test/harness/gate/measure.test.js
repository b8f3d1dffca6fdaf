import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSideMeasure, measureSteps } from '../../../harness/gate/measure.js'
import { stepsOf } from '../../../harness/gate/plan.js'
import { foldersOf, prepareSides, resolveCommit } from '../../../harness/gate/sides.js'
import { temporaryFolder } from '../temporary-folder.js'
import { gatePlan } from './gate-fixture.js'

const QUEUES = fileURLToPath(new URL('../../../queues/', import.meta.url))
const HEAP = fileURLToPath(new URL('../../fixtures/queues/heap.js', import.meta.url))
const SCENARIO = new URL('../../../scenarios/refresh-one-duration.js', import.meta.url).href
const NODE = { name: process.version, path: process.execPath, flags: [] }
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
 * @param {import('node:test').TestContext} t
 * @param {string} from  The folder in which the gate is started. The base does not have it.
 */
function turningGate (t, from) {
  const root = temporaryFolder(t)
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { stdio: 'pipe' })
  cpSync(HEAP, path.join(root, 'heap.js'))
  cpSync(path.join(QUEUES, 'parts/indexed-heap.js'), path.join(root, 'parts/indexed-heap.js'))
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(root, 'turning.js'), TURNING_HEAP)
  writeFileSync(path.join(root, 'turns.txt'), '1')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'base')
  mkdirSync(path.join(root, from), { recursive: true })
  writeFileSync(path.join(root, from, 'turns.txt'), '9')
  const folder = path.join(temporaryFolder(t), 'sides')
  prepareSides(folder, { root, baseCommit: resolveCommit(root, 'HEAD') })
  t.mock.method(process, 'cwd', () => path.join(root, from))
  const scenario = { url: SCENARIO, isCounted: true, values: { size: [10, 20] } }
  return { plan: gatePlan({ queues: ['turning', 'heap'], root, runtime: NODE, scenario }), folders: foldersOf(folder) }
}

/**
 * @param {ReturnType<typeof turningGate>} gate
 * @param {import('../../../harness/gate/plan.js').GateStep[]} steps
 */
async function measure ({ plan, folders }, steps) {
  const samples = []
  for await (const measured of measureSteps(plan, steps, { folders, stopRule: { wants: () => true, isOver: false } })) samples.push(...measured)
  return samples
}

for (const from of ['.', 'bench']) {
  test(`a queue that reads a file by its relative path reads that of its side, started in ${from}`, async t => {
    const gate = turningGate(t, from)
    const [base, head] = await measure(gate, stepsOf(gate.plan).slice(0, 2))
    assert.deepEqual([base.side, head.side, base.kind], ['base', 'head', 'exact'])
    assert.ok(head.metrics.workPerOp > base.metrics.workPerOp + 7, `${base.metrics.workPerOp} and ${head.metrics.workPerOp} blocks`)
    assert.deepEqual(base.details.declared, { accuracy: 'exact' })
  })
}

test('a side that runs the code of another fails', async t => {
  const { plan, folders } = turningGate(t, '.')
  const { count } = createSideMeasure({ ...plan, queues: plan.queues.map(queue => ({ ...queue, file: `../a/${queue.file}` })) }, folders)
  const failures = []
  for (const { cells } of stepsOf(plan).filter(({ kind, cells: [cell] }) => kind === 'count' && cell.queue === 'heap' && cell.params.size === 10)) {
    const [{ side, failure }] = await count({ cells })
    failures.push([side, failure?.kind, failure?.message])
  }
  assert.deepEqual(failures, [['base', undefined, undefined], ['head', 'wrong', `it runs ${path.join(folders.base, 'heap.js')}, which is not its own copy of that file`]])
})
