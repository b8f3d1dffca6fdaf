import { test } from 'node:test'
import assert from 'node:assert/strict'
import { assertShape, checked, drained, prepared, turn, weighed, window } from '../../../harness/processes/shapes.js'

const goodTurn = { cpuMs: 5.5, otherMs: 2, operations: 1000, phases: { startNsPerTimer: 20 } }
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

test('answers of the right shape are returned', () => {
  const answers = /** @type {const} */ ([
    [goodTurn, turn],
    [{ outcome: { fired: 0, checksum: 4294967295, pending: 50 }, isWarm: true, loopMs: 0.004 }, prepared],
    [{ outcome: { fired: 0, checksum: 0, pending: 50, spuriousWakeups: 3 }, isWarm: false, loopMs: 0.004 }, prepared],
    [{ ...goodTurn, watched: { loopMs: 0.004, slowMs: 0, atFullSpeed: null } }, turn],
    [{ ...goodTurn, watched: { loopMs: 0.004, slowMs: 3, atFullSpeed: { cpuMs: 3, operations: 5, phases: {} } } }, turn],
    [{}, weighed],
    [{ bytesPerTimer: -0.5 }, weighed],
    [goodWindow, window],
    [{ broken: new Map([['meta', 'no name']]) }, checked]
  ])
  for (const [answer, shape] of answers) assert.equal(assertShape(answer, shape), answer)
})

for (const { answer, shape, fault } of [
  { answer: { ...goodTurn, cpuMs: NaN }, shape: turn, fault: 'cpuMs is NaN' },
  { answer: { ...goodTurn, cpuMs: -5 }, shape: turn, fault: 'cpuMs is -5' },
  { answer: { ...goodTurn, cpuMs: 0 }, shape: turn, fault: 'cpuMs is 0' },
  { answer: { ...goodTurn, cpuMs: '5' }, shape: turn, fault: 'cpuMs is 5' },
  { answer: { ...goodTurn, operations: Infinity }, shape: turn, fault: 'operations is Infinity' },
  { answer: { ...goodTurn, phases: { startNsPerTimer: NaN } }, shape: turn, fault: 'phases is {"startNsPerTimer":null}' },
  { answer: { ...goodTurn, best: true }, shape: turn, fault: 'unexpected field best (true)' },
  { answer: { ...goodTurn, watched: { loopMs: 0.004, slowMs: 0, atFullSpeed: { cpuMs: 0, operations: 5, phases: {} } } }, shape: turn, fault: 'watched: atFullSpeed is {"cpuMs":0,"operations":5,"phases":{}}' },
  { answer: {}, shape: turn, fault: 'cpuMs is undefined' },
  { answer: { pending: 1.5, fired: 0, left: 0 }, shape: drained, fault: 'pending is 1.5' },
  { answer: { outcome: null, isWarm: true }, shape: prepared, fault: 'outcome: null' },
  { answer: { ...goodWindow, timers: { fired: 1 } }, shape: window, fault: 'timers is {"fired":1}' },
  { answer: { ...goodWindow, collections: { minor: { count: -1, pauseMs: 0, longestMs: 0 } } }, shape: window, fault: 'collections is {"minor":{"count":-1,"pauseMs":0,"longestMs":0}}' },
  { answer: { broken: { meta: 'no name' } }, shape: checked, fault: 'broken is {"meta":"no name"}' }
]) {
  test(`an answer is refused where ${fault}`, () => {
    assert.throws(() => assertShape(/** @type {any} */ (answer), shape), { kind: 'wrong', message: `its process sent an invalid reply: ${fault}` })
  })
}
