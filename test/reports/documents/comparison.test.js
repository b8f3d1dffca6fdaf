/** A comparison in every format: the verdict in words, its rows, the legend and the receipt. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import picocolors from 'picocolors'
import { judgeExact } from '../../../harness/judge/verdict.js'
import { renderAnnotations } from '../../../reports/render/annotations.js'
import { renderJunit } from '../../../reports/render/junit.js'
import { commentDocument, comparisonDocument } from '../../../reports/documents/comparison.js'
import { describeEarlier, describeFunctions, describeRow, describeWhole } from '../../../reports/answers/comparison.js'
import { renderMarkdown } from '../../../reports/render/markdown.js'
import { renderTerminal } from '../../../reports/render/terminal.js'
import { recordWith, rowOf } from '../comparison-record.js'
import { assertGolden } from '../assert-golden.js'

const plain = picocolors.createColors(false)
const renderComparison = (/** @type {any} */ record) => renderTerminal(comparisonDocument(record), plain)
const renderComparisonMarkdown = (/** @type {any} */ record) => renderMarkdown(comparisonDocument(record))

test('a terminal shows the verdict first, then every row with what it could have seen', () => {
  assertGolden('comparison.txt', renderComparison(recordWith()))
})

test('a pull request shows what changed and folds the rest', () => {
  assertGolden('comparison.md', renderComparisonMarkdown(recordWith()))
})

test('the legend explains the words that appear, and no others', () => {
  const wordsOf = (/** @type {any} */ record) =>
    [...renderComparisonMarkdown(record).matchAll(/(?:^-|\.) (Regression|Pass|Missed|p|Detectable): /gm)].map(
      ([, word]) => word
    )
  const expecting = (/** @type {string} */ verdict) =>
    recordWith(rowOf('same', { expect: { change: 'faster' }, verdict }))
  assert.deepEqual(wordsOf(recordWith('same', 'slower')), ['Regression', 'Pass', 'p', 'Detectable'])
  assert.deepEqual(wordsOf(recordWith('same')), ['Pass', 'p', 'Detectable'])
  assert.deepEqual(wordsOf(recordWith('unclear')), ['p'])
  assert.deepEqual(wordsOf(recordWith('failed')), [])
  assert.deepEqual(wordsOf(recordWith('work')), [])
  assert.deepEqual(wordsOf(expecting('pass')), ['p', 'Detectable'])
  assert.deepEqual(wordsOf(expecting('missed')), ['Missed', 'p', 'Detectable'])
})

test('a scenario without parameters leaves no gaps', () => {
  const record = recordWith()
  const of = (/** @type {any} */ row) => ({ ...row, scenario: 'trace', params: {} })
  const trace = { ...record, comparisons: record.comparisons.map(of), unmatched: record.unmatched.map(of) }
  const texts = [renderComparison(trace), renderComparisonMarkdown(trace), renderJunit(trace)]
  for (const text of texts) {
    assert.match(text, /trace/)
    assert.doesNotMatch(text, /trace, (,|:|Node [^,|\n"]*, ,)|trace, :/)
  }
})

test('a change names the functions whose blocks changed most, in five lines; without any, only time changed', () => {
  const place = { scenario: 'parse', params: {}, queue: 'parse', runtime: 'v20' }
  const counted = (/** @type {string[]} */ names) => ({
    ...judgeExact({ ...place, metric: 'workPerOp', gates: false }, 1000, 2000),
    functions: names.map(name => ({ name, file: 'src/parse.js', line: 12, base: 1004, head: 2008.5 }))
  })
  const time = rowOf('slower', place)
  const linesOf = (/** @type {any} */ row, /** @type {string[]} */ ...names) => describeFunctions([row, counted(names)])
  assert.deepEqual(linesOf(time, 'parse'), ['parse (src/parse.js:12): 1004 to 2009 blocks per operation'])
  assert.equal(linesOf(time, ...'abcdefgh').length, 5)
  const other = { ...counted(['trim']), queue: 'trim' }
  assert.match(describeFunctions([time, counted(['parse']), other])[0], / per operation of parse on parse$/)
  assert.deepEqual(linesOf(time), [
    'Only the time of parse on parse changed: no function executes more or fewer blocks'
  ])
  const garbage = judgeExact({ ...place, metric: 'allocatedBytesPerOp', gates: true }, 0, 48)
  const bytes = 'parse on parse: 0 to 48 bytes allocated per operation'
  assert.deepEqual(describeFunctions([time, counted([]), garbage]), [bytes])
  assert.deepEqual(linesOf({ ...time, change: 'same' }, 'parse'), [])
  const text = renderComparison(recordWith(time, counted(['parse'])))
  assert.match(text, /^parse \(src\/parse\.js:12\): 1004 to 2009 blocks per operation$/m)
})

test('when nothing changed there is little to read', () => {
  const record = recordWith('same', 'bytes')
  assertGolden('comparison-quiet.txt', renderComparison(record))
  assertGolden('comparison-quiet.md', renderComparisonMarkdown(record))
})

test('a verdict in words names the rows that decide, and what would settle the others', () => {
  for (const [words, ...kinds] of [
    ['no regression in 2 cells, 1 better', 'same', 'faster'],
    ['no regression in 1 cell', 'same'],
    ['1 of 2 cells unclear; about 14 more pairs needed', 'same', 'unclear'],
    [
      '1 of 2 cells could not be measured: broken on refresh-one-duration, size 10 000: head: the process ended with ' +
        'exit code 1: Error: <no> such thing',
      'failed',
      'unclear'
    ],
    ['nothing to compare', 'bytes']
  ]) {
    assert.equal(describeWhole(recordWith(...kinds)), words)
  }
})

test('a row that is expected to be faster says by how much it is, or that it is not; JUnit fails ' +
  'when it is not', () => {
  const [gained, missed, level] = /** @type {const} */ ([
    ['faster', { expect: { change: 'faster' }, ratio: 0.952, low: 0.945, high: 0.959 }],
    ['same', { expect: { change: 'faster', floor: 0.05 }, ratio: 1, low: 0.996, high: 1.005, verdict: 'missed' }],
    ['same', { expect: { change: 'level' } }]
  ]).map(([kind, changes]) => recordWith(rowOf(kind, { ...changes, scenario: 'parse', params: {} }), 'same'))
  assert.deepEqual([gained, missed, level].map(describeWhole), [
    'lazy-wheel on parse: faster by 4.8 % (4.1 to 5.5 %); no regression in 1 cell',
    '1 of 2 cells: binary-heap on parse: not 5 % faster: 0.4 % better to 0.5 % worse',
    'binary-heap on parse: level: 0.9 % better to 0.9 % worse; no regression in 1 cell'
  ])
  assert.match(renderJunit(missed), /tests="2" failures="1" .*\n.*<failure message="not 5 % faster/)
  assert.match(renderJunit(gained), /tests="2" failures="0"/)
  assert.match(renderMarkdown(commentDocument(gained)), /✅ timerq: pass\n\nLazy-wheel on parse: faster by 4\.8 %/)
  assert.match(renderMarkdown(commentDocument(missed)), /❌ timerq: missed/)
  assert.match(renderAnnotations(missed, new Map()), /^::error title=timerq%3A missed::/)
  assert.match(renderComparison(missed), /^missed: /)
})

const gain = rowOf('faster', { expect: { change: 'faster' } })
/** Facts of a gate by which a reader can repeat it. */
const RECEIPT = {
  seed: 7,
  baseCommit: 'a'.repeat(40),
  headCommit: 'b'.repeat(40),
  trees: { base: 'c'.repeat(40), head: 'd'.repeat(40) },
  environment: { cpu: 'EPYC', cores: 2, kernel: 'Linux 6.1 x64', node: 'v20.20.2', v8: '11.3', timerq: '0.1.0' }
}

test('a gain that is measured again comes with the first estimate, and with how far that was off', () => {
  const recordOf = (/** @type {object} */ earlier, /** @type {object} */ changes = {}) =>
    /** @type {any} */ ({
      ...recordWith(gain),
      earlier: { directory: 'results/one', verdict: 'pass', agrees: true, rows: [], differences: [], ...earlier },
      ...changes
    })
  const first = (/** @type {number} */ ratio) => [rowOf('faster', { ratio, low: ratio - 0.01, high: ratio + 0.01 })]
  const said = (/** @type {Parameters<typeof recordOf>} */ ...options) => describeEarlier(recordOf(...options))
  assert.equal(
    said({ agrees: false, rows: first(0.64) }),
    'the same verdict, but another size: the first estimate, 0.640 (0.630–0.650), was 25 % too good'
  )
  const rows = first(0.82)
  assert.match(said({ rows }), /^both gates agree: the first estimate, 0\.820 .*, was 2\.4 % too modest$/)
  assert.equal(
    said({ rows: first(0.75) }, recordWith('unclear')),
    'the gates disagree: the first one said pass, no figure',
    'the row that decides is another one'
  )
  assert.match(said({ rows, verdict: 'regression' }), /^the gates disagree: the first one said regression, 0/)
  const same = /** @type {any} */ ({ ...recordWith('faster'), earlier: recordOf({ rows }).earlier })
  assert.equal(describeEarlier(same), 'both gates agree: the first one measured 0.820 (0.810–0.830)')
  const elsewhere = recordOf({ rows, differences: [{ fact: 'CPU', before: '2 x EPYC', now: '8 x Xeon' }] })
  assert.match(renderComparison(elsewhere), /%\)\n\nBoth gates agree: the first estimate, 0\.8.*\.\n/)
  assert.equal(describeEarlier(recordWith('faster')), '')
  assert.match(renderComparison(elsewhere), /^Not as in the first gate: CPU 8 x Xeon, was 2 x EPYC$/m)
})

test('the markdown of a gate has a receipt, which a terminal leaves out: sides, figures, seed, ' +
  'machine, command', () => {
  const record = /** @type {any} */ ({ ...recordWith(gain), seconds: 12, receipt: RECEIPT })
  const facts = [
    `base | main, commit ${RECEIPT.baseCommit}`,
    `head | the working tree, commit ${RECEIPT.headCommit}`,
    'verdict | pass',
    'lazy-wheel on refresh-one-duration, size 10 000 | 0.800 (0.790–0.810) of the time per operation, 20 pairs',
    'seed | 7',
    'seconds | 12',
    'machine | 2 x EPYC, Linux 6.1 x64, Node v20.20.2, V8 11.3, timerq 0.1.0'
  ]
  for (const document of [commentDocument(record), comparisonDocument(record)]) {
    const text = renderMarkdown(document).replaceAll(/ +/g, ' ')
    for (const fact of facts) assert.ok(text.includes(`| ${fact} |\n`), `${fact}\n\n${text}`)
    assert.match(text, /```sh\ntimerq gate --base main --seed 7\n```/)
  }
  assert.doesNotMatch(renderComparison(record), /EPYC/)
  const { headCommit, ...uncommitted } = RECEIPT
  assert.match(
    renderMarkdown(commentDocument({ ...record, receipt: uncommitted })),
    /the working tree, not committed, tree d{40}/
  )
})

test('a change that was not measured is the first thing said, in the terminal, in the comment and in JUnit', () => {
  const reason = 'base and head ask for other packages (package.json)'
  const shared = 'both sides ran ../lib'
  const passed = recordWith('same')
  const record = { ...passed, verdict: /** @type {const} */ ('inconclusive'), unmeasured: [reason], shared: [shared] }
  const words = `${reason}; no regression in 1 cell; ${shared}`
  assert.equal(describeWhole(record), words)
  assert.ok(
    renderComparison(record)
      .replace(/\n(?=\S)/, ' ')
      .startsWith(`inconclusive: ${reason}`)
  )
  assert.match(renderMarkdown(commentDocument(record)).split('\n')[2], /^Base and head ask for other packages/)
  assert.match(renderJunit(record), /tests="2" .* skipped="1".*\n.*<skipped message="base and head ask/)
  assert.doesNotMatch(renderJunit(passed), /skipped message/)
})

test('from three times on, a change is said in times, not in percent', () => {
  const said = (/** @type {number} */ ratio, metric = 'nsPerOp') => describeRow(rowOf('slower', { metric, ratio }))
  assert.deepEqual(
    [said(2.9), said(3), said(238.4, 'workPerOp')],
    ['190 % slower', '3 times the time per operation', '238 times the work per operation']
  )
  assert.match(
    describeRow(rowOf('unclear', { low: 0.9, high: 23.8 })),
    /^unclear, 10 % better to 2280 % worse; /
  )
})

test('a comment is three lines long when nothing changed, and folds its rows when something did', () => {
  const comment = (/** @type {any} */ record) => renderMarkdown(commentDocument(record))
  const textOf = (/** @type {string} */ markdown) => markdown.split('\n').filter(line => line !== '')
  assert.deepEqual(textOf(comment(recordWith('same', 'bytes'))), [
    '## ✅ timerq: pass',
    'No regression in 1 cell.',
    'the working tree against main'
  ])
  const slower = comment(recordWith('same', 'slower'))
  assert.equal(textOf(slower.replace(/<details>.*<\/details>/s, '')).length, 3)
  assert.match(slower, /❌ timerq: regression\n\n1 of 2 cells: wheel on .*12\.3 % slower\.\n/)
  assert.match(slower, /<details><summary>Details<\/summary>\n\nRow by row.*\| wheel .*<\/details>\n$/s)
  for (const kind of ['unclear', 'failed']) assert.match(comment(recordWith('same', kind)), /<summary>Details/)
})

test('counts that grew on a disturbed machine are listed and annotated as an error, and no time is', () => {
  const cell = { scenario: 'refresh', params: { size: 10 }, queue: 'heap', runtime: 'v20' }
  const grown = judgeExact({ ...cell, metric: 'workPerOp', gates: true }, 9, 12)
  const control = { ratio: 1.04, low: 1.02, high: 1.06, pairs: 30, moved: true }
  const record = { ...recordWith('slower', grown), control }
  assert.match(
    describeWhole(record),
    /^heap on refresh, size 10: 33\.3 % more work; counts are exact, but times allow no conclusion: the base differs from itself by 4 %/
  )
  const levels = renderAnnotations(record, new Map())
    .split('\n')
    .filter(Boolean)
    .map(line => line.split(' ')[0])
  assert.deepEqual(levels, ['::error', '::warning', '::error'])
  const disturbed = { ...recordWith('same', 'slower'), verdict: /** @type {const} */ ('invalid'), control }
  assert.match(describeWhole(disturbed), /the base differs from itself by 4 %/)
  assert.doesNotMatch(renderAnnotations(disturbed, new Map()), /::error/)
})

test('GitHub is shown the verdict and the rows that want attention, at their files', () => {
  assertGolden('comparison-annotations.txt', renderAnnotations(recordWith(), new Map([['wheel', 'src/a,b.js']])))
})

test('JUnit gets one test case for each row that gates, and is not green when nothing could be compared', () => {
  assertGolden('comparison.junit.xml', renderJunit(recordWith()))
  assert.match(renderJunit(recordWith('bytes')), /tests="1" failures="0" errors="1"/)
})

test('two pairs have no range: it would look like a finding', () => {
  const few = rowOf('unclear', { pairs: 2, low: 0.7, high: 1.067, change: 'unclear', morePairs: 6 })
  const text = renderComparison(recordWith(few))
  assert.match(text, /^ {2}unclear after 2 pairs; about 6 more pairs needed$/m)
  assert.doesNotMatch(text, /better|worse|1\.067|0\.700/)
})

test('a count that the time outweighs says so', () => {
  const { unit: _, ...cell } = rowOf('faster')
  const grown = (/** @type {string} */ metric) =>
    describeRow({ ...judgeExact({ ...cell, metric, gates: false }, 41, 3600, false), isOutweighed: true })
  assert.deepEqual(
    ['workPerOp', 'allocatedBytesPerOp'].map(grown),
    [
      '87.8 times the work per operation: more blocks executed, and not slower',
      '87.8 times the heap allocated per operation: more garbage, and faster'
    ]
  )
})

test('an exact finding comes first, not hidden by an unclear time', () => {
  const { scenario, params, queue, runtime } = rowOf('unclear')
  const cell = { scenario, params, queue, runtime, metric: 'workPerOp' }
  const text = renderComparison(recordWith('unclear', judgeExact({ ...cell, gates: true }, 20, 67)))
  assert.match(
    text,
    /^regression: 1 of 1 cell: sorted-list on refresh-one-duration, size 10 000: 3\.35 times the work per operation$/m
  )
  assert.ok(text.indexOf('3.350') < text.indexOf('1.010'), text)
  const slight = recordWith('unclear', judgeExact({ ...cell, gates: false }, 20, 21))
  assert.match(
    renderComparison(slight).replaceAll(/\s+/g, ' '),
    /^inconclusive: sorted-list on refresh-one-duration, size 10 000: 5 % more work, counted; times: 1 of 1 cell unclear; about 14 more pairs needed/
  )
})
