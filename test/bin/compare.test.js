/** `timerq compare` from the command line. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere } from './timerq.js'

const RUN = fileURLToPath(new URL('../fixtures/runs/heats', import.meta.url))

/** @param {import('node:test').TestContext} t */
function finishedRun (t) {
  const folder = temporaryFolder(t)
  for (const name of ['a', 'b']) cpSync(RUN, path.join(folder, name), { recursive: true })
  // Samples taken at the same moment would make it the same run.
  edit(path.join(folder, 'b/samples.jsonl'), text => text.replaceAll(/"started":"\d{4}/g, '"started":"2001'))
  return folder
}

/**
 * @param {string} file
 * @param {(text: string) => string} change
 */
function edit (file, change) {
  const text = readFileSync(file, 'utf8')
  assert.notEqual(change(text), text)
  writeFileSync(file, change(text))
}

test('two runs are compared from the command line, and the exit code is the verdict', async t => {
  const cwd = finishedRun(t)
  const compare = (/** @type {string[]} */ ...args) => timerqHere(['compare', ...args], { cwd })

  const few = await compare('a', 'b', '--json')
  assert.equal(few.code, 3, 'four pairs prove nothing')
  const record = few.json
  assert.deepEqual(
    [record.format, record.verdict, record.comparisons.length],
    ['timerq-comparison/1', 'inconclusive', 42]
  )

  const queues = await compare('a', '--queue', 'binary-heap,sorted-list')
  assert.equal(queues.code, 3)
  assert.match(queues.stdout, /^inconclusive/)
  assert.equal(queues.stderr, 'more heats: timerq run --resume a --until 1%, then compare again\n')

  edit(path.join(cwd, 'b/run.json'), text => text.replace(/"cpu": ".*"/, '"cpu": "another"'))
  const elsewhere = await compare('a', 'b')
  assert.equal(elsewhere.code, 0, 'on another machine what is counted decides')
  assert.match(elsewhere.stdout, /^pass: no regression in 12 cells/)

  edit(path.join(cwd, 'b/samples.jsonl'), text => text.replace(/("queue":"binary-heap".*"workPerOp":)/, '$11'))
  const more = await compare('a', 'b')
  assert.equal(more.code, 1)
  assert.match(more.stdout, /^regression: 1 of 12 cells: binary-heap on refresh-one-duration, size 10+: .* more work/)

  for (const file of ['b/run.json', 'b/samples.jsonl']) {
    edit(path.join(cwd, file), text => text.replaceAll('v20.20.2', 'v20.20.3'))
  }
  const nothing = await compare('a', 'b')
  assert.equal(nothing.code, 4)
  assert.match(nothing.stdout, /^invalid: 13 of 13 cells could not be measured: .*: only in a$/m)

  const { code, stderr } = await compare('a', '--queue', 'binary-heap,lazy-wheel')
  assert.deepEqual(
    [code, stderr],
    [2, 'timerq: unknown queue "lazy-wheel" (a has node, duration-lists, binary-heap and sorted-list)\n']
  )
})
