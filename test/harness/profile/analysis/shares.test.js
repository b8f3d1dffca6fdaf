/** Shares of a profile, and their error. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { buildTree } from '../../../../harness/profile/analysis/cpu-profile.js'
import { computeShares, measureFidelity, ownersIn, warnOfError } from '../../../../harness/profile/analysis/shares.js'
import { recorded, job, treeOf, VERSIONS } from '../recorded.js'

/** @import { Frame } from '../../../../harness/profile/analysis/cpu-profile.js' */
/** @import { Window } from '../../../../harness/profile/analysis/shares.js' */

const PROJECT = new URL('../../../../', import.meta.url).href
const SERVICE = `${PROJECT}harness/subject/http/timer-service.js`
const QUEUE = 'file:///mine.js'
const window = { windowMicros: 1000, cpuMicros: 1000, runningShare: 1 }
const OTHER = { queueUrl: QUEUE, scenarioUrl: 'file:///scenarios/scenario.js' }

/**
 * A profile of stacks, each from the outermost function in, with its ticks.
 *
 * @param {[ticks: number, ...stack: [name: string, url: string][]][]} stacks
 */
function profileOf (stacks) {
  const total = stacks.reduce((sum, [ticks]) => sum + ticks, 0)
  const root = { name: '(root)', url: '', line: 0, ticks: 0, time: 0, caller: null, callees: [] }
  /** @type {Frame[]} */
  const frames = [root]
  for (const [ticks, ...stack] of stacks) {
    /** @type {any} */
    let caller = root
    for (const [name, url] of stack) {
      const frame = { name, url, line: 1, ticks: 0, time: 0, caller, callees: [] }
      caller.callees.push(frame)
      frames.push(frame)
      caller = frame
    }
    Object.assign(caller, { ticks, time: ticks / total })
  }
  return { root, frames, ticks: total }
}

const EXPIRED = /** @type {[string, string][]} */ ([
  ['wake', SERVICE],
  ['advance', QUEUE],
  ['expire', SERVICE],
  ['_onTimeout', 'node:net']
])
const OF_NODE = /** @type {Parameters<typeof profileOf>[0]} */ ([
  [40, ['insert', 'node:internal/timers']],
  [60, ['write', 'node:net']]
])

/**
 * Stacks of a profile, and its expected shares.
 *
 * @type {Record<string, {stacks: Parameters<typeof profileOf>[0], used?: Window, task?: any, shares: object}>}
 */
const cases = {
  "the queue's share includes the native code that it calls": {
    stacks: [
      [25, ['insert', QUEUE]],
      [25, ['insert', QUEUE], ['splice', '']],
      [50, ['write', 'node:net']]
    ],
    shares: { queue: { self: 0.25, inclusive: 0.5 } }
  },
  'what a scenario imports from its own folder does not belong to the queue': {
    stacks: [
      [75, ['sort', 'file:///scenarios/files/workload.js']],
      [25, ['insert', 'file:///scenarios/queue.js']]
    ],
    job: { queueUrl: 'file:///scenarios/queue.js', scenarioUrl: 'file:///scenarios/files.js' },
    shares: { queue: { self: 0.25, inclusive: 0.25 } }
  },
  'the callback of an expired timer counts neither as queue nor as timer service': {
    stacks: [
      [30, ...EXPIRED],
      [10, ...EXPIRED, ['close', '']],
      [60, ['write', 'node:net']]
    ],
    shares: { queue: { self: 0, inclusive: 0 }, timers: { self: 0, inclusive: 0 } }
  },
  'the timer service is charged for the clock that it reads and the native timer that it arms': {
    stacks: [
      [10, ['arm', SERVICE], ['setTimeout', 'node:timers'], ['scheduleTimer', '']],
      [5, ['start', SERVICE], ['now', 'node:internal/perf/performance']],
      [5, ['start', SERVICE], ['reschedule', QUEUE]],
      [80, ['utcDate', 'node:_http_outgoing'], ['setTimeout', 'node:timers']]
    ],
    shares: { timers: { self: 0.05, inclusive: 0.2 } }
  },
  "Node's own timers are the queue where no other is plugged in": {
    stacks: OF_NODE,
    job: { ...job, queueUrl: null },
    shares: { queue: { self: 0.4, inclusive: 0.4 } }
  },
  "Node's own timers are not the queue where another is plugged in": {
    stacks: OF_NODE,
    shares: { queue: { self: 0, inclusive: 0 } }
  },
  'shares are taken of the CPU used, without idle time and waiting for the core': {
    stacks: [
      [50, ['insert', QUEUE]],
      [25, ['(idle)', '']],
      [25, ['(garbage collector)', '']]
    ],
    used: { windowMicros: 1000, cpuMicros: 500, runningShare: 0.75 },
    shares: { queue: { self: 0.75, inclusive: 0.75 }, collector: 0.375, idle: 0.5, idleByProfile: 0.25 }
  }
}

for (const [title, { stacks, used = window, job = OTHER, shares }] of Object.entries(cases)) {
  test(title, () => {
    const computed = computeShares(profileOf(stacks), used, ownersIn(job))
    assert.deepEqual({ ...computed, ...shares }, computed)
  })
}

test('the error of a profile is what it reports for a known cost, minus that cost', () => {
  const busy = /** @type {[string, string]} */ (['stayBusy', `${PROJECT}harness/profile/subject/busy.js`])
  const profile = profileOf([
    [30, busy],
    [70, ['write', 'node:net']]
  ])
  const fidelity = measureFidelity(profile, window, 375)
  assert.deepEqual(fidelity, { known: 0.375, profiled: 0.3, error: 0.3 - 0.375 })
  assert.match(warnOfError(fidelity)[0].text, /30\.0 % of the CPU to a function that used 37\.5 %/)
  assert.deepEqual(warnOfError({ known: 0.3, profiled: 0.26, error: -0.04 }), [])
})

for (const version of VERSIONS) {
  test(`Node ${version}: sorted-list and the function of known cost are found in a real profile`, () => {
    const { window, busyMicros } = recorded(version)
    const tree = treeOf(version)
    const { queue, timers } = computeShares(tree, window, ownersIn(job))
    assert.ok(queue.self > 0.04 && queue.self < 0.12, `queue ${queue.self}`)
    assert.ok(timers.inclusive >= queue.inclusive && queue.inclusive >= queue.self)
    assert.ok(Math.abs(measureFidelity(tree, window, busyMicros).error) < 0.02)
  })
}

test('Node 20 without numbered lines would be off by all of the function of known cost', () => {
  const { profile, window, busyMicros } = recorded(20)
  assert.ok(measureFidelity(buildTree(profile), window, busyMicros).error < -0.2)
})

test('a damaged run.json whose scenario has no URL is read as it is', () => {
  const ownerOf = ownersIn({ queueUrl: QUEUE, scenarioUrl: 'fi=e:///scenarios/scenario.js' })
  assert.deepEqual(
    [QUEUE, 'fi=e:///scenarios/scenario.js'].map(url => ownerOf({ url })),
    ['queue', 'other']
  )
})
