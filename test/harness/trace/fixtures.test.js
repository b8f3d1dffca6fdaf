/** Traces of real programs, replayed through every exact queue: what fires, and when, is what the model fires. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadQueue } from '../../../harness/subject/modules/load.js'
import { ModelQueue } from '../../../harness/subject/trust/model-queue.js'
import { FIRE, readTrace } from '../../../harness/store/trace-format.js'
import { describeTrace } from '../../../harness/trace/recommend.js'
import { queues } from '../../../queues/index.js'
import { scenario } from '../../../scenarios/trace.js'

/** @import { Trace } from '../../../harness/store/trace-format.js' */

const TRACES = ['fastify-app', 'websocket-heartbeats'].map(name => {
  const file = fileURLToPath(new URL(`../../fixtures/traces/${name}.trace`, import.meta.url))
  return { name, file, trace: readTrace(file) }
})
const LARGEST_BYTES = 100_000
/** A trace is replayed again and again while it is measured. */
const CYCLES = 2

const loaded = await Promise.all(
  queues
    .filter(({ origin }) => origin !== 'built-in')
    .map(async ({ name, url }) => ({ name, ...(await loadQueue(url)) }))
)
const exact = loaded.filter(({ meta }) => meta.accuracy === 'exact')

/**
 * Everything that fires: [when, timer]. Timers due in the same millisecond may fire in any order unless the queue
 * declares one.
 *
 * @param {new () => any} Queue
 * @param {Trace} trace
 */
function firesOf (Queue, trace) {
  /** @type {[number, number][]} */
  const fires = []
  class Watched extends Queue {
    /**
     * @param {number} now
     * @param {(timer: any) => void} expire
     */
    advance (now, expire) {
      super.advance(now, (/** @type {any} */ timer) => {
        fires.push([now, this.payloadOf(timer)])
        expire(timer)
      })
    }
  }
  const { phases, outcome } = scenario.createWorkload(new Watched(), {}, () => 0, trace)
  for (let cycle = 0; cycle < CYCLES; cycle++) phases[0].run()
  return { fires, fired: outcome.fired, checksum: outcome.checksum }
}

/** @param {[number, number][]} fires */
const byTimeThenTimer = fires => fires.toSorted(([a, first], [b, second]) => a - b || first - second)

for (const { name, file, trace } of TRACES) {
  describe(name, () => {
    const model = firesOf(ModelQueue, trace)

    test('it is small and complete, and uses timers as such programs do', () => {
      assert.ok(statSync(file).size < LARGEST_BYTES)
      assert.equal(trace.isTruncated, false)
      const { starts, refreshes, cancels, fires, pendingPeak } = describeTrace(trace)
      const counts = JSON.stringify({ starts, refreshes, cancels, fires, pendingPeak })
      assert.ok(starts > 1000 && cancels > 1000 && fires > 10 && pendingPeak > 10, counts)
    })

    test('the replay fires what fired in the program, and what was pending at its end', () => {
      const recorded = trace.kinds.reduce((sum, kind) => sum + (kind === FIRE ? 1 : 0), 0)
      assert.ok(model.fired >= CYCLES * recorded, `${model.fired} in ${CYCLES} cycles, ${recorded} recorded`)
    })

    for (const { name: queue, Queue, meta } of exact) {
      test(`${queue} fires what the model fires, at the same times`, () => {
        const { fires, ...outcome } = firesOf(Queue, trace)
        if (meta.order === 'fifo') assert.deepEqual(fires, model.fires)
        assert.deepEqual(byTimeThenTimer(fires), byTimeThenTimer(model.fires))
        assert.deepEqual(outcome, { fired: model.fired, checksum: model.checksum })
      })
    }
  })
}
