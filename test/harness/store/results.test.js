import { test } from 'node:test'
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { captureEnvironment } from '../../../harness/processes/environment.js'
import { createPlan } from '../../../harness/plan/plan.js'
import { appendSamples, createResults, dropUnfinished, readResults as readStored, RUN_FORMAT } from '../../../harness/store/results.js'
import { temporaryFolder } from '../temporary-folder.js'

const meta = { name: 'heap', title: 'Heap', complexity: {}, order: 'none', accuracy: 'exact', source: '' }
const plan = createPlan(/** @type {any} */ ({
  settings: {
    preset: 'quick',
    seed: 1,
    rounds: 1,
    budgetSeconds: null,
    load: 'wrk',
    port: 0,
    micro: { warmupMs: 1, measureMs: 1, limitMs: 1, exactLimitMs: 1 },
    httpWarmupMs: 1,
    control: { micro: 'heap', http: 'node' }
  },
  queues: ['heap', 'list'].map(name => ({ name, origin: 'own', url: `file:///${name}.js`, meta })),
  scenarios: [{ name: 'refresh', kind: 'micro', title: '', source: '', coldStart: false, url: 'file:///refresh.js', values: { size: [10] } }],
  runtimes: [{ name: 'v20', path: 'node', flags: [] }]
}))

/** @type {import('../../../harness/store/results.js').Run} */
const run = {
  format: RUN_FORMAT,
  id: 'now',
  command: ['timerq', 'run'],
  started: '2026-01-01T00:00:00.000Z',
  ended: null,
  environment: captureEnvironment({ pinning: 'none', loadGenerator: 'none' }),
  plan
}

/** @param {string} directory */
function readResults (directory) {
  const { samples, ...rest } = readStored(directory)
  assert.equal(samples.length, [...samples].length)
  return { ...rest, samples: [...samples] }
}

/** @param {number} round */
const sampleOf = round => /** @type {import('../../../harness/store/results.js').Sample} */ ({
  cell: plan.cells[0].id,
  round,
  kind: 'alone',
  scenario: 'refresh',
  params: { size: 10 },
  queue: 'heap',
  runtime: 'v20',
  started: '2026-01-01T00:00:01.000Z',
  seconds: 0.2,
  metrics: { nsPerOp: 12.5 },
  warnings: []
})

/** @param {import('node:test').TestContext} t */
function directoryWithSamples (t) {
  const directory = path.join(temporaryFolder(t), 'run')
  createResults(directory, run)
  appendSamples(directory, [sampleOf(0)])
  appendSamples(directory, [sampleOf(1)])
  return directory
}

test('what is written is read back', t => {
  const directory = directoryWithSamples(t)
  const failed = { ...sampleOf(2), metrics: {}, failure: { kind: 'crash', message: 'it died' } }
  appendSamples(directory, [failed])
  assert.deepEqual(readResults(directory), { directory, run, samples: [sampleOf(0), sampleOf(1), failed], warnings: [] })
})

test('samples that cannot be written name --resume only where the command has one', t => {
  const directory = path.join(temporaryFolder(t), 'none')
  assert.throws(() => appendSamples(directory, [sampleOf(0)]), /is lost, unless you find it again: then continue with --resume$/)
  assert.throws(() => appendSamples(directory, [sampleOf(0)], false), /is lost: start again$/)
  const file = path.join(temporaryFolder(t), 'file')
  writeFileSync(file, '')
  assert.throws(() => appendSamples(file, [sampleOf(0)]), /ENOTDIR.*\. Finished samples are kept: continue with --resume$/)
  assert.throws(() => appendSamples(file, [sampleOf(0)], false), /ENOTDIR.*\. Finished samples are kept: start again$/)
})

test('a truncated last line is skipped and reported', t => {
  const directory = directoryWithSamples(t)
  appendFileSync(path.join(directory, 'samples.jsonl'), '{"cell":"refr')
  const { samples, warnings } = readResults(directory)
  assert.deepEqual(samples, [sampleOf(0), sampleOf(1)])
  assert.match(warnings[0], /truncated/)
})

test('a resumed run does not append to half a line', t => {
  const directory = directoryWithSamples(t)
  appendFileSync(path.join(directory, 'samples.jsonl'), '{"cell":"refr')
  dropUnfinished(directory)
  appendSamples(directory, [sampleOf(2)])
  assert.deepEqual(readResults(directory).samples, [sampleOf(0), sampleOf(1), sampleOf(2)])
})

test('a heat that was cut off is skipped, reported, and removed before more is appended', t => {
  const directory = directoryWithSamples(t)
  const heat = (/** @type {string} */ id) => ['heap', 'list'].map((queue, i) => ({ ...sampleOf(0), cell: plan.cells[i].id, queue, kind: /** @type {const} */ ('heat'), heat: id, heatSize: 2, slices: { nsPerOp: [12.5, null] } }))
  const [whole, [half]] = [heat('first'), heat('second')]
  appendSamples(directory, [...whole, half])
  const { samples, warnings } = readResults(directory)
  assert.deepEqual(samples, [sampleOf(0), sampleOf(1), ...whole])
  assert.match(warnings[0], /heat was cut off/)
  dropUnfinished(directory)
  appendSamples(directory, heat('second'))
  assert.deepEqual(readResults(directory), { directory, run, samples: [sampleOf(0), sampleOf(1), ...whole, ...heat('second')], warnings: [] })
})

test('samples that are there twice are skipped and reported, whole heats among them, and removed before more is appended', t => {
  const directory = directoryWithSamples(t)
  const heat = ['heap', 'list'].map((queue, i) => ({ ...sampleOf(0), cell: plan.cells[i].id, queue, kind: /** @type {const} */ ('heat'), heat: 'first', heatSize: 2, slices: { nsPerOp: [12.5, null] } }))
  const again = heat.map(sample => ({ ...sample, metrics: { nsPerOp: 1 } }))
  const profiles = ['0x', 'clinic-flame'].map(tool => ({ ...sampleOf(0), kind: /** @type {const} */ ('profile'), details: { tool, files: [`a.${tool}.txt`] } }))
  appendSamples(directory, heat)
  appendSamples(directory, [{ ...sampleOf(1), metrics: { nsPerOp: 1 } }])
  appendSamples(directory, again)
  appendSamples(directory, profiles)
  const { samples, warnings } = readResults(directory)
  const expected = [sampleOf(0), sampleOf(1), ...heat, ...profiles]
  assert.deepEqual(samples, expected)
  assert.deepEqual(warnings, ['3 samples were skipped because they are there twice: two processes wrote to this directory'])
  dropUnfinished(directory)
  assert.deepEqual(readResults(directory), { directory, run, samples: expected, warnings: [] })
})

test('what is removed before a run goes on is removed at once: when that fails, all is still there', t => {
  const directory = directoryWithSamples(t)
  appendSamples(directory, [sampleOf(1)])
  const file = path.join(directory, 'samples.jsonl')
  const before = readFileSync(file, 'utf8')
  // A folder where the new file would be: as if the disk were full.
  mkdirSync(`${file}.new`)
  assert.throws(() => dropUnfinished(directory), { exitCode: 4, message: /^cannot write to .*: EISDIR/ })
  assert.equal(readFileSync(file, 'utf8'), before)
  rmdirSync(`${file}.new`)
  appendFileSync(file, '{"cell":"' + 'é'.repeat(3_000_000))
  dropUnfinished(directory)
  assert.deepEqual(readResults(directory).samples, [sampleOf(0), sampleOf(1)])
})

test('results are not written over other files', t => {
  const directory = directoryWithSamples(t)
  assert.throws(() => createResults(directory, run), { exitCode: 2, message: /not empty/ })
})

for (const { what, damage, message } of [
  { what: 'a folder that is not a results directory', damage: (/** @type {string} */ directory) => directory + '/nowhere', message: /not a results directory/ },
  { what: 'run.json of a newer format', damage: replace('run.json', 'timerq-run/1', 'timerq-run/9'), message: /timerq-run\/9.*another version/ },
  { what: 'run.json without a plan', damage: replace('run.json', '"plan"', '"plant"'), message: /run.json.*plan/ },
  { what: 'half a run.json', damage: replace('run.json', /"plan"[^]*/, ''), message: /run.json/ },
  { what: 'a sample without metrics', damage: replace('samples.jsonl', '"metrics"', '"metric"'), message: /samples.jsonl:1.*metrics/ },
  { what: 'a sample of a heat whose size is not known', damage: replace('samples.jsonl', '"round"', '"heat":"first","round"'), message: /samples.jsonl:1.*heatSize/ },
  { what: 'a sample that is no JSON', damage: replace('samples.jsonl', '{', '['), message: /samples.jsonl:1/ }
]) {
  test(`${what} is reported in one line`, t => {
    const directory = directoryWithSamples(t)
    assert.throws(() => readResults(damage(directory) ?? directory), error => {
      const { exitCode, message: text } = /** @type {any} */ (error)
      assert.equal(exitCode, 2)
      assert.match(text, message)
      assert.ok(!text.includes('\n'))
      return true
    })
  })
}

/**
 * @param {string} file
 * @param {string | RegExp} pattern
 * @param {string} replacement
 * @returns {(directory: string) => undefined}
 */
function replace (file, pattern, replacement) {
  return directory => {
    const name = path.join(directory, file)
    const text = readFileSync(name, 'utf8')
    assert.notEqual(text.replace(pattern, replacement), text)
    writeFileSync(name, text.replace(pattern, replacement))
  }
}
