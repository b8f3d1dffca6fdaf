/** Timers that fire early are found. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { loadQueue } from '../../../../harness/subject/modules/load.js'
import { assertPunctual } from '../../../../harness/subject/trust/punctuality.js'
import { queues } from '../../../../queues/index.js'

for (const { name, url } of queues.filter(({ origin }) => origin !== 'built-in')) {
  test(`${name} fires no timer early`, async () => {
    const { Queue } = await loadQueue(url)
    assertPunctual(Queue)
  })
}

const { Queue: BinaryHeap } = await loadQueue(
  /** @type {any} */ (queues.find(({ name }) => name === 'binary-heap')).url
)

for (const operation of /** @type {const} */ (['insert', 'reschedule'])) {
  test(`a queue is found out whose ${operation} is a millisecond early, for durations above a minute only`, () => {
    class Early extends BinaryHeap {
      /**
       * @param {any} timer
       * @param {number} deadline
       * @param {number} duration
       */
      [operation] (timer, deadline, duration) {
        super[operation](timer, deadline - (duration > 60_000 ? 1 : 0))
      }
    }
    assert.throws(() => assertPunctual(Early), { kind: 'wrong', message: 'it fired a timer early: run `timerq check`' })
  })
}
