/** Workloads in files of a user, in gates. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { lookUp } from '../../harness/measure/look-up.js'
import { gate } from '../../bin/index.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import './brief.js'
import { project } from './project.js'
import { pick, timerqHere, words } from './timerq.js'

/** @import { TestContext } from 'node:test' */

const WORKLOADS = fileURLToPath(new URL('../fixtures/workloads', import.meta.url))
const SUM = path.join(WORKLOADS, 'sum.js')
const UNRULY = fileURLToPath(new URL('../fixtures/scenarios/unruly.js', import.meta.url))

/**
 * A repository with a workload.
 *
 * @param {TestContext} t
 */
function repository (t) {
  const { root, commit, edit } = project(t)
  for (const file of ['sum.js', 'add.js']) cpSync(path.join(WORKLOADS, file), path.join(root, 'bench', file))
  commit('Add a workload')
  return { root, edit }
}

test('a gate of a workload file: an imported file that takes more blocks is shown, a new file is compared', async t => {
  const { root } = repository(t)
  cpSync(path.join(WORKLOADS, 'late-add.js'), path.join(root, 'bench/add.js'))
  writeFileSync(path.join(root, 'bench/new.js'), readFileSync(SUM, 'utf8').replace("'sum'", "'new'"))
  const { code, stderr, json } = await timerqHere(
    'gate --base main --scenario ./bench/sum.js,./bench/new.js --rounds 1 --json --out results/gate',
    { cwd: root }
  )
  assert.equal(code, 3, stderr)
  const { comparisons, unmatched, warnings } = json
  const works = comparisons.filter((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.deepEqual(pick(works, 'queue').flat(), ['sum', 'new'])
  // The base runs the head's file, with its own ./add.js.
  for (const { ratio, base, head } of works) assert.ok(ratio > 2, `${base} and ${head} blocks`)
  assert.deepEqual(unmatched, [])
  assert.match(warnings.join('\n'), /different outcomes: the checksums of a heat were/)
  const outside = await timerqHere(words`gate --base main --scenario ${SUM}`, { cwd: root })
  assert.match(outside.stderr, /^timerq: --scenario must name files of the repository .*, got .*sum\.js\n$/)
})

test('a side that imports a file of the working tree is found', async t => {
  const { root, edit } = repository(t)
  edit(source => source.replace('./add.js', path.join(root, 'bench/add.js')), 'bench/sum.js')
  const { json } = await timerqHere('gate --base main --scenario ./bench/sum.js --rounds 1 --json', { cwd: root })
  assert.equal(json.verdict, 'invalid')
  assert.match(json.comparisons[0].reason, /^base: it runs .*bench\/add\.js, which is not its own copy of that file$/)
})

test("a side whose server's file ends its process makes the gate invalid, and says so", async t => {
  const { root, commit, edit } = project(t)
  cpSync(UNRULY, path.join(root, 'server.js'))
  edit(source => `${source}\nprocess.exit(0)\n`, 'server.js')
  commit('Add a server')
  edit(source => source.replace('process.exit(0)', ''), 'server.js')
  const { code, stderr, json } = await timerqHere(
    'gate --base main --scenario ./server.js --rounds 1 --json',
    { cwd: root }
  )
  assert.equal(code, 4, stderr)
  const {
    verdict,
    comparisons: [{ reason }]
  } = json
  assert.equal(verdict, 'invalid')
  assert.match(reason, /^base: .*\/server\.js: the process ended with exit code 0$/)
})

test('a gate of two Nodes needs no repository, and tells binaries of one version apart', async t => {
  const cwd = temporaryFolder(t)
  symlinkSync(process.execPath, path.join(cwd, 'node-pr'))
  const before = process.cwd()
  process.chdir(cwd)
  t.after(() => process.chdir(before))
  const { base, head, comparisons, warnings, rules, command } = await gate({
    runtimes: [process.execPath, './node-pr'],
    scenarios: [SUM],
    rounds: 1,
    seed: 1,
    margin: '20%'
  })
  assert.equal(rules.margin, 0.2)
  assert.match(command.join(' '), / --margin 20%$/, 'a command that comes next judges by the same rules')
  assert.deepEqual([base, head], [`${process.version} (${process.execPath})`, `${process.version} (./node-pr)`])
  const [time, work] = comparisons
  assert.deepEqual([time.metric, time.pairs, time.runtime], ['nsPerOp', 1, `${base} to ${head}`])
  assert.deepEqual([work.metric, work.ratio], ['workPerOp', 1])
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
  const { planGate } = await import('../../bin/plans/gate.js')
  const { parse } = await import('../../bin/request/request.js')
  const request = parse(['gate', '--runtime', `${process.execPath},${other}`, '--scenario', SUM]).request
  const plan = await planGate(/** @type {any} */ (request))
  const { gateStages } = await import('../../harness/gate/stages.js')
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
