/** Traces of real programs: small, whole, and replayed as the model fires them. Queues are held by their contract. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ModelQueue } from '../../../harness/subject/trust/model-queue.js'
import { FIRE, readTrace } from '../../../harness/store/trace-format.js'
import { describeTrace } from '../../../harness/trace/recommend.js'
import { LazyWheel } from '../../../queues/lazy-wheel.js'
import { scenario } from '../../../scenarios/trace.js'

const LARGEST_BYTES = 100_000
/** A trace is replayed again and again while it is measured. */
const CYCLES = 2

for (const name of ['fastify-app', 'websocket-heartbeats']) {
  test(`${name} is small and complete, and fires what fired in the program, as the model does`, () => {
    const file = fileURLToPath(new URL(`../../fixtures/traces/${name}.trace`, import.meta.url))
    const trace = readTrace(file)
    assert.ok(statSync(file).size < LARGEST_BYTES)
    assert.equal(trace.isTruncated, false)
    const { starts, refreshes, cancels, fires, pendingPeak } = describeTrace(trace)
    const counts = JSON.stringify({ starts, refreshes, cancels, fires, pendingPeak })
    assert.ok(starts > 1000 && cancels > 1000 && fires > 10 && pendingPeak > 10, counts)

    const [model, wheel] = [ModelQueue, LazyWheel].map(Queue => {
      const { phases, outcome } = scenario.createWorkload(new Queue(), {}, () => 0, trace)
      for (let cycle = 0; cycle < CYCLES; cycle++) phases[0].run()
      return { fired: outcome.fired, checksum: outcome.checksum }
    })
    const recorded = trace.kinds.filter(kind => kind === FIRE).length
    assert.ok(model.fired >= CYCLES * recorded, `${model.fired} in ${CYCLES} cycles, ${recorded} recorded`)
    assert.deepEqual(wheel, model)
  })
}
