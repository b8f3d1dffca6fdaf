/** Workloads that others have published do what their sources say. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRandom } from '../../harness/model/random.js'
import { BinaryHeap } from '../../queues/binary-heap.js'
import { HierarchicalWheel } from '../../queues/hierarchical-wheel.js'
import { LazyWheel } from '../../queues/lazy-wheel.js'
import { scenario as acknowledge } from '../../scenarios/acknowledge.js'
import { scenario as heapOperations } from '../../scenarios/heap-operations.js'
import { scenario as hold } from '../../scenarios/hold.js'
import { scenario as nearer } from '../../scenarios/nearer.js'
import { scenario as ratas } from '../../scenarios/ratas.js'
import { scenario as readyJob } from '../../scenarios/ready-job.js'
import { scenario as shortestPath } from '../../scenarios/shortest-path.js'
import { scenario as timerPerKey } from '../../scenarios/timer-per-key.js'
import { scenario as upDown } from '../../scenarios/up-down.js'
import { digestOf } from './expiry-digest.js'
import { watched } from './watched.js'

const METHODS = ['createTimer', 'releaseTimer', 'insert', 'cancel', 'reschedule']

/**
 * @param {any} scenario
 * @param {any} queue
 * @param {Record<string, number>} params
 * @param {{cycles?: number, seed?: number, ready?: (outcome: any) => void}} [options]  `ready`: called before the first
 *   cycle.
 */
function run (scenario, queue, params, { cycles = 4, seed = 1, ready = () => {} } = {}) {
  const { phases: [phase], outcome } = scenario.createWorkload(queue, params, createRandom(seed))
  ready(outcome)
  for (let cycle = 0; cycle < cycles; cycle++) phase.run()
  return { ...outcome, operations: cycles * phase.operations }
}

/**
 * Runs cycles of a workload and counts the calls of each.
 *
 * @param {any} scenario
 * @param {Record<string, number>} params
 * @param {{cycles?: number, seed?: number}} [options]
 */
function count (scenario, params, { cycles = 1, seed } = {}) {
  const queue = /** @type {any} */ (new BinaryHeap())
  const calls = Object.fromEntries(METHODS.map(name => [name, 0]))
  // A queue may call its own methods: only outermost calls count.
  let depth = 0
  for (const name of METHODS) {
    const method = queue[name]
    queue[name] = (/** @type {any[]} */ ...args) => {
      if (depth++ === 0) calls[name]++
      try {
        return method.apply(queue, args)
      } finally {
        depth--
      }
    }
  }
  let firedBefore = 0
  const { fired, checksum, now, operations } = run(scenario, queue, params, {
    cycles,
    seed,
    ready (outcome) {
      for (const name of METHODS) calls[name] = 0
      firedBefore = outcome.fired
    }
  })
  return { ...calls, fired: fired - firedBefore, checksum, now, operations, pending: queue.size }
}

for (const scenario of [
  hold,
  upDown,
  heapOperations,
  shortestPath,
  nearer,
  readyJob,
  timerPerKey,
  acknowledge,
  ratas
]) {
  test(`${scenario.name} is drawn from the seed: the same again, and another with another seed`, () => {
    const params = Object.fromEntries(Object.entries(scenario.presets.ci).map(([name, [value]]) => [name, value]))
    const [one, again, other] = [1, 1, 2].map(seed => count(scenario, params, { seed, cycles: 3 }))
    assert.deepEqual(again, one)
    if (scenario !== readyJob && scenario !== heapOperations) assert.notDeepEqual(other, one)
  })
}

describe('hold', () => {
  for (const increments of [1, 2, 3, 4, 5]) {
    test(`an operation is an expiry and a start, ten milliseconds apart on average (increments ${increments})`, () => {
      const { fired, insert, cancel, reschedule, operations, pending, now } = count(
        hold,
        { size: 500, increments },
        { cycles: 8 }
      )
      assert.deepEqual(
        { insert, cancel, reschedule, pending },
        { insert: fired, cancel: 0, reschedule: 0, pending: 500 }
      )
      // The last advance may fire several.
      assert.ok(fired >= operations && fired < operations + 10, `${fired} of ${operations}`)
      assert.ok(Math.abs(now / fired - 10) < 0.5, `${now / fired} ms`)
    })
  }

  test('each distribution has the spread that its name says', () => {
    const spreads = [1, 2, 3, 4, 5].map(increments => {
      /** @type {number[]} */
      const durations = []
      const queue = watched('insert', (timer, deadline, duration) => durations.push(duration))
      hold.createWorkload(queue, { size: 10_000, increments }, createRandom(1))
      const mean = durations.reduce((sum, duration) => sum + duration) / durations.length
      const variance = durations.reduce((sum, duration) => sum + (duration - mean) ** 2, 0) / durations.length
      return Math.sqrt(variance) / mean
    })
    // Standard deviation over mean, from the definitions: 1, 1/sqrt 3, 0.1/sqrt 3, sqrt(1/12 + 9)/1.5, 1/sqrt 8.
    const expected = [1, 0.577, 0.0577, 2.009, 0.354]
    spreads.forEach((spread, i) =>
      assert.ok(Math.abs(spread / expected[i] - 1) < 0.05, `increments ${i + 1}: ${spread}`)
    )
  })
})

/**
 * Runs one phase of a workload after another, and lists what starts and expires.
 *
 * @param {any} scenario
 * @param {Record<string, number>} params
 * @param {{runs?: number, random?: (limit: number) => number}} [options]
 */
function listRuns (scenario, params, { runs = 1, random = createRandom(1) } = {}) {
  /** @type {{runs: {started: number, expired: {at: number, number: number}[]}[], sizes: number[]}} */
  const listed = { runs: [], sizes: [] }
  const queue = /** @type {any} */ (watched('insert', () => {
    listed.runs.at(-1).started++
    listed.sizes.push(queue.size + 1)
  }))
  const { advance } = queue
  queue.advance = (/** @type {number} */ at, /** @type {(timer: any) => void} */ expire) =>
    advance.call(queue, at, (/** @type {any} */ timer) => {
      listed.runs.at(-1).expired.push({ at, number: Number(queue.payloadOf(timer)) })
      expire(timer)
    })
  const { phases } = scenario.createWorkload(queue, params, random)
  for (let i = 0; i < runs * phases.length; i++) {
    listed.runs.push({ started: 0, expired: [] })
    phases[i % phases.length].run()
  }
  return { ...listed, operations: phases.map(({ operations }) => operations), size: queue.size }
}

test('up-down grows to n timers and shrinks to none when the kind of operation stays, and walks ' +
  'between otherwise', () => {
  const size = 3000
  const up = listRuns(upDown, { size, stay: 100 }, { runs: 2 })
  assert.deepEqual(
    up.sizes,
    [...up.sizes.keys()].map(i => (i % size) + 1)
  )
  const walk = listRuns(upDown, { size, stay: 50 })
  assert.ok(Math.max(...walk.sizes) < size / 2, `${Math.max(...walk.sizes)}`)
  for (const { started, expired } of [...up.runs, ...walk.runs]) {
    // Ties expire together, in one operation.
    assert.ok(started + expired.length >= 2 * size && started + expired.length < 2.2 * size)
  }
})

test('heap-operations builds, pops and pushes in batches, and empties the queue in order', () => {
  for (const keys of [10, 1_000_000]) {
    const { runs, operations, size } = listRuns(heapOperations, { size: 500, keys, batch: 40 })
    const [built, popped, emptied] = runs
    assert.deepEqual([built.started, built.expired.length, popped.started], [500, 0, popped.expired.length])
    assert.deepEqual([emptied.started, emptied.expired.length, size], [0, 500, 0])
    assert.deepEqual(operations, [500, 2 * 5000, 500])
    // All ties of the last key of a batch expire with it.
    assert.ok(popped.started >= 5000 && (keys === 10 || popped.started < 5050), `${popped.started}`)
    const times = emptied.expired.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted((a, b) => a - b))
  }
})

test('shortest-path visits each place of the grid once, at its distance', () => {
  const side = 12
  /** @type {number[]} */
  const steps = []
  const draw = createRandom(1)
  const random = (/** @type {number} */ limit) => steps[steps.push(1 + draw(limit)) - 1] - 1
  const { runs } = listRuns(shortestPath, { size: side * side + 5 }, { runs: 2, random })
  const [right, down] = [steps.slice(0, side * side), steps.slice(side * side)]
  // Bellman and Ford.
  const distances = new Array(side * side).fill(Infinity).fill(0, 0, 1)
  const shorten = (/** @type {number} */ place, /** @type {number} */ other, /** @type {number} */ step) => {
    distances[other] = Math.min(distances[other], distances[place] + step)
    distances[place] = Math.min(distances[place], distances[other] + step)
  }
  for (let round = 0; round < distances.length; round++) {
    for (const place of distances.keys()) {
      if (place % side < side - 1) shorten(place, place + 1, right[place])
      if (place + side < distances.length) shorten(place, place + side, down[place])
    }
  }
  for (const { expired } of runs) {
    assert.deepEqual(
      expired.toSorted((a, b) => a.number - b.number).map(({ at }) => at - expired[0].at),
      distances
    )
  }
})

test('nearer moves each deadline nearer and farther in turn, and nothing expires', () => {
  const { reschedule, fired, operations, pending } = /** @type {any} */ (
    count(nearer, { size: 1000, nearer: 100 }, { cycles: 20 })
  )
  assert.deepEqual({ reschedule, fired, pending }, { reschedule: operations, fired: 0, pending: 1000 })
  /** @type {number[]} */
  const durations = []
  const queue = watched('reschedule', (timer, deadline, duration) => durations.push(duration))
  run(nearer, queue, { size: 100, nearer: 100 })
  assert.deepEqual([...new Set(durations.filter((_, i) => i % 2 === 0))], [100])
  assert.deepEqual([...new Set(durations.filter((_, i) => i % 2 === 1))], [10_000])
})

describe('ready-job', () => {
  test('every operation makes, starts, cancels and releases one timer', () => {
    const { createTimer, insert, cancel, releaseTimer, fired, operations, pending } = count(
      readyJob,
      { size: 100 },
      { cycles: 4 }
    )
    assert.deepEqual(
      { createTimer, cancel, releaseTimer, pending },
      { createTimer: operations, cancel: operations, releaseTimer: operations, pending: 100 }
    )
    // Those of the other jobs expire once a second and are started again.
    assert.equal(insert, operations + fired)
    assert.equal(fired, 0.1 * 4 * 5)
  })
})

describe('acknowledge', () => {
  test('every operation is one cancel and one start, and every loss one expiry and one start', () => {
    const { cancel, insert, reschedule, fired, operations, pending } = count(
      acknowledge,
      { size: 1000, lost: 1 },
      { cycles: 40 }
    )
    assert.deepEqual(
      { cancel, insert, reschedule, pending },
      { cancel: operations, insert: operations + fired, reschedule: 0, pending: 1000 }
    )
    assert.ok(Math.abs(fired / operations - 0.01) < 0.002, `${fired} of ${operations}`)
  })

  test('without losses nothing expires', () => {
    assert.equal(count(acknowledge, { size: 100, lost: 0 }, { cycles: 20 }).fired, 0)
  })

  test('the timeout doubles with every loss, up to a minute', () => {
    const timeouts = new Set()
    const queue = watched('insert', (timer, deadline, duration) => timeouts.add(duration))
    run(acknowledge, queue, { size: 300, lost: 80 }, { cycles: 1 })
    assert.deepEqual(
      [...timeouts].sort((a, b) => a - b),
      [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000]
    )
  })
})

describe('timer-per-key', () => {
  test('every use of a key restarts its timer', () => {
    const { reschedule, operations } = count(timerPerKey, { size: 1000 }, { cycles: 4 })
    assert.equal(reschedule, operations)
  })

  test('some keys are refreshed all the time, and many expire between two uses', () => {
    const { fired, operations, pending } = count(timerPerKey, { size: 1000 }, { cycles: 10 })
    assert.ok(fired > 0.2 * operations && fired < 0.4 * operations, `${fired} of ${operations}`)
    assert.ok(pending > 300 && pending < 700, `${pending} of 1000 pending`)
  })

  test('entries have one lifetime, a few, or jittered ones', () => {
    const kinds = [1, 2, 3].map(ttls => {
      /** @type {number[]} */
      const durations = []
      const queue = watched('reschedule', (timer, deadline, duration) => durations.push(duration))
      run(timerPerKey, queue, { size: 1000, ttls })
      return new Set(durations).size
    })
    assert.deepEqual(kinds.slice(0, 2), [1, 5])
    assert.ok(kinds[2] > 3000, `${kinds[2]}`)
  })

  test("the most popular key has the share that Zipf's law gives it", () => {
    /** @type {Map<number, number>} */
    const uses = new Map()
    const queue = watched('reschedule', timer => {
      const key = queue.payloadOf(timer)
      uses.set(key, (uses.get(key) ?? 0) + 1)
    })
    run(timerPerKey, queue, { size: 1000 }, { ready: () => uses.clear() })
    const total = Array.from({ length: 1000 }, (_, rank) => (rank + 1) ** -0.99).reduce((sum, weight) => sum + weight)
    const [first, second] = [...uses.values()].sort((a, b) => b - a)
    assert.ok(Math.abs((first / 20_000) * total - 1) < 0.02, `${first} of 20000`)
    assert.ok(Math.abs(first / second - 2 ** 0.99) < 0.05, `${first} and ${second}`)
  })
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

  test('when all units are gone the benchmark begins again', () => {
    const { fired } = count(ratas, { pairs: 2 }, { cycles: 60 })
    assert.ok(fired > 45_000, String(fired))
  })
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
