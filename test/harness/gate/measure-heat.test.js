import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { GATE } from '../../../bin/presets.js'
import { createArmMeasure } from '../../../harness/gate/measure-heat.js'
import { createGatePlan, gatedCells } from '../../../harness/gate/plan.js'
import { resolveCommit, Sides } from '../../../harness/gate/sides.js'
import { DEFAULT_RULES } from '../../../harness/judge/verdict.js'
import { temporaryFolder } from '../temporary-folder.js'

const QUEUES = fileURLToPath(new URL('../../../queues/', import.meta.url))
const HEAP = fileURLToPath(new URL('../../fixtures/queues/heap.js', import.meta.url))
const SCENARIO = new URL('../../../scenarios/refresh-one-duration.js', import.meta.url).href
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
 * @param {string} [from]  The folder in which the gate is started. The base does not have it.
 */
async function countBoth (t, from = '.') {
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
  const sides = new Sides(path.join(temporaryFolder(t), 'sides'))
  sides.prepare(root, resolveCommit(root, 'HEAD'))

  const queue = /** @type {any} */ ({ name: 'turning', file: 'turning.js', origin: 'user', meta: { accuracy: 'exact' } })
  const plan = createGatePlan(/** @type {any} */ ({
    settings: { ...GATE, seed: 1, rounds: 8 },
    scenarios: [{ name: 'refresh', kind: 'micro', isCounted: true, url: SCENARIO, values: { size: [10] } }],
    runtimes: [{ name: process.version, path: process.execPath, flags: [] }]
  }), {
    baseRef: 'HEAD',
    baseCommit: '',
    queues: [queue],
    rules: DEFAULT_RULES,
    budgetSeconds: 60,
    unmatched: []
  })
  t.mock.method(process, 'cwd', () => path.join(root, from))
  const measure = createArmMeasure({ ...plan, gate: { ...plan.gate, root } }, sides)
  const folders = sides.place(0)
  const [cell] = gatedCells(plan)
  return { base: await measure.counts(cell, 'base', folders.base), head: await measure.counts(cell, 'head', folders.head) }
}

for (const from of ['.', 'bench']) {
  test(`a queue that reads a file by its relative path reads that of its side, started in ${from}`, async t => {
    const { base, head } = await countBoth(t, from)
    assert.ok(head.metrics.workPerOp > base.metrics.workPerOp + 7, `${base.metrics.workPerOp} and ${head.metrics.workPerOp} blocks`)
    assert.deepEqual(base.details.declared, { accuracy: 'exact' })
  })
}

test('whose code runs is asked once of every queue and arm, and again after no good answer', async t => {
  const root = temporaryFolder(t)
  const folders = Object.fromEntries(['base', 'head', 'again'].map(arm => [arm, path.join(root, arm)]))
  for (const folder of Object.values(folders)) symlinkSync(QUEUES, folder)
  const plan = createGatePlan(/** @type {any} */ ({
    settings: { ...GATE, seed: 1, rounds: 8 },
    scenarios: [{ name: 'refresh', kind: 'micro', isCounted: false, url: SCENARIO, values: { size: [10, 20] } }],
    runtimes: [{ name: process.version, path: process.execPath, flags: [] }]
  }), {
    baseRef: 'HEAD',
    baseCommit: '',
    queues: ['binary-heap', 'sorted-list'].map(name => /** @type {any} */ ({ name, file: `${name}.js`, origin: 'user', meta: {} })),
    rules: DEFAULT_RULES,
    budgetSeconds: 60,
    unmatched: [],
    root
  })
  /** @type {string[]} */
  const asked = []
  const sides = /** @type {any} */ ({
    findForeign (/** @type {string[]} */ urls, /** @type {string} */ folder) {
      const queue = ['binary-heap', 'sorted-list'].find(name => urls.some(url => url.endsWith(`/${name}.js`)))
      asked.push(`${queue} of ${path.basename(folder)}`)
      return asked.at(-1) === 'sorted-list of head' ? 'another file' : undefined
    }
  })
  const measure = createArmMeasure(plan, sides)
  /** @type {unknown[]} */
  const failures = []
  for (const cell of gatedCells(plan)) {
    for (const arm of /** @type {const} */ (['base', 'head'])) {
      const { failure } = await measure.counts(cell, arm, folders[arm])
      if (failure) failures.push([cell.queue, arm, failure.kind, failure.message])
    }
  }
  const message = 'it runs another file, which is not its own copy of that file'
  assert.deepEqual(failures, Array(2).fill(['sorted-list', 'head', 'wrong', message]))
  assert.deepEqual(asked.sort(), ['binary-heap of base', 'binary-heap of head', 'sorted-list of base', 'sorted-list of head', 'sorted-list of head'])
})
