import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { assertInside, LIMITS, readInput } from '../../../harness/store/input.js'
import { metrics } from '../../../harness/model/metrics.js'
import { readResults } from '../../../harness/store/results.js'
import { neighbours } from '../../../harness/store/samples.js'
import { countedRun } from '../../fuzz/inputs.js'
import { writeLargeResults } from '../../soak/large-results.js'
import { temporaryFolder } from '../temporary-folder.js'

test('the schema of a sample knows every metric, and no other', () => {
  const { definitions } = JSON.parse(readFileSync(new URL('../../../harness/store/schema/sample.schema.json', import.meta.url), 'utf8'))
  assert.deepEqual(definitions.metric.enum, Object.keys(metrics))
})

/** Reads all samples, then those of a table, with far less memory than all of them together take. */
const READ_ALL = `
  import { readResults } from ${JSON.stringify(new URL('../../../harness/store/results.js', import.meta.url))}
  const { run, samples } = readResults(process.argv[1])
  let heats = 0
  for (const { heat } of samples) heats += heat === undefined ? 0 : 1
  const table = samples.byCell(run.plan.cells.slice(0, 8))
  console.log(samples.length, heats, table.size, table.get(run.plan.cells[0].id).length)
`
const HEAP_MB = 32

test('samples stay in their file: many more are read than fit into memory', t => {
  const directory = path.join(temporaryFolder(t), 'run')
  writeLargeResults(directory, { cells: 800, rounds: 100 })
  const printed = execFileSync(process.execPath, [`--max-old-space-size=${HEAP_MB}`, '--input-type=module', '--eval', READ_ALL, directory], { encoding: 'utf8' })
  assert.equal(printed, '80000 80000 8 100\n')
})

test('a run that has measured nothing yet has no samples, no profiles and no file', t => {
  const directory = path.join(temporaryFolder(t), 'run')
  writeLargeResults(directory, { cells: 2, rounds: 1 })
  rmSync(path.join(directory, 'samples.jsonl'))
  const { run, samples } = readResults(directory)
  assert.deepEqual([[...samples], samples.profiles(), samples.byCell(run.plan.cells).size], [[], [], 0])
})

test('lines that follow each other are read in one go, up to a mebibyte', () => {
  const ends = Float64Array.from({ length: 11 }, (_, line) => line * 2 ** 18)
  assert.deepEqual(neighbours([7, 1, 2, 2, 3, 5], ends), [{ first: 1, last: 3 }, { first: 5, last: 5 }, { first: 7, last: 7 }])
  assert.deepEqual(neighbours([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], ends), [{ first: 1, last: 4 }, { first: 5, last: 8 }, { first: 9, last: 10 }])
  assert.deepEqual(neighbours([1, 2], [0, 2 ** 21, 2 ** 22]), [{ first: 1, last: 1 }, { first: 2, last: 2 }], 'a longer line is read alone')
})

test('what changes while it is read is no sample', t => {
  const directory = path.join(temporaryFolder(t), 'run')
  writeLargeResults(directory, { cells: 16, rounds: 3 })
  const { run: { plan: { cells } }, samples } = readResults(directory)
  const file = path.join(directory, 'samples.jsonl')
  const text = readFileSync(file, 'utf8')
  for (const changed of [text.slice(0, 1000), text.slice(1), text.replaceAll('"round":', '"rounds":')]) {
    writeFileSync(file, changed)
    assert.throws(() => samples.byCell(cells), { exitCode: 2, message: /samples\.jsonl has changed while it was read: try again \(/ })
  }
  rmSync(file)
  assert.throws(() => [...samples], { exitCode: 2, message: /samples\.jsonl has changed while it was read/ })
})

test('samples share what they have in common, so that a million of them fit into memory', t => {
  const directory = path.join(temporaryFolder(t), 'run')
  writeLargeResults(directory, { cells: 16, rounds: 3 })
  const { run, ...results } = readResults(directory)
  const samples = [...results.samples]
  assert.equal(samples.length, 48)
  assert.ok(samples.every(({ params }) => run.plan.cells.some(cell => cell.params === params)))
  assert.ok(samples.every(({ warnings }) => warnings === samples[0].warnings))
})

for (const [what, change, message] of /** @type {[string, (line: string) => string, RegExp][]} */ ([
  ['an unknown metric', line => line.replace('"workPerOp"', '"workPerOpp"'), /samples\.jsonl:1: \/metrics has an unknown name, "workPerOpp": was it written by another version/],
  ['a cell that the plan does not have', line => line.replace('"cell":"refresh', '"cell":"refreshed'), /\/cell is none of the plan/],
  ['another queue than its cell', line => line.replace('"queue":"sorted-list"', '"queue":"binary-heap"'), /\/queue is not that of its cell/],
  ['other parameters than its cell', line => line.replace('"size":10', '"size":11'), /\/params is not that of its cell/],
  ['a number that is none', line => line.replace(/"workPerOp":[\d.]+/, '"workPerOp":1e999'), /\/metrics\/workPerOp/],
  ['a prototype among its metrics', line => line.replace('"metrics":{', '"metrics":{"__proto__":1,'), /\/metrics/]
])) {
  test(`a sample with ${what} is refused in one line`, t => {
    const directory = path.join(temporaryFolder(t), 'run')
    countedRun(directory)
    const file = path.join(directory, 'samples.jsonl')
    const [first, ...rest] = readFileSync(file, 'utf8').split('\n')
    assert.notEqual(change(first), first)
    writeFileSync(file, [change(first), ...rest].join('\n'))
    assert.throws(() => readResults(directory), { exitCode: 2, message })
  })
}

test('a line, a file, a pipe and a folder that are too much are refused and not waited for', t => {
  const folder = temporaryFolder(t)
  const directory = path.join(folder, 'run')
  countedRun(directory)
  appendFileSync(path.join(directory, 'samples.jsonl'), ' '.repeat(LIMITS.sample + 2 ** 21))
  assert.throws(() => readResults(directory), { exitCode: 2, message: /samples\.jsonl:\d+: \d+ MiB are more than timerq reads \(4 MiB\)/ })
  const large = path.join(folder, 'large')
  writeFileSync(large, '')
  truncateSync(large, LIMITS.baseline + 1)
  assert.throws(() => readInput(large, 'baseline'), { exitCode: 2, message: /large: 17 MiB are more than timerq reads \(16 MiB\)/ })
  const pipe = path.join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const file of [pipe, folder, '/dev/zero']) assert.throws(() => readInput(file, 'baseline'), { exitCode: 2, message: /it is not a file/ })
  rmSync(pipe)
})

test('a file lies inside of a folder by where it really is', t => {
  const folder = temporaryFolder(t)
  assert.equal(assertInside(folder, path.join(folder, 'x')), path.join(folder, 'x'))
  assert.throws(() => assertInside(path.join(folder, 'a'), path.join(folder, 'ab/x')), { exitCode: 2 })
  assert.throws(() => assertInside(folder, path.join(folder, '../x')), { exitCode: 2 })
})
