/** Windows of workers, added up. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { addUp } from '../../../../harness/subject/http/add-up.js'

test('figures of workers are added up by name, also those that few have; the worst worker stands for all times', () => {
  const windowOf = (/** @type {number} */ times) => ({
    windowMs: 1000 + times,
    requests: 10 * times,
    ...(times === 2 && { received: { GET: 1, POST: 4 } }),
    collections: {
      minor: { count: times, longestMs: times },
      ...(times === 2 && { major: { count: 1, longestMs: 5 } })
    },
    timers: { started: times, latenessP50Ms: 1, latenessP99Ms: times, latenessMaxMs: times }
  })
  assert.deepEqual(addUp([windowOf(2), windowOf(1)]), {
    windowMs: 1002,
    requests: 30,
    received: { GET: 1, POST: 4 },
    collections: { minor: { count: 3, longestMs: 2 }, major: { count: 1, longestMs: 5 } },
    timers: { started: 3, latenessP50Ms: 1, latenessP99Ms: 2, latenessMaxMs: 2 }
  })
  assert.equal(addUp([{ ...windowOf(1), timers: null }]).timers, null)
})
