/** Idle timeouts under the fake timers of test libraries. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { IdleTimeouts } from '../../timers/idle-timeouts.js'

/** @import { TestContext } from 'node:test' */

const real = { setTimeout, clearTimeout, setImmediate, clearImmediate }
const MOCKED = /** @type {{apis: ('setTimeout' | 'setImmediate')[]}} */ ({ apis: ['setTimeout', 'setImmediate'] })

/** Idle timeouts without a clock of the test's, and a promise of the moment when this many items have expired. */
function createIdle ({ timeout = 1000, items = 1 } = {}) {
  /** @type {string[]} */
  const expired = []
  let resolve = () => {}
  /** @type {Promise<void>} */
  const allExpired = new Promise(_resolve => {
    resolve = _resolve
  })
  const idle = new IdleTimeouts({
    timeout,
    ref: true,
    onIdle (/** @type {string} */ item) {
      expired.push(item)
      if (expired.length === items) resolve()
    }
  })
  return { idle, expired, allExpired }
}

/**
 * Puts functions on the global object until the test ends.
 *
 * @param {TestContext} t
 * @param {Record<string, unknown>} functions
 */
function replace (t, functions) {
  Object.assign(globalThis, functions)
  t.after(() => Object.assign(globalThis, real))
}

/** Fake timers that a test library has marked, and the callbacks that were started with them. */
function createFakes (mark = 'clock') {
  /** @type {(() => void)[]} */
  const started = []
  const setTimeout = (/** @type {() => void} */ callback) => started.push(callback)
  return { started, functions: { setTimeout: Object.assign(setTimeout, { [mark]: true }), clearTimeout () {} } }
}

test('under fake timers, an item expires exactly after its timeout, by steps or in one leap', t => {
  t.mock.timers.enable(MOCKED)
  for (const step of [1, 50, 1000]) {
    const { idle, expired } = createIdle()
    const handle = idle.add('touched')
    idle.add('item')
    idle.add('own', 3000)
    idle.delete(idle.add('deleted'))
    t.mock.timers.tick(500)
    assert.equal(idle.touch(handle), true)
    for (let ms = 0; ms < 500; ms += step) t.mock.timers.tick(Math.min(step, 500))
    assert.deepEqual(expired, ['item'])
    t.mock.timers.tick(499)
    assert.equal(expired.length, 1)
    t.mock.timers.tick(1)
    assert.deepEqual(expired, ['item', 'touched'])
    assert.equal(idle.touch(handle), false)
    t.mock.timers.tick(20_000)
    assert.deepEqual(expired, ['item', 'touched', 'own'])
    assert.equal(idle.size, 0)
  }
})

test('timeouts of 30 and 60 days never expire early, nor later than by two steps', t => {
  const day = 86_400_000
  t.mock.timers.enable(MOCKED)
  for (const step of [1, 12]) {
    const { idle, expired } = createIdle({ timeout: 30 * day })
    idle.add('thirty')
    idle.add('sixty', 60 * day)
    for (let passed = step; passed <= 60 + 2 * step; passed += step) {
      t.mock.timers.tick(step * day)
      const due = (/** @type {number} */ days) => ['thirty', 'sixty'].slice(0, Math.max(0, Math.floor(days / 30)))
      assert.ok(expired.length <= due(passed).length, `day ${passed}: ${expired}`)
      assert.ok(expired.length >= due(passed - 2 * step).length, `day ${passed}: ${expired}`)
    }
    assert.deepEqual(expired, ['thirty', 'sixty'])
  }
})

test('closing under fake timers returns what is pending', t => {
  t.mock.timers.enable(MOCKED)
  const { idle, expired } = createIdle()
  for (const item of ['a', 'b']) idle.add(item)
  assert.deepEqual(idle.close(), ['a', 'b'])
  t.mock.timers.tick(5000)
  assert.deepEqual(expired, [])
})

for (const name of /** @type {const} */ (['add', 'touch', 'delete'])) {
  test(`fake timers have gone: with the next ${name}, pending timeouts begin again, in real time`, async t => {
    t.mock.timers.enable(MOCKED)
    const items = name === 'add' ? 3 : 2
    const { idle, expired, allExpired } = createIdle({ timeout: 20, items })
    for (const item of ['a', 'b']) idle.add(item)
    const last = idle.add('last', 50_000)
    t.mock.timers.reset()
    const start = performance.now()
    if (name === 'add') idle.add('c')
    else idle[name](last)
    await allExpired
    assert.ok(performance.now() - start >= 20)
    assert.deepEqual(expired, ['a', 'b', 'c'].slice(0, items))
    idle.close()
  })
}

test('other fake timers that take their place are followed', t => {
  const [before, after] = [createFakes(), createFakes()]
  replace(t, before.functions)
  const { idle, expired } = createIdle()
  const handle = idle.add('a')
  idle.add('b')
  replace(t, after.functions)
  idle.touch(handle)
  for (const callback of after.started) callback()
  assert.deepEqual(expired.sort(), ['a', 'b'])
})

test('fake timers that come later change nothing', async t => {
  const { idle, expired, allExpired } = createIdle({ timeout: 20, items: 2 })
  idle.add('a')
  t.mock.timers.enable(MOCKED)
  idle.add('b')
  t.mock.timers.tick(100_000)
  assert.deepEqual(expired, [])
  await allExpired
})

for (const mark of ['clock', '_isMockFunction']) {
  test(`functions marked "${mark}" are fake timers`, t => {
    const { started, functions } = createFakes(mark)
    replace(t, functions)
    const { idle, expired } = createIdle()
    const handle = idle.add('a')
    idle.touch(handle)
    assert.equal(started.length, 2)
    started[0]()
    assert.deepEqual(expired, [], 'a timer that could not be cleared')
    started[1]()
    assert.deepEqual(expired, ['a'])
  })
}

test('a stranger that wraps the global functions cannot clear the wake-up', async t => {
  /** @type {any[]} */
  const made = []
  const wrapped = (/** @type {'setTimeout' | 'setImmediate'} */ name) => (/** @type {any[]} */ ...args) => {
    made.push(/** @type {any} */ (real[name])(...args))
    return made.at(-1)
  }
  replace(t, { setTimeout: wrapped('setTimeout'), setImmediate: wrapped('setImmediate') })
  const { idle, allExpired } = createIdle({ timeout: 20 })
  idle.add('a')
  assert.deepEqual(made, [])
  await allExpired
})

test('setTimeout may return a number, as in browsers', t => {
  /** @type {(() => void)[]} */
  const started = []
  let now = 0
  replace(t, {
    setTimeout: (/** @type {(arm: number) => void} */ callback, /** @type {number} */ ms, /** @type {number} */ arm) =>
      started.push(() => callback(arm)),
    clearTimeout () {},
    setImmediate: (/** @type {() => void} */ callback) => callback(),
    clearImmediate () {}
  })
  /** @type {string[]} */
  const expired = []
  for (const ref of [false, true]) {
    const idle = new IdleTimeouts({ timeout: 100, ref, now: () => now, onIdle: item => expired.push(item) })
    idle.add('late', 1000)
    idle.add(`ref: ${ref}`)
    now += 200
    started.at(-1)?.()
    idle.close()
  }
  assert.deepEqual(expired, ['ref: false', 'ref: true'])
})
