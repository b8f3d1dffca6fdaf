/** Blocks of code, counted. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { WORK_FLAGS } from '../../../../harness/measure/micro/count.js'

const FIXTURE = fileURLToPath(new URL('fixtures/count-branches.js', import.meta.url))

test('every block that runs is counted in modules that are loaded later, and nothing else', () => {
  const work = JSON.parse(execFileSync(process.execPath, [...WORK_FLAGS, FIXTURE], { encoding: 'utf8' }))
  assert.equal(work.loopOfTen, 1 + 10, 'the function and ten rounds of its loop')
  assert.equal(work.loopOfThousand, 1 + 1_000)
  assert.equal(work.someEven, 1 + 4 + 2, 'the function, four rounds and two branches taken')
  assert.equal(work.allEven, 1 + 4 + 4, 'a branch that is always taken counts as one that is nearly always taken')
  assert.deepEqual([work.nothing, work.nothingAgain, work.loadedEarlier], [0, 0, 0])
})
