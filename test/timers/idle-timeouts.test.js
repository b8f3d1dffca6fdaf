/** Idle timeouts on a clock that only the test moves, and on the real one. */
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
  const clock = { now: 1000.5 }
  /** @type {string[]} */
  const expired = []
  const idle = new IdleTimeouts({
    timeout: 120,
    resolution: 30,
    onIdle: item => expired.push(item),
    now: () => clock.now,
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

test('an item expires after its timeout, later by less than the resolution, once', t => {
  for (const timeout of [1, 10, 100, 119, 120, 121, 5000]) {
    for (let phase = 0; phase < 30; phase += 3) {
      const { idle, expired, pass } = createIdle(t, { timeout })
      idle.add('item that starts the clock', 50_000)
      pass(phase)
      idle.add('item')
      pass(timeout - 1)
      assert.deepEqual(expired, [])
      pass(1 + 30)
      assert.deepEqual(expired, ['item'])
      assert.equal(idle.size, 1)
      t.mock.timers.reset()
    }
  }
})

test('a touch restarts the timeout', t => {
  const { idle, expired, pass } = createIdle(t)
  const handle = idle.add('touched')
  for (let i = 0; i < 100; i++) {
    pass(119)
    assert.equal(idle.touch(handle), true)
  }
  assert.deepEqual(expired, [])
  pass(150)
  assert.deepEqual(expired, ['touched'])
  assert.equal(idle.touch(handle), false)
})

test('a stale handle reaches no other item', t => {
  const { idle, expired, pass } = createIdle(t)
  /** @type {import('../../timers/idle-timeouts.js').IdleHandle[]} */
  const stale = []
  for (let round = 0; round < 200; round++) {
    const handle = idle.add(`item ${round}`)
    assert.equal(idle.delete(handle), true)
    stale.push(handle)
  }
  const live = Array.from({ length: 500 }, (_, i) => idle.add(`live ${i}`))
  assert.equal(new Set([...stale, ...live]).size, 700)
  for (const handle of stale) assert.equal(idle.delete(handle), false)
  pass(60)
  for (const handle of stale) assert.equal(idle.touch(handle), false)
  assert.equal(idle.size, 500)
  pass(90)
  assert.equal(expired.length, 500)
})

const nobody = /** @type {any} */ (Object.create(null))
const TEXTS = ['', 'x', '8388608']
const NO_NUMBERS = [undefined, null, true, ...TEXTS, {}, [], [8388608], nobody, 0n, 2n ** 80n, Symbol('x'), Object(1)]
const ODD_NUMBERS = [NaN, Infinity, -Infinity, -0, 0.5, 2 ** 23, 2 ** 31, -(2 ** 31), 2 ** 53, -(2 ** 53), 1e300, 5e-324]
/** The same ones each time: of all magnitudes, half of them negative. */
const SCATTERED = Array.from({ length: 5000 }, (_, i) => (((i * Math.SQRT2) % 1) - 0.5) * 2 ** (i % 72))
/** Differences of two numbers that have the same lower bits, or nearly. */
const LOOKALIKES = [0.5, 2 ** -20, 2 ** 23, 2 ** 31, 2 ** 32, 2 ** 52]

/** Items added, the numbers of those deleted again, and what happens last. */
const TABLES = {
  empty: { added: 0 },
  'half used': { added: 32 },
  full: { added: 64 },
  'grown by one item': { added: 65 },
  'grown, with holes': { added: 1000, deleted: (/** @type {number} */ i) => i % 3 > 0 },
  emptied: { added: 700, deleted: () => true },
  'used again': { added: 700, deleted: () => true, again: 600 },
  closed: { added: 100, deleted: (/** @type {number} */ i) => i % 2 > 0, closes: true }
}

for (const [title, { added, deleted = () => false, again = 0, closes = false }] of Object.entries(TABLES)) {
  test(`no value but the handles that are out is a handle: ${title}`, t => {
    const { idle, expired, pass } = createIdle(t)
    const handles = Array.from({ length: added }, (_, i) => idle.add(`item ${i}`))
    const out = new Set(handles.filter((handle, i) => !(deleted(i) && idle.delete(handle))))
    for (let i = 0; i < again; i++) out.add(idle.add(`again ${i}`))
    if (closes) {
      idle.close()
      out.clear()
    }
    const size = out.size

    const capacity = 2 * (added + again) + 128
    const integers = Array.from({ length: 2 * capacity }, (_, i) => i - capacity)
    const ofHandles = [...handles, ...out].flatMap(handle => [handle, -handle, -handle - 1, ~handle, handle % 2 ** 23])
    const numbers = [...integers, ...ODD_NUMBERS, ...SCATTERED, ...SCATTERED.map(Math.floor), ...ofHandles]
    const lookalikes = numbers.flatMap(number => LOOKALIKES.flatMap(apart => [number + apart, number - apart]))
    const nothings = [...numbers, ...lookalikes, ...NO_NUMBERS].filter(value => !out.has(value))
    for (const value of nothings) {
      if (idle.touch(value) || idle.delete(value)) assert.fail(`${String(value)} is taken for a handle`)
    }
    assert.equal(idle.size, size)

    pass(60)
    for (const handle of out) assert.equal(idle.touch(handle), true)
    if (!closes) idle.add('the last')
    pass(200)
    assert.equal(new Set(expired).size, closes ? 0 : size + 1)
    assert.equal(idle.size, 0)
  })
}

test('no handle is used twice, although places are, in tables of one and of many items', t => {
  const { idle } = createIdle(t)
  const seen = new Set()
  const live = Array.from({ length: 1500 }, () => idle.add('item'))
  for (let round = 0; round < 5000; round++) {
    const handle = idle.add('another')
    assert.ok(!seen.has(handle) && Number.isSafeInteger(handle))
    seen.add(handle)
    assert.equal(idle.delete(handle), true)
    if (round === 2000) for (const handle of live.splice(0, 1000)) assert.equal(idle.delete(handle), true)
  }
  for (const handle of seen) assert.deepEqual([idle.touch(handle), idle.delete(handle)], [false, false])
  assert.ok(live.every(handle => idle.touch(handle)))
  assert.equal(idle.size, 500)
})

test('handles of closed or of other idle timeouts are refused', t => {
  const old = createIdle(t).idle
  t.mock.timers.reset()
  const other = createIdle(t).idle
  t.mock.timers.reset()
  const { idle, expired, pass } = createIdle(t)
  const foreign = Array.from({ length: 100 }, () => [old.add('old'), other.add('other')]).flat()
  assert.equal(old.close().length, 100)
  for (const handle of foreign) assert.deepEqual([idle.touch(handle), idle.delete(handle)], [false, false])
  assert.equal(idle.size, 0)
  const live = Array.from({ length: 100 }, (_, i) => idle.add(`item ${i}`))
  pass(100)
  for (const handle of foreign) assert.deepEqual([idle.touch(handle), idle.delete(handle)], [false, false])
  assert.equal(idle.size, 100)
  assert.equal(other.size, 100)
  pass(50)
  assert.equal(expired.length, 100)
  assert.ok(live.every(handle => !idle.touch(handle)))
})

test('items expire in the order of their deadlines; those of one tick in the order in which they were added', t => {
  for (const blocked of [0, 1000, 200_000]) {
    const { idle, expired, pass, block } = createIdle(t)
    const touched = idle.add('touched', 150)
    for (const timeout of [400, 300, 120, 200]) {
      for (let i = 0; i < 3; i++) idle.add(`${timeout} ${i}`, timeout)
    }
    pass(40)
    idle.touch(touched)
    pass(40)
    block(blocked)
    pass(600)
    assert.deepEqual(
      expired,
      ['120 0', '120 1', '120 2', 'touched', '200 0', '200 1', '200 2'].toSorted(byDeadline).concat(
        [300, 400].flatMap(timeout => [0, 1, 2].map(i => `${timeout} ${i}`))
      )
    )
    t.mock.timers.reset()
  }
  // The touched item is due 190 ms after the others were added.
  function byDeadline (/** @type {string} */ one, /** @type {string} */ other) {
    const deadline = (/** @type {string} */ item) => (item === 'touched' ? 190 : Number.parseInt(item))
    return deadline(one) - deadline(other)
  }
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
  let reads = 0
  let now = 0
  const { idle, expired, pass } = createIdle(t, {
    now () {
      reads++
      return now
    }
  })
  const passBoth = (/** @type {number} */ ms) => {
    for (let i = 0; i < ms; i++) {
      now++
      pass(1)
    }
  }
  const handles = Array.from({ length: 100 }, (_, i) => idle.add(`item ${i}`))
  for (let i = 0; i < 200; i++) {
    reads = 0
    for (let j = 0; j < 10_000; j++) idle.touch(handles[j % 100])
    assert.ok(reads < 200, `${reads}`)
    passBoth(5)
  }
  assert.deepEqual(expired, [])
  passBoth(114)
  assert.deepEqual(expired, [])
  passBoth(31)
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

test('touches right before a late tick count for the time until then', t => {
  const { idle, expired, pass, block } = createIdle(t)
  const handle = idle.add('item')
  pass(100)
  block(75)
  idle.touch(handle)
  pass(119)
  assert.deepEqual(expired, [])
  pass(31 + 75)
  assert.deepEqual(expired, ['item'])
})

test('a callback adds, touches and deletes; a deleted item of the same batch does not expire', t => {
  const { idle, pass } = createIdle(t, { onIdle: expire })
  /** @type {string[]} */
  const log = []
  function expire (/** @type {string} */ item) {
    log.push(item)
    if (item === 'again') return
    for (const handle of handles) idle.delete(handle)
    idle.add('again')
  }
  const handles = ['a', 'b', 'c'].map(item => idle.add(item))
  pass(150)
  assert.equal(log.length, 1)
  pass(150)
  assert.deepEqual(log.slice(1), ['again'])
})

test('close ends all, also inside a callback, and returns what was pending', t => {
  const { idle, pass, expired } = createIdle(t, {
    onIdle (item) {
      expired.push(item)
      assert.equal(idle.close().length, 2)
    }
  })
  const handles = ['a', 'b', 'c'].map(item => idle.add(item))
  pass(300)
  assert.equal(expired.length, 1)
  assert.equal(idle.size, 0)
  assert.ok(handles.every(handle => !idle.touch(handle) && !idle.delete(handle)))
  assert.throws(() => idle.add('d'), /closed/)
  assert.deepEqual(idle.close(), [])
})

test('a callback that throws loses no other expiry', t => {
  const { idle, expired, pass } = createIdle(t, {
    onIdle (item) {
      if (item === 'bad') throw new Error('callback')
      expired.push(item)
    }
  })
  for (const item of ['a', 'bad', 'b', 'bad', 'c']) idle.add(item)
  let thrown = 0
  for (let i = 0; i < 200; i++) {
    try {
      pass(1)
    } catch {
      thrown++
    }
  }
  assert.equal(thrown, 2)
  assert.deepEqual(expired.sort(), ['a', 'b', 'c'])
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
  const onIdle = () => {}
  assert.throws(() => new IdleTimeouts(/** @type {any} */ ({ timeout: 10 })), { name: 'TypeError', message: /onIdle/ })
  for (const timeout of /** @type {any[]} */ ([0, -1, NaN, Infinity, undefined, '10'])) {
    assert.throws(() => new IdleTimeouts({ timeout, onIdle }), {
      name: 'RangeError',
      message: /^timeout must be milliseconds from above 0 to/
    })
  }
  for (const resolution of /** @type {any[]} */ ([2, NaN, Infinity, '5'])) {
    assert.throws(() => new IdleTimeouts({ timeout: 10, resolution, onIdle }), {
      name: 'RangeError',
      message: /resolution must be/
    })
  }
  assert.throws(() => new IdleTimeouts({ timeout: 10, onIdle }).add('a', 0), /timeout must be/)
  /** @type {[unknown, RegExp][]} */
  const refused = [
    [undefined, /^the options of IdleTimeouts must be an object, got undefined/],
    [null, /^the options of IdleTimeouts must be an object, got null/],
    [{ timeout: 10, onIdle, resolutions: 5 }, /^IdleTimeouts has no option "resolutions"/],
    [{ timeout: 10, onIdle: 'destroy' }, /^onIdle must be a function, got "destroy"/],
    [{ timeout: 10, onIdle, ref: 1 }, /^ref must be a boolean, got 1/],
    [{ timeout: 10, onIdle, now: 5 }, /^now must be a function, got 5/],
    [{ timeout: 10, onIdle, now: () => NaN }, /^now must return milliseconds, got NaN/]
  ]
  for (const [options, message] of refused) {
    assert.throws(() => new IdleTimeouts(/** @type {any} */ (options)), { name: 'TypeError', message })
  }
  for (const timeout of /** @type {any[]} */ ([null, NaN, -1, '10', 1e300, {}])) {
    assert.throws(() => new IdleTimeouts({ timeout: 10, onIdle }).add('a', timeout), { name: 'RangeError' })
  }
})
