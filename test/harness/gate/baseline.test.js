import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compareWithBaseline, COUNTS, readBaseline, v8Series, writeBaseline } from '../../../harness/gate/baseline.js'
import { createRandom } from '../../../harness/model/random.js'
import { DEFAULT_RULES } from '../../../harness/judge/verdict.js'
import { temporaryFolder } from '../temporary-folder.js'

const options = { file: 'baseline.json', command: [], rules: DEFAULT_RULES }
const cell = {
  scenario: 'refresh',
  params: { size: 10 },
  queue: 'heap',
  runtime: 'v20',
  failure: undefined,
  counts: { workPerOp: 9.5, bytesPerTimer: 72 }
}
const counted = { v8: '11.3', seed: 1, chosen: { queue: ['heap'], scenario: ['refresh'], size: null }, cells: [cell] }

/**
 * @param {object} before  Changes of the only cell in the baseline.
 * @param {object} now  Changes of the cell as counted now.
 */
const compare = (before, now) =>
  compareWithBaseline(
    { ...counted, cells: [{ ...cell, ...before }] },
    { ...counted, cells: [{ ...cell, ...now }] },
    options
  )
const counts = (/** @type {number | null} */ workPerOp, /** @type {number | null} */ bytesPerTimer, more = {}) => ({
  counts: { workPerOp, bytesPerTimer, ...more }
})

for (const [title, before, now, verdict, rows] of /** @type {[string, object, object, string, string[]][]} */ ([
  ['the same counts', {}, {}, 'pass', ['pass', 'pass']],
  ['one block more in a million', {}, counts(9.500001, 72), 'regression', ['regression', 'pass']],
  ['fewer blocks', {}, counts(9, 72), 'pass', ['pass', 'pass']],
  ['a cell that failed', {}, { counts: {}, failure: 'it died' }, 'invalid', ['it died']],
  ['a cell that only the baseline has', {}, { queue: 'wheel' }, 'invalid', ['in the baseline, not counted now']],
  [
    'a count that the baseline lacks',
    counts(null, 72),
    {},
    'invalid',
    ['not counted in the baseline (--update counts it)', 'pass']
  ],
  [
    'a count that is missing now',
    {},
    { counts: { bytesPerTimer: 72 } },
    'invalid',
    ['in the baseline, not counted now', 'pass']
  ],
  ['a count that is no number now', {}, counts(NaN, 72), 'invalid', ['in the baseline, not counted now', 'pass']],
  ['a count that both sides lack', counts(9.5, null), { counts: { workPerOp: 9.5 } }, 'pass', ['pass']],
  ['nothing to count', counts(null, null), { counts: {} }, 'invalid', ['there is nothing to count']],
  [
    'the same longest advance',
    counts(9.5, 72, { longestAdvanceWork: 800 }),
    counts(9.5, 72, { longestAdvanceWork: 800 }),
    'pass',
    ['pass', 'pass', 'pass']
  ],
  [
    'a longer longest advance',
    counts(9.5, 72, { longestAdvanceWork: 800 }),
    counts(9.5, 72, { longestAdvanceWork: 801 }),
    'regression',
    ['pass', 'pass', 'regression']
  ],
  [
    'a longest advance that is missing now',
    counts(9.5, 72, { longestAdvanceWork: 800 }),
    {},
    'invalid',
    ['pass', 'pass', 'in the baseline, not counted now']
  ]
])) {
  test(`${title}: ${verdict}`, () => {
    const { verdict: overall, comparisons } = compare(before, now)
    assert.deepEqual([overall, comparisons.map(({ reason, verdict }) => reason ?? verdict)], [verdict, rows])
  })
}

test('lower counts are to be kept with --update, and a cell that only the head has to be added with it', () => {
  assert.match(compare({}, counts(9, 72)).warnings.join(), /keep them with --update/)
  assert.deepEqual(
    compare({}, { queue: 'wheel' }).unmatched.map(({ queue, reason }) => [queue, reason]),
    [['wheel', 'not in the baseline (--update adds it)']]
  )
})

test('fewer cells than in the baseline may be asked for; the rest is listed', () => {
  const two = {
    ...counted,
    chosen: { ...counted.chosen, queue: ['heap', 'wheel'] },
    cells: [cell, { ...cell, queue: 'wheel' }]
  }
  const { verdict, unmatched } = compareWithBaseline(two, counted, options)
  assert.deepEqual(
    [verdict, unmatched.map(({ queue, reason }) => [queue, reason])],
    ['pass', [['wheel', 'in the baseline, not asked for now']]]
  )
  assert.equal(compareWithBaseline(two, { ...counted, chosen: two.chosen }, options).verdict, 'invalid')
})

test('another V8 counts other blocks: nothing is compared', () => {
  const { verdict, unmatched } = compareWithBaseline(counted, { ...counted, v8: '12.4' }, options)
  assert.equal(verdict, 'invalid')
  assert.match(unmatched[0].reason, /counted by V8 11\.3, this is 12\.4/)
  assert.equal(v8Series('11.3.244.8-node.33'), '11.3')
})

test('a baseline is read as it was written, one cell a line', t => {
  const file = path.join(temporaryFolder(t), 'baseline.json')
  assert.equal(readBaseline(file), null)
  writeBaseline(file, {
    ...counted,
    cells: [cell, { ...cell, queue: 'wheel', counts: { ...cell.counts, longestAdvanceWork: 800 } }]
  })
  const read = readBaseline(file)
  assert.deepEqual(
    read?.cells.map(({ queue, counts }) => [queue, counts]),
    [
      ['heap', cell.counts],
      ['wheel', { ...cell.counts, longestAdvanceWork: 800 }]
    ]
  )
  assert.equal(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line.includes('counts')).length,
    2
  )
})

const header = {
  format: 'timerq-baseline/2',
  sha256: '',
  v8: '1',
  seed: 1,
  chosen: { queue: [], scenario: [], size: null }
}
for (const [what, content] of /** @type {[string, object][]} */ ([
  ['another file', { format: 'timerq-run/1' }],
  ['an older format', { ...header, format: 'timerq-baseline/1', cells: [] }],
  ['a cell without counts', { ...header, cells: [{ scenario: '', params: {}, queue: '' }] }],
  [
    'a cell without one of its counts',
    { ...header, cells: [{ scenario: '', params: {}, queue: '', counts: { bytesPerTimer: 72 } }] }
  ],
  [
    'an unknown count',
    { ...header, cells: [{ scenario: '', params: {}, queue: '', counts: { ...cell.counts, workPer0p: 9.5 } }] }
  ],
  ['no JSON', []]
])) {
  test(`${what} is not a baseline`, t => {
    const file = path.join(temporaryFolder(t), 'baseline.json')
    writeFileSync(file, JSON.stringify(content).slice(Array.isArray(content) ? 1 : 0))
    assert.throws(() => readBaseline(file), {
      exitCode: 2,
      message: /is not a baseline.*\(delete it and count again with --update\)/
    })
  })
}

test('the schema knows every count', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../../harness/store/schema/baseline.schema.json', import.meta.url), 'utf8')
  )
  assert.deepEqual(Object.keys(schema.properties.cells.items.properties.counts.properties), COUNTS)
})

/**
 * @param {string} file
 * @param {object} head  Changes of the cells as counted now.
 */
function verdictOn (file, head) {
  try {
    const read = readBaseline(file)
    return read
      ? compareWithBaseline(
        read,
        { ...counted, chosen: read.chosen, cells: [cell, { ...cell, ...head, queue: 'wheel' }] },
        options
      ).verdict
      : 'gone'
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
  for (const changed of [
    { queue: 'whee1' },
    { scenario: 'refrash' },
    { params: { size: 11 } },
    { params: { sizes: 10 } },
    { counts: /** @type {any} */ ({ bytesPerTimer: 72 }) }
  ]) {
    writeBaseline(file, { ...counted, cells: [cell, { ...wheel, ...changed }] })
    assert.equal(verdictOn(file, { counts: { workPerOp: 9.6, bytesPerTimer: 72 } }), 'invalid', JSON.stringify(changed))
  }
})

test('a baseline that cannot be written is reported in one line', t => {
  const file = path.join(temporaryFolder(t), 'none/baseline.json')
  assert.throws(() => writeBaseline(file, counted), {
    exitCode: 2,
    message: new RegExp(`^cannot write ${file}: ENOENT.*; choose another file$`)
  })
})
