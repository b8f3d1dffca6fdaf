/** Plans of `timerq try` and of gates for a user's program. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { parse } from '../../../bin/request/request.js'
import { planGate } from '../../../bin/plans/gate.js'
import { planTry } from '../../../bin/plans/program.js'
import { TRY } from '../../../bin/presets.js'
import { MOST_ROUNDS } from '../../../harness/plan/plan.js'
import { project } from '../project.js'
import { pick, words } from '../timerq.js'

/** @param {string[]} args */
const planOf = args => planTry(/** @type {any} */ (parse(['try', ...args]).request))
const PROGRAM = words`-- node server.js --fast`

test('by default, the package timerq-timers is compared with node, for two minutes at most or until a saving is ' +
  'known within 1 %', async () => {
  const {
    queues,
    cells,
    scenarios,
    settings: { control },
    end: { budgetSeconds, rounds, enough, until },
    of: { program }
  } = await planOf(PROGRAM)
  assert.deepEqual(pick(queues, 'name'), ['node', 'timerq-timers'])
  assert.equal(typeof (await import(queues[1].url)).plugSockets, 'function')
  assert.deepEqual(
    { budgetSeconds, rounds, enough, until, control: control.http },
    { budgetSeconds: 120, rounds: MOST_ROUNDS, enough: TRY.enough, until: undefined, control: 'node' }
  )
  assert.deepEqual(program, {
    command: ['node', 'server.js', '--fast'],
    cwd: process.cwd(),
    path: '/',
    startSeconds: 30
  })
  assert.deepEqual(
    scenarios.map(({ name, url, values }) => ({ name, url, values })),
    [{ name: 'server.js', url: '', values: { connections: [100] } }]
  )
  assert.equal(cells.length, 2)
})

test('node is always measured, as the control; options set the other queues, the limits and the address', async () => {
  const { queues, end, of } = await planOf(words`--queue binary-heap --path /users?all --port 3000 --time-limit 5
    --rounds 4 --until 2% ${PROGRAM}`)
  assert.deepEqual(
    pick(queues, 'name'),
    ['node', 'binary-heap']
  )
  assert.deepEqual([end.rounds, end.until, end.enough], [4, 0.02, undefined])
  assert.deepEqual(of.program, {
    command: ['node', 'server.js', '--fast'],
    cwd: process.cwd(),
    path: '/users?all',
    startSeconds: 5,
    port: 3000
  })
  const named = await planOf(['--queue', 'lazy-wheel,timerq-timers', ...PROGRAM])
  assert.deepEqual(
    named.queues.map(({ name, origin }) => `${name} ${origin}`),
    ['node built-in', 'lazy-wheel own', 'timerq-timers own']
  )
  const check = await planOf(['--self-check', ...PROGRAM])
  assert.deepEqual(
    check.queues.map(({ name, origin }) => `${name} ${origin}`),
    ['node built-in', 'node-again built-in']
  )
})

test('a gate of a program compares base and head on node alone, and refuses --queue', async t => {
  const { root } = project(t)
  const home = process.cwd()
  process.chdir(root)
  t.after(() => process.chdir(home))
  const gateOf = (/** @type {string[]} */ args) => {
    return planGate(/** @type {any} */ (parse(['gate', '--base', 'main', ...args, ...PROGRAM]).request))
  }
  const {
    cells,
    queues,
    of: { program, load: { port }, gate }
  } = await gateOf(['--path', '/users', '--port', '3000'])
  assert.deepEqual(
    pick(queues, 'name'),
    ['node']
  )
  assert.deepEqual(
    pick(cells, 'side'),
    ['base', 'head', 'control']
  )
  assert.deepEqual(
    { ...program, port: program?.port, bound: port, isUncounted: gate.isUncounted },
    {
      command: ['node', 'server.js', '--fast'],
      cwd: process.cwd(),
      path: '/users',
      startSeconds: 30,
      port: 3000,
      bound: 0,
      isUncounted: true
    }
  )
  await assert.rejects(gateOf(['--queue', './src/heap.js']), {
    exitCode: 2,
    message: /^--queue cannot be combined with a program/
  })
})
