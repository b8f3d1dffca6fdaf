import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compareWithBaseline, COUNTS, readBaseline, v8Series, writeBaseline } from '../../../harness/gate/baseline.js'
import { createRandom } from '../../../harness/model/random.js'
import { DEFAULT_RULES } from '../../../harness/judge/verdict.js'
import { temporaryFolder } from '../temporary-folder.js'

const options = { file: 'baseline.json', command: [], rules: DEFAULT_RULES }
const cell = { scenario: 'refresh', params: { size: 10 }, queue: 'heap', runtime: 'v20', failure: undefined, counts: { workPerOp: 9.5, bytesPerTimer: 72 } }
const counted = { v8: '11.3', seed: 1, chosen: { queue: ['heap'], scenario: ['refresh'], size: null }, cells: [cell] }
const baseline = counted

/** @param {object} changed */
const compare = changed => compareWithBaseline(baseline, { ...counted, cells: [{ ...cell, ...changed }] }, options)

test('the same counts pass, one block more in a million is a regression', () => {
  assert.equal(compare({}).verdict, 'pass')
  const { verdict, comparisons } = compare({ counts: { workPerOp: 9.500001, bytesPerTimer: 72 } })
  assert.deepEqual([verdict, comparisons.map(({ verdict }) => verdict)], ['regression', ['regression', 'pass']])
})

test('an unexplained improvement passes with a warning', () => {
  const { verdict, warnings } = compare({ counts: { workPerOp: 9, bytesPerTimer: 72 } })
  assert.equal(verdict, 'pass')
  assert.ok(warnings.some(warning => warning.includes('--update')))
})

test('a cell that failed is no pass', () => {
  const { verdict, comparisons } = compare({ counts: {}, failure: 'it died' })
  assert.deepEqual([verdict, comparisons[0].reason], ['invalid', 'it died'])
})

test('a cell that only the baseline has is no pass; one that only the head has is listed', () => {
  const { verdict, comparisons, unmatched } = compare({ queue: 'wheel' })
  assert.equal(verdict, 'invalid')
  assert.deepEqual(unmatched.map(({ queue, reason }) => [queue, reason]), [['wheel', 'not in the baseline (--update adds it)']])
  assert.deepEqual(comparisons.map(({ queue, verdict, reason }) => [queue, verdict, reason]), [['heap', 'invalid', 'in the baseline, not counted now']])
})

test('who asks for fewer cells than the baseline has gets those, and the others listed', () => {
  const two = { ...baseline, chosen: { ...baseline.chosen, queue: ['heap', 'wheel'] }, cells: [cell, { ...cell, queue: 'wheel' }] }
  const { verdict, unmatched } = compareWithBaseline(two, counted, options)
  assert.deepEqual([verdict, unmatched.map(({ queue, reason }) => [queue, reason])], ['pass', [['wheel', 'in the baseline, not asked for now']]])
  assert.equal(compareWithBaseline(two, { ...counted, chosen: two.chosen }, options).verdict, 'invalid')
})

/** @param {object} counts */
const compareWith = counts => compareWithBaseline({ ...baseline, cells: [{ ...cell, counts: { ...cell.counts, ...counts } }] }, counted, options)

test('a count that one side lacks is no pass', () => {
  assert.deepEqual(compareWith({ workPerOp: null }).comparisons.map(({ metric, verdict }) => [metric, verdict]), [['workPerOp', 'invalid'], ['bytesPerTimer', 'pass']])
  assert.equal(compareWith({ workPerOp: null }).verdict, 'invalid')
  for (const counts of [{ bytesPerTimer: 72 }, { workPerOp: 9.5 }, { workPerOp: NaN, bytesPerTimer: 72 }]) assert.equal(compare({ counts }).verdict, 'invalid')
})

test('a count that both sides lack is none; where both lack all, nothing passes', () => {
  const bytesOnly = compareWithBaseline({ ...baseline, cells: [{ ...cell, counts: { workPerOp: 9.5, bytesPerTimer: null } }] },
    { ...counted, cells: [{ ...cell, counts: /** @type {any} */ ({ workPerOp: 9.5 }) }] }, options)
  assert.deepEqual([bytesOnly.verdict, bytesOnly.comparisons.length], ['pass', 1])
  const nothing = compareWithBaseline({ ...baseline, cells: [{ ...cell, counts: { workPerOp: null, bytesPerTimer: null } }] },
    { ...counted, cells: [{ ...cell, counts: /** @type {any} */ ({}) }] }, options)
  assert.deepEqual([nothing.verdict, nothing.comparisons[0].reason], ['invalid', 'there is nothing to count'])
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

test('the longest advance of a workload that counts it is kept, and one that executes more blocks is a regression', t => {
  const file = path.join(temporaryFolder(t), 'baseline.json')
  const countedWith = (/** @type {object} */ counts) => ({ ...counted, cells: [{ ...cell, counts: { ...cell.counts, ...counts } }] })
  writeBaseline(file, countedWith({ longestAdvanceWork: 800 }))
  const read = readBaseline(file)
  assert.ok(read)
  const verdictWith = (/** @type {object} */ counts) => compareWithBaseline(read, countedWith(counts), options).verdict
  assert.deepEqual([{ longestAdvanceWork: 800 }, { longestAdvanceWork: 801 }, { longestAdvanceWork: 799 }, {}].map(verdictWith), ['pass', 'regression', 'pass', 'invalid'])
})

test('a baseline from before the longest advance was counted says what to do', () => {
  const { verdict, comparisons } = compare({ counts: { ...cell.counts, longestAdvanceWork: 800 } })
  assert.deepEqual([verdict, comparisons.map(({ metric, reason }) => [metric, reason])],
    ['invalid', [['workPerOp', undefined], ['bytesPerTimer', undefined], ['longestAdvanceWork', 'not counted in the baseline (--update counts it)']]])
})

const header = { format: 'timerq-baseline/2', sha256: '', v8: '1', seed: 1, chosen: { queue: [], scenario: [], size: null } }
for (const [what, content] of /** @type {[string, object][]} */ ([
  ['another file', { format: 'timerq-run/1' }],
  ['an older format', { ...header, format: 'timerq-baseline/1', cells: [] }],
  ['a cell without counts', { ...header, cells: [{ scenario: '', params: {}, queue: '' }] }],
  ['a cell without one of its counts', { ...header, cells: [{ scenario: '', params: {}, queue: '', counts: { bytesPerTimer: 72 } }] }],
  ['an unknown count', { ...header, cells: [{ scenario: '', params: {}, queue: '', counts: { ...cell.counts, workPer0p: 9.5 } }] }],
  ['no JSON', []]
])) {
  test(`${what} is not a baseline`, t => {
    const file = path.join(temporaryFolder(t), 'baseline.json')
    writeFileSync(file, JSON.stringify(content).slice(Array.isArray(content) ? 1 : 0))
    assert.throws(() => readBaseline(file), { exitCode: 2, message: /is not a baseline.*\(delete it and count again with --update\)/ })
  })
}

/** @returns {Record<string, any>} */
const countsOnly = () => JSON.parse(readFileSync(new URL('../../../harness/store/schema/baseline.schema.json', import.meta.url), 'utf8')).properties.cells.items.properties.counts.properties

test('the schema knows every count', () => {
  assert.deepEqual(Object.keys(countsOnly()), COUNTS)
})

/**
 * @param {string} file
 * @param {object} head  Changes of the cells as counted now.
 */
function verdictOn (file, head) {
  try {
    const read = readBaseline(file)
    return read ? compareWithBaseline(read, { ...counted, chosen: read.chosen, cells: [cell, { ...cell, ...head, queue: 'wheel' }] }, options).verdict : 'gone'
  } catch (error) {
    assert.equal(/** @type {any} */ (error).exitCode, 2, String(error))
    return 'refused'
  }
}

test('a regression never passes a damaged baseline', t => {
  const random = createRandom(1)
  const file = path.join(temporaryFolder(t), 'baseline.json')
  writeBaseline(file, { ...counted, cells: [cell, { ...cell, queue: 'wheel' }] })
  const slower = { counts: { workPerOp: 9.6, bytesPerTimer: 72 } }
  const whole = readFileSync(file)
  assert.deepEqual([verdictOn(file, {}), verdictOn(file, slower)], ['pass', 'regression'])

  const seen = new Map()
  for (let mutation = 0; mutation < 400; mutation++) {
    const at = random(whole.length)
    const damaged = [
      () => Buffer.concat([whole.subarray(0, at), Buffer.from([random(256)]), whole.subarray(at + 1)]),
      () => Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1 + random(40))]),
      () => Buffer.concat([whole.subarray(0, at), whole.subarray(random(whole.length))]),
      () => Buffer.from(String(whole).replace(/\d+(?=[^\d]*$)/, String(random(1000))))
    ][mutation % 4]()
    writeFileSync(file, damaged)
    const verdict = verdictOn(file, slower)
    seen.set(verdict, (seen.get(verdict) ?? 0) + 1)
    // A changed space or line end is no damage: the regression is still found.
    assert.ok(verdict === 'refused' || verdict === 'regression', `mutation ${mutation}: ${verdict}\n${damaged}`)
    if (verdict === 'regression') assert.deepEqual(JSON.parse(String(damaged)), JSON.parse(String(whole)))
  }
  assert.ok(seen.get('refused') > 350, String([...seen]))
})

test('a baseline whose checksum fits but whose cells are not those counted now never passes', t => {
  const file = path.join(temporaryFolder(t), 'baseline.json')
  const wheel = { ...cell, queue: 'wheel' }
  for (const changed of [{ queue: 'whee1' }, { scenario: 'refrash' }, { params: { size: 11 } }, { params: { sizes: 10 } }, { counts: /** @type {any} */ ({ bytesPerTimer: 72 }) }]) {
    writeBaseline(file, { ...counted, cells: [cell, { ...wheel, ...changed }] })
    assert.equal(verdictOn(file, { counts: { workPerOp: 9.6, bytesPerTimer: 72 } }), 'invalid', JSON.stringify(changed))
  }
})

test('a baseline that cannot be written is reported in one line', t => {
  const file = path.join(temporaryFolder(t), 'none/baseline.json')
  assert.throws(() => writeBaseline(file, counted), { exitCode: 2, message: new RegExp(`^cannot write ${file}: ENOENT.*; choose another file$`) })
})
