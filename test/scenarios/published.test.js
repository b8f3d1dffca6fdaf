/** Workloads that others have published: the drawn keys follow Zipf's law, and ratas expires what the original does. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRandom } from '../../harness/model/random.js'
import { BinaryHeap } from '../../queues/binary-heap.js'
import { HierarchicalWheel } from '../../queues/hierarchical-wheel.js'
import { LazyWheel } from '../../queues/lazy-wheel.js'
import { scenario as ratas } from '../../scenarios/ratas.js'
import { scenario as timerPerKey } from '../../scenarios/timer-per-key.js'
import { digestOf } from './expiry-digest.js'
import { watched } from './watched.js'

test("the most popular key has the share that Zipf's law gives it", () => {
  /** @type {Map<number, number>} */
  const uses = new Map()
  const queue = watched('reschedule', timer => {
    const key = queue.payloadOf(timer)
    uses.set(key, (uses.get(key) ?? 0) + 1)
  })
  const { phases } = timerPerKey.createWorkload(queue, { size: 1000 }, createRandom(1))
  uses.clear()
  for (let cycle = 0; cycle < 4; cycle++) for (const { run } of phases) run()
  const total = Array.from({ length: 1000 }, (_, rank) => (rank + 1) ** -0.99).reduce((sum, weight) => sum + weight)
  const [first, second] = [...uses.values()].sort((a, b) => b - a)
  assert.ok(Math.abs((first / 20_000) * total - 1) < 0.02, `${first} of 20000`)
  assert.ok(Math.abs(first / second - 2 ** 0.99) < 0.05, `${first} and ${second}`)
})

describe('ratas', () => {
  const { spans } = JSON.parse(readFileSync(new URL('../fixtures/ratas/expiries.json', import.meta.url), 'utf8'))
  const expected = spans.reduce((/** @type {number} */ sum, /** @type {[number, number]} */ [count]) => sum + count, 0)

  for (const Queue of [BinaryHeap, HierarchicalWheel, LazyWheel]) {
    test(`what expires when is what expires in ratas' own benchmark (${Queue.name})`, () => {
      const rand = createRand()
      // ratas draws fractions and remainders of the same sequence.
      const random = (/** @type {number} */ limit) => (limit === 100 ? rand() % 100 : (rand() / (2 ** 31 - 1)) * limit)
      /** @type {{tick: number, timer: number}[]} */
      const expiries = []
      const queue = /** @type {any} */ (new Queue())
      const { advance } = queue
      queue.advance = (/** @type {number} */ tick, /** @type {(timer: any) => void} */ expire) =>
        advance.call(queue, tick, (/** @type {any} */ timer) => {
          expiries.push({ tick, timer: queue.payloadOf(timer) })
          expire(timer)
        })
      const {
        phases: [phase]
      } = ratas.createWorkload(queue, { pairs: 5 }, random)
      while (expiries.length <= expected) phase.run()
      assert.deepEqual(digestOf(expiries.slice(0, expected)), spans)
    })
  }
})

/**
 * glibc's rand() with its default seed: an additive feedback generator (E. Roberts et al.; glibc, stdlib/random_r.c).
 */
function createRand () {
  const state = [1]
  for (let i = 1; i < 31; i++) state.push(Number((16807n * BigInt(state[i - 1])) % 2147483647n))
  for (let i = 31; i < 34; i++) state.push(state[i - 31])
  const next = () => {
    const value = (state[state.length - 31] + state[state.length - 3]) >>> 0
    state.push(value)
    state.shift()
    return value
  }
  for (let i = 0; i < 310; i++) next()
  return () => next() >>> 1
}
