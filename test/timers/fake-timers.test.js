/** Idle timeouts under the fake timers of test libraries. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { IdleTimeouts } from '../../timers/idle-timeouts.js'

const real = { setTimeout, clearTimeout, setImmediate }
const REAL_MS = 20
const DAY_MS = 86_400_000

/** @param {Partial<ConstructorParameters<typeof IdleTimeouts<string>>[0]>} [options] */
function createIdle (options) {
  /** @type {string[]} */
  const expired = []
  let resolve = () => {}
  /** @type {Promise<void>} */
  const twoExpired = new Promise(_resolve => (resolve = _resolve))
  const onIdle = (/** @type {string} */ item) => {
    if (expired.push(item) === 2) resolve()
  }
  return { idle: new IdleTimeouts({ timeout: REAL_MS, ref: true, onIdle, ...options }), expired, twoExpired }
}

/**
 * Replaces the global functions until the test ends.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} marks  Properties by which a test library marks fake timers.
 * @returns the callbacks given to setTimeout, which returns their number; clearTimeout does not remove them
 */
function replaceTimers (t, marks) {
  /** @type {(() => void)[]} */
  const started = []
  const start = (/** @type {Function} */ callback, /** @type {number} */ _ms, /** @type {unknown[]} */ ...args) =>
    started.push(() => callback(...args))
  const setImmediate = (/** @type {() => void} */ callback) => callback()
  Object.assign(globalThis, { setTimeout: Object.assign(start, marks), clearTimeout () {}, setImmediate })
  t.after(() => Object.assign(globalThis, real))
  return started
}

test('items expire on time, however far the fake clock moves at once', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  // A timeout of 60 days has three parts, and each of them may be late by a step.
  for (const [timeout, parts] of [
    [1000, 1],
    [60 * DAY_MS, 3]
  ]) {
    for (const step of [timeout / 100, timeout / 4, timeout]) {
      const mostLate = parts * step
      const { idle, expired } = createIdle({ timeout })
      const touched = idle.add('touched')
      idle.add('item')
      idle.add('own', 2 * timeout)
      idle.delete(idle.add('deleted'))
      t.mock.timers.tick(step)
      const isTouched = idle.touch(touched)
      // In several parts, the item may be pending after its time.
      if (parts === 1) assert.equal(isTouched, step < timeout)
      const due = { item: timeout, touched: timeout + (isTouched ? step : 0), own: 2 * timeout }
      for (let passed = step; passed < 2 * timeout + mostLate; passed += step) {
        for (const [item, ms] of Object.entries(due)) {
          const isOnTime = expired.includes(item) ? passed >= ms : passed < ms + mostLate
          assert.ok(isOnTime, `${item} after ${passed} of ${ms} ms`)
        }
        t.mock.timers.tick(step)
      }
      assert.equal(expired.length, 3)
    }
  }
})

for (const name of /** @type {const} */ (['add', 'touch', 'delete'])) {
  test(`fake timers have gone: with the next ${name}, pending timeouts begin again, in real time`, async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { idle, expired, twoExpired } = createIdle()
    for (const item of ['a', 'b']) idle.add(item)
    const last = idle.add('last', 5000)
    t.mock.timers.reset()
    const start = performance.now()
    if (name === 'add') idle.add('c')
    else idle[name](last)
    await twoExpired
    assert.ok(performance.now() - start >= REAL_MS)
    assert.deepEqual(expired.slice(0, 2), ['a', 'b'])
    idle.close()
  })
}

for (const mark of ['clock', '_isMockFunction']) {
  test(`timeouts move to new fake timers, which are marked "${mark}"`, t => {
    const oldCallbacks = replaceTimers(t, { [mark]: true })
    const { idle, expired } = createIdle()
    const handle = idle.add('a')
    idle.touch(handle)
    const newCallbacks = replaceTimers(t, { [mark]: true })
    idle.touch(handle)
    for (const fire of oldCallbacks) fire()
    assert.deepEqual([oldCallbacks.length, newCallbacks.length], [2, 1])
    assert.deepEqual(expired, [])
    newCallbacks[0]()
    idle.add('b')
    assert.deepEqual(idle.close(), ['b'])
    newCallbacks[1]()
    assert.deepEqual(expired, ['a'])
  })
}

test('neither wrappers of the global functions nor fake timers that come later are called', async t => {
  const wrapped = replaceTimers(t, {})
  const { idle, twoExpired } = createIdle()
  idle.add('a')
  const fake = replaceTimers(t, { clock: true })
  idle.add('b')
  assert.deepEqual([...wrapped, ...fake], [])
  await twoExpired
})

test('setTimeout may return a number, as in browsers', t => {
  const started = replaceTimers(t, {})
  let now = 0
  for (const ref of [false, true]) {
    const { idle, expired } = createIdle({ ref, now: () => now })
    idle.add('a')
    now += 200
    started.at(-1)?.()
    assert.deepEqual(expired, ['a'])
  }
})
