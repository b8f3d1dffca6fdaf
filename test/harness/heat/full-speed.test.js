import { test } from 'node:test'
import assert from 'node:assert/strict'
import { FullSpeed, Pace } from '../../../harness/heat/full-speed.js'

const timed = { cpuMs: 6, operations: 600, phases: {} }
const partly = { ...timed, cpuMs: 4, operations: 500 }

/**
 * A turn of 6 ms.
 *
 * @param {number} paceMs  By which it was judged.
 * @param {object | null} atFullSpeed
 */
const turn = (paceMs, atFullSpeed) => /** @type {any} */ ({ ...timed, otherMs: 1, paceMs, watched: { loopMs: paceMs, slowMs: 1, atFullSpeed } })
const fast = turn(4, partly)
const slow = turn(4, null)
const tooShort = turn(4, { ...partly, cpuMs: 2.9 })
const unwatched = /** @type {any} */ ({ ...timed, otherMs: 1, paceMs: 4 })

/** @param {number} [turns]  Of each queue. */
const watch = (turns = 3) => new FullSpeed({ pace: new Pace(), loops: [4.2, 4], waitMs: 10, turnMs: 6, turns })

test("a queue's turns at full speed count alone, one after the other, by what was measured at full speed, if they are half of those wanted", () => {
  const { timed: counted, core } = watch(4).judge([[fast, slow, fast, fast], [tooShort, fast, slow, fast]])
  assert.deepEqual(counted, [[partly, partly, partly], [partly, partly, null]])
  assert.deepEqual(core, { loopMs: 4, isSlow: false })
})

test('if any queue has fewer, everything counts, slice by slice, and the heat says that its core was slow', () => {
  const lanes = [[fast, fast, fast, fast], [fast, slow, null, tooShort]]
  const { timed: counted, core } = watch(4).judge(lanes)
  assert.deepEqual(counted, lanes)
  assert.deepEqual(core, { loopMs: 4, isSlow: true })
})

test('a turn that was judged before anybody knew how fast the core can be is not at full speed', () => {
  const early = turn(4.5, partly)
  assert.deepEqual(watch(2).judge([[early, fast]]).timed, [[partly]])
  assert.equal(watch(3).judge([[early, early, fast]]).core?.isSlow, true)
})

test('queues that sat out or whose cycles are longer than a turn keep their turns, and are not waited for', () => {
  const { timed: counted, core } = watch(3).judge([[fast, slow, fast], [unwatched, null, null]])
  assert.deepEqual(counted, [[partly, partly], [unwatched, null]])
  assert.equal(core?.isSlow, false)
  assert.equal(watch(3).lacksTurns([unwatched, null, null]), false)
})

test('a queue takes more turns if too few of its own were at full speed', () => {
  assert.equal(watch(2).lacksTurns([fast, slow]), true)
  assert.equal(watch(2).lacksTurns([fast, slow, fast]), false)
  assert.equal(watch(3).lacksTurns([fast, tooShort, null]), true)
})

test('all turns together wait no longer than the heat may', () => {
  const heat = watch()
  assert.deepEqual(heat.wait, { waitMs: 10, paceMs: 4 })
  heat.see({ ...fast, watched: { loopMs: 3.9, slowMs: 7, atFullSpeed: partly } })
  assert.deepEqual(heat.wait, { waitMs: 3, paceMs: 3.9 })
  heat.see({ ...fast, watched: { loopMs: 5, slowMs: 7, atFullSpeed: partly } })
  assert.deepEqual(heat.wait, { waitMs: 0, paceMs: 3.9 })
})

test('where nobody looks, everything counts', () => {
  const heat = new FullSpeed({ pace: new Pace(), loops: [4], turnMs: 6, turns: 2 })
  assert.deepEqual(heat.wait, { waitMs: 0, paceMs: 0 })
  assert.equal(heat.lacksTurns([unwatched, null]), false)
  assert.deepEqual(heat.judge([[unwatched, null]]), { timed: [[unwatched, null]] })
})

test('full speed is that of the last heats: a processor that got slower for good is not waited for', () => {
  const pace = new Pace()
  assert.equal(pace.with(5), 5)
  pace.add(4)
  assert.equal(pace.with(5), 4)
  assert.equal(pace.with(3), 3)
  for (let heat = 0; heat < 8; heat++) pace.add(4.5)
  assert.equal(pace.with(5), 4.5)
})
