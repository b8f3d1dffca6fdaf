import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stagesOf } from '../../../harness/gate/gate-plan.js'
import { assertOwnModules, sideTaskOf } from '../../../harness/gate/side-tasks.js'
import { foldersOf, prepareSides, resolveCommit } from '../../../harness/gate/sides.js'
import { execute } from '../../../harness/run/execute.js'
import { temporaryFolder } from '../temporary-folder.js'
import { gatePlan } from './gate-fixture.js'

/** @import { TestContext } from 'node:test' */
/** @import { Step } from '../../../harness/plan/steps.js' */

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
 * @param {TestContext} t
 * @param {string} from  The folder in which the gate is started. The base does not have it.
 */
function turningGate (t, from) {
  const root = temporaryFolder(t)
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { stdio: 'pipe' })
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
 * @param {(step: Step) => boolean} isMeasured
 * @returns {Promise<any>} samples by side
 */
async function measure ({ plan, folders }, isMeasured) {
  /** @type {Record<string, any>} */
  const samples = {}
  const stages = stagesOf(plan)
    .map(steps => steps.filter(isMeasured))
    .filter(steps => steps.length > 0)
  const measured = execute(
    plan,
    { see () {}, wants: () => true },
    {
      stages,
      taskOf: cell => sideTaskOf(plan, folders, cell),
      beforeCount: (task, cell) => assertOwnModules(plan, folders, { task, cell })
    }
  )
  for await (const step of measured) for (const sample of step) samples[sample.side ?? ''] = sample
  return samples
}

/**
 * @param {string} queue
 * @returns {(step: Step) => boolean} counts of one row
 */
const countsOf =
  queue =>
    ({ kind, cells: [cell] }) =>
      kind === 'count' && cell.queue === queue && cell.params.size === 10

for (const from of ['.', 'bench']) {
  test(`a queue that reads a file by its relative path reads that of its side, started in ${from}`, async t => {
    const { base, head } = await measure(turningGate(t, from), countsOf('turning'))
    assert.deepEqual([base.failure, head.failure], [undefined, undefined])
    assert.ok(
      head.metrics.workPerOp > base.metrics.workPerOp + 7,
      `${base.metrics.workPerOp} and ${head.metrics.workPerOp} blocks`
    )
    assert.deepEqual(base.details.declared, { accuracy: 'exact' })
  })
}

test('a side that runs the code of another fails', async t => {
  const { plan, folders } = turningGate(t, '.')
  const queues = plan.queues.map(queue => ({ ...queue, file: `../a/${queue.file}` }))
  const { base, head } = await measure({ plan: { ...plan, queues }, folders }, countsOf('heap'))
  assert.equal(base.failure, undefined)
  assert.deepEqual(head.failure, {
    kind: 'wrong',
    message: `it runs ${path.join(folders.base, 'heap.js')}, which is not its own copy of that file`
  })
})
