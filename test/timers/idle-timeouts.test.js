/** Idle timeouts on a clock that only the test moves; programs.test.js has their deadlines and handles at random. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { IdleTimeouts } from '../../timers/idle-timeouts.js'

/** @import { TestContext } from 'node:test' */

/**
 * Idle timeouts on a clock that only the test moves.
 *
 * @param {TestContext} t
 * @param {Partial<ConstructorParameters<typeof IdleTimeouts<string>>[0]>} [options]
 */
function createIdle (t, options) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] })
  const clock = { now: 1000.5, reads: 0 }
  /** @type {string[]} */
  const expired = []
  const idle = new IdleTimeouts({
    timeout: 120,
    resolution: 30,
    onIdle: item => expired.push(item),
    now () {
      clock.reads++
      return clock.now
    },
    ...options
  })
  return {
    idle,
    expired,
    clock,
    /** @param {number} ms */
    pass (ms) {
      for (let i = 0; i < ms; i++) {
        clock.now++
        t.mock.timers.tick(1)
      }
    },
    /**
     * The event loop is blocked: the clock goes on, and timers come late.
     *
     * @param {number} ms
     */
    block (ms) {
      clock.now += ms
    }
  }
}

const nobody = /** @type {any} */ (Object.create(null))
const TEXTS = ['', 'x', '8388608']
const NO_NUMBERS = [undefined, null, true, ...TEXTS, {}, [], [8388608], nobody, 0n, 2n ** 80n, Symbol('x'), Object(1)]
const ODD_NUMBERS = [NaN, Infinity, -Infinity, -0, 2 ** 53, 1e300, 5e-324]
/** Differences of two numbers that have the same lower bits, or nearly. */
const LOOKALIKES = [0, 0.5, 2 ** -20, 2 ** 23, 2 ** 31, 2 ** 32, 2 ** 52]

test('no value but the handles that are out is a handle', t => {
  const { idle, expired, pass } = createIdle(t)
  const handles = Array.from({ length: 1000 }, (_, i) => idle.add(`item ${i}`))
  const out = new Set(handles.filter((handle, i) => i % 3 === 0 || !idle.delete(handle)))
  for (let i = 0; i < 600; i++) out.add(idle.add(`again ${i}`))
  const { size } = out

  const integers = Array.from({ length: 2 ** 13 }, (_, i) => i - 2 ** 12)
  const ofHandles = [...handles, ...out].flatMap(handle => [handle, -handle, -handle - 1, ~handle, handle % 2 ** 23])
  const lookalikes = [...integers, ...ofHandles].flatMap(number =>
    LOOKALIKES.flatMap(apart => [number + apart, number - apart])
  )
  const nothings = [...lookalikes, ...ODD_NUMBERS, ...NO_NUMBERS].filter(value => !out.has(value))
  for (const value of nothings) {
    if (idle.touch(value) || idle.delete(value)) assert.fail(`${String(value)} is taken for a handle`)
  }
  assert.equal(idle.size, size)

  pass(60)
  for (const handle of out) assert.equal(idle.touch(handle), true)
  pass(200)
  assert.deepEqual([new Set(expired).size, idle.size], [size, 0])
})

test('the native timer sleeps until something may be due', t => {
  const { idle, pass } = createIdle(t, { timeout: 30_000 })
  const started = t.mock.method(globalThis, 'setTimeout')
  const handle = idle.add('item')
  pass(20_000)
  idle.touch(handle)
  pass(9_000)
  assert.equal(started.mock.callCount(), 1)
  pass(20_000)
  assert.equal(started.mock.callCount(), 2)
  pass(2_000)
  assert.equal(idle.size, 0)
})

test('many touches in a tick do not read the clock, and nothing expires early or late', t => {
  const { idle, expired, pass, clock } = createIdle(t)
  const handles = Array.from({ length: 100 }, (_, i) => idle.add(`item ${i}`))
  for (let i = 0; i < 200; i++) {
    clock.reads = 0
    for (let j = 0; j < 10_000; j++) idle.touch(handles[j % 100])
    assert.ok(clock.reads < 200, `${clock.reads}`)
    pass(5)
  }
  pass(114)
  assert.deepEqual(expired, [])
  pass(31)
  assert.equal(expired.length, 100)
})

const CALLS = /** @type {Record<string, (idle: IdleTimeouts<string>, handle: any) => unknown>} */ ({
  add: idle => idle.add('last', 50),
  touch: (idle, handle) => idle.touch(handle),
  delete: (idle, handle) => idle.delete(handle)
})

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} finds that the wake-up is lost, and makes another`, t => {
    // Few calls each read the clock. After many, nobody knows when in the lost tick they came: a timeout more.
    for (const { items, ms } of [
      { items: 1, ms: 20 },
      { items: 500, ms: 20 + 120 + 30 }
    ]) {
      const { idle, expired, pass } = createIdle(t)
      const handle = idle.add('late', 1000)
      for (let i = 0; i < items; i++) idle.add(`item ${i}`)
      t.mock.timers.reset()
      t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] })
      pass(300)
      assert.deepEqual(expired, [])
      call(idle, handle)
      // The rest of the calls in which it is found at the latest.
      for (let i = 0; i < 256; i++) idle.delete(/** @type {any} */ (idle.add('another')))
      pass(ms)
      assert.equal(expired.filter(item => item.startsWith('item')).length, items)
      idle.close()
      t.mock.timers.reset()
    }
  })
}

test('a lost immediate is found too', t => {
  const { idle, expired, pass } = createIdle(t)
  const immediates = t.mock.method(globalThis, 'setImmediate', () => ({}))
  const handle = idle.add('late', 10_000)
  idle.add('item')
  pass(400)
  assert.deepEqual(expired, [])
  immediates.mock.restore()
  idle.touch(handle)
  pass(20)
  assert.deepEqual(expired, ['item'])
})

test('a timer that is late is not replaced over and over while calls read the clock', t => {
  const { idle, expired, pass, block } = createIdle(t)
  const handle = idle.add('late', 100_000)
  idle.add('item')
  const started = t.mock.method(globalThis, 'setTimeout')
  for (let i = 0; i < 2000; i++) {
    block(1)
    idle.touch(handle)
  }
  assert.ok(started.mock.callCount() < 10, `${started.mock.callCount()}`)
  pass(20)
  assert.deepEqual(expired, ['item'])
})

test('a clock that is set back or forward goes on from there', t => {
  const { idle, expired, pass, clock } = createIdle(t)
  const handle = idle.add('item')
  pass(100)
  clock.now = -5e9
  assert.equal(idle.touch(handle), true)
  pass(119)
  assert.deepEqual(expired, [])
  pass(31)
  assert.deepEqual(expired, ['item'])
  for (const leap of [2 ** 31 * 10, 2 ** 31 * 15, 2 ** 32 * 10 - 500, 1.8e12]) {
    expired.length = 0
    idle.add('far', 60_000)
    clock.now += leap
    pass(1)
    idle.add('new')
    pass(151)
    assert.deepEqual(expired, ['far', 'new'])
  }
})

test('an item is looked at once in its timeout, however often it is touched', t => {
  let looked = 0
  t.mock.method(Map.prototype, 'get', () => {
    looked++
  })
  const { idle, pass, block } = createIdle(t, { timeout: 1000, resolution: 30 })
  const handles = Array.from({ length: 10 }, () => idle.add('item'))
  // Many touches in a late tick: from now on, looking at an item asks the map of late ticks.
  for (let i = 0; i < 200; i++) idle.touch(handles[0])
  block(50)
  pass(1)
  for (let i = 0; i < 4000; i++) {
    pass(1)
    for (const handle of handles) idle.touch(handle)
  }
  assert.ok(looked >= 30 && looked <= 50, `${looked}`)
})

test('closed idle timeouts take no item', t => {
  const { idle, pass, expired } = createIdle(t)
  const handle = idle.add('a')
  assert.deepEqual([idle.close(), idle.close()], [['a'], []])
  assert.throws(() => idle.add('b'), /closed/)
  assert.deepEqual([idle.touch(handle), idle.delete(handle), idle.size], [false, false, 0])
  pass(300)
  assert.deepEqual(expired, [])
})

test('no clock runs while nothing is pending', t => {
  const { idle, expired, pass, block } = createIdle(t)
  const started = t.mock.method(globalThis, 'setTimeout')
  idle.delete(idle.add('a'))
  pass(100)
  const calls = started.mock.callCount()
  pass(1000)
  assert.equal(started.mock.callCount(), calls)
  block(1e9)
  idle.add('b')
  pass(119)
  assert.deepEqual(expired, [])
  pass(31)
  assert.deepEqual(expired, ['b'])
})

test('arguments are checked', () => {
  const fine = { timeout: 10, onIdle () {} }
  const create = (/** @type {any} */ options) => new IdleTimeouts(options)
  for (const timeout of [0, -1, NaN, Infinity, undefined, '10']) {
    const refused = { name: 'RangeError', message: /^timeout must be milliseconds from above 0 to/ }
    assert.throws(() => create({ ...fine, timeout }), refused)
    if (timeout !== undefined) assert.throws(() => create(fine).add('a', timeout), refused)
  }
  for (const resolution of [2, NaN, Infinity, '5']) {
    assert.throws(() => create({ ...fine, resolution }), { name: 'RangeError', message: /resolution must be/ })
  }
  for (const [options, message] of /** @type {const} */ ([
    [undefined, /^the options of IdleTimeouts must be an object, got undefined/],
    [null, /^the options of IdleTimeouts must be an object, got null/],
    [{ timeout: 10 }, /^onIdle must be a function, got undefined/],
    [{ ...fine, resolutions: 5 }, /^IdleTimeouts has no option "resolutions"/],
    [{ ...fine, onIdle: 'destroy' }, /^onIdle must be a function, got "destroy"/],
    [{ ...fine, ref: 1 }, /^ref must be a boolean, got 1/],
    [{ ...fine, now: 5 }, /^now must be a function, got 5/],
    [{ ...fine, now: () => NaN }, /^now must return milliseconds, got NaN/]
  ])) {
    assert.throws(() => create(options), { name: 'TypeError', message })
  }
})
