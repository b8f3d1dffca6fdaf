/** Workloads in virtual time: the same work whichever queue holds the timers, and as much as they declare. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { NullQueue } from '../../harness/subject/count/counts.js'
import { ModelQueue } from '../../harness/subject/trust/model-queue.js'
import { metrics } from '../../harness/model/metrics.js'
import { createRandom } from '../../harness/model/random.js'
import { CANCEL, FIRE, REFRESH, START } from '../../harness/store/trace-format.js'
import { BinaryHeap } from '../../queues/binary-heap.js'
import { drawEach, drawsFor } from '../../scenarios/draws.js'
import { scenarios } from '../../scenarios/index.js'
import { watched } from './watched.js'

const CYCLES = 3
/** Two connections: one is reused and times out, the other is closed. */
const TRACE = {
  kinds: Uint8Array.of(START, START, REFRESH, CANCEL, FIRE),
  times: Float64Array.of(0, 10, 40, 50, 160),
  timers: Int32Array.of(0, 1, 0, 1, 0),
  durations: Float64Array.of(120, 120, 0, 0, 0),
  timerCount: 2
}
const loaded = await Promise.all(
  scenarios.map(async ({ name, url }) => ({ name, scenario: (await import(url)).scenario }))
)

/** @type {(scenario: any, queue: any) => any} */
const createWorkload = (scenario, queue) =>
  scenario.createWorkload(queue, paramsOf(scenario), createRandom(1), scenario.needsTrace && TRACE)

/** @param {any} scenario */
const paramsOf = scenario =>
  Object.fromEntries(Object.entries(scenario.presets.ci).map(([name, [value]]) => [name, value]))

/**
 * @param {any} scenario
 * @param {any} queue
 */
function runCycles (scenario, queue) {
  const { phases, outcome } = createWorkload(scenario, queue)
  for (let cycle = 0; cycle < CYCLES; cycle++) phases.forEach((/** @type {any} */ phase) => phase.run())
  const { fired, checksum, spuriousWakeups } = outcome
  return { phases, fired, checksum, spuriousWakeups, pending: drain(queue), params: paramsOf(scenario) }
}

/**
 * @param {any} queue
 * @returns {number[]} the numbers of what fires when all time passes
 */
function drain (queue) {
  /** @type {number[]} */
  const numbers = []
  queue.advance(Number.MAX_SAFE_INTEGER, (/** @type {any} */ timer) => {
    const payload = queue.payloadOf(timer)
    numbers.push(payload.number ?? payload)
  })
  assert.equal(queue.size, 0)
  return numbers.sort((a, b) => a - b)
}

for (const { name, scenario } of loaded) {
  describe(name, () => {
    test('it is listed under its own name and has values for every parameter in every preset', () => {
      assert.equal(scenario.name, name)
      for (const preset of ['quick', 'documented', 'ci']) {
        assert.deepEqual(Object.keys(scenario.presets[preset]), Object.keys(scenario.parameters), preset)
      }
    })

    if (scenario.kind !== 'micro') return
    test('it fires the same timers at the same times whichever exact queue holds them', () => {
      const { phases, ...model } = runCycles(scenario, new ModelQueue())
      const { phases: _, ...heap } = runCycles(scenario, new BinaryHeap())
      assert.deepEqual(heap, model)
      assert.equal(model.fired + model.pending.length > 0, name !== 'drain-empty')
      for (const { metric, operations } of phases) {
        assert.ok(metric in metrics, metric)
        assert.ok(Number.isInteger(operations) && operations > 0)
      }
    })

    test('its own bytes can be weighed, without a queue', () => {
      const { phases } = createWorkload(scenario, new NullQueue())
      for (const { run } of phases) run()
    })
  })
}

test('a workload that is weighed without a queue may ask for payloads and deadlines', () => {
  const queue = new NullQueue()
  const timer = queue.createTimer('payload')
  assert.deepEqual([queue.payloadOf(timer), typeof queue.deadlineOf()], ['payload', 'number'])
})

/** @param {string} name */
const scenarioNamed = name => loaded.find(entry => entry.name === name)?.scenario

test('the number of draws is a power of two, up to a limit at least twice the number of timers', () => {
  assert.deepEqual([1, 100, 10_000, 1_000_000].map(drawsFor), [16_384, 16_384, 32_768, 2_097_152])
})

test('every timer is drawn, in an order that the seed decides', () => {
  for (const size of [1, 100, 20_000]) {
    const timers = Array.from({ length: size }, (_, index) => `timer ${index}`)
    const drawn = drawEach(timers, createRandom(1))
    assert.equal(drawn.length, drawsFor(size))
    assert.deepEqual(new Set(drawn), new Set(timers))
    assert.deepEqual(drawn, drawEach(timers, createRandom(1)))
    assert.equal(size > 1 && String(drawn) === String(drawEach(timers, createRandom(2))), false)
  }
})

test('of start-cancel, about one timer in a hundred expires', () => {
  const { fired } = runCycles(scenarioNamed('start-cancel'), new ModelQueue())
  assert.ok(fired > 0.005 * CYCLES * 5000 && fired < 0.02 * CYCLES * 5000, `${fired} of ${CYCLES * 5000}`)
})

const MANY_CYCLES = 20

/** @param {{size: number, expiring: number, decades: number}} params */
function runMixed (params) {
  let refreshes = 0
  const queue = watched('reschedule', () => refreshes++)
  const {
    phases: [phase],
    outcome
  } = scenarioNamed('mixed').createWorkload(queue, params, createRandom(1))
  const runCycles = () => {
    for (let cycle = 0; cycle < MANY_CYCLES; cycle++) phase.run()
  }
  // Some timers expire at first, before they have been refreshed.
  runCycles()
  const firedBefore = outcome.fired
  refreshes = 0
  runCycles()
  assert.equal(queue.size, params.size)
  return { operations: MANY_CYCLES * phase.operations, refreshes, fired: outcome.fired - firedBefore }
}

for (const size of [100, 1000, 10_000]) {
  for (const decades of [0, 2]) {
    test(`mixed executes the operations and expiries that it counts: ${size} timers over ${decades} decades`, () => {
      for (const expiring of [0, 10, 100]) {
        const { operations, refreshes, fired } = runMixed({ size, expiring, decades })
        const ratio = (refreshes + fired) / operations
        assert.ok(Math.abs(ratio - 1) < 0.01, `${expiring} % expiring: ${ratio} times as many as counted`)
        assert.ok(Math.abs(fired / operations - expiring / 100) < 0.03, `${fired} expiries of ${operations}`)
      }
    })
  }
}

test('of distinct-durations-cancelled, no two pending timers have the same duration', () => {
  /** @type {Map<any, number>} */
  const durations = new Map()
  const queue = watched('insert', (timer, deadline, duration) => durations.set(timer, duration))
  runCycles(scenarioNamed('distinct-durations-cancelled'), queue)
  assert.equal(new Set(durations.values()).size, durations.size)
})

/**
 * A heap that returns something other than its next expiry to its user, but not to itself.
 *
 * @param {(heap: BinaryHeap) => number} nextExpiry
 */
function answering (nextExpiry) {
  const heap = /** @type {any} */ (new BinaryHeap())
  return new Proxy(heap, {
    get: (_, name) => {
      if (name === 'nextExpiry') return () => nextExpiry(heap)
      return typeof heap[name] === 'function' ? heap[name].bind(heap) : heap[name]
    }
  })
}

test('one-timer-poll sees an answer later than the expiry', () => {
  const late = answering(heap => heap.nextExpiry() + 1)
  const { phases } = scenarioNamed('one-timer-poll').createWorkload(late, { size: 1 })
  const runUntilFired = () => {
    for (let cycle = 0; cycle < 10; cycle++) phases.forEach((/** @type {any} */ phase) => phase.run())
  }
  assert.throws(runUntilFired, { message: 'nextExpiry() was 10001, and a timer fires at 10000' })
})

for (const name of ['drain-empty', 'drain-small']) {
  test(`${name} times only the search for due timers`, () => {
    const unasked = answering(() => assert.fail('asked for the next expiry'))
    const { phases } = scenarioNamed(name).createWorkload(unasked, { size: 100, pause: 4 })
    phases.forEach((/** @type {any} */ phase) => phase.run())
  })
}

test('spurious wake-ups are counted for queues that are woken at nextExpiry', () => {
  const uncounted = loaded.filter(
    ({ scenario }) => scenario.kind === 'micro' && runCycles(scenario, new ModelQueue()).spuriousWakeups === undefined
  )
  assert.deepEqual(uncounted.map(({ name }) => name).sort(), ['drain-empty', 'one-timer-poll'])
})
