/** Results directories: written, read back, continued and damaged. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  rmdirSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { metrics } from '../../../harness/model/metrics.js'
import { captureEnvironment } from '../../../harness/processes/environment.js'
import { createResults, openResults, readResults, Store, writeResults } from '../../../harness/store/results.js'
import { MOST_SAMPLES, readSamples } from '../../../harness/store/samples.js'
import { planOf, sampleOf as sampleOfCell } from '../../fuzz/inputs.js'
import { temporaryFolder } from '../temporary-folder.js'

const plan = planOf({ kind: 'micro', scenario: 'refresh', values: { size: [10] } })
const start = {
  command: ['timerq', 'run'],
  started: '2026-01-01T00:00:00.000Z',
  environment: captureEnvironment({ pinning: 'none', loadGenerator: 'none' }),
  plan
}

/** @param {number} round */
const sampleOf = (round, rest = {}) =>
  sampleOfCell(plan.cells[0], { round, kind: 'alone', metrics: { nsPerOp: 12.5, workPerOp: 7 }, ...rest })

/** @param {string} id */
const heatOf = id =>
  plan.cells.map(cell =>
    sampleOfCell(cell, { heat: id, heatSize: 2, metrics: { nsPerOp: 3 }, slices: { nsPerOp: [3, null] } })
  )

/** @param {import('node:test').TestContext} t */
function storeWithSamples (t) {
  const store = createResults(path.join(temporaryFolder(t), 'run'), start)
  store.append([sampleOf(0)])
  store.append([sampleOf(1)])
  return store
}

/**
 * Each with the id and the seed of its run.
 *
 * @param {Store} store
 */
const stored = ({ run }, /** @type {import('../../../harness/store/results.js').Sample[]} */ samples) =>
  samples.map(sample => ({ ...sample, run: run.id, seed: run.plan.settings.seed }))
const samplesFile = (/** @type {Store} */ { directory }) => path.join(directory, 'samples.jsonl')

test('what is written is read back, and every sample names its run', t => {
  const store = storeWithSamples(t)
  const { directory, run } = store
  const failed = sampleOf(2, { metrics: {}, failure: { kind: 'crash', message: 'it died' } })
  store.append([failed])
  const samples = stored(store, [sampleOf(0), sampleOf(1), failed])
  assert.deepEqual(readResults(directory), { directory, run, samples, warnings: [] })
  assert.deepEqual(store.samples, samples)
  assert.notEqual(store.end().run.ended, null)
})

test('a run without samples is read, with a warning', t => {
  const { directory } = createResults(path.join(temporaryFolder(t), 'run'), start)
  const { samples, warnings } = readResults(directory)
  assert.deepEqual([samples, warnings], [[], ['no samples']])
})

test('samples that cannot be written name --resume only where the command has one', t => {
  for (const [isResumable, lost, kept] of /** @type {const} */ ([
    [true, 'Restore it and continue with --resume, or start again', 'continue with --resume'],
    [false, 'Start again', 'start again']
  ])) {
    const folder = temporaryFolder(t)
    writeFileSync(path.join(folder, 'file'), '')
    const appendIn = (/** @type {string} */ name) =>
      new Store(path.join(folder, name), /** @type {any} */ ({ id: 'x', plan }), { isResumable }).append([sampleOf(0)])
    assert.throws(() => appendIn('none'), new RegExp(`deleted or moved.* ${lost}$`))
    assert.throws(() => appendIn('file'), new RegExp(`ENOTDIR.*\\. Finished samples are kept: ${kept}$`))
  }
})

test('a directory takes as many samples as can be read, and no more', t => {
  const store = storeWithSamples(t)
  const full = new Store(store.directory, store.run, {
    samples: Array.from({ length: MOST_SAMPLES - 1 }, () => sampleOf(0))
  })
  assert.throws(() => full.append(heatOf('last')), {
    exitCode: 4,
    message: /has 199999 samples, and 200000 are the most that timerq reads/
  })
  assert.equal(readResults(store.directory).samples.length, 2)
  appendFileSync(samplesFile(store), readFileSync(samplesFile(store), 'utf8').repeat(MOST_SAMPLES / 2))
  assert.throws(() => readResults(store.directory), {
    exitCode: 2,
    message: /samples\.jsonl: more than 200000 samples, the most that timerq reads: measure fewer cells/
  })
})

test('what a killed run left unfinished is skipped, reported, and removed before more is appended', t => {
  const profiles = ['0x', 'clinic-flame'].map(tool =>
    sampleOf(0, { kind: 'profile', metrics: {}, details: { tool, files: [`a.${tool}.txt`] } })
  )
  const [whole, half] = [heatOf('first'), heatOf('second').slice(0, 1)]
  for (const { left, cut = '', kept = [], warning } of [
    { left: [], cut: '{"cell":"refr', warning: /^the last sample is truncated and was skipped/ },
    { left: [], cut: '{"cell":"' + 'é'.repeat(1_000_000), warning: /^the last sample is truncated/ },
    { left: [...whole, ...half], kept: whole, warning: /^a heat was cut off and skipped/ },
    {
      left: [...whole, ...profiles, sampleOf(1, { metrics: { nsPerOp: 1 } }), ...whole],
      kept: [...whole, ...profiles],
      warning: /^3 repeated samples skipped: two processes wrote/
    }
  ]) {
    const store = storeWithSamples(t)
    store.append(left)
    appendFileSync(samplesFile(store), cut)
    const expected = stored(store, [sampleOf(0), sampleOf(1), ...kept])
    const { samples, warnings } = readResults(store.directory)
    assert.deepEqual(samples, expected)
    assert.match(warnings.join(), warning)
    const { store: again } = openResults(store.directory)
    again.append(heatOf('second'))
    assert.deepEqual(again.end().warnings, [])
    assert.deepEqual(readResults(store.directory).samples, [...expected, ...stored(store, heatOf('second'))])
  }
})

test('what is removed before a run goes on is removed at once: when that fails, all is still there', t => {
  const store = storeWithSamples(t)
  store.append([sampleOf(1)])
  const file = samplesFile(store)
  const before = readFileSync(file, 'utf8')
  // A folder where the new file would be: as if the disk were full.
  mkdirSync(`${file}.new`)
  assert.throws(() => openResults(store.directory), { exitCode: 4, message: /^cannot write to .*: EISDIR/ })
  assert.equal(readFileSync(file, 'utf8'), before)
  rmdirSync(`${file}.new`)
  assert.equal(openResults(store.directory).store.samples.length, 2)
})

test('results are not written over other files, and a discarded directory is gone with its lock', t => {
  const store = storeWithSamples(t)
  assert.throws(() => createResults(store.directory, start), { exitCode: 2, message: /not empty/ })
  store.discard()
  assert.ok(!existsSync(store.directory))
  createResults(store.directory, start)
  assert.ok(existsSync(path.join(store.directory, '.running')), 'the next attempt is locked, too')
})

test('every run has its own id, and the samples of another run are refused', t => {
  const [store, other] = [storeWithSamples(t), storeWithSamples(t)]
  assert.notEqual(store.run.id, other.run.id)
  copyFileSync(samplesFile(other), samplesFile(store))
  assert.throws(() => readResults(store.directory), {
    exitCode: 2,
    message: new RegExp(
      `samples\\.jsonl:1: the sample belongs to run "${other.run.id}", run\\.json is of "${store.run.id}"`
    )
  })
  for (const [part, mark] of Object.entries({ seed: 2, trees: { base: 'a', head: 'b' } })) {
    const gate = createResults(path.join(temporaryFolder(t), 'gate'), start)
    gate.run = { ...gate.run, plan: { ...plan, of: { gate: { trees: { base: 'a', head: 'a' } } } } }
    gate.append([sampleOf(0)])
    const line = { ...JSON.parse(readFileSync(samplesFile(gate), 'utf8')), [part]: mark }
    writeFileSync(samplesFile(gate), JSON.stringify(line) + '\n')
    assert.throws(() => readSamples(samplesFile(gate), gate.run), {
      exitCode: 2,
      message: new RegExp(`the sample belongs to ${part} `)
    })
  }
  const merged = path.join(temporaryFolder(t), 'merged')
  writeResults(merged, start, other.samples)
  assert.equal(readResults(merged).samples.length, 2, 'written as samples of the new run')
})

for (const [
  what,
  file,
  pattern,
  replacement,
  message
] of /** @type {[string, string, string | RegExp, string, RegExp][]} */ ([
    [
      'an older format',
      'run.json',
      'timerq-run/3',
      'timerq-run/2',
      /this timerq reads the format "timerq-run\/3", got "timerq-run\/2": measure again/
    ],
    ['no plan', 'run.json', '"plan"', '"plant"', /run\.json.*plan/],
    ['no seed', 'run.json', '"seed"', '"seeds"', /run\.json: \/plan\/settings must have required property 'seed'/],
    [
      'a gate without its part',
      'run.json',
      '"question": "run"',
      '"question": "gate"',
      /run\.json: \/plan\/(of must have required property 'gate'|cells\/0 must have required property 'side')/
    ],
    ['a part that nobody reads', 'run.json', '"of": {', '"of": { "other": 1', /\/plan\/of must NOT have additional /],
    ['a part that is damaged', 'run.json', '"of": {', '"of": { "trace": {}', /\/plan\/of\/trace must have required property 'file'/],
    ['half a run.json', 'run.json', /"plan"[^]*/, '', /run\.json/],
    ['null for a run.json', 'run.json', /[^]*/, 'null', /run\.json: this timerq reads/],
    ['a sample without metrics', 'samples.jsonl', '"metrics"', '"metric"', /samples\.jsonl:1.*metrics/],
    ['a sample without a run', 'samples.jsonl', '"run"', '"ran"', /samples\.jsonl:1.*run/],
    [
      'a sample of a heat whose size is not known',
      'samples.jsonl',
      '"round"',
      '"heat":"first","round"',
      /samples\.jsonl:1.*heatSize/
    ],
    ['a sample that is no JSON', 'samples.jsonl', '{', '[', /samples\.jsonl:1/],
    [
      'an unknown metric',
      'samples.jsonl',
      '"workPerOp"',
      '"workPerOpp"',
      /samples\.jsonl:1: \/metrics has an unknown name, "workPerOpp": was it written by another version/
    ],
    [
      'an unknown kind of warning',
      'samples.jsonl',
      '"warnings":[]',
      '"warnings":[{"kind":"odd","text":"odd"}]',
      /samples\.jsonl:1: \/warnings\/0\/kind has an unknown name: was it written by another version/
    ],
    [
      'a cell that the plan does not have',
      'samples.jsonl',
      '"cell":"refresh',
      '"cell":"refreshed',
      /\/cell is not in run\.json's plan/
    ],
    [
      'another queue than its cell',
      'samples.jsonl',
      '"queue":"sorted-list"',
      '"queue":"binary-heap"',
      /\/queue differs from that of its cell/
    ],
    [
      'other parameters than its cell',
      'samples.jsonl',
      '"size":10',
      '"size":11',
      /\/params differs from that of its cell/
    ],
    ['a number that is none', 'samples.jsonl', /"workPerOp":[\d.]+/, '"workPerOp":1e999', /\/metrics\/workPerOp/],
    ['a prototype among its metrics', 'samples.jsonl', '"metrics":{', '"metrics":{"__proto__":1,', /\/metrics/]
  ])) {
  test(`a directory with ${what} is refused in one line`, t => {
    const { directory } = storeWithSamples(t)
    const name = path.join(directory, file)
    const text = readFileSync(name, 'utf8')
    assert.notEqual(text.replace(pattern, replacement), text)
    writeFileSync(name, text.replace(pattern, replacement))
    assert.throws(
      () => readResults(directory),
      error => {
        const { exitCode, message: line } = /** @type {any} */ (error)
        assert.equal(exitCode, 2)
        assert.match(line, message)
        return !line.includes('\n')
      }
    )
  })
}

test('a folder that is not a results directory is refused', t => {
  const { directory } = storeWithSamples(t)
  rmSync(path.join(directory, 'run.json'))
  assert.throws(() => readResults(directory), {
    exitCode: 2,
    message: /is not a results directory: it has no run\.json/
  })
})

test('a sample may have every metric, and phases of a workload of its user', t => {
  const store = createResults(path.join(temporaryFolder(t), 'run'), start)
  const names = [...Object.keys(metrics), 'touchNsPerOp']
  store.append([sampleOf(0, { metrics: Object.fromEntries(names.map((name, i) => [name, i])) })])
  assert.deepEqual(Object.keys(readResults(store.directory).samples[0].metrics), names)
})
