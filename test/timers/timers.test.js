import { test } from 'node:test'
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { promisify } from 'node:util'
import { createTimers } from '../../timers/create-timers.js'

/** @import { TestContext } from 'node:test' */
/** @import { TimersOptions } from '../../timers/scheduler.js' */

/**
 * Timers on a clock that only the test moves: node:test mocks Node's own timers, which wake these.
 *
 * @param {TestContext} t
 * @param {TimersOptions} [options]
 */
function createClock (t, options) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] })
  const clock = { now: 1000 }
  return {
    ...createTimers({ now: () => clock.now, ...options }),
    /** @param {number} ms */
    pass (ms) {
      for (let i = 0; i < ms; i++) {
        clock.now++
        t.mock.timers.tick(1)
      }
    },
    /** @param {number} ms  Longer than a program waits. */
    jump (ms) {
      clock.now += ms
      t.mock.timers.tick(Math.min(ms, 2 ** 31))
    }
  }
}

test('mocked: timers fire by deadline, in the order of their starts, with their arguments', t => {
  const { setTimeout, pass } = createClock(t)
  /** @type {string[]} */
  const log = []
  const note = (/** @type {string} */ text) => log.push(text)
  setTimeout(note, 20, 'c')
  for (const name of ['a1', 'a2', 'a3']) setTimeout(note, 10, name)
  pass(3)
  setTimeout(note, 7, 'a4')
  setTimeout(note, 8, 'b')
  pass(6)
  assert.deepEqual(log, [])
  pass(1)
  assert.deepEqual(log, ['a1', 'a2', 'a3', 'a4'])
  pass(10)
  assert.deepEqual(log, ['a1', 'a2', 'a3', 'a4', 'b', 'c'])
})

test('mocked with the clock of node:test, Date', t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const { setTimeout } = createTimers({ now: () => Date.now() })
  let fired = 0
  setTimeout(() => {
    fired++
  }, 9999)
  t.mock.timers.tick(9998)
  assert.equal(fired, 0)
  t.mock.timers.tick(1)
  assert.equal(fired, 1)
})

test('refresh restarts a timer, also one that has fired, and none that was cleared', t => {
  const { setTimeout, clearTimeout, pass } = createClock(t)
  let fired = 0
  const timer = setTimeout(() => {
    fired++
  }, 10)
  pass(9)
  assert.equal(timer.refresh(), timer)
  pass(9)
  assert.equal(fired, 0)
  pass(1)
  timer.refresh()
  pass(10)
  assert.equal(fired, 2)
  clearTimeout(timer)
  timer.refresh()
  pass(20)
  assert.equal(fired, 2)
})

test('an interval excludes the time of its callback, and ends when it is cleared', t => {
  const { setInterval, clearInterval, pass } = createClock(t)
  let fired = 0
  const interval = setInterval(() => {
    if (++fired === 3) clearInterval(interval)
  }, 10)
  pass(100)
  assert.equal(fired, 3)
})

test('delays above 2^31 work', t => {
  const { setTimeout, jump } = createClock(t)
  let fired = 0
  setTimeout(() => {
    fired++
  }, 2 ** 33)
  for (let i = 0; i < 3; i++) jump(2 ** 31)
  jump(2 ** 31 - 1)
  assert.equal(fired, 0)
  jump(1)
  assert.equal(fired, 1)
})

test('a timer is cleared by its object, its number and its number as text; numbers are given back', t => {
  const { setTimeout, clearTimeout, pass } = createClock(t)
  const note = () => assert.fail('cleared')
  for (const clear of /** @type {((timer: any) => void)[]} */ ([
    timer => clearTimeout(timer),
    timer => clearTimeout(+timer),
    timer => clearTimeout(`${timer}`),
    timer => timer.close(),
    timer => timer[Symbol.dispose ?? Symbol.for('nodejs.dispose')]()
  ])) {
    clear(setTimeout(note, 5))
  }
  const fired = setTimeout(() => {}, 5)
  const number = +fired
  pass(10)
  assert.equal(+fired, number)
  // Stops no other timer.
  clearTimeout(number)
  for (const nothing of [undefined, null, {}, 'x', 1e9, NaN]) clearTimeout(nothing)
})

test('the timers of Node are cleared too', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { clearTimeout } = createTimers()
  const native = setTimeout(() => assert.fail('cleared'), 5)
  clearTimeout(native)
  t.mock.timers.tick(10)
})

test('the error of one callback loses no other', t => {
  const { setTimeout, pass } = createClock(t)
  let fired = 0
  for (let i = 0; i < 5; i++) {
    setTimeout(() => {
      fired++
      if (i % 2 === 0) throw new Error('callback')
    }, 10)
  }
  let thrown = 0
  for (let i = 0; i < 20; i++) {
    try {
      pass(1)
    } catch (error) {
      assert.match(`${error}`, /callback/)
      thrown++
    }
  }
  assert.equal(fired, 5)
  assert.equal(thrown, 3)
})

test('the timer is `this`; a callback that is no function throws the error of Node', t => {
  const { setTimeout, setInterval, pass } = createClock(t)
  /** @type {any} */
  let self
  const timer = setTimeout(function () {
    self = this
  }, 1)
  pass(1)
  assert.equal(self, timer)
  for (const start of [setTimeout, setInterval]) {
    for (const bad of /** @type {any[]} */ ([undefined, null, 'code', {}])) {
      assert.throws(() => start(bad, 1), { code: 'ERR_INVALID_ARG_TYPE', name: 'TypeError' })
    }
  }
})

test('a timer with a reference keeps the process alive, one without does not', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const native = setTimeout
  /** @type {boolean[]} */
  const kept = []
  const { setTimeout: start } = createTimers({
    native: {
      setImmediate,
      clearTimeout,
      setTimeout: /** @type {any} */ (/** @type {any[]} */ ...args) => {
        const timer = Reflect.apply(native, undefined, args)
        kept[0] = true
        return Object.assign(timer, {
          ref () {
            kept[0] = true
          },
          unref () {
            kept[0] = false
          }
        })
      }
    }
  })
  const one = start(() => {}, 1000)
  const other = start(() => {}, 1000)
  assert.deepEqual(kept, [true])
  assert.ok(one.hasRef())
  assert.equal(one.unref(), one)
  assert.deepEqual(kept, [true])
  other.unref().unref()
  assert.deepEqual(kept, [false])
  assert.ok(!one.hasRef())
  one.ref().ref()
  assert.deepEqual(kept, [true])
  one.close()
  assert.deepEqual(kept, [false])
})

test('callbacks run in the async context of their start; without the option, in none', t => {
  const storage = new AsyncLocalStorage()
  for (const asyncContext of [true, false]) {
    const { setTimeout, pass } = createClock(t, { asyncContext })
    /** @type {unknown[]} */
    const seen = []
    storage.run('one', () => setTimeout(() => seen.push(storage.getStore()), 10))
    storage.run('other', () => setTimeout(() => seen.push(storage.getStore()), 20))
    pass(20)
    assert.deepEqual(seen, asyncContext ? ['one', 'other'] : [undefined, undefined])
    t.mock.timers.reset()
  }
})

test('promises resolve with their value, reject when aborted or given bad arguments, and iterate', async () => {
  const { setTimeout, promises } = createTimers()
  assert.equal(await promises.setTimeout(1, 'value'), 'value')
  assert.equal(await promisify(setTimeout)(1, 'value'), 'value')
  const controller = new AbortController()
  const { signal } = controller
  const waiting = assert.rejects(promises.setTimeout(1e6, undefined, { signal }), {
    name: 'AbortError',
    code: 'ABORT_ERR'
  })
  const iterating = assert.rejects(promises.setInterval(1e6, undefined, { signal }).next(), { name: 'AbortError' })
  controller.abort()
  await Promise.all([waiting, iterating])
  await assert.rejects(promises.setTimeout(1, undefined, { signal }), { name: 'AbortError' })
  for (const bad of /** @type {any[]} */ ([{ signal: 'x' }, { ref: 1 }, null, 1])) {
    await assert.rejects(promises.setTimeout(1, undefined, bad), { code: 'ERR_INVALID_ARG_TYPE' })
    await assert.rejects(promises.setInterval(1, undefined, bad).next(), { code: 'ERR_INVALID_ARG_TYPE' })
  }
  let turns = 0
  for await (const value of promises.setInterval(1, 'value')) {
    assert.equal(value, 'value')
    if (++turns === 3) break
  }
})
