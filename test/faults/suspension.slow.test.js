/** The machine stands still: all processes of a run are stopped (SIGSTOP), and go on after some seconds. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasWarning } from '../../harness/model/warnings.js'
import { words } from '../bin/timerq.js'
import { faultsOf, IN_HEAT, kill, MICRO_RUN, skip, WatchedRun } from './watched-run.js'

const STOPPED_MS = 3000
/** Alone, so that it never waits for the load of another. */
const SERVER = words`run --queue node --scenario keep-alive --preset ci --rounds 1 --sweep connections=5 --seed 1`
const LOAD = /"connections":5|wrk -t/

for (const { what, args, hold, kind } of [
  { what: 'a heat of micro queues', args: [...MICRO_RUN, '--rounds', '1'], hold: { at: IN_HEAT }, kind: 'heat' },
  { what: 'a window', args: SERVER, kind: 'alone' }
]) {
  test(`${what} during which the machine stood still is measured again, and says so`, { skip }, async t => {
    const run = new WatchedRun(t, args, { hold })
    if (hold) await run.held()
    // A load lasts for seconds. The windows come after the heats.
    else {
      assert.ok(
        await run.until(
          () => hasHeats(run) && run.processes().some(({ command }) => LOAD.test(command))
        ),
        run.stderr
      )
    }
    const all = run.processes()
    for (const { pid } of all) kill(pid, 'SIGSTOP')
    await sleep(STOPPED_MS)
    for (const { pid } of all) kill(pid, 'SIGCONT')
    await run.ends(0)
    const samples = run.samples()
    assert.deepEqual(faultsOf(samples), [])
    const again = samples.filter(sample => hasWarning(sample, 'measured-again'))
    assert.ok(
      again.length > 0 && again.every(sample => sample.kind === kind),
      JSON.stringify(samples.map(({ kind, warnings }) => [kind, warnings]))
    )
    // Nothing of the pause is in what is kept.
    for (const { details } of samples) {
      assert.ok(!(details?.client?.latencyMs?.max >= STOPPED_MS), JSON.stringify(details?.client?.latencyMs))
    }
  })
}

/** @param {WatchedRun} run */
function hasHeats (run) {
  try {
    return run.samples().some(({ kind }) => kind === 'heat')
  } catch {
    return false
  }
}
