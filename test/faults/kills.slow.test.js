/**
 * kill -9 of a process while it works. test/soak/kills.soak.js does so hundreds of times, of all kinds of processes, at
 * random moments.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { hasWarning } from '../../harness/model/warnings.js'
import { words } from '../bin/timerq.js'
import { project } from '../bin/project.js'
import {
  faultsOf,
  IN_HEAT,
  kill,
  MICRO_RUN,
  orphansIn,
  skip,
  SMALL_GATE,
  WatchedRun
} from './watched-run.js'

const BRIEFLY = words`--preset ci --rounds 1 --seed 1`
const MICRO = [...MICRO_RUN, '--rounds', '1']
const IDLE = words`run --scenario idle-sockets --queue binary-heap,node ${BRIEFLY}`

/** The victim is killed when it has started; the process that waits for it is held until then. */
for (const { what, args, kinds, victim, says = /: the process ended with SIGKILL/ } of [
  { what: 'a queue in the middle of a heat', args: MICRO, kinds: ['count', 'heat'], victim: IN_HEAT },
  {
    what: 'the process that holds idle connections',
    args: IDLE,
    kinds: ['alone', 'heat'],
    victim: /idle-connections-holder\.js/,
    says: /: 100 idle connections: the process that holds them ended with SIGKILL/
  }
]) {
  test(`${what} that is killed costs its own sample, and says so`, { skip }, async t => {
    const run = new WatchedRun(t, args, { hold: { at: victim } })
    await run.whileHeld(pid => kill(pid, 'SIGKILL'))
    assert.ok([0, 4].includes(Number(await run.end())), run.stderr)
    const samples = run.samples()
    const again = samples.filter(sample => hasWarning(sample, 'measured-again'))
    const faults = faultsOf(samples)
    // A sample is taken again where the machine was so busy that it stood still.
    if (again.length === 0) assert.equal(faults.length, 1, faults.join('\n'))
    for (const fault of faults) {
      assert.ok(fault.startsWith('heat'), fault)
      assert.match(fault, says)
    }
    const { cells } = run.plan()
    for (const { id, queue } of cells) {
      const expected = kinds.filter(kind => kind !== 'count' || queue !== 'node')
      assert.deepEqual(
        samples
          .filter(({ cell }) => cell === id)
          .map(({ kind }) => kind)
          .sort(),
        expected,
        `all of ${id} is measured`
      )
    }
    assert.deepEqual(await orphansIn(run.folder), [])
  })
}

/**
 * A project whose head is not the base.
 *
 * @param {import('node:test').TestContext} t
 */
function changed (t) {
  const { root, edit } = project(t)
  edit(source => `// The same.\n${source}`)
  return root
}

test('a side of a gate that is killed makes it invalid, never a regression or a pass', { skip }, async t => {
  const run = new WatchedRun(t, SMALL_GATE, { folder: changed(t), hold: { at: IN_HEAT } })
  await run.whileHeld(pid => kill(pid, 'SIGKILL'))
  await run.ends(4)
  assert.match(run.stdout, /^invalid: .*(base|head|control): the process ended with SIGKILL/s)
})

test('a queue whose process is killed while it is loaded is loaded again', { skip }, async t => {
  const run = new WatchedRun(t, SMALL_GATE, { folder: changed(t), hold: { at: /subject\/process\.js/ } })
  await run.whileHeld(pid => kill(pid, 'SIGKILL'))
  await run.ends(3)
})
