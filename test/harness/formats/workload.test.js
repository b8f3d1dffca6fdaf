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
  const { phases: [phase], meter, fit } = await workloadFor(describe(ms => { now += ms }))
  assert.ok(meter)
  meter.clock = () => now
  meter.ms = 0
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

/** @type {(order: string[], wait?: Promise<void>) => (move: (ms: number) => void) => Timed} */
const hooked = (order, wait) => move => {
  const step = (/** @type {string} */ name, /** @type {number} */ ms) => () => {
    order.push(name)
    move(ms)
    return wait
  }
  return { before: step('before', 100), fn: step('fn', 1), after: step('after', 100) }
}
/** @type {(count: (asked: number) => number) => (move: (ms: number) => void) => Timed} */
const managed = count => move => ({
  isManaged: true,
  fn: timer => {
    move(50)
    timer.start()
    move(0.1 + 0.001 * count(timer.count))
    timer.end(count(timer.count))
    move(50)
  }
})

for (const [title, wait] of /** @type {const} */ ([['at once', undefined], ['awaited', Promise.resolve()]])) {
  test(`hooks run around each call, ${title}, and are not timed`, async () => {
    const order = /** @type {string[]} */ ([])
    const { phase, meter } = await onVirtualClock(hooked(order, wait))
    order.length = 0
    await phase.run()
    assert.deepEqual([meter.ms, order], [CALLS, Array(CALLS).fill(['before', 'fn', 'after']).flat()])
  })
}

test('a managed function is timed between start and end, and says its own number of operations; a task that says ' +
  'how long it took is believed', async () => {
  const { phase, meter } = await onVirtualClock(managed(count => 2 * count))
  await phase.run()
  assert.deepEqual([meter.ms.toFixed(3), phase.operations], ['0.108', 2 * CALLS])
  const told = await onVirtualClock(() => ({ fn: () => ({ overriddenDuration: 7 }) }))
  told.phase.run()
  assert.equal(told.meter.ms, 7 * CALLS)
  const { phases } = await workloadFor({ isManaged: true, fn: () => {} })
  assert.throws(() => phases[0].run(), /had not started and ended its timer/)
  await assert.rejects(workloadFor({ isManaged: true, fn: timer => timer.end() }), /ended before it was started/)
})

test('fitting makes runs of a short function longer, and of a long one not; the loop of a managed function outweighs ' +
  'its start, unless the function chooses the number of runs', async () => {
  const long = () => { for (const end = performance.now() + 30; performance.now() < end;); }
  for (const [fn, isLonger] of /** @type {const} */ ([[() => 1, true], [long, false]])) {
    const { phases: [phase], fit } = await workloadFor({ fn })
    await fit?.()
    assert.equal(phase.operations > CALLS, isLonger)
  }
  const grown = await onVirtualClock(managed(count => count))
  await grown.fit?.()
  assert.ok(grown.phase.operations >= 4900, `${grown.phase.operations} operations`)
  const own = await onVirtualClock(managed(() => 3))
  await own.fit?.()
  assert.equal(own.phase.operations, 3)
})
