/** Workloads in files of a user, in runs. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hashOf } from '../../harness/processes/environment.js'
import { readResults } from '../../harness/index.js'
import { run } from '../../bin/index.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import './brief.js'
import { pick, timerqHere } from './timerq.js'

const WORKLOADS = fileURLToPath(new URL('../fixtures/workloads', import.meta.url))
const SUM = path.join(WORKLOADS, 'sum.js')
const ADDERS = path.join(WORKLOADS, 'adders.js')
const QUICK = { preset: /** @type {const} */ ('ci'), rounds: 1, seed: 1 }

test('alternatives are compared with their control, in a run with a workload and a queue', async t => {
  const directory = path.join(temporaryFolder(t), 'run')
  const { cells, scenarios, queues, ranking, warnings } = await run({
    ...QUICK,
    scenarios: [ADDERS, SUM, 'start-cancel'],
    queues: ['binary-heap'],
    parameters: { size: [1000] },
    directory
  })
  assert.deepEqual(
    cells.map(({ scenario, queue }) => `${scenario} ${queue}`),
    ['adders plain', 'adders late', 'sum sum', 'start-cancel binary-heap']
  )
  const [plain, late, sum] = cells
  assert.equal(plain.metrics.addNsPerOp.ratio, undefined)
  assert.equal(late.metrics.addNsPerOp.ratio?.to, 'plain')
  assert.deepEqual([late.metrics.workPerOp, sum.metrics.workPerOp.median > 0], [undefined, true])
  assert.deepEqual(
    pick(scenarios, 'name', 'kind', 'control'),
    [
      ['adders', 'code', 'plain'],
      ['sum', 'code', undefined],
      ['start-cancel', 'micro', undefined]
    ]
  )
  assert.deepEqual(
    pick(queues, 'name', 'origin', 'scenarios'),
    [
      ['binary-heap', 'own', undefined],
      ['plain', 'code', ['adders']],
      ['late', 'code', ['adders']],
      ['sum', 'code', ['sum']]
    ]
  )
  assert.deepEqual(
    pick(ranking.tables, 'kind', 'control'),
    [
      ['code', 'plain'],
      ['code', ''],
      ['micro', 'duration-lists']
    ]
  )
  assert.equal(late.warnings[0].kind, 'different-outcomes')
  assert.deepEqual(warnings, [])
  const {
    run: { plan }
  } = readResults(directory)
  assert.equal(plan.scenarios[0].sha256, hashOf({ url: pathToFileURL(ADDERS).href }))

  const report = await timerqHere(['report', directory])
  assert.match(report.stdout, /alternative +ns\/op +add ns +ask later ns/)
  assert.match(
    report.stdout,
    /not all alternatives did the same work in 2 of 4 cells: the checksums\s+of their outcomes differ/
  )

  assert.match(report.stdout, /^Nothing is certain yet: too few heats/m)

  const options = ['--scenario', `${ADDERS},${SUM}`]
  assert.equal((await timerqHere(['run', '--resume', directory, ...options])).code, 0)
})

test("a server's file that ends its process is refused in one line, and named", async t => {
  const cwd = temporaryFolder(t)
  writeFileSync(path.join(cwd, 'it.mjs'), 'process.exit(0)')
  for (const command of ['run', 'profile']) {
    const { code, stderr } = await timerqHere([command, '--scenario', './it.mjs'], { cwd })
    assert.deepEqual(
      [code, stderr],
      [2, `timerq: ${pathToFileURL(path.join(cwd, 'it.mjs'))}: cannot be loaded: the process ended with exit code 0\n`]
    )
  }
})

test('an error of a workload is shown with its file and line, and no command that would fail again', async t => {
  const folder = temporaryFolder(t)
  const file = path.join(folder, 'bad.mjs')
  writeFileSync(
    file,
    `export const scenario = {
  name: 'bad', kind: 'code', parameters: {}, presets: { quick: {} },
  createWorkload: () => ({ phases: [{ metric: 'nsPerOp', operations: 1, run () {
    throw new TypeError('it is broken')
  } }] })
}
`
  )
  const { code, stdout, stderr } = await timerqHere(
    'run --scenario ./bad.mjs --preset ci --rounds 1 --out results',
    { cwd: folder }
  )
  assert.equal(code, 4)
  assert.match(stderr, /^timerq: .*: it is broken \(at \/.*\/bad\.mjs:4:11\)$/m)
  assert.doesNotMatch(stdout, /^Next: /m)
})
