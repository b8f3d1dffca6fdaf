/** Replies of processes, and forged ones. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import {
  assertShape,
  checked,
  drained,
  listening,
  prepared,
  turn,
  window
} from '../../../harness/processes/shapes.js'

const goodTurn = { cpuMs: 5.5, operations: 1000, phases: { startNsPerTimer: 20 }, betweenMs: 0 }
const goodWindow = {
  windowMs: 1000,
  requests: 10,
  connectedPeak: 4,
  userMicros: 5,
  systemMicros: 5,
  eventLoopUtilization: 0.5,
  collections: { minor: { count: 1, pauseMs: 0.5, longestMs: 0.5 } },
  rssBytes: 1e8,
  timers: null
}
const goodNeeds = {
  requests: [{ method: 'POST', path: '/a?b=c', body: 'text\n' }],
  workers: 2,
  coldStart: false,
  breaksConnections: false
}
const goodListening = { port: 8080, needs: goodNeeds }

test('a reply of the right shape is returned', () => {
  const replies = /** @type {const} */ ([
    [goodTurn, turn],
    [goodWindow, window],
    [goodListening, listening],
    [{ broken: new Map([['meta', 'no name']]) }, checked]
  ])
  for (const [reply, shape] of replies) assert.equal(assertShape(reply, shape), reply)
})

for (const [reply, shape, fault] of /** @type {[any, any, string][]} */ ([
  [{ ...goodTurn, cpuMs: NaN }, turn, 'cpuMs is NaN'],
  [{ ...goodTurn, cpuMs: 0 }, turn, 'cpuMs is 0'],
  [{ ...goodTurn, betweenMs: -1 }, turn, 'betweenMs is -1'],
  [{ ...goodTurn, cpuMs: '5' }, turn, 'cpuMs is 5'],
  [{ ...goodTurn, operations: Infinity }, turn, 'operations is Infinity'],
  [{ ...goodTurn, phases: { startNsPerTimer: NaN } }, turn, 'phases is {"startNsPerTimer":null}'],
  [{ ...goodTurn, best: true }, turn, 'unexpected field best (true)'],
  [{}, turn, 'cpuMs is undefined'],
  [{ pending: 1.5, fired: 0, left: 0 }, drained, 'pending is 1.5'],
  [{ outcome: null, isWarm: true }, prepared, 'outcome: null'],
  [{ ...goodWindow, timers: { fired: 1 } }, window, 'timers is {"fired":1}'],
  [
    { ...goodWindow, collections: { minor: { count: -1, pauseMs: 0, longestMs: 0 } } },
    window,
    'collections is {"minor":{"count":-1,"pauseMs":0,"longestMs":0}}'
  ],
  [{ ...goodListening, port: 65_536 }, listening, 'port is 65536'],
  [{ port: 8080 }, listening, 'needs: undefined'],
  [{ port: 8080, needs: { ...goodNeeds, seconds: 9 } }, listening, 'needs: unexpected field seconds (9)'],
  [
    { port: 8080, needs: { ...goodNeeds, requests: [{ method: 'GET', path: '/\n' }] } },
    listening,
    'needs: requests is [{"method":"GET","path":"/\\n"}]'
  ],
  [
    { port: 8080, needs: { ...goodNeeds, requests: [{ method: 'GET', path: '/', body: '\0' }] } },
    listening,
    'needs: requests is [{"method":"GET","path":"/","body":"\\u0000"}]'
  ],
  [{ broken: { meta: 'no name' } }, checked, 'broken is {"meta":"no name"}']
])) {
  test(`a reply is refused where ${fault}`, () => {
    assert.throws(() => assertShape(reply, shape), {
      kind: 'wrong',
      message: `its process sent an invalid reply: ${fault}`
    })
  })
}
