/** Node's own benchmark files. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { describedOrNot } from '../../../harness/measure/modules/user-modules.js'
import { descriptionsOf } from '../descriptions.js'
import { fileOf } from './cases.js'
import { measure } from './measure-task.js'

test("Node's own: configurations are tasks, n is a parameter and small, flags are set", async () => {
  const url = fileOf('node/timers/immediate.js')
  const [{ name, title, tasks, presets, flags, of, ...rest }, ...others] = await descriptionsOf(url)
  assert.deepEqual(
    [name, title, tasks, flags, of, rest.isFitted, rest.timing, others],
    [
      'timers-immediate',
      'timers/immediate.js',
      ['type=loop', 'type=late'],
      ['--expose-internals'],
      { format: 'node', group: '' },
      true,
      undefined,
      []
    ]
  )
  assert.deepEqual([Object.keys(rest.parameters), rest.control], [['n'], 'type=loop'])
  const [n] = presets.quick.n
  assert.ok(n >= 100 && n < 1e9, `n is ${n}`)
  for (const task of tasks ?? []) {
    const { operations } = await measure(url, { group: '', task }, { params: { n: 50 }, flags })
    assert.equal(operations % 50, 0)
  }
})

/** Files that cannot run again in one process: their parameters, and the operations of a run with n 20. */
const ONCE = /** @type {[file: string, name: string, parameters: string[], task: string, operations: number][]} */ ([
  ['timers/at-exit.js', 'timers-at-exit-once-a-process', ['n'], 'step=2 kind=some', 20],
  ['workers/thread.js', 'workers-thread-once-a-process', ['n'], 'main', 20],
  ['workers/cluster.js', 'workers-cluster-once-a-process', ['n'], 'main', 20],
  ['http/simple.js', 'http-simple-once-a-process', [], 'connections=100 duration=1', 10]
])

for (const [file, name, parameters, task, operations] of ONCE) {
  test(`Node's own, ${file}: each run is a process whose main program is the file, and the name says so`, async () => {
    const url = fileOf(`node/${file}`)
    const [described] = await descriptionsOf(url)
    assert.deepEqual(
      [described.name, described.title, Object.keys(described.parameters)],
      [name, `${file}, one run a process`, parameters]
    )
    const { turns, leadMs, turnMs = 0 } = described.timing ?? {}
    assert.ok(turnMs > 0 && described.tasks?.includes(task), JSON.stringify(described))
    assert.deepEqual([turns, leadMs, described.isFitted], [4, 0, true])
    const params = parameters.includes('n') ? { n: 20 } : {}
    const turn = await measure(url, { group: '', ...described.of, task }, { params })
    assert.equal(turn.operations % operations, 0)
  })
}

test("files of Node's that cannot be measured are left out, each with its reason", async () => {
  for (const [file, reason] of /** @type {[string, RegExp][]} */ ([
    ['common.js', /^it exports no `scenario`/],
    ['misc/rate.js', /^it reports its own rate, and no time$/],
    ['workers/cluster-load.js', /^its workers answer the requests, .* \(at .*cluster-load\.js:9:\d+\)$/]
  ])) {
    const { leftOut } = await describedOrNot(fileOf(`node/${file}`))
    assert.match(String(leftOut), reason)
  }
  await assert.rejects(descriptionsOf(fileOf('node/misc/rate.js')), /node\/misc\/rate\.js: it reports its own rate/)
})
