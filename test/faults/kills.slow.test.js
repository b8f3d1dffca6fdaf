/**
 * kill -9 of every kind of process while it works. test/soak/kills.soak.js does so hundreds of times, at random
 * moments.
 */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { hasWarning } from '../../harness/model/warnings.js'
import { words } from '../bin/timerq.js'
import { project } from '../bin/project.js'
import { needs } from '../needs.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
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
const SERVERS = words`run --scenario keep-alive --queue binary-heap,node --sweep connections=5 ${BRIEFLY}`
const IDLE = words`run --scenario idle-sockets --queue binary-heap,node ${BRIEFLY}`

/** The victim is killed when it has started; the process that waits for it is held until then. */
for (const { what, args, kinds, victim, costs, says = /: the process ended with SIGKILL/, missing = false } of [
  { what: 'a queue in the middle of a heat', args: MICRO, kinds: ['count', 'heat'], victim: IN_HEAT, costs: 'heat' },
  {
    what: 'a load generator',
    args: SERVERS,
    kinds: ['alone', 'count', 'heat'],
    costs: 'heat',
    says: /: wrk ended with SIGKILL/,
    missing: needs('wrk')
  },
  {
    what: 'the process that holds idle connections',
    args: IDLE,
    kinds: ['alone', 'heat'],
    victim: /idle-connections-holder\.js/,
    costs: 'heat',
    says: /: 100 idle connections: the process that holds them ended with SIGKILL/
  }
]) {
  test(`${what} that is killed costs its own sample, and says so`, { skip: skip || missing }, async t => {
    const run = new WatchedRun(
      t,
      args,
      victim ? { hold: { at: victim } } : { env: { ...process.env, PATH: `${dyingWrk(t)}:${process.env.PATH}` } }
    )
    if (victim) {
      kill(await run.held(), 'SIGKILL')
      run.release()
    }
    assert.ok([0, 4].includes(Number(await run.end())), run.stderr)
    const samples = run.samples()
    const again = samples.filter(sample => hasWarning(sample, 'measured-again'))
    const faults = faultsOf(samples)
    // A sample is taken again where the machine was so busy that it stood still.
    if (again.length === 0) assert.equal(faults.length, 1, faults.join('\n'))
    for (const fault of faults) {
      assert.ok(fault.startsWith(costs), fault)
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

test('a side of a gate that is killed makes it invalid, never a regression or a pass', { skip }, async t => {
  const run = new WatchedRun(t, SMALL_GATE, { folder: project(t).root, hold: { at: IN_HEAT } })
  kill(await run.held(), 'SIGKILL')
  run.release()
  assert.equal(await run.end(), 4, run.stderr)
  assert.match(run.stdout, /^invalid: .*(base|head|control): the process ended with SIGKILL/)
  assert.deepEqual(await orphansIn(run.folder), [])
})

test('a queue whose process is killed while it is loaded is loaded again', { skip }, async t => {
  const run = new WatchedRun(t, SMALL_GATE, { folder: project(t).root, hold: { at: /subject\/process\.js/ } })
  kill(await run.held(), 'SIGKILL')
  run.release()
  assert.equal(await run.end(), 3, run.stderr)
  assert.deepEqual(await orphansIn(run.folder), [])
})

/**
 * A folder with a wrk that is killed when it starts for the third time. Both servers are warm by then, and their heat
 * begins.
 *
 * @param {import('node:test').TestContext} t
 */
function dyingWrk (t) {
  const folder = temporaryFolder(t)
  writeFileSync(
    path.join(folder, 'wrk'),
    `#!/bin/sh
PATH="\${PATH#*:}"
case "$1" in
  -t*) mkdir ${folder}/first 2>/dev/null || mkdir ${folder}/second 2>/dev/null || ! mkdir ${folder}/third 2>/dev/null || kill -KILL $$ ;;
esac
exec wrk "$@"
`,
    { mode: 0o755 }
  )
  return folder
}
