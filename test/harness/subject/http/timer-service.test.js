/** Items of a server on one queue, with a clock that the test moves. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { TimerService } from '../../../../harness/subject/http/timer-service.js'
import { ModelQueue } from '../../../../harness/subject/trust/model-queue.js'
import { kTimer } from '../../../../timers/socket-timers.js'

/**
 * A timer service with a clock that only the test moves. Node's own timers wake it.
 *
 * @param {import('node:test').TestContext} t
 */
function createService (t) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 1000
  const service = new TimerService(new ModelQueue(), () => now)
  /** @type {string[]} */
  const fired = []
  return {
    service,
    fired,
    /** @param {string} name */
    item: name => ({
      _onTimeout () {
        fired.push(name)
      }
    }),
    /** @param {number} ms */
    pass (ms) {
      for (let i = 0; i < ms; i++) {
        now++
        t.mock.timers.tick(1)
      }
    },
    /** @param {number} ms */
    passFraction (ms) {
      now += ms
    }
  }
}

test('an item fires when its duration is over, and not before', t => {
  const { service, fired, item, pass } = createService(t)
  service.enroll(item('a'), 50)
  pass(49)
  assert.deepEqual(fired, [])
  pass(1)
  assert.deepEqual(fired, ['a'])
  assert.equal(service.pending, 0)
})

test('a refreshed item fires a whole duration after the refresh; the early wake-up is counted', t => {
  const { service, fired, item, pass } = createService(t)
  const refreshed = item('refreshed')
  service.enroll(refreshed, 50)
  pass(30)
  service.unrefActive(refreshed)
  pass(49)
  assert.deepEqual(fired, [])
  assert.equal(service.counts.spuriousWakeups, 1)
  pass(1)
  assert.deepEqual(fired, ['refreshed'])
})

test('an earlier expiry re-arms the wake-up', t => {
  const { service, fired, item, pass } = createService(t)
  service.enroll(item('later'), 100)
  service.enroll(item('sooner'), 10)
  pass(10)
  assert.deepEqual(fired, ['sooner'])
  pass(90)
  assert.deepEqual(fired, ['sooner', 'later'])
})

test('an item started in the middle of a millisecond still gets its whole duration', t => {
  const { service, fired, item, pass, passFraction } = createService(t)
  passFraction(0.7)
  service.enroll(item('a'), 10)
  pass(10)
  assert.deepEqual(fired, [])
  pass(1)
  assert.deepEqual(fired, ['a'])
})

test('an item that is unenrolled does not fire, and is not refreshed until it is enrolled again', t => {
  const { service, fired, item, pass } = createService(t)
  const socket = item('socket')
  service.enroll(socket, 10)
  service.unenroll(socket)
  service.unrefActive(socket)
  assert.equal(service.pending, 0)
  pass(20)
  assert.deepEqual(fired, [])
  service.enroll(socket, 10)
  pass(10)
  assert.deepEqual(fired, ['socket'])
})

test('a released item has no timer left', t => {
  const { service, item } = createService(t)
  const socket = item('socket')
  service.enroll(socket, 10)
  service.release(socket)
  assert.equal(socket[kTimer], undefined)
  assert.equal(service.pending, 0)
})

test('when a callback throws, the items after it fire at the next wake-up', t => {
  const { service, fired, item, pass } = createService(t)
  service.enroll(
    {
      _onTimeout () {
        throw new Error('callback')
      }
    },
    10
  )
  service.enroll(item('after'), 10)
  assert.throws(() => pass(10), /callback/)
  pass(1)
  assert.deepEqual(fired, ['after'])
})

test('a duration too long for a native timer is waited for in several steps', t => {
  const { service, item } = createService(t)
  service.enroll(item('far'), 2 ** 40)
  assert.equal(service.pending, 1)
})

test('operations are counted by kind', t => {
  const { service, item, pass } = createService(t)
  const [a, b] = [item('a'), item('b')]
  service.enroll(a, 10)
  service.enroll(b, 20)
  service.unrefActive(b)
  service.unenroll(b)
  pass(10)
  assert.deepEqual(service.counts, { started: 2, refreshed: 1, cancelled: 1, fired: 1, spuriousWakeups: 0 })
  assert.equal(service.pendingPeak, 2)
})
