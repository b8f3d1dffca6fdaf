/** Progress of a command. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Console } from '../../bin/console.js'
import { stepProgress } from '../../bin/progress.js'
import { MeasurementError } from '../../harness/model/errors.js'
import { endOf } from '../../bin/plans/parts.js'
import { capture } from './timerq.js'

const cell = { scenario: 'start-cancel', params: { size: 10_000 }, queue: 'lazy-wheel' }

/** @param {object} [more] */
const progressOf = more =>
  stepProgress(
    /** @type {any} */ ({
      done: 12,
      total: 64,
      left: { seconds: 39.2, isAtLeast: false },
      budget: null,
      until: null,
      next: { kind: 'heat', cells: [cell, cell] },
      ...more
    })
  )

test('progress counts samples, and says how long it takes and what is measured', () => {
  assert.deepEqual(progressOf(), {
    done: 12,
    total: 64,
    unit: 'samples',
    text: 'about 40 s left, start-cancel, 10 000 timers'
  })
  assert.match(progressOf({ left: { seconds: 200, isAtLeast: true } }).text, /^more than 4 min left, /)
  assert.match(progressOf({ left: null }).text, /^time unknown yet, /)
  assert.match(
    progressOf({ next: { kind: 'count', cells: [cell] } }).text,
    /, counting lazy-wheel, start-cancel, 10 000 timers$/
  )
  const server = { scenario: 'keep-alive', params: { connections: 400, threads: 2 }, queue: 'node' }
  assert.match(progressOf({ next: { kind: 'alone', cells: [server] } }).text, /, node, keep-alive, 400 connections$/)
  assert.match(progressOf({ next: { kind: 'heat', cells: [{ ...cell, params: { size: 1 } }] } }).text, /, 1 timer$/)
  assert.match(
    progressOf({ next: { kind: 'heat', cells: [{ ...server, params: { connections: 1 } }] } }).text,
    /, 1 connection$/
  )
  assert.match(
    progressOf({ next: { kind: 'heat', cells: [{ scenario: 'trace', params: {}, queue: 'node' }] } }).text,
    / left, trace$/
  )
})

test('with a time budget progress counts its seconds', () => {
  const budget = { seconds: 86, spent: 32.6 }
  assert.deepEqual(progressOf({ budget }), {
    done: 33,
    total: 86,
    unit: 's at most',
    text: 'start-cancel, 10 000 timers'
  })
  assert.match(
    progressOf({ budget, until: 0.03, open: { left: 2, total: 7 } }).text,
    /, 5 of 7 tables known within 3 %$/
  )
})

/**
 * What a terminal of so many columns shows.
 *
 * @param {number} columns
 */
function shownIn (columns) {
  const { stream, text } = capture({ isTTY: true, columns, cursorTo () {}, moveCursor () {}, clearLine () {} })
  const console = new Console({ stdout: stream, stderr: stream }, { color: false })
  console.showProgress(progressOf())
  console.print('')
  return text()
}

/**
 * How work that Ctrl-C stops ends, where it fails with this error.
 *
 * @param {(signal: AbortSignal) => unknown} errorOf
 */
async function interruptWith (errorOf) {
  const { stream, text } = capture()
  const console = new Console({ stdout: stream, stderr: stream }, {})
  const code = await console.run(async () => {
    const signal = console.interruptible(() => 'all is kept')
    process.emit('SIGINT')
    throw await errorOf(signal)
  })
  return { code, shown: text() }
}

test('work that Ctrl-C has stopped says what is kept', async () => {
  for (const errorOf of [
    (/** @type {AbortSignal} */ { reason }) => reason,
    (/** @type {AbortSignal} */ signal) => sleep(1, undefined, { signal })
  ]) {
    assert.deepEqual(await interruptWith(errorOf), { code: 130, shown: 'timerq: stopped; all is kept\n' })
  }
})

test('what goes wrong after Ctrl-C is not taken for the stop', async () => {
  await assert.rejects(
    interruptWith(() => new MeasurementError('its disk is full')),
    { exitCode: 4, message: 'its disk is full' }
  )
})

test('a narrow terminal shows fewer parts of the progress, and no part of a number', () => {
  assert.match(shownIn(80), /12\/64 samples, about 40 s left, start-cancel, 10 000 timers/)
  assert.match(shownIn(72), /12\/64 samples, about 40 s left, start-cancel(?!,)/)
  assert.match(shownIn(50), /12\/64 samples, about 40 s left(?!,)/)
})

test('with a precision or a budget, rounds are no limit', () => {
  const timing = { rounds: 8, budgetSeconds: 86 }
  assert.deepEqual(endOf({}, timing), timing)
  assert.deepEqual(endOf({ until: 0.03 }, timing), { rounds: 100, budgetSeconds: 600, until: 0.03 })
  assert.deepEqual(endOf({ until: 0.03, budget: 60, rounds: 20 }, timing), {
    rounds: 20,
    budgetSeconds: 60,
    until: 0.03
  })
  assert.deepEqual(endOf({ budget: 300 }, timing), { rounds: 100, budgetSeconds: 300 })
  assert.deepEqual(endOf({}, { ...timing, until: 0.02 }), { ...timing, until: 0.02 }, 'a run that is continued')
})
