import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compareWithBaseline, readBaseline, v8Series, writeBaseline } from '../../../harness/gate/baseline.js'
import { DEFAULT_RULES } from '../../../harness/verdict.js'
import { temporaryFolder } from '../temporary-folder.js'

const options = { file: 'baseline.json', command: [], rules: DEFAULT_RULES }
const cell = { scenario: 'refresh', params: { size: 10 }, queue: 'heap', runtime: 'v20', failure: undefined, counts: { workPerOp: 9.5, bytesPerTimer: 72 } }
const counted = { v8: '11.3', seed: 1, chosen: { queue: ['heap'], scenario: ['refresh'], size: null }, cells: [cell] }
const baseline = { format: /** @type {const} */ ('timerq-baseline/1'), ...counted }

/** @param {object} changed */
const compare = changed => compareWithBaseline(baseline, { ...counted, cells: [{ ...cell, ...changed }] }, options)

test('the same counts pass, one block more in a million is a regression', () => {
  assert.equal(compare({}).verdict, 'pass')
  const { verdict, comparisons } = compare({ counts: { workPerOp: 9.500001, bytesPerTimer: 72 } })
  assert.deepEqual([verdict, comparisons.map(({ verdict }) => verdict)], ['regression', ['regression', 'pass']])
})

test('an unexplained improvement passes, and is said', () => {
  const { verdict, warnings } = compare({ counts: { workPerOp: 9, bytesPerTimer: 72 } })
  assert.equal(verdict, 'pass')
  assert.ok(warnings.some(warning => warning.includes('--update')))
})

test('a cell that failed is no pass', () => {
  const { verdict, comparisons } = compare({ counts: {}, failure: 'it died' })
  assert.deepEqual([verdict, comparisons[0].reason], ['invalid', 'it died'])
})

test('cells of one side only are listed, and nothing in common is no pass', () => {
  const { verdict, unmatched } = compare({ queue: 'wheel' })
  assert.equal(verdict, 'invalid')
  assert.deepEqual(unmatched.map(({ queue, reason }) => [queue, reason]),
    [['wheel', 'not in the baseline (--update adds it)'], ['heap', 'in the baseline, not counted now']])
})

test('another V8 counts other blocks: nothing is compared', () => {
  const { verdict, unmatched } = compareWithBaseline(baseline, { ...counted, v8: '12.4' }, options)
  assert.equal(verdict, 'invalid')
  assert.match(unmatched[0].reason, /counted by V8 11\.3, this is 12\.4/)
  assert.equal(v8Series('11.3.244.8-node.33'), '11.3')
})

test('a baseline is read as it was written, one cell a line', t => {
  const file = path.join(temporaryFolder(t), 'baseline.json')
  assert.equal(readBaseline(file), null)
  writeBaseline(file, { ...counted, cells: [cell, { ...cell, queue: 'wheel' }] })
  const read = readBaseline(file)
  assert.deepEqual(read?.cells.map(({ queue, counts }) => [queue, counts]), [['heap', cell.counts], ['wheel', cell.counts]])
  assert.equal(readFileSync(file, 'utf8').split('\n').filter(line => line.includes('counts')).length, 2)
})

for (const [what, text] of [['no JSON', '{'], ['another file', '{"format":"timerq-run/1"}'], ['cells without counts', '{"format":"timerq-baseline/1","v8":"1","seed":1,"chosen":{"queue":[],"scenario":[],"size":null},"cells":[{}]}']]) {
  test(`${what} is no baseline`, t => {
    const file = path.join(temporaryFolder(t), 'baseline.json')
    writeFileSync(file, text)
    assert.throws(() => readBaseline(file), { exitCode: 2, message: /is no baseline/ })
  })
}
