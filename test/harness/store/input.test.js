/** Files of others: their size, their lines and their place. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { assertInside, LIMITS, readInput, readLines } from '../../../harness/store/input.js'
import { temporaryFolder } from '../temporary-folder.js'

test('a file, a line, a pipe, a folder and a device that are too much are refused and not waited for', t => {
  const folder = temporaryFolder(t)
  const [large, long, pipe] = ['large', 'long', 'pipe'].map(name => path.join(folder, name))
  writeFileSync(large, '')
  truncateSync(large, LIMITS.run + 1)
  assert.throws(() => readInput(large, 'run'), {
    exitCode: 2,
    message: /large: 65 MiB are more than timerq reads \(64 MiB\)/
  })
  writeFileSync(long, 'short\n' + ' '.repeat(LIMITS.sample + 1) + '\n')
  assert.throws(() => [...readLines(long, { file: 'samples', line: 'sample' })], {
    exitCode: 2,
    message: /long:2: 5 MiB are more than timerq reads \(4 MiB\)/
  })
  execFileSync('mkfifo', [pipe])
  for (const file of [pipe, folder, '/dev/zero']) {
    assert.throws(() => readInput(file, 'run'), { exitCode: 2, message: /it is not a file/ })
  }
  rmSync(pipe)
})

test('lines are numbered, and a last line without a line feed is not whole', t => {
  const file = path.join(temporaryFolder(t), 'lines')
  const linesOf = (/** @type {string} */ text) => {
    writeFileSync(file, text)
    return [...readLines(file, { file: 'samples', line: 'sample' })].map(({ text, number, isWhole }) => [
      text,
      number,
      isWhole
    ])
  }
  assert.deepEqual(linesOf(''), [])
  assert.deepEqual(linesOf('é\n\nb\n'), [
    ['é', 1, true],
    ['', 2, true],
    ['b', 3, true]
  ])
  assert.deepEqual(linesOf('a\nb'), [
    ['a', 1, true],
    ['b', 2, false]
  ])
})

test('a file lies inside of a folder by where it really is', t => {
  const folder = temporaryFolder(t)
  assert.equal(assertInside(folder, path.join(folder, 'x')), path.join(folder, 'x'))
  assert.throws(() => assertInside(path.join(folder, 'a'), path.join(folder, 'ab/x')), { exitCode: 2 })
  assert.throws(() => assertInside(folder, path.join(folder, '../x')), { exitCode: 2 })
})
