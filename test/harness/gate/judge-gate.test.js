/** Verdicts of gates: of their rows, counts, controls and doubts. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { EXIT_CODES } from '../../../bin/console.js'
import { Heats } from '../../../harness/gate/heats.js'
import { gateStages } from '../../../harness/gate/stages.js'
import { judgeControl, judgeGate } from '../../../harness/gate/judge-gate.js'
import { wantedOf } from '../../../harness/gate/wanted.js'
import { createCell } from '../../../harness/model/cell.js'
import { warningKinds } from '../../../harness/model/warnings.js'
import { countOf, FIRST_ROW, gatePlan, sampleOf, samplesOf } from './gate-fixture.js'

/** @import { GatePlan, GateSettings } from '../../../harness/gate/gate-plan.js' */
/** @import { Side } from '../../../harness/model/cell.js' */
/** @import { Sample } from '../../../harness/store/results.js' */

const plan = gatePlan()
const CODE = {
  ...plan,
  scenarios: plan.scenarios.map(scenario => ({ ...scenario, kind: /** @type {const} */ ('code') }))
}

/** @type {(samples: Sample[], gate?: Partial<GateSettings>, plan?: GatePlan) => ReturnType<typeof judgeGate>} */
const judge = (samples, gate, { of, ...planned } = plan) =>
  judgeGate({ ...planned, of: { gate: { ...of.gate, ...gate } } }, new Heats(samples))
/** @type {(...gate: Parameters<typeof judge>) => string} */
const told = (...gate) => {
  const { verdict } = judge(...gate)
  return `${verdict} ${EXIT_CODES[verdict]}`
}
/** @type {(metric: string, base: number, head: number) => Sample[]} */
const counts = (metric, base, head) => [
  countOf(FIRST_ROW, 'base', { workPerOp: 9, bytesPerTimer: 72, [metric]: base }),
  countOf(FIRST_ROW, 'head', { workPerOp: 9, bytesPerTimer: 72, [metric]: head })
]
/** @type {{expect: NonNullable<GateSettings['expect']>}} */
const FASTER = { expect: [{ change: 'faster' }] }
const same = samplesOf(plan)
const slow = samplesOf(plan, { slowdown: 1.5 })
const faster = samplesOf(plan, { slowdown: 0.8 })
const moved = samplesOf(plan, { slowdown: 1.5, controlShift: 1.04 })
const uncontrolled = same.filter(({ side }) => side !== 'control')
/** Times of a row by what they show. */
const TIMES = { faster, level: same, open: same.filter(({ round }) => round < 2) }
const died = { metrics: {}, failure: { kind: 'crash', message: 'it died' } }
const lost = { metrics: {}, failure: { kind: 'time-limit', message: 'it took too long' } }
const otherCode = countOf(FIRST_ROW, 'base', {}, { failure: { kind: 'wrong', message: 'it runs another file' } })
const crashed = (/** @type {Side} */ side) => sampleOf(FIRST_ROW, side, 0, {}, 'crash')
/** @type {(side: Side, rounds: number) => Sample[]} Heats of the first row that lost a side. */
const lose = (side, rounds) =>
  Array.from({ length: rounds }, (_, round) => sampleOf(FIRST_ROW, side, round, {}, 'time-limit'))
/** @type {(samples: Sample[], change: object) => Sample[]} Its first control is another. */
const withControl = (samples, change) => {
  const control = samples.find(({ side, queue }) => side === 'control' && queue === 'heap')
  return [...samples, /** @type {Sample} */ ({ ...control, ...change })]
}

for (const [title, samples, verdict, row = {}] of /** @type {[string, Sample[], string, object?][]} */ ([
  ['a head like its base', same, 'pass 0', { pairs: 30 }],
  ['a slower head', samplesOf(plan, { slowdown: 1.08 }), 'regression 1'],
  ['a base that differs from itself, and a slow head', moved, 'invalid 4'],
  ['a control that moved significantly but little', samplesOf(plan, { controlShift: 1.004, spread: 0.005 }), 'pass 0'],
  ['no samples', [], 'invalid 4', { reason: 'the budget was spent before its first heat: give it a longer --budget' }],
  ['no control', uncontrolled, 'invalid 4', {
    reason: 'the control was never measured, so nothing shows whether the machine was quiet: give it a longer --budget'
  }],
  ['a control that is lost once', withControl(same, lost), 'pass 0'],
  ['a control that died, and a slow head', withControl(slow, died), 'invalid 4'],
  ['a head that crashed', [...same, crashed('head')], 'invalid 4', { reason: 'head: it died' }],
  ['a head lost once', [...same, ...lose('head', 1)], 'pass 0', { pairs: 30, lost: { base: 0, head: 1 } }],
  ['a heat that lost both sides', [...same, ...lose('head', 1), ...lose('base', 1)], 'pass 0', { pairs: 29 }],
  ['two heats that lost both sides', [...same, ...lose('head', 2), ...lose('base', 2)], 'invalid 4', {
    reason: 'base: it died'
  }],
  ['a side that runs the code of another', [...same, otherCode], 'invalid 4', { reason: 'base: it runs another file' }],
  ['no heats, and counts that failed', [otherCode], 'invalid 4', { reason: 'base: it runs another file' }]
])) {
  test(`a gate of ${title}: ${verdict}`, () => {
    assert.equal(told(samples), verdict)
    const [first] = judge(samples).comparisons
    assert.deepEqual({ ...first, ...row }, first)
  })
}

for (const line of `
  a quarter more work             | workPerOp           | 9 11   | pass 0       | pass 0       | inconclusive 3
  a third more work               | workPerOp           | 9 12   | pass 0       | pass 0       | regression 1
  ten times, without a queue      | workPerOp           | 9 90   | pass 0       | pass 0       | inconclusive 3
  a request that costs more       | workPerRequest      | 20 22  | pass 0       | pass 0       | regression 1
  memory                          | bytesPerTimer       | 72 100 | regression 1 | regression 1 | regression 1
  garbage                         | allocatedBytesPerOp | 0 48   | pass 0       | regression 1 | regression 1
  garbage, without a queue        | allocatedBytesPerOp | 0 48   | pass 0       | regression 1 | regression 1
  garbage exact on one side alone | allocatedBytesPerOp | - 48   | pass 0       | pass 0       | inconclusive 3
`.trim().split('\n')) {
  const [title, metric, sides, ...verdicts] = line.split('|').map(cell => cell.trim())
  test(`counts: ${title}: ${verdicts.join(', ')} where the time is faster, level or open`, () => {
    const [base, head] = sides.split(' ').map(count => (count === '-' ? undefined : Number(count)))
    const gated = title.includes('without a queue') ? CODE : plan
    const found = Object.values(TIMES).map(samples =>
      told([...samples, ...counts(metric, /** @type {any} */ (base), Number(head))], {}, gated)
    )
    assert.deepEqual(found, verdicts)
  })
}

test('no gate passes with a change that both sides share, and a regression stays one', () => {
  const unmeasured = ['both sides ran ../lib']
  assert.equal(judge(same).unmeasured, undefined)
  assert.deepEqual(judge(same, { unmeasured }).unmeasured, unmeasured)
  assert.deepEqual(judge(same, { shared: unmeasured }).shared, unmeasured)
  const verdicts = [[same, {}], [slow, {}], [same, FASTER]].map(([samples, gate]) =>
    told(/** @type {Sample[]} */ (samples), { ...gate, unmeasured })
  )
  assert.deepEqual(verdicts, ['inconclusive 3', 'regression 1', 'inconclusive 3'])
})

test('a head that does other work, or none, is never called faster, and a doubt about either side is told', () => {
  assert.deepEqual([told(faster, FASTER), told(same, FASTER)], ['pass 0', 'missed 1'])
  for (const kind of /** @type {const} */ (['different-outcomes', 'empty-loop', 'put-off'])) {
    for (const side of ['base', 'head']) {
      const warnings = [{ kind, text: 'in any words' }]
      const cheat = faster.map(sample => (sample.side === side ? { ...sample, warnings } : sample))
      const { verdict, warnings: none, unmeasured = [] } = judge(cheat, FASTER)
      const told = judge(cheat)
      assert.deepEqual([verdict, none, told.verdict, told.warnings], ['inconclusive', [], 'pass', unmeasured])
      assert.ok(unmeasured[0].endsWith(`: ${warningKinds[kind].title}: in any words`), unmeasured[0])
    }
  }
})

test('a head that remembers its inputs is never called faster, unless the base does so, too', () => {
  const warnings = [{ kind: 'remembered', text: '100 blocks per operation' }]
  const remembering = (/** @type {Side[]} */ ...sides) =>
    judge([...faster, ...sides.map(side => countOf(FIRST_ROW, side, { workPerOp: 40 }, { warnings }))], FASTER)
  const { verdict, unmeasured = [] } = remembering('head')
  assert.equal(verdict, 'inconclusive')
  assert.match(unmeasured.join(), /: the head remembers its inputs: 100 blocks/)
  assert.equal(remembering('base', 'head').verdict, 'pass')
})

test('the last word of --expect that names a row holds for it, else the last that names none; noisy metrics are left ' +
  'alone', () => {
  const expected = /** @type {const} */ ([
    { change: 'faster', floor: 0.1 },
    { change: 'faster', rows: 'parse*' },
    { change: 'level', rows: 'render.html' },
    { change: 'not-slower', rows: '*slow*' }
  ])
  const wanted = (/** @type {string} */ scenario, metric = 'nsPerOp') =>
    wantedOf({ ...FIRST_ROW, scenario, queue: 'q', metric }, [...expected])
  assert.deepEqual(['parse-json', 'parse-slow', 'render.html', 'renderxhtml'].map(name => wanted(name)), [
    { change: 'faster' },
    undefined,
    { change: 'level' },
    { change: 'faster', floor: 0.1 }
  ])
  assert.equal(wanted('parse', 'latencyP99Ms'), undefined)
  assert.equal(wantedOf({ ...FIRST_ROW, metric: 'nsPerOp' }), undefined)
})

test('an expectation of rows that were dropped is not decided, and says why; of rows that the change cannot have ' +
  'touched, it is missed', () => {
  const alone = { ...plan, cells: plan.cells.filter(({ queue }) => queue === 'heap') }
  const [dropped] = plan.cells.filter(({ queue }) => queue === 'wheel')
  const words = (/** @type {any} */ change, /** @type {string} */ rows) => ({ expect: [{ change, rows }] })
  const gone = { unmatched: [{ ...dropped, reason: 'the base cannot run it' }] }
  const record = judge(same, { ...words('level', 'whe*'), ...gone }, alone)
  const { unmeasured } = judge(same, words('faster', 'wheel'), alone)
  assert.deepEqual([record.verdict, record.unmeasured, unmeasured], [
    'inconclusive',
    ['--expect level:whe* is not decided: the base cannot run it'],
    ['--expect faster:wheel is not decided: it was not measured']
  ])
  const untouched = { untouched: [dropped] }
  assert.deepEqual(
    ['faster', 'level', 'not-slower'].map(change => told(same, { ...words(change, 'wheel'), ...untouched }, alone)),
    ['missed 1', 'pass 0', 'pass 0']
  )
  assert.equal(told(same, words('not-slower', 'allocation')), 'pass 0', 'a count')
})

test('counted work names five functions at most, largest change first; a function that moved has its line in the ' +
  'head, several of one name have none', () => {
  const namedIn = (/** @type {[string, number, number?][][]} */ ...sides) => {
    const [base, head] = sides.map((counted, i) => {
      const functions = counted.map(([name, blocks, line]) => ({ name, blocks, ...(line && { file: 'a.js', line }) }))
      return countOf(FIRST_ROW, i === 0 ? 'base' : 'head', { workPerOp: 40 }, { details: { functions } })
    })
    return judge([...same, base, head]).comparisons.find(row => row.functions)?.functions
  }
  assert.deepEqual(namedIn([['parse', 10]], [['parse', 10]]), [])
  assert.deepEqual(
    namedIn(
      [['parse', 10, 3], ['each', 1, 5], ['each', 1, 6], ['same', 5], ['gone', 3]],
      [['parse', 30, 12], ['each', 9, 7], ['each', 1, 8], ['same', 5], ['b', 2], ['c', 2], ['d', 1]]
    ),
    [
      { name: 'parse', file: 'a.js', line: 12, base: 10, head: 30 },
      { name: 'each', file: 'a.js', base: 2, head: 10 },
      { name: 'gone', base: 3, head: 0 },
      { name: 'b', base: 0, head: 2 },
      { name: 'c', base: 0, head: 2 }
    ]
  )
})

for (const [title, head, verdict, base = {}] of /** @type {[string, Partial<Sample>, string, Partial<Sample>?][]} */ ([
  ['as much work', {}, 'pass 0'],
  ['much more work', { metrics: { workPerOp: 60 } }, 'regression 1'],
  ['a head too slow to be counted', lost, 'regression 1'],
  ['a head that dies', died, 'invalid 4'],
  ['a base that dies', {}, 'invalid 4', died],
  ['a file that neither side can load', died, 'invalid 4', died]
])) {
  test(`a row that is only counted needs neither heats nor a control: ${title}: ${verdict}`, () => {
    const scenario = { ...plan.scenarios[0], name: 'crowd', steps: /** @type {const} */ (['count']) }
    const rows = plan.cells.filter(({ params }) => params.size === 20)
    const cells = rows.map(cell => createCell({ ...cell, scenario: 'crowd' }))
    const alone = /** @type {any} */ ({ ...plan, scenarios: [scenario], cells })
    const beside = { ...alone, scenarios: [...plan.scenarios, scenario], cells: [...plan.cells, ...cells] }
    const isOfCrowd = ({ kind, cells: [cell] }) => kind === 'count' || cell.scenario !== 'crowd'
    assert.ok(gateStages(beside).flat().every(isOfCrowd))
    const samples = cells
      .filter(({ side }) => side !== 'control')
      .map(cell => {
        const side = /** @type {Side} */ (cell.side)
        return countOf(cell, side, { workPerOp: 40 }, side === 'head' ? head : base)
      })
    assert.deepEqual([told([...same, ...samples], {}, beside), told(samples, {}, alone)], [verdict, verdict])
  })
}

test('a gate by counts alone does not pass where nothing is counted exactly, and says where', () => {
  const counted = gatePlan({ queues: ['heap'], scenario: { steps: ['count'] } })
  const samples = counted.cells.map(cell => {
    const isExact = cell.params.size === 10 || cell.side === 'base'
    return countOf(cell, /** @type {Side} */ (cell.side), isExact ? { workPerOp: 9 } : {})
  })
  const slowBase = samples.map(sample =>
    sample.params.size === 20 ? countOf(sample, sample.side, { workPerOp: 9 }, sample.side === 'base' && lost) : sample
  )
  const judged = [samples, samples.filter(({ params }) => params.size === 20), slowBase].map(samples =>
    judge(samples, {}, counted)
  )
  assert.deepEqual(judged.map(({ verdict }) => verdict), ['inconclusive', 'inconclusive', 'inconclusive'])
  assert.deepEqual(judged[0].unmeasured, ['heap on refresh, size 20 has no exact counts'])
  assert.equal(judge([], {}, { ...counted, cells: [] }).verdict, 'invalid')
})

test('heats that lost one side alone, or of which only one side is known, break no row; a crash does', () => {
  const failureOf = (/** @type {Sample[]} */ samples) => new Heats(samples).failureOf(FIRST_ROW)
  for (const side of /** @type {const} */ (['base', 'head'])) {
    const failures = [[...same, ...lose(side, 15)], lose(side, 15), [crashed(side)]].map(failureOf)
    assert.deepEqual(failures, [undefined, undefined, `${side}: it died`])
  }
})

test('a count that the time outweighs passes and is marked; garbage is warned of, unless it is named', () => {
  const grown = judge([...faster, ...counts('workPerOp', 9, 12)])
  const work = grown.comparisons.find(({ metric }) => metric === 'workPerOp')
  assert.deepEqual([work?.verdict, work?.gates, work?.isOutweighed, grown.warnings], ['pass', false, true, []])
  const garbage = [...faster, ...counts('allocatedBytesPerOp', 0, 48)]
  const { warnings } = judge(garbage)
  assert.equal(warnings.length, 1)
  assert.match(warnings[0], /^heap on .*: the head is faster, but allocates 48.* bytes per operation \(base: 0/)
  const named = judge(garbage, { expect: [{ change: 'not-slower', rows: 'allocation' }] })
  assert.deepEqual([named.verdict, named.warnings], ['regression', []])
})

test('only time that the row itself saves outweighs its garbage: not that of other rows, nor of a guard', () => {
  const isFirst = (/** @type {Sample} */ { queue, params }) => queue === 'heap' && params.size === FIRST_ROW.params.size
  const saving = (/** @type {(sample: Sample) => boolean} */ saves, /** @type {'nsPerOp' | 'latencyP99Ms'} */ metric) =>
    told([
      ...same.map(sample => {
        const all = { nsPerOp: sample.metrics.nsPerOp, latencyP99Ms: 0.1 * sample.metrics.nsPerOp }
        const isSaved = sample.side === 'head' && saves(sample)
        return { ...sample, metrics: isSaved ? { ...all, [metric]: 0.5 * all[metric] } : all }
      }),
      ...counts('allocatedBytesPerOp', 0, 48)
    ])
  assert.deepEqual(
    [saving(isFirst, 'nsPerOp'), saving(sample => !isFirst(sample), 'nsPerOp'), saving(isFirst, 'latencyP99Ms')],
    ['pass 0', 'regression 1', 'regression 1']
  )
})

test('counts need no control: gross growth fails the gate on a disturbed machine, and without any control', () => {
  for (const samples of [moved, uncontrolled]) {
    const all = [...samples, ...counts('workPerOp', 9, 12)]
    assert.deepEqual([told(all), told(all, {}, CODE)], ['regression 1', 'invalid 4'])
  }
})

test('a count that one side lacks is shown as not counted, and decides nothing', () => {
  for (const [missing, there] of /** @type {const} */ ([['head', 'base'], ['base', 'head']])) {
    const { verdict, comparisons } = judge([...same, countOf(FIRST_ROW, there, { workPerOp: 9 })])
    const counted = comparisons.filter(({ metric }) => metric === 'workPerOp')
    assert.deepEqual(
      [verdict, ...counted.map(({ verdict, reason, gates }) => [verdict, reason, gates])],
      ['pass', ['invalid', `${missing}: not counted`, false]]
    )
  }
  const slowly = [...same, countOf(FIRST_ROW, 'base', { workPerOp: 9 }), countOf(FIRST_ROW, 'head', {}, lost)]
  assert.equal(told(slowly), 'pass 0', 'a timed head that is too slow to be counted')
})

for (const [middle, spread, count, moved] of /** @type {[number, number, number, boolean?][]} */ ([
  [0.03, 0.01, 30, true],
  [0.02, 0.01, 30, false],
  [0.03, 0.5, 30, false],
  [0.5, 0.01, 3, false],
  [0, 0, 0, undefined]
])) {
  test(`a control that is ${middle} off, in ${count} pairs within ${spread}, has moved: ${moved}`, () => {
    for (const sign of [1, -1]) {
      const shifts = Array.from({ length: count }, (_, i) => sign * (middle + spread * ((2 * i) / (count - 1) - 1)))
      assert.equal(judgeControl(shifts, { floor: 0.05 })?.moved, moved)
    }
  })
}
