/** Comparisons as a gate makes them, of named kinds of rows. */
import { DEFAULT_RULES } from '../../harness/judge/decision.js'
import { comparisonOfCounts, judgeFailed } from '../../harness/judge/row.js'

/** @import { Comparison, ComparisonRecord } from '../../harness/judge/records.js' */

/** @type {typeof comparisonOfCounts} */
const judged = (row, base, head, isRegression = head > base) => comparisonOfCounts(row, base, head, isRegression)

const cell = { scenario: 'refresh-one-duration', params: { size: 10_000 }, queue: 'binary-heap', runtime: 'v20.20.2' }
const timed = {
  metric: 'nsPerOp',
  unit: 'ns',
  better: 'lower',
  gates: true,
  exact: false,
  pairs: 20,
  spread: 0.021,
  detectable: 0.034,
  morePairs: null
}
const found = { base: 40, head: 40, ratio: 1.001, low: 0.991, high: 1.009, p: 1, change: 'same', verdict: 'pass' }

/**
 * A comparison of every kind of row, or of those named or given; its verdict is that of its worst row.
 *
 * @param {...(string | Comparison)} rows
 * @returns {ComparisonRecord}
 */
export function recordWith (...rows) {
  const isFull = rows.length === 0
  const comparisons = (isFull ? Object.keys(ROWS) : rows).map(row => (typeof row === 'string' ? rowOf(row) : row))
  const worst = ['regression', 'missed', 'invalid', 'inconclusive', 'pass'].find(verdict =>
    comparisons.some(row => row.gates && !(row.guard && verdict === 'inconclusive') && row.verdict === verdict)
  )
  return /** @type {any} */ ({
    format: 'timerq-comparison/1',
    verdict: worst ?? 'invalid',
    base: 'main',
    head: 'the working tree',
    rules: DEFAULT_RULES,
    comparisons,
    unmatched: isFull ? [{ ...cell, queue: 'new_wheel', reason: 'not in the base: nothing to compare with' }] : [],
    control: isFull ? { ratio: 1.0004, low: 0.994, high: 1.006, pairs: 60, moved: false } : null,
    warnings: isFull ? ['load average 3.4 on 2 cores: other programs were running'] : [],
    command: ['timerq', 'gate', '--base', 'main', '--seed', '7']
  })
}

/**
 * @param {string} kind
 * @param {object} [changes]
 * @returns {Comparison}
 */
export const rowOf = (kind, changes) => ({ ...ROWS[kind], ...changes })

/** @type {Record<string, any>} */
const ROWS = {
  same: { ...cell, ...timed, ...found },
  faster: { ...cell, queue: 'lazy-wheel', ...timed, ...found, ratio: 0.8, low: 0.79, high: 0.81, change: 'faster' },
  slightly: { ...cell, queue: 'lists', ...timed, ...found, ratio: 1.015, low: 1.008, high: 1.022, change: 'slower' },
  slower: {
    ...cell,
    queue: 'wheel',
    ...timed,
    ...found,
    ratio: 1.123,
    low: 1.1,
    high: 1.15,
    p: 0.0004,
    change: 'slower',
    verdict: 'regression'
  },
  unclear: {
    ...cell,
    queue: 'sorted-list',
    ...timed,
    ...found,
    ratio: 1.01,
    low: 0.9,
    high: 1.13,
    p: 0.71,
    verdict: 'inconclusive',
    detectable: null,
    morePairs: 14
  },
  failed: judgeFailed({
    ...cell,
    queue: 'broken',
    metric: 'nsPerOp',
    gates: true,
    pairs: [],
    rounds: 0,
    failure: 'head: the process ended with exit code 1: Error: <no> such thing'
  }),
  requests: {
    ...cell,
    scenario: 'keep-alive',
    params: { connections: 400 },
    ...timed,
    ...found,
    metric: 'requestsPerSecond',
    unit: '1/s',
    better: 'higher',
    gates: false,
    ratio: 0.95,
    low: 0.94,
    high: 0.96,
    p: 0.001,
    change: 'slower',
    verdict: 'regression'
  },
  work: judged({ ...cell, queue: 'wheel', metric: 'workPerOp', gates: false }, 10, 11),
  bytes: judged({ ...cell, metric: 'bytesPerTimer', gates: false }, 72, 72)
}

const parse = { scenario: 'parse', params: {}, queue: 'parse', runtime: 'v20' }
const counted = (/** @type {string[]} */ names, /** @type {object} */ changes = {}) => ({
  ...judged({ ...parse, metric: 'workPerOp', gates: false }, 1000, 2000),
  functions: names.map(name => ({ name, file: 'src/parse.js', line: 12, base: 1004, head: 2008.5 })),
  ...changes
})
const garbage = judged({ ...parse, metric: 'allocatedBytesPerOp', gates: true }, 0, 48)
const grown = judged({ ...cell, queue: 'sorted-list', metric: 'workPerOp', gates: true }, 20, 67)
const slow = rowOf('slower', parse)
const gain = rowOf('faster', { expect: { change: 'faster' } })
const moved = { ratio: 1.04, low: 1.02, high: 1.06, pairs: 30, moved: true }
/** Facts of a gate by which a reader can repeat it. */
const receipt = {
  seed: 7,
  baseCommit: 'a'.repeat(40),
  headCommit: 'b'.repeat(40),
  trees: { base: 'c'.repeat(40), head: 'd'.repeat(40) },
  environment: { cpu: 'EPYC', cores: 2, kernel: 'Linux 6.1 x64', node: 'v20.20.2', v8: '11.3', timerq: '0.1.0' }
}
const placesOf = (/** @type {string[]} */ ...names) => names.map(name => ({ ...parse, queue: name }))
const touching = (/** @type {number} */ rows) => ({
  touched: { rows, of: 1130, subject: 'task' },
  untouched: placesOf('chunk', 'zip')
})
const none = { comparisons: [], unmatched: [], control: null, warnings: [] }
const unrun = ['mergeWith (src/object/mergeWith.ts:40)', 'src/ttl.js']
const earlierOf = (/** @type {number} */ ratio, /** @type {object} */ changes = {}) => ({
  directory: 'results/one',
  verdict: 'pass',
  agrees: true,
  rows: [rowOf('faster', { ratio, low: ratio - 0.01, high: ratio + 0.01 })],
  differences: [],
  ...changes
})

/**
 * Comparisons that a reader may see, by what is special about them.
 *
 * @type {Record<string, ComparisonRecord>}
 */
export const CASES = Object.fromEntries(
  Object.entries({
    'every kind of row': recordWith(),
    'nothing changed': recordWith('same', 'bytes'),
    'one better': recordWith('same', 'faster'),
    'one slower': recordWith('same', 'slower'),
    'within the margin': recordWith('slightly'),
    'nothing to compare': recordWith('bytes'),
    open: recordWith('same', 'unclear'),
    'open after two pairs': recordWith(
      rowOf('unclear', { pairs: 2, low: 0.7, high: 1.067, change: 'unclear', morePairs: 6 })
    ),
    'open, and a count grew by a little': recordWith(
      'unclear',
      judged({ ...cell, queue: 'sorted-list', metric: 'workPerOp', gates: false }, 20, 21)
    ),
    'open rows of different need': recordWith('unclear', rowOf('unclear', { queue: 'heap', morePairs: 40 })),
    'lost samples without a bound': recordWith(rowOf('unclear', { low: 0, high: null, lost: { base: 0, head: 3 } })),
    'not measured': recordWith('failed', 'unclear'),
    'a count grew, and the time is open': recordWith('unclear', grown),
    'many times the work': recordWith(rowOf('slower', { metric: 'workPerOp', ratio: 238.4 }), 'slower'),
    'counts that the times outweigh': recordWith(
      'faster',
      ...['workPerOp', 'allocatedBytesPerOp'].map(metric => ({
        ...judged({ ...cell, queue: 'lazy-wheel', metric, gates: false }, 41, 3600, false),
        isOutweighed: true
      }))
    ),
    'functions of one row': recordWith(slow, counted([...'abcdef'])),
    'functions of two rows': recordWith(slow, counted(['parse']), counted(['trim'], { queue: 'trim' })),
    'time without functions': recordWith(slow, counted([])),
    'garbage explains the time': recordWith(slow, counted([]), garbage),
    'functions, and no change of time': recordWith(rowOf('same', parse), counted(['parse'])),
    'faster as expected': recordWith(gain, 'same'),
    'not faster': recordWith(
      rowOf('same', { ...parse, expect: { change: 'faster', floor: 0.05 }, high: 1.005, verdict: 'missed' }),
      'same'
    ),
    level: recordWith(rowOf('same', { expect: { change: 'level' } })),
    'not level': recordWith(rowOf('slower', { expect: { change: 'level' }, verdict: 'missed' })),
    'a gain with its receipt': { ...recordWith(gain), seconds: 12, receipt },
    'a head in no commit': { ...recordWith('slower'), seconds: 12, receipt: { ...receipt, headCommit: undefined } },
    'confirmed, and too good before': { ...recordWith(gain), earlier: earlierOf(0.75) },
    'confirmed, another size': { ...recordWith(gain), earlier: earlierOf(0.64, { agrees: false }) },
    'confirmed elsewhere, and too modest before': {
      ...recordWith(gain),
      earlier: earlierOf(0.82, { differences: [{ fact: 'CPU', before: '2 x EPYC', now: '8 x Xeon' }] })
    },
    'confirmed without a gain': { ...recordWith('faster'), earlier: earlierOf(0.82) },
    'the gates disagree': { ...recordWith('unclear'), earlier: earlierOf(0.75) },
    'a change that both sides share': {
      ...recordWith('same'),
      verdict: 'inconclusive',
      unmeasured: ['base and head ask for other packages (package.json)'],
      shared: ['both sides ran ../lib']
    },
    'a branch that its base has left behind': {
      ...recordWith('slower'),
      behind: { commits: 3, commit: 'abc1234' }
    },
    'a gain below the floor': recordWith(rowOf('faster', { ratio: 0.993, low: 0.988, high: 0.997 })),
    'few rows are touched': { ...recordWith('same', 'faster'), ...touching(2), unrun },
    'one row is touched, and slower': { ...recordWith('slower'), ...touching(1) },
    'no row is touched': { ...recordWith(), ...none, verdict: 'pass', ...touching(0), unrun },
    'touched rows that do not fit': {
      ...recordWith('same'),
      ...touching(3),
      notFitting: placesOf('trim', 'lru'),
      verdict: 'inconclusive'
    },
    'a disturbed machine': { ...recordWith('same', 'slower'), verdict: 'invalid', control: moved },
    'a disturbed machine, and a count grew': { ...recordWith('slower', grown), control: moved },
    'an unclear guard': recordWith('same', rowOf('unclear', { guard: true, queue: 'binary-heap' }))
  }).map(([title, record]) => [title, /** @type {any} */ (record)])
)
