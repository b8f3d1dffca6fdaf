import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scenario } from './my-workload.js'

test('the same draws give the same outcome', async () => {
  const [one, other] = await Promise.all([run(), run()])
  assert.equal(one?.checksum, other?.checksum)
})

/** Runs every phase once, with the first value of every parameter. */
async function run () {
  const params = Object.fromEntries(Object.entries(scenario.presets.quick).map(([name, [value]]) => [name, value]))
  let draw = 0
  const { phases, outcome } = await /** @type {any} */ (scenario).createWorkload(
    params,
    (/** @type {number} */ limit) => draw++ % limit
  )
  for (const phase of phases) await phase.run()
  return outcome
}

// A copy of the code as it was last released can be the base of a test that fails when the code becomes slower:
//
//   import { notSlower } from 'timerq/test'
//   test('it is not slower', () => notSlower(new URL('my-workload.js', import.meta.url), new URL('released/my-workload.js', import.meta.url)))
