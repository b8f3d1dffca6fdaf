/** Shares of a profile, and their error. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { buildTree } from '../../../../harness/profile/analysis/cpu-profile.js'
import { computeShares, measureFidelity, ownersIn, warnOfError } from '../../../../harness/profile/analysis/shares.js'
import { recorded, task, treeOf, VERSIONS } from '../recorded.js'

/** @import { Frame } from '../../../../harness/profile/analysis/cpu-profile.js' */

const PROJECT = new URL('../../../../', import.meta.url).href
const SERVICE = `${PROJECT}harness/subject/http/timer-service.js`
const QUEUE = 'file:///mine.js'
const window = { windowMicros: 1000, cpuMicros: 1000, runningShare: 1 }
const owners = ownersIn({ queueUrl: QUEUE, scenarioUrl: 'file:///scenarios/scenario.js' })

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

test("the queue's share includes the native code that it calls", () => {
  const profile = profileOf([
    [25, ['insert', QUEUE]],
    [25, ['insert', QUEUE], ['splice', '']],
    [50, ['write', 'node:net']]
  ])
  const { queue } = computeShares(profile, window, owners)
  assert.deepEqual(queue, { self: 0.25, inclusive: 0.5 })
})

test('what a scenario imports from its own folder does not belong to the queue', () => {
  const profile = profileOf([
    [75, ['sort', 'file:///scenarios/files/workload.js']],
    [25, ['insert', 'file:///scenarios/queue.js']]
  ])
  const { queue } = computeShares(
    profile,
    window,
    ownersIn({ queueUrl: 'file:///scenarios/queue.js', scenarioUrl: 'file:///scenarios/files.js' })
  )
  assert.equal(queue.self, 0.25)
})

test('the callback of an expired timer counts neither as queue nor as timer service', () => {
  const expired = /** @type {[string, string][]} */ ([
    ['wake', SERVICE],
    ['advance', QUEUE],
    ['expire', SERVICE],
    ['_onTimeout', 'node:net']
  ])
  const profile = profileOf([
    [30, ...expired],
    [10, ...expired, ['close', '']],
    [60, ['write', 'node:net']]
  ])
  const { queue, timers } = computeShares(profile, window, owners)
  assert.deepEqual([queue.inclusive, timers.inclusive], [0, 0])
})

test('the timer service is charged for the clock that it reads and the native timer that it arms', () => {
  const profile = profileOf([
    [10, ['arm', SERVICE], ['setTimeout', 'node:timers'], ['scheduleTimer', '']],
    [5, ['start', SERVICE], ['now', 'node:internal/perf/performance']],
    [5, ['start', SERVICE], ['reschedule', QUEUE]],
    [80, ['utcDate', 'node:_http_outgoing'], ['setTimeout', 'node:timers']]
  ])
  const { timers } = computeShares(profile, window, owners)
  assert.deepEqual(timers, { self: 0.05, inclusive: 0.2 })
})

test("Node's own timers are the queue where no other is plugged in", () => {
  const profile = profileOf([
    [40, ['insert', 'node:internal/timers']],
    [60, ['write', 'node:net']]
  ])
  assert.equal(computeShares(profile, window, ownersIn({ ...task, queueUrl: null })).queue.self, 0.4)
  assert.equal(computeShares(profile, window, owners).queue.self, 0)
})

test('shares are taken of the CPU used, without idle time and waiting for the core', () => {
  const profile = profileOf([
    [30, ['insert', QUEUE]],
    [60, ['(idle)', '']],
    [10, ['(garbage collector)', '']]
  ])
  const used = { windowMicros: 1000, cpuMicros: 400, runningShare: 0.8 }
  const { queue, collector, idle, idleByProfile } = computeShares(profile, used, owners)
  assert.deepEqual(
    [queue.self, collector, idle, idleByProfile].map(share => share.toFixed(3)),
    ['0.600', '0.200', '0.600', '0.600']
  )
})

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
    const { queue, timers } = computeShares(tree, window, ownersIn(task))
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
