/** `timerq compare` from the command line. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { timerqHere, words } from './timerq.js'

const RUN = words`run --preset ci --rounds 2 --seed 1 --queue binary-heap,hierarchical-wheel --scenario
  refresh-one-duration --size 400`

/** @param {import('node:test').TestContext} t */
async function finishedRun (t) {
  const folder = temporaryFolder(t)
  const { code, stderr } = await timerqHere([...RUN, '--out', 'a'], { cwd: folder })
  assert.equal(code, 0, stderr)
  cpSync(path.join(folder, 'a'), path.join(folder, 'b'), { recursive: true })
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
  const cwd = await finishedRun(t)
  const compare = (/** @type {string[]} */ ...args) => timerqHere(['compare', ...args], { cwd })

  const few = await compare('a', 'b', '--json')
  assert.equal(few.code, 3, 'two pairs prove nothing')
  const record = few.json
  assert.deepEqual(
    [record.format, record.verdict, record.comparisons.length],
    ['timerq-comparison/1', 'inconclusive', 8]
  )

  const queues = await compare('a', '--queue', 'binary-heap,hierarchical-wheel')
  assert.equal(queues.code, 3)
  assert.match(queues.stdout, /^inconclusive/)
  assert.equal(queues.stderr, 'more heats: timerq run --resume a --until 1%, then compare again\n')

  edit(path.join(cwd, 'b/run.json'), text => text.replace(/"cpu": ".*"/, '"cpu": "another"'))
  const elsewhere = await compare('a', 'b')
  assert.equal(elsewhere.code, 0, 'on another machine what is counted decides')
  assert.match(elsewhere.stdout, /^pass: no regression in 2 cells/)

  edit(path.join(cwd, 'b/samples.jsonl'), text => text.replace(/("queue":"binary-heap".*"workPerOp":)/, '$11'))
  const more = await compare('a', 'b')
  assert.equal(more.code, 1)
  assert.match(more.stdout, /^regression: 1 of 2 cells: binary-heap on refresh-one-duration, size 400: .* more work/)

  for (const file of ['b/run.json', 'b/samples.jsonl']) {
    edit(path.join(cwd, file), text => text.replaceAll(/(size=|"size": ?)400/g, '$1401'))
  }
  const nothing = await compare('a', 'b')
  assert.equal(nothing.code, 4)
  assert.match(nothing.stdout, /^invalid: 2 of 2 cells could not be measured: .*: only in a$/m)

  const { code, stderr } = await compare('a', '--queue', 'binary-heap,lazy-wheel')
  assert.deepEqual(
    [code, stderr],
    [2, 'timerq: unknown queue "lazy-wheel" (a has binary-heap and hierarchical-wheel)\n']
  )
})
