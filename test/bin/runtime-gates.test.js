/** Gates of two versions, or builds, of Node. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gate } from '../../bin/index.js'
import { planGate } from '../../bin/plans/gate.js'
import { parse } from '../../bin/request/request.js'
import { gateStages } from '../../harness/gate/stages.js'
import { lookUp } from '../../harness/measure/look-up.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import './brief.js'
import { timerqHere } from './timerq.js'

const SUM = fileURLToPath(new URL('../fixtures/workloads/sum.js', import.meta.url))
const NODES = fileURLToPath(new URL('../fixtures/benchmarks/node', import.meta.url))

test('a gate of two Nodes needs no repository, tells binaries of one version apart, and compares each run of a ' +
  'process', async t => {
  const cwd = temporaryFolder(t)
  symlinkSync(process.execPath, path.join(cwd, 'node-pr'))
  cpSync(NODES, cwd, { recursive: true })
  // One configuration of it.
  const file = path.join(cwd, 'timers/at-exit.js')
  writeFileSync(file, readFileSync(file, 'utf8').replace('step: [1, 2]', 'step: [2]'))
  const before = process.cwd()
  process.chdir(cwd)
  t.after(() => process.chdir(before))
  const { base, head, comparisons, control, warnings, rules, command } = await gate({
    runtimes: [process.execPath, './node-pr'],
    scenarios: [SUM, file],
    parameters: { n: [1_000_000] },
    rounds: 1,
    seed: 1,
    margin: '20%'
  })
  assert.equal(rules.margin, 0.2)
  assert.match(command.join(' '), / --margin 20%$/, 'a command that comes next judges by the same rules')
  assert.deepEqual([base, head], [`${process.version} (${process.execPath})`, `${process.version} (./node-pr)`])
  const [time, once, work, ...others] = comparisons
  assert.deepEqual([time.metric, time.pairs, time.runtime], ['nsPerOp', 1, `${base} to ${head}`])
  assert.deepEqual([work.metric, work.ratio], ['workPerOp', 1])
  assert.deepEqual(
    [once.scenario, once.queue, once.metric, once.pairs, others],
    ['timers-at-exit-once-a-process', 'step=2 kind=some', 'nsPerOp', 1, []]
  )
  assert.ok(Number(once.ratio) > 0 && Number(control?.pairs) >= 1, JSON.stringify(control))
  assert.doesNotMatch(warnings.join(), /count blocks differently/)
  const twice = await timerqHere(['gate', '--runtime', `${process.execPath},${process.execPath}`])
  assert.match(twice.stderr, /^timerq: --runtime names one Node twice/)
})

test('each Node runs its side, and work of two V8s is not compared', async t => {
  const cwd = temporaryFolder(t)
  const other = path.join(cwd, 'other-node')
  // Another V8, as far as it says.
  writeFileSync(
    other,
    `#!/bin/sh\ncase "$*" in *process.versions.v8*) echo 1.2.3;; *) exec ${process.execPath} "$@";; esac\n`,
    { mode: 0o755 }
  )
  const request = parse(['gate', '--runtime', `${process.execPath},${other}`, '--scenario', SUM]).request
  const plan = await planGate(/** @type {any} */ (request))
  assert.deepEqual(
    plan.cells.map(cell => {
      const { runtime } = lookUp({ ...plan, sides: plan.of.gate.sides }, cell)
      return [cell.side, path.basename(runtime.path)]
    }),
    [
      ['base', 'node'],
      ['head', 'other-node'],
      ['control', 'node']
    ]
  )
  assert.deepEqual(
    gateStages(plan)
      .flat()
      .filter(({ kind }) => kind === 'count'),
    []
  )
  assert.match(
    plan.of.gate.warnings?.join() ?? '',
    /^work is not compared: V8 \d+\.\d+ and V8 1\.2 count blocks differently$/
  )
})
