/** The timed part of a task, shown by a task that moves its meter's clock. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { workloadOf } from '../../../harness/formats/subject/workload.js'
/** @import { Timed } from '../../../harness/formats/subject/tasks.js' */

const CALLS = 4

/** @param {Timed} timed */
const workloadFor = timed => workloadOf({ format: 'any', group: { name: '' }, name: 'a', prepare: () => timed })

/**
 * A workload whose meter reads a clock that the task moves.
 *
 * @param {(move: (ms: number) => void) => Timed} describe
 */
async function onVirtualClock (describe) {
  let now = 0
  const { phases: [phase], meter, fit } = await workloadFor(
    describe(ms => {
      now += ms
    })
  )
  assert.ok(meter)
  meter.clock = () => now
  return { phase, meter, fit }
}

test('a plain function is called in a loop and needs no meter; a promise is awaited before the next call', async () => {
  let open = 0
  let calls = 0
  const plain = await workloadFor({ fn: () => ++calls })
  assert.deepEqual([plain.meter, plain.phases[0].operations, calls], [undefined, CALLS, 1])
  plain.phases[0].run()
  assert.equal(calls, 1 + CALLS)
  const { phases } = await workloadFor({
    fn: async () => {
      assert.equal(++open, 1)
      await null
      open--
    }
  })
  await phases[0].run()
  assert.equal(open, 0)
})

for (const { title, wait } of [
  { title: 'at once', wait: () => undefined },
  { title: 'awaited', wait: () => Promise.resolve() }
]) {
  test(`hooks run around each call, ${title}, and are not timed`, async () => {
    const order = /** @type {string[]} */ ([])
    const { phase, meter } = await onVirtualClock(move => {
      const step = (/** @type {string} */ name, /** @type {number} */ ms) => () => {
        order.push(name)
        move(ms)
        return wait()
      }
      return { before: step('before', 100), fn: step('fn', 1), after: step('after', 100) }
    })
    order.length = 0
    meter.ms = 0
    await phase.run()
    assert.equal(meter.ms, CALLS)
    assert.deepEqual(order, Array(CALLS).fill(['before', 'fn', 'after']).flat())
  })
}

test('a managed function is timed between start and end, and says its own number of operations', async () => {
  const { phase, meter } = await onVirtualClock(move => ({
    isManaged: true,
    fn: timer => {
      move(50)
      timer.start()
      move(3)
      timer.end(2 * timer.count)
      move(50)
    }
  }))
  meter.ms = 0
  await phase.run()
  assert.deepEqual([meter.ms, phase.operations], [3, 2 * CALLS])
})

test('a managed function that forgets its timer is an error', async () => {
  const { phases } = await workloadFor({ isManaged: true, fn: () => {} })
  assert.throws(() => phases[0].run(), /had not started and ended its timer/)
  await assert.rejects(workloadFor({ isManaged: true, fn: timer => timer.end() }), /ended before it was started/)
})

test('a task that says how long it took is believed', async () => {
  const { phase, meter } = await onVirtualClock(() => ({ fn: () => ({ overriddenDuration: 7 }) }))
  meter.ms = 0
  await phase.run()
  assert.equal(meter.ms, 7 * CALLS)
})

test('fitting makes runs of a short function longer, and of a long one not', async () => {
  const { phases: [short], fit } = await workloadFor({ fn: () => 1 })
  await fit()
  assert.ok(short.operations > CALLS)
  const long = await workloadFor({
    fn: () => {
      const end = performance.now() + 30
      while (performance.now() < end);
    }
  })
  await long.fit()
  assert.equal(long.phases[0].operations, CALLS)
})

test('the loop of a managed function outweighs its start, unless the function chooses the number of runs', async () => {
  const managed = (/** @type {(count: number) => number} */ operations) =>
    onVirtualClock(move => ({
      isManaged: true,
      fn: timer => {
        timer.start()
        move(0.1 + 0.001 * operations(timer.count))
        timer.end(operations(timer.count))
      }
    }))
  const grown = await managed(count => count)
  await grown.fit()
  assert.ok(grown.phase.operations >= 4900, `${grown.phase.operations} operations`)
  const own = await managed(() => 3)
  await own.fit()
  assert.equal(own.phase.operations, 3)
})
