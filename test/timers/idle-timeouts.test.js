import { test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
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
  for (const handle of /** @type {any[]} */ ([undefined, null, -1, NaN, 0, 1e300, {}, 'x'])) {
    assert.equal(idle.touch(handle), false)
    assert.equal(idle.delete(handle), false)
  }
})

test('programs of calls: nothing expires early, late, twice or after it was deleted', t => {
  const step = fc.oneof(
    fc.record({
      op: fc.constant('add'),
      timeout: fc.option(fc.double({ min: 0.5, max: 200_000, noNaN: true }), { nil: undefined }),
      many: fc.integer({ min: 1, max: 90 })
    }),
    fc.record({ op: fc.constantFrom('touch', 'delete'), nth: fc.nat() }),
    fc.record({ op: fc.constant('pass'), ms: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ op: fc.constant('jump'), ms: fc.integer({ min: 1, max: 60_000 }) }),
    fc.record({
      op: fc.constant('block'),
      ms: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1000 }))
    })
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.constantFrom(3, 7, 30), (steps, resolution) => {
      const { idle, clock, pass, block } = createIdle(t, { resolution, timeout: 70, onIdle: expire })
      /** @typedef {{handle: any, earliest: number, latest: number, gone: boolean}} Model */
      /** @type {Model[]} */
      const models = []
      let blocked = 0
      function expire (/** @type {any} */ model) {
        assert.ok(!model.gone, 'twice, or deleted')
        model.gone = true
        assert.ok(clock.now >= model.earliest, `early by ${model.earliest - clock.now}`)
        assert.ok(clock.now <= model.latest + blocked, `late by ${clock.now - model.latest}`)
      }
      const restart = (/** @type {Model & {timeout: number}} */ model) => {
        model.earliest = clock.now + model.timeout
        // The mock moves by whole milliseconds.
        model.latest = model.earliest + resolution + 2
      }
      for (const step of /** @type {any[]} */ (steps)) {
        const model = models[step.nth % models.length]
        if (step.op === 'add') {
          for (let i = 0; i < step.many; i++) {
            /** @type {any} */
            const added = { timeout: step.timeout ?? 70, gone: false }
            added.handle = idle.add(added, step.timeout)
            restart(added)
            models.push(added)
          }
        } else if (step.op === 'touch' && model) {
          assert.equal(idle.touch(model.handle), !model.gone)
          if (!model.gone) restart(/** @type {any} */ (model))
        } else if (step.op === 'delete' && model) {
          assert.equal(idle.delete(model.handle), !model.gone)
          model.gone = true
        } else if (step.op === 'pass') {
          pass(step.ms)
        } else if (step.op === 'jump' || step.op === 'block') {
          block(step.ms)
          blocked += step.ms
          if (step.op === 'jump') t.mock.timers.tick(step.ms)
        }
        assert.equal(idle.size, models.filter(({ gone }) => !gone).length)
      }
      assert.equal(idle.close().length, models.filter(({ gone }) => !gone).length)
      t.mock.timers.reset()
    }),
    { numRuns: 300 }
  )
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
})
