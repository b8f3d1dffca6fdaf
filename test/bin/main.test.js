import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { main } from '../../bin/main.js'

/** @param {string[]} written */
const into = written => new Writable({
  write (chunk, _encoding, done) {
    written.push(String(chunk))
    done()
  }
})

test('a bug in timerq is a crash with its stack, never mistaken for a regression', async () => {
  /** @type {string[]} */
  const errors = []
  const broken = /** @type {any} */ ({ write () { throw new TypeError('undefined is not a function') } })
  assert.equal(await main(['list'], { stdout: broken, stderr: into(errors) }), 4)
  assert.match(errors.join(''), /^timerq: TypeError: undefined is not a function\n +at /)
})

test('a usage error is one line', async () => {
  /** @type {string[]} */
  const errors = []
  assert.equal(await main(['lits'], { stdout: into([]), stderr: into(errors) }), 2)
  assert.match(errors.join(''), /^timerq: .*\n$/)
})
