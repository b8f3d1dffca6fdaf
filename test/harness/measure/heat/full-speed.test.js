import { test } from 'node:test'
import assert from 'node:assert/strict'
import { FullSpeed, Pace } from '../../../../harness/measure/heat/full-speed.js'

const timed = { cpuMs: 6, operations: 600, phases: { startNsPerTimer: 30 } }
const partly = { cpuMs: 2, operations: 300, phases: { startNsPerTimer: 15 } }

/**
 * A turn of 6 ms.
 *
 * @param {number} paceMs  By which it was judged.
 * @param {object | null} atFullSpeed
 */
const turn = (paceMs, atFullSpeed) => /** @type {any} */ ({ ...timed, otherMs: 1, paceMs, watched: { loopMs: paceMs, slowMs: 1, atFullSpeed } })
const fast = turn(4, partly)
const slow = turn(4, null)
const unwatched = /** @type {any} */ ({ ...timed, otherMs: 1, paceMs: 4 })

/** @param {number} [turns]  Of each queue. */
const watch = (turns = 3) => new FullSpeed({ pace: new Pace(), loops: [4.2, 4], waitMs: 10, turnMs: 6, turns })

test('what a queue measured at full speed counts, slice by slice, however many tries it is from', () => {
  const longer = { cpuMs: 8, operations: 900, phases: { startNsPerTimer: 19 } }
  const { timed: counted, core } = watch(4).judge([[slow], [slow, turn(4, longer), fast], [], [fast]])
  assert.deepEqual(counted, [null, { cpuMs: 10, operations: 1200, phases: { startNsPerTimer: 18 } }, null, partly])
  assert.deepEqual(core, { loopMs: 4, isSlow: false })
})

test('if that is less than an eighth of what it should measure, everything counts, slice by slice, and the core was slow', () => {
  const { timed: counted, core } = watch(2).judge([[fast], [slow, slow], [slow]])
  assert.equal(core?.isSlow, false, '2 of 12 ms')
  assert.deepEqual(counted, [partly, null, null])

  const few = watch(3).judge([[fast], [slow, slow], [slow], [], [slow]])
  assert.deepEqual(few.core, { loopMs: 4, isSlow: true }, '2 of 18 ms')
  assert.deepEqual(few.timed, [timed, { ...timed, cpuMs: 12, operations: 1200 }, timed, null, timed])
})

test('what was judged before anybody knew how fast the core can be is not at full speed', () => {
  const early = turn(4.5, { ...partly, operations: 1 })
  assert.deepEqual(watch(2).judge([[early], [fast]]).timed, [null, partly])
  assert.equal(watch(2).judge([[early], [early]]).core?.isSlow, true)
})

test('cycles that are longer than a turn count as they are, and queues that sat out are not waited for', () => {
  const { timed: counted, core } = watch(3).judge([[unwatched], [], []])
  assert.deepEqual([counted[0]?.cpuMs, counted.length, core?.isSlow], [6, 3, false])
  assert.equal(watch(3).lacksTurns([[unwatched], [], []]), false)
})

test('a queue takes more turns until half of what it should measure was at full speed', () => {
  const three = turn(4, { ...partly, cpuMs: 3 })
  assert.equal(watch(2).lacksTurns([[three], [slow]]), true)
  assert.equal(watch(2).lacksTurns([[three], [slow], [slow, three]]), false)
  assert.equal(watch(2).isEnough([slow, fast]), false)
  assert.equal(watch(2).isEnough([fast, fast]), true)
})

test('all turns together wait no longer than the heat may, and none much longer than it should measure', () => {
  const heat = watch()
  assert.deepEqual(heat.wait, { waitMs: 10, paceMs: 4 })
  heat.see({ ...fast, watched: { loopMs: 3.9, slowMs: 7, atFullSpeed: partly } })
  assert.deepEqual(heat.wait, { waitMs: 3, paceMs: 3.9 })
  heat.see({ ...fast, watched: { loopMs: 5, slowMs: 7, atFullSpeed: partly } })
  assert.deepEqual(heat.wait, { waitMs: 0, paceMs: 3.9 })
  assert.equal(new FullSpeed({ pace: new Pace(), loops: [4], waitMs: 1000, turnMs: 6, turns: 3 }).wait.waitMs, 24)
})

test('where nobody looks, everything counts', () => {
  const heat = new FullSpeed({ pace: new Pace(), loops: [4], turnMs: 6, turns: 2 })
  assert.deepEqual(heat.wait, { waitMs: 0, paceMs: 0 })
  assert.equal(heat.lacksTurns([[slow], []]), false)
  assert.deepEqual(heat.judge([[slow], []]), { timed: [timed, null] })
})

test('a heat that has ended says how fast the core can be, if its turns were watched', () => {
  for (const { waitMs, paceMs } of [{ waitMs: 10, paceMs: 4 }, { waitMs: undefined, paceMs: 9 }]) {
    const pace = new Pace()
    new FullSpeed({ pace, loops: [4], waitMs, turnMs: 6, turns: 2 }).end()
    assert.equal(pace.with(9), paceMs)
  }
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
