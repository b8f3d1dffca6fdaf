/** Blocks of code, counted. */
import { execFileSync } from 'node:child_process'
import assert from 'node:assert/strict'
import test from 'node:test'
import { WORK_FLAGS } from '../../../../harness/measure/micro/count.js'

function runFixture (name, ...parameters) {
  const path = new URL(`fixtures/${name}`, import.meta.url).pathname
  return execFileSync(process.execPath, [...WORK_FLAGS, path, ...parameters], { encoding: 'utf8' })
}

test('every block that runs is counted, and nothing else', () => {
  const work = JSON.parse(runFixture('count-branches.js'))
  assert.equal(work.loopOfTen, 1 + 10, 'the function and ten rounds of its loop')
  assert.equal(work.loopOfThousand, 1 + 1_000)
  assert.equal(work.someEven, 1 + 4 + 2, 'the function, four rounds and two branches taken')
  assert.equal(work.nothing, 0)
  assert.equal(work.nothingAgain, 0)
})

test('a branch that is always taken counts the same as one that is nearly always taken', () => {
  const { allEven } = JSON.parse(runFixture('count-branches.js'))
  assert.equal(allEven, 1 + 4 + 4)
})

test('a module loaded before the counter starts is not counted', () => {
  assert.equal(JSON.parse(runFixture('count-branches.js')).loadedEarlier, 0)
})
