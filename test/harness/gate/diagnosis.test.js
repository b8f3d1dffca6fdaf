/** Remarks on the machine of a gate. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { diagnose } from '../../../harness/gate/diagnosis.js'
import { describeCell } from '../../../harness/model/numbers.js'
import { countOf, FIRST_ROW, sampleOf } from './gate-fixture.js'

/** @import { Sample } from '../../../harness/store/results.js' */

const times = (/** @type {number} */ total, /** @type {number} */ stolen, others = 0) => ({ total, stolen, others })
const spreads = (/** @type {(number | null)[]} */ ...values) =>
  /** @type {any} */ ({ verdict: 'inconclusive', comparisons: values.map(spread => ({ gates: true, spread })) })
const machine = (/** @type {string | null} */ governor = null) => ({ governor })
const base = (/** @type {number} */ before, /** @type {number} */ after, row = FIRST_ROW, metric = 'nsPerOp') =>
  Array.from({ length: 30 }, (_, round) => sampleOf(row, 'base', round, { [metric]: round < 15 ? before : after }))
const heads = Array.from({ length: 30 }, (_, round) => sampleOf(FIRST_ROW, 'head', round, { nsPerOp: 400 * round + 1 }))
const counts = /** @type {Sample[]} */ (Array(20).fill(countOf(FIRST_ROW, 'base', { workPerOp: 10 })))
const quiet = {
  record: spreads(0.03),
  samples: base(40, 40.4),
  before: times(100, 0),
  after: times(900, 1),
  environment: machine()
}

for (const [
  title,
  change,
  expected
] of /** @type {[string, Partial<Parameters<typeof diagnose>[0]>, RegExp | null][]} */ ([
    ['a quiet machine', {}, null],
    ['an ended gate that is judged again', { before: null, after: null }, null],
    [
      'a system that tells nothing',
      { before: null, record: spreads(null), samples: [] },
      null
    ],
    ['other programs', { after: times(900, 1, 160) }, /^other programs took 20\.0 % of the .*: stop them/],
    ['few other programs', { after: times(900, 1, 60) }, null],
    [
      'processes of a server, which look like other programs',
      { after: times(900, 1, 160), samples: base(40, 40, FIRST_ROW, 'cpuMicrosPerRequest') },
      null
    ],
    ...['pass', 'regression', 'missed'].map(
      verdict =>
        /** @type {[string, any, null]} */ ([
          `a disturbed gate that ended with ${verdict}`,
          { record: { ...spreads(0.09), verdict }, samples: base(40, 44), after: times(900, 60, 300) },
          null
        ])
    ),
    ['other guests', { before: times(1000, 10), after: times(2000, 60) }, /took 5\.0 %.*dedicated runner/],
    [
      'a slower base under a governor',
      { samples: base(40, 44), environment: machine('powersave') },
      /or the clock changed \(set the governor from powersave to performance\); /
    ],
    [
      'a slower base at full performance',
      { samples: base(40, 44), environment: machine('performance') },
      /or the clock changed; heats/
    ],
    [
      'a base that got slower; the head and counts do not matter',
      { samples: [...counts, ...base(40, 44), ...heads] },
      /^the base became 10\.0 % slower/
    ],
    [
      'a base that counts no requests and got slower',
      { samples: base(40, 44, FIRST_ROW, 'cpuMillisPerSecond') },
      /^the base became 10\.0 % slower/
    ],
    ['a base that got faster', { samples: base(40, 36) }, /^the base became 10\.0 % faster/],
    ['too few heats for a drift', { samples: base(40, 80).slice(11, 19) }, null],
    [
      'one row of two that got slower: half as much',
      { samples: [...base(40, 48.4), ...base(9000, 9000, { ...FIRST_ROW, scenario: 'another' })] },
      /^the base became 10\.0 % slower/
    ],
    ['ratios that vary', { record: spreads(0.02, 0.09, 0.1, null) }, /varies by 9\.0 % \(1 to 4 % is usual\)/]
  ])) {
  test(`${title}: ${expected ? 'a warning with a remedy' : 'no warning'}`, () => {
    const warnings = diagnose({ ...quiet, ...change })
    assert.equal(warnings.length, expected ? 1 : 0, warnings.join())
    if (expected) assert.match(warnings[0], expected)
  })
}

test('counts that differ are told once a row, and slow loading where nothing was decided', () => {
  const warnings = /** @type {const} */ (['not-exact', 'slow-to-load', 'not-steady'])
    .map(kind => ({ kind, text: kind }))
  const samples = base(40, 40).map(sample => ({ ...sample, warnings }))
  const told = (/** @type {string} */ verdict) =>
    diagnose({ ...quiet, record: { ...quiet.record, verdict: /** @type {any} */ (verdict) }, samples })
  const [exact, loading] = ['not counted exactly: not-exact', 'slow to load: slow-to-load'].map(
    text => `${describeCell(FIRST_ROW)}: ${text}`
  )
  assert.deepEqual([told('pass'), told('inconclusive')], [[exact], [exact, loading]])
})
