/** Windows of workers, added up. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { addUp } from '../../../../harness/subject/http/add-up.js'

test('the windows of workers are added up, by kind where there are kinds', () => {
  const windowOf = (/** @type {number} */ times) => ({
    windowMs: 1000 + times,
    requests: 10 * times,
    connectedPeak: 2 * times,
    userMicros: times,
    systemMicros: times,
    eventLoopUtilization: 0.25 * times,
    rssBytes: times,
    collections: {
      minor: { count: times, pauseMs: times, longestMs: times },
      ...(times === 2 ? { major: { count: 1, pauseMs: 5, longestMs: 5 } } : {})
    },
    timers: {
      started: times,
      fired: 0,
      pendingPeak: 4 * times,
      latenessP50Ms: 1,
      latenessP99Ms: times,
      latenessMaxMs: times
    }
  })
  assert.deepEqual(addUp([windowOf(1), windowOf(2)]), {
    windowMs: 1002,
    requests: 30,
    connectedPeak: 6,
    userMicros: 3,
    systemMicros: 3,
    eventLoopUtilization: 0.75,
    rssBytes: 3,
    collections: { minor: { count: 3, pauseMs: 3, longestMs: 2 }, major: { count: 1, pauseMs: 5, longestMs: 5 } },
    timers: { started: 3, fired: 0, pendingPeak: 12, latenessP50Ms: 1, latenessP99Ms: 2, latenessMaxMs: 2 }
  })
  assert.equal(addUp([{ ...windowOf(1), timers: null }]).timers, null)
})

test('counts are added by name, even where a name is missing', () => {
  assert.deepEqual(addUp([{ GET: 2 }, { GET: 1, POST: 4 }, {}]), { GET: 3, POST: 4 })
})
