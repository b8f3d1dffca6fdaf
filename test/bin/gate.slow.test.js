/** Gates that measure heats until they can decide, and gates whose head or base is broken. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readResults } from '../../harness/store/results.js'
import { IN_HEAT, kill, WatchedRun } from '../faults/watched-run.js'
import { ONE_CELL, ONE_HEAT, project } from './project.js'
import { pick, timerq, timerqHere, words } from './timerq.js'

/** One look, and enough to find a slowdown in one cell. */
const FEW_HEATS = ['--rounds', '8']

/**
 * A gate in the middle of its heats.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} root
 */
async function heldGate (t, root) {
  const gate = new WatchedRun(t, words`gate --base main --measure all ${ONE_CELL} ${FEW_HEATS}`, {
    folder: root,
    out: 'results/gate',
    hold: { at: IN_HEAT, after: 5 }
  })
  await gate.held()
  return gate
}

/**
 * Two counts, and the three processes of each heat that has ended: of as many as the machine has cores.
 *
 * @param {WatchedRun} gate
 */
function assertWholeHeats (gate) {
  const { length } = gate.samples()
  assert.ok(length > 2 && (length - 2) % 3 === 0, `${length} samples`)
}

test('a queue made three times slower fails the gate, with every pair once', async t => {
  const { root, slowDown } = project(t)
  slowDown()
  const { code, stderr, json } = await timerq(
    words`gate --base main ${ONE_CELL} ${FEW_HEATS} --out results/gate --json`,
    { cwd: root }
  )
  assert.equal(code, 1, stderr)
  const report = await timerq('report results/gate --format json', { cwd: root })
  assert.deepEqual(report.json, json, 'its report gives the same record, warnings of the machine included')
  const { verdict, comparisons, control } = json
  const [time] = comparisons
  assert.deepEqual(
    [verdict, time.queue, time.scenario, time.metric, time.verdict],
    ['regression', 'heap', 'refresh-one-duration', 'nsPerOp', 'regression']
  )
  assert.ok(time.pairs >= 8 && time.ratio > 2 && time.low > 1.5, `${time.ratio} in ${time.pairs} pairs`)
  const work = comparisons.find((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.deepEqual([work.gates, work.verdict], [true, 'regression'])
  // By chance alone, one control in a hundred moves. None moves this far.
  assert.ok(
    control.pairs >= 8 && Math.abs(Math.log(control.ratio)) < Math.log(1.5),
    `${control.ratio} in ${control.pairs} pairs`
  )
  const { samples } = readResults(path.join(root, 'results/gate'))
  const heats = samples.filter(({ kind, side }) => kind === 'heat' && side === 'head')
  assert.deepEqual(
    pick(heats, 'round').sort((a, b) => a - b),
    Array.from({ length: time.pairs }, (_, round) => round)
  )
  assert.ok(!existsSync(path.join(root, 'results/gate/sides')), 'the folders of both sides are gone')
})

test('a queue left alone never fails the gate', async t => {
  const { root, edit } = project(t)
  edit(source => `// The same.\n${source}`)
  const left = words`gate --base HEAD --measure all ${ONE_CELL} ${FEW_HEATS} --json`
  const { code, stderr, json } = await timerq(left, { cwd: root })
  const { comparisons, control } = json
  // By chance alone, one control in a hundred moves, and makes its gate invalid.
  assert.ok(code === 0 || code === 3 || (code === 4 && control.moved), `exit ${code}: ${stderr}`)
  assert.ok(comparisons.every((/** @type {any} */ { verdict }) => verdict !== 'regression'))
  assert.ok(
    comparisons
      .filter((/** @type {any} */ { exact }) => exact)
      .every((/** @type {any} */ { change }) => change === 'same')
  )
})

test('a self-check compares the base with itself, whatever the working tree holds', async t => {
  const { root, slowDown } = project(t)
  slowDown()
  const summary = path.join(root, 'summary.md')
  const env = { ...process.env, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
  const { code, stderr, json } = await timerq(
    words`gate --base main --self-check ${ONE_CELL} --rounds 1 --json --comment comment.md`,
    { cwd: root, env }
  )
  assert.equal(code, 3, stderr)
  assert.match(stderr, /to settle it: timerq gate --base main .*--self-check .*--budget 600s\n$/)
  const { head, comparisons } = json
  assert.equal(head, 'main itself')
  const work = comparisons.find((/** @type {any} */ { metric }) => metric === 'workPerOp')
  assert.equal(work.ratio, 1)
  assert.match(
    readFileSync(path.join(root, 'comment.md'), 'utf8'),
    /^## ❔ timerq: inconclusive\n\n1 of \d cells? unclear/
  )
  // It says nothing about a change.
  assert.doesNotMatch(stderr, /::/)
  assert.ok(!existsSync(summary))
})

test('a head that fires the wrong timers is no pass', async t => {
  const { root, edit } = project(t)
  edit(source => source.replace('while (this.nextExpiry() <= now)', 'while (this.nextExpiry() <= now + 5)'))
  const cell = words`--queue ./src/heap.js --scenario staggered-expiry --size 100`
  const { code, stdout } = await timerq(words`gate --base main ${cell} ${ONE_HEAT}`, { cwd: root })
  assert.equal(code, 4, stdout)
  assert.match(stdout, /head: it fired a timer early.*timerq check/)
})

test('Ctrl-C keeps the pairs, and says where', async t => {
  const { root, edit } = project(t)
  edit(source => `// The same.\n${source}`)
  const gate = await heldGate(t, root)
  await gate.whileHeld(() => kill(gate.pid, 'SIGINT'))
  assert.equal(await gate.end(), 130)
  assert.match(gate.stderr, /finished samples are kept in results\/gate$/m)
  assertWholeHeats(gate)
})

test('a gate is measured again with other draws, in a working tree and at a commit of the same files', async t => {
  const { root, git, commit, edit, slowDown } = project(t)
  const gate = (/** @type {string[]} */ ...args) => timerqHere(['gate', ...args, '--json'], { cwd: root })
  git('checkout', '--quiet', '-b', 'change')
  const moveOn = () => git('update-ref', 'refs/heads/main', git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'on'))
  moveOn()
  slowDown()
  const first = await gate('--base', 'main', ...ONE_CELL, ...ONE_HEAT, '--out', 'results/one')
  assert.deepEqual(first.json.behind, { commits: 1, commit: git('rev-parse', 'HEAD').slice(0, 7) })
  assert.deepEqual([first.code, first.json.receipt.seed], [1, 1], first.stderr)

  // A base that moves on does not change what is confirmed.
  moveOn()
  const confirm = (/** @type {string} */ name, /** @type {string[]} */ ...more) =>
    timerqHere(['confirm', `results/${name}`, ...words`--queue ./src/heap.js --json ${more}`], { cwd: root })
  const confirmed = await confirm('one', '--out', 'results/two')
  const { json: record } = confirmed
  assert.deepEqual([confirmed.code, record.earlier.verdict], [1, 'regression'], confirmed.stderr)
  assert.equal(record.receipt.baseCommit, first.json.receipt.baseCommit)
  assert.deepEqual(record.receipt.trees, first.json.receipt.trees)
  assert.notEqual(record.receipt.seed, 1)
  assert.match(record.answer.text, /; (both gates agree|the same verdict, but another size): the first one measured/)

  commit('Slow down')
  const committed = await confirm('one', '--out', 'results/three')
  assert.deepEqual([committed.code, committed.json.receipt.headCommit], [1, git('rev-parse', 'HEAD')])
  edit(source => source.replace('i < 60', 'i < 61'))
  const changed = await confirm('three')
  assert.equal(changed.code, 2)
  assert.match(
    changed.stderr,
    /is not the head that results\/three measured \(git checkout [0-9a-f]{40}, or start a new/
  )
  assert.ok(!existsSync(path.join(root, 'results/gate')))
})
