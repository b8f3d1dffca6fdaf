/** Servers' files and tests of the user, which take whole heats. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { project } from './project.js'
import { measureWhile, timerq, untilThereIsTime, words } from './timerq.js'

const WORKLOADS = fileURLToPath(new URL('../fixtures/workloads', import.meta.url))
const UNRULY = fileURLToPath(new URL('../fixtures/scenarios/unruly.js', import.meta.url))
/** Takes several times as long as fixtures/workloads/add.js, for the same sum. */
const SLOW_ADD = `export function add (one, other) {
  let sum = one
  for (let i = 0; i < 20; i++) sum += i % 2 === 0 ? 1 : -1
  return sum + other
}
`
const SERVER = fileURLToPath(new URL('../../bin/templates/my-server.js', import.meta.url))

test("a gate of a server's file measures the file of each side, on Node's own timers", async t => {
  const { root, commit, edit } = project(t)
  cpSync(SERVER, path.join(root, 'bench/server.js'))
  commit('Add a server')
  edit(
    source =>
      source.replace(
        'keepAliveTimeout = 60_000',
        'keepAliveTimeout = (() => { throw new Error("the head was run") })()'
      ),
    'bench/server.js'
  )
  const gate = () =>
    untilThereIsTime(() =>
      timerq(
        'gate --base main --scenario ./bench/server.js --sweep connections=5 --rounds 1 --json',
        { cwd: root }
      )
    )
  const { json } = await gate()
  const {
    verdict,
    comparisons: [row]
  } = json
  assert.deepEqual([verdict, row.scenario, row.queue], ['invalid', 'my-server', 'node'])
  assert.match(row.reason, /^head: the head was run \(at .*\/server\.js:\d+:\d+\)$/)
  edit(source => source.replace(/\(\(\) => .*/, '60_001'), 'bench/server.js')
  const same = await gate()
  const [cpu] = same.json.comparisons
  assert.deepEqual([cpu.metric, cpu.pairs], ['cpuMicrosPerRequest', 1], same.stderr)
})

test("a server's file that patches built-ins, opens a port and starts an interval is measured, gated and profiled, " +
  'and the commands end', async t => {
  const { root, commit, edit } = project(t)
  cpSync(UNRULY, path.join(root, 'server.js'))
  commit('Add a server')
  edit(source => `// The same.\n${source}`, 'server.js')
  const ran = await untilThereIsTime(() =>
    timerq('run --scenario ./server.js --queue node --rounds 1 --json', {
      cwd: root
    })
  )
  assert.ok(ran.json.cells[0].metrics.cpuMicrosPerRequest.median > 0, ran.stderr)
  const gated = await untilThereIsTime(() =>
    timerq('gate --base main --scenario ./server.js --rounds 1 --json', {
      cwd: root
    })
  )
  const [cpu] = gated.json.comparisons
  assert.deepEqual([cpu.metric, cpu.pairs], ['cpuMicrosPerRequest', 1], gated.stderr)
  const { code, stdout, stderr } = await timerq(
    'profile --scenario ./server.js --queue node --json',
    { cwd: root }
  )
  assert.equal(code, 0, stderr)
  assert.ok(stdout.includes('unruly'), stdout)
})

test('a gate that expects a gain passes when the head is faster, and fails when it is not', async t => {
  const { root, write, commit, edit } = project(t)
  cpSync(path.join(WORKLOADS, 'sum.js'), path.join(root, 'bench/sum.js'))
  write('bench/add.js', SLOW_ADD)
  commit('Add a workload')
  const gate = (/** @type {string} */ rounds, /** @type {string[]} */ ...more) =>
    timerq(words`gate --base main --scenario ./bench/sum.js --seed 1 --budget 5m --rounds ${rounds} ${more}`, {
      cwd: root
    })
  const isMoved = (/** @type {{code: number}} */ { code }) => code === 4
  const isUnclear = (/** @type {{code: number}} */ ended) => ended.code === 3 || isMoved(ended)
  // Far from what was expected: the first look decides.
  edit(source => `// The same.\n${source}`, 'bench/add.js')
  const same = await measureWhile(isUnclear, () => gate('8', '--measure', 'all', '--expect', 'faster=50%'))
  assert.equal(same.code, 1, same.stdout)
  assert.match(same.stdout, /^missed: /)
  cpSync(path.join(WORKLOADS, 'add.js'), path.join(root, 'bench/add.js'))
  const gained = await measureWhile(isUnclear, () =>
    gate('8', '--expect', 'faster=10%:su*', '--json', '--junit', 'junit.xml')
  )
  assert.equal(gained.code, 0, gained.stdout)
  const { verdict, comparisons } = gained.json
  const { expect, low, high } = comparisons.find((/** @type {any} */ { metric }) => metric === 'nsPerOp')
  assert.deepEqual([verdict, expect], ['pass', { change: 'faster', floor: 0.1 }])
  assert.ok(low < high && high < 0.9, `${low} to ${high}`)
  edit(source => source.replace('operations: texts', 'operations: 2 * texts'), 'bench/sum.js')
  const inflated = await measureWhile(isMoved, () => gate('1', '--expect', 'faster'))
  // Both sides count their operations twice now: that is no gain.
  assert.match(
    inflated.stdout.replaceAll('\n  ', ' '),
    /^inconclusive: .*both sides ran the head's bench\/sum\.js, so changes in it were not compared/
  )
})
