/** Workloads in virtual time: the same work whichever queue holds the timers, and as much as they declare. */
import { describe, test } from 'node:test'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { NullQueue } from '../../harness/subject/count/weigh.js'
import { ModelQueue } from '../../harness/subject/trust/model-queue.js'
import { metrics } from '../../harness/model/metrics.js'
import { createRandom } from '../../harness/model/random.js'
import { CANCEL, FIRE, REFRESH, START } from '../../harness/store/trace-format.js'
import { BinaryHeap } from '../../queues/binary-heap.js'
import { drawsFor } from '../../scenarios/draws.js'
import { scenarios } from '../../scenarios/index.js'

const CYCLES = 3
const OPERATIONS = 20_000
/** The model looks at all of its timers. */
const MODEL_TIMERS = 20_000
const GOLDEN = new URL('operations.json', import.meta.url)
/** Workloads whose operations follow no draw. */
const UNDRAWN = [
  'staggered-expiry',
  'one-timer-poll',
  'drain-small',
  'drain-empty',
  'bursts',
  'million-timers',
  'ready-job',
  'trace'
]
/** Workloads that are not woken at nextExpiry. */
const UNWOKEN = ['drain-empty', 'one-timer-poll']
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

/** Digests of first operations, by scenario: moments and distributions were checked when they were written down. */
const golden = JSON.parse(readFileSync(GOLDEN, 'utf8'))

/** @type {(scenario: any, queue: any) => any} */
const createWorkload = (scenario, queue) =>
  scenario.createWorkload(queue, paramsOf(scenario, MODEL_TIMERS), createRandom(1), scenario.needsTrace && TRACE)

/**
 * @param {any} scenario
 * @param {number} [most]  Timers.
 */
function paramsOf (scenario, most = Infinity) {
  const params = Object.fromEntries(Object.entries(scenario.presets.ci).map(([name, [value]]) => [name, value]))
  return { ...params, ...('size' in params && { size: Math.min(params.size, most) }) }
}

/**
 * @param {any} scenario
 * @param {any} queue
 */
function runCycles (scenario, queue) {
  const { phases, outcome } = createWorkload(scenario, queue)
  for (let cycle = 0; cycle < CYCLES; cycle++) phases.forEach((/** @type {any} */ phase) => phase.run())
  const { fired, checksum, spuriousWakeups } = outcome
  return { phases, fired, checksum, spuriousWakeups, pending: drain(queue) }
}

/**
 * A digest of the first operations of a workload, by the first value of each parameter, and by each other value of one
 * but the number of timers.
 *
 * @param {any} scenario
 * @param {number} seed
 */
function digestOfOperations (scenario, seed) {
  const hash = createHash('sha256')
  const first = paramsOf(scenario)
  const others = Object.values(scenario.presets).flatMap(preset =>
    Object.entries(preset).flatMap(([name, values]) =>
      ['size', 'pairs'].includes(name) ? [] : values.map((/** @type {number} */ value) => ({ ...first, [name]: value }))
    )
  )
  const all = new Map([first, ...others].map(params => [JSON.stringify(params), params]))
  for (const params of all.values()) addOperations(hash, scenario, params, seed)
  return hash.digest('hex').slice(0, 16)
}

/**
 * Adds the first calls of a heap, with their times, what fires, the number of all calls, and the phases.
 *
 * @param {import('node:crypto').Hash} hash
 * @param {any} scenario
 * @param {Record<string, number>} params
 * @param {number} seed
 */
function addOperations (hash, scenario, params, seed) {
  const heap = /** @type {any} */ (new BinaryHeap())
  let left = OPERATIONS
  // A heap may call its own methods: only outermost calls count.
  let depth = 0
  const note = (/** @type {unknown[]} */ ...words) => {
    if (depth > 0) return
    if (left > 0) hash.update(`${words.join()} `)
    left--
  }
  for (const method of ['createTimer', 'releaseTimer', 'insert', 'cancel', 'reschedule', 'advance']) {
    const original = heap[method].bind(heap)
    heap[method] = (/** @type {any} */ first, /** @type {any} */ second, /** @type {any} */ third) => {
      const isAdvance = method === 'advance'
      const timer = isAdvance || method === 'createTimer' ? '' : heap.payloadOf(first)
      note(method, timer, isAdvance ? first : second, third)
      const fire = (/** @type {any} */ timer) => {
        depth--
        note('fires', heap.payloadOf(timer))
        second(timer)
        depth++
      }
      depth++
      try {
        return isAdvance ? original(first, fire) : original(first, second, third)
      } finally {
        depth--
      }
    }
  }
  const { phases } = scenario.createWorkload(heap, params, createRandom(seed), scenario.needsTrace && TRACE)
  for (let cycle = 0; cycle < CYCLES; cycle++) phases.forEach((/** @type {any} */ phase) => phase.run())
  hash.update(JSON.stringify([left, phases]))
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

if (process.env.RENEW_GOLDEN) {
  const micro = loaded.filter(({ scenario }) => scenario.kind === 'micro')
  Object.assign(golden, Object.fromEntries(micro.map(({ name, scenario }) => [name, digestOfOperations(scenario, 1)])))
  writeFileSync(GOLDEN, JSON.stringify(golden, null, 2) + '\n')
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
      assert.equal(model.spuriousWakeups === undefined, UNWOKEN.includes(name), 'wake-ups at nextExpiry are counted')
      for (const { metric, operations } of phases) {
        assert.ok(metric in metrics, metric)
        assert.ok(Number.isInteger(operations) && operations > 0)
      }
    })

    test('its first operations are those of the golden file, and others with another seed', () => {
      const digest = digestOfOperations(scenario, 1)
      assert.equal(digest, golden[name], 'RENEW_GOLDEN=1 writes test/scenarios/operations.json')
      if (!UNDRAWN.includes(name)) assert.notEqual(digestOfOperations(scenario, 2), digest)
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
