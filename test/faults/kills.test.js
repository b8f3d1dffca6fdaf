/** kill -9 of every kind of process while it works. test/soak/kills.soak.js does the same hundreds of times. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { needs } from '../needs.js'
import { afterRandomTime, killRound } from './kill-round.js'
import { orphansIn, placesOf, skip, SMALL_RUN, WatchedRun } from './watched-run.js'

const RUNNER_KILLS = 1

/** Of an unbroken run: what it has, and how long it takes. */
let places = /** @type {string[]} */ ([])
let wholeMs = 0

test('a run leaves no process behind', async t => {
  const start = performance.now()
  const run = new WatchedRun(t, SMALL_RUN)
  assert.equal(await run.end(), 0, run.stderr)
  assert.deepEqual(await orphansIn(run.folder), [])
  places = placesOf(run.samples())
  wholeMs = performance.now() - start
})

test('a runner that is killed at any moment leaves no process and no port behind, and is resumed to its end', { skip }, async t => {
  for (let round = 0; round < RUNNER_KILLS; round++) t.diagnostic(`killed: ${await killRound(t, { places, choose: afterRandomTime(wholeMs) })}`)
})

for (const { what, command, missing = false } of [
  { what: 'a queue in the middle of a heat', command: /micro\/child\.js/ },
  { what: 'a server', command: /http\/server\.js/ },
  { what: 'a load generator', command: /(^|\/)wrk -t/, missing: needs('wrk') }
]) {
  test(`${what} that is killed costs its own sample, and says so`, { skip: skip || missing }, async t => {
    let run = /** @type {WatchedRun | null} */ (null)
    const killed = await killRound(t, { places, choose: started => (run = started).process(command) })
    assert.match(String(killed), command)
    // On a machine so busy that it stood still meanwhile, it was measured again.
    const said = /** @type {WatchedRun | null} */ (run)?.samples().flatMap(({ failure, warnings }) => [failure?.message ?? '', ...warnings])
    assert.ok(said?.some(text => /SIGKILL|^taken again/.test(text)), String(said))
  })
}
