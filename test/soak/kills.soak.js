/** Ends any process of a run at any moment with kill -9, and continues the run: TIMERQ_SOAK_ROUNDS times. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { killRound } from '../faults/kill-round.js'
import { placesOf, TWO_ROUNDS, WatchedRun } from '../faults/watched-run.js'

const ROUNDS = Number(process.env.TIMERQ_SOAK_ROUNDS ?? 200)

test(`${ROUNDS} kills at random moments lose nothing and leave nothing behind`, async t => {
  const start = performance.now()
  const unbroken = new WatchedRun(t, TWO_ROUNDS)
  assert.equal(await unbroken.end(), 0, unbroken.stderr)
  const places = placesOf(unbroken.samples())
  const wholeMs = performance.now() - start

  /** @type {Record<string, number>} */
  const killed = {}
  for (let round = 0; round < ROUNDS; round++) {
    await t.test(`round ${round + 1}`, async t => {
      const victim = await killRound(t, {
        args: TWO_ROUNDS,
        places,
        async choose (run) {
          await sleep(Math.random() * wholeMs)
          const processes = run.processes()
          return processes[Math.floor(Math.random() * processes.length)] ?? null
        }
      })
      const kind = victim?.match(/runner|reaper|micro\/child|exact-child|http\/server|exact-server|wrk|autocannon/)?.[0] ?? victim ?? 'none'
      killed[kind] = (killed[kind] ?? 0) + 1
    })
  }
  t.diagnostic(`killed: ${JSON.stringify(killed)}`)
})
