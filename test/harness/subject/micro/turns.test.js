/** Turns of a workload. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Turns } from '../../../../harness/subject/micro/turns.js'

const OPERATIONS = 1000
let waste = 1

function operate () {
  for (let i = 0; i < OPERATIONS; i++) waste = (Math.imul(waste, 0x85ebca6b) + i) | 0
}

/**
 * @param {() => unknown} run
 * @param {string[]} metrics  A phase for each.
 * @param {{isAwaited?: boolean}} [options]
 */
async function warmTurns (run, metrics, options) {
  const turns = new Turns(
    metrics.map(metric => ({ metric, operations: OPERATIONS, run })),
    options
  )
  await turns.warmUp(1, { ms: 1, cycles: 1 })
  return turns
}

for (const { title, run, isAwaited } of [
  { title: 'at once', run: operate, isAwaited: false },
  { title: 'awaited', run: async () => operate(), isAwaited: true }
]) {
  test(`a turn takes its CPU time for every phase, ${title}, and divides it among them`, async () => {
    const turns = await warmTurns(run, ['startNsPerTimer', 'expireNsPerTimer'], { isAwaited })
    const { cpuMs, operations, phases } = await turns.turn({ leadMs: 1, turnMs: 2 })
    assert.ok(cpuMs >= 4, `${cpuMs} ms`)
    assert.ok(operations > 0 && operations % OPERATIONS === 0, `${operations} operations`)
    assert.deepEqual(Object.keys(phases), ['startNsPerTimer', 'expireNsPerTimer'])
    const nsPerOp = (1e6 * cpuMs) / operations
    const sum = phases.startNsPerTimer + phases.expireNsPerTimer
    assert.ok(Math.abs(sum / nsPerOp - 1) < 1e-9, `${sum} and ${nsPerOp} ns`)
  })
}

test('nothing else runs between the batches of phases that are not awaited', async () => {
  let isOver = false
  let begun = false
  const turns = await warmTurns(() => {
    if (begun) assert.equal(isOver, false, 'a microtask ran within the turn')
    operate()
  }, ['nsPerOp'])
  begun = true
  queueMicrotask(() => {
    isOver = true
  })
  await turns.turn({ leadMs: 0, turnMs: 30 })
  assert.equal(isOver, true)
})
