/** Items of a server on one queue, with a clock that the test moves. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { TimerService } from '../../../../harness/subject/http/timer-service.js'
import { ModelQueue } from '../../../../harness/subject/trust/model-queue.js'
import { kTimer } from '../../../../timers/socket-timers.js'

/**
 * A timer service with a clock that only the test moves. Node's own timers wake it.
 *
 * @typedef {object} Served
 * @property {TimerService} service
 * @property {any} a  An item.
 * @property {any} b
 * @property {(ms: number, fired: string) => void} pass  Lets time pass, and expects these items to have fired so far.
 * @property {(ms: number) => void} passFraction
 */

/** @type {[title: string, run: (served: Served) => void][]} */
const CASES = [
  [
    'an item fires when its duration is over, and not before; one of a later deadline follows, operations are counted',
    ({ service, a, b, pass }) => {
      service.enroll(b, 100)
      service.enroll(a, 10)
      pass(9, '')
      pass(1, 'a')
      service.enroll(a, 20)
      service.unenroll(a)
      pass(89, 'a')
      pass(1, 'ab')
      assert.deepEqual(service.counts, { started: 3, refreshed: 0, cancelled: 1, fired: 2, spuriousWakeups: 1 })
      assert.deepEqual([service.pending, service.pendingPeak], [0, 2])
      service.resetCounts()
      assert.deepEqual([service.counts.started, service.pendingPeak], [0, 0])
    }
  ],
  [
    'a refreshed item fires a whole duration after the refresh; the early wake-up is counted',
    ({ service, a, pass }) => {
      service.enroll(a, 50)
      pass(30, '')
      assert.equal(service.unrefActive(a), true)
      pass(49, '')
      assert.deepEqual([service.counts.spuriousWakeups, service.counts.refreshed], [1, 1])
      pass(1, 'a')
      assert.equal(service.lateness.max, 1)
    }
  ],
  [
    'an item started in the middle of a millisecond still gets its whole duration',
    ({ service, a, pass, passFraction }) => {
      passFraction(0.7)
      service.enroll(a, 10)
      pass(10, '')
      pass(1, 'a')
    }
  ],
  [
    'an item that is unenrolled does not fire, and is not refreshed until it is enrolled again',
    ({ service, a, pass }) => {
      service.enroll(a, 10)
      service.unenroll(a)
      assert.equal(service.unrefActive(a), false)
      assert.equal(service.pending, 0)
      pass(20, '')
      service.enroll(a, 10)
      pass(10, 'a')
    }
  ],
  [
    'a released item has no timer left',
    ({ service, a }) => {
      service.enroll(a, 10)
      service.release(a)
      assert.deepEqual([a[kTimer], service.pending], [undefined, 0])
    }
  ],
  [
    'when a callback throws, the items after it fire at the next wake-up',
    ({ service, b, pass }) => {
      const _onTimeout = () => { throw new Error('callback') }
      service.enroll({ _onTimeout }, 10)
      service.enroll(b, 10)
      assert.throws(() => pass(10, ''), /callback/)
      pass(1, 'b')
    }
  ],
  [
    'a duration too long for a native timer is waited for in several steps',
    ({ service, a }) => {
      service.enroll(a, 2 ** 40)
      assert.equal(service.pending, 1)
    }
  ]
]

for (const [title, run] of CASES) {
  test(title, t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let now = 1000
    let fired = ''
    const [a, b] = ['a', 'b'].map(name => ({ _onTimeout: () => { fired += name } }))
    run({
      service: new TimerService(new ModelQueue(), () => now),
      a,
      b,
      pass (ms, expected) {
        for (let i = 0; i < ms; i++) {
          now++
          t.mock.timers.tick(1)
        }
        assert.equal(fired, expected)
      },
      passFraction (ms) {
        now += ms
      }
    })
  })
}
