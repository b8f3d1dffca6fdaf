/** Verdicts of gates: of their rows, counts, controls and doubts. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Heats } from '../../../harness/gate/heats.js'
import { gateStages } from '../../../harness/gate/stages.js'
import { judgeControl, judgeGate } from '../../../harness/gate/judge-gate.js'
import { createCell } from '../../../harness/model/cell.js'
import { warningKinds } from '../../../harness/model/warnings.js'
import { countOf, FIRST_ROW, gatePlan, sampleOf, samplesOf } from './gate-fixture.js'

/** @import { Side } from '../../../harness/model/cell.js' */
/** @import { Sample } from '../../../harness/store/results.js' */

const plan = gatePlan()
const same = samplesOf(plan)

/** @param {Sample[]} samples */
const judge = (...samples) => judgeGate(plan, new Heats(samples))
/** @type {(samples: Sample[], gate?: Partial<typeof plan.of.gate>) => ReturnType<typeof judgeGate>} */
const judgeWith = (samples, gate) =>
  judgeGate({ ...plan, of: { gate: { ...plan.of.gate, ...gate } } }, new Heats(samples))
/** @type {{expect: NonNullable<typeof plan.of.gate.expect>}} */
const FASTER = { expect: [{ change: 'faster' }] }
/** @type {(metric: string, base: number, head: number) => Sample[]} */
const counts = (metric, base, head) => [
  countOf(FIRST_ROW, 'base', { workPerOp: 9, bytesPerTimer: 72, [metric]: base }),
  countOf(FIRST_ROW, 'head', { workPerOp: 9, bytesPerTimer: 72, [metric]: head })
]
const garbage = counts('allocatedBytesPerOp', 0, 48)
/** @param {Sample[]} samples */
const failureOf = samples => new Heats(samples).failureOf(FIRST_ROW)
const isFirst = (/** @type {Sample} */ { queue, params }) => queue === 'heap' && params.size === FIRST_ROW.params.size
/** @param {(sample: Sample) => Record<string, number>} metricsOf */
const withMetrics = metricsOf => same.map(sample => ({ ...sample, metrics: metricsOf(sample) }))
/**
 * Heats of the first row that lost a side.
 *
 * @param {Side} side
 * @param {number} rounds
 */
const lose = (side, rounds) =>
  Array.from({ length: rounds }, (_, round) => sampleOf(FIRST_ROW, side, round, {}, 'time-limit'))
const uncontrolled = same.filter(({ side }) => side !== 'control')
/** @param {Sample[]} samples */
const firstControl = samples =>
  /** @type {Sample} */ (samples.find(({ side, queue }) => side === 'control' && queue === 'heap'))
const died = { metrics: {}, failure: { kind: 'crash', message: 'it died' } }
const lost = { metrics: {}, failure: { kind: 'time-limit', message: 'it took too long' } }
const otherCode = countOf(FIRST_ROW, 'base', {}, { failure: { kind: 'wrong', message: 'it runs another file' } })
const slow = samplesOf(plan, { slowdown: 1.5 })
const faster = samplesOf(plan, { slowdown: 0.8 })

test('no gate passes with a change that both sides share, and a regression stays one', () => {
  const unmeasured = ['both sides ran ../lib']
  assert.deepEqual([judge(...same).verdict, judge(...same).unmeasured], ['pass', undefined])
  const unclear = judgeWith(same, { unmeasured })
  assert.deepEqual([unclear.verdict, unclear.unmeasured], ['inconclusive', unmeasured])
  assert.equal(judgeWith(slow, { unmeasured }).verdict, 'regression')
  assert.equal(judgeWith(same, { ...FASTER, unmeasured }).verdict, 'inconclusive', 'missed')
  const passed = judgeWith(same, { shared: unmeasured })
  assert.deepEqual([passed.verdict, passed.shared], ['pass', unmeasured])
})

test('a head that does other work, or none, is never called faster, and a doubt about either side is told', () => {
  assert.equal(judgeWith(faster, FASTER).verdict, 'pass')
  assert.equal(judgeWith(same, FASTER).verdict, 'missed')
  for (const kind of /** @type {const} */ (['different-outcomes', 'empty-loop', 'put-off'])) {
    for (const side of ['base', 'head']) {
      const warnings = [{ kind, text: 'in any words' }]
      const cheat = faster.map(sample => (sample.side === side ? { ...sample, warnings } : sample))
      const { verdict, warnings: none, unmeasured = [] } = judgeWith(cheat, FASTER)
      const told = judgeWith(cheat)
      assert.deepEqual([verdict, none, told.verdict, told.warnings], ['inconclusive', [], 'pass', unmeasured])
      assert.ok(unmeasured[0].endsWith(`: ${warningKinds[kind].title}: in any words`), unmeasured[0])
    }
  }
})

test('counted work names five functions at most, largest change first; a function that moved has its line in the ' +
  'head, several of one name have none', () => {
  const namedIn = (/** @type {[string, number, number?][][]} */ ...sides) => {
    const [base, head] = sides.map((counted, i) => {
      const functions = counted.map(([name, blocks, line]) => ({ name, blocks, ...(line && { file: 'a.js', line }) }))
      return countOf(FIRST_ROW, i === 0 ? 'base' : 'head', { workPerOp: 40 }, { details: { functions } })
    })
    return judge(...same, base, head).comparisons.find(row => row.functions)?.functions
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

test('a head that remembers its inputs is never called faster, unless the base does so, too', () => {
  const warnings = [{ kind: 'remembered', text: '100 blocks per operation' }]
  const remembering = (/** @type {Side[]} */ ...sides) =>
    judgeWith([...faster, ...sides.map(side => countOf(FIRST_ROW, side, { workPerOp: 40 }, { warnings }))], FASTER)
  const { verdict, unmeasured = [] } = remembering('head')
  assert.equal(verdict, 'inconclusive')
  assert.match(unmeasured.join(), /: the head remembers its inputs: 100 blocks/)
  assert.equal(remembering('base', 'head').verdict, 'pass')
})

for (const [title, samples, verdict, row] of /** @type {[string, Sample[], string, {[key: string]: unknown}?][]} */ ([
  ['a head like its base passes', same, 'pass', { pairs: 30 }],
  ['a slower head is a regression', samplesOf(plan, { slowdown: 1.08 }), 'regression'],
  [
    'a base that differs from itself contaminates the whole, even a clear regression',
    samplesOf(plan, { slowdown: 1.5, controlShift: 1.04 }),
    'invalid'
  ],
  [
    'a control that moved significantly but little does no harm',
    samplesOf(plan, { controlShift: 1.004, spread: 0.005 }),
    'pass'
  ],
  [
    'no samples are no pass, and the reason names the budget',
    [],
    'invalid',
    { reason: 'the budget was spent before its first heat: give it a longer --budget' }
  ],
  [
    'a gate without a control is no pass, and says so',
    uncontrolled,
    'invalid',
    {
      reason:
        'the control was never measured, so nothing shows whether the machine was quiet: give it a longer --budget'
    }
  ],
  ['a control that is lost once is left out', [...same, { ...firstControl(same), ...lost }], 'pass'],
  [
    'a control that died makes the whole invalid, even with a regression',
    [...slow, { ...firstControl(slow), ...died }],
    'invalid'
  ],
  [
    'a head that crashed is no pass',
    [...same, sampleOf(FIRST_ROW, 'head', 0, {}, 'crash')],
    'invalid',
    { reason: 'head: it died' }
  ],
  ['a head lost once is slow once', [...same, ...lose('head', 1)], 'pass', { pairs: 30, lost: { base: 0, head: 1 } }],
  [
    'a heat that lost both sides is only lost',
    [...same, ...lose('head', 1), ...lose('base', 1)],
    'pass',
    { pairs: 29 }
  ],
  [
    'two heats that lost both sides are too many',
    [...same, ...lose('head', 2), ...lose('base', 2)],
    'invalid',
    { reason: 'base: it died' }
  ],
  [
    'a side that runs the code of another is no pass',
    [...same, otherCode],
    'invalid',
    { reason: 'base: it runs another file' }
  ],
  [
    'a row without heats whose counts failed says so',
    [otherCode],
    'invalid',
    { reason: 'base: it runs another file' }
  ]
])) {
  test(title, () => {
    const record = judge(...samples)
    assert.equal(record.verdict, verdict)
    for (const [name, value] of Object.entries(row ?? {})) {
      assert.deepEqual(/** @type {any} */ (record.comparisons[0])[name], value)
    }
  })
}

for (const [title, head, verdict] of /** @type {[string, Partial<Sample>, string][]} */ ([
  ['as much work passes', {}, 'pass'],
  ['much more work is a regression', { metrics: { workPerOp: 60 } }, 'regression'],
  ['a head too slow to be counted is a regression', lost, 'regression'],
  ['a head that dies is no pass', died, 'invalid']
])) {
  test(`a row that is only counted needs no heats: ${title}`, () => {
    const counted = gatePlan()
    counted.scenarios.push({ ...counted.scenarios[0], name: 'crowd', steps: ['count'] })
    const cells = counted.cells
      .filter(({ params }) => params.size === 20)
      .map(cell => createCell({ ...cell, scenario: 'crowd' }))
    counted.cells.push(...cells)
    assert.ok(
      gateStages(counted)
        .flat()
        .every(({ kind, cells: [{ scenario }] }) => kind === 'count' || scenario !== 'crowd')
    )
    const samples = cells
      .filter(({ side }) => side !== 'control')
      .map(cell => countOf(cell, /** @type {Side} */ (cell.side), { workPerOp: 40 }, cell.side === 'head' && head))
    assert.equal(judgeGate(counted, new Heats([...same, ...samples])).verdict, verdict)
    // Alone, as with --counts, it needs neither a control nor any heat.
    const alone = { ...counted, scenarios: counted.scenarios.slice(1), cells }
    assert.equal(judgeGate(alone, new Heats(samples)).verdict, verdict)
  })
}

test('a gate by counts alone does not pass where nothing is counted exactly, and says where', () => {
  const counted = gatePlan({ queues: ['heap'], scenario: { steps: ['count'] } })
  const samples = counted.cells.map(cell => {
    const isExact = cell.params.size === 10 || cell.side === 'base'
    return countOf(cell, /** @type {Side} */ (cell.side), isExact ? { workPerOp: 9 } : {})
  })
  const lostOn = { base: lost, head: { metrics: { workPerOp: 9 } } }
  const slowBase = samples.map(sample =>
    sample.params.size === 20 ? { ...sample, ...(lostOn)[String(sample.side)] } : sample
  )
  const judged = [samples, samples.filter(({ params }) => params.size === 20), slowBase].map(samples =>
    judgeGate(counted, new Heats(samples))
  )
  assert.deepEqual(judged.map(({ verdict }) => verdict), ['inconclusive', 'inconclusive', 'inconclusive'])
  assert.deepEqual(judged[0].unmeasured, ['heap on refresh, size 20 has no exact counts'])
  assert.equal(judgeGate({ ...counted, cells: [] }, new Heats()).verdict, 'invalid')
})

test('heats that lost one side alone, or of which only one side is known, break no row; a crash does', () => {
  for (const side of /** @type {const} */ (['base', 'head'])) {
    assert.equal(failureOf([...same, ...lose(side, 15)]), undefined)
    assert.equal(failureOf(lose(side, 15)), undefined)
    assert.equal(failureOf([sampleOf(FIRST_ROW, side, 0, {}, 'crash')]), `${side}: it died`)
  }
})

/** Times of a row by what they show. */
const TIMES = { faster, level: same, open: same.filter(({ round }) => round < 2) }
const CODE = {
  ...plan,
  scenarios: plan.scenarios.map(scenario => ({ ...scenario, kind: /** @type {const} */ ('code') }))
}

for (const [title, metric, base, head, verdicts, gated = plan] of /** @type {[...string[], any][]} */ ([
  ['a quarter more work', 'workPerOp', 9, 11, 'pass pass inconclusive'],
  ['a third more work', 'workPerOp', 9, 12, 'pass pass regression'],
  ['ten times the work of a workload without a queue', 'workPerOp', 9, 90, 'pass pass inconclusive', CODE],
  ['a request that costs more', 'workPerRequest', 20, 22, 'pass pass regression'],
  ['memory', 'bytesPerTimer', 72, 100, 'regression regression regression'],
  ['garbage', 'allocatedBytesPerOp', 0, 48, 'pass regression regression'],
  ['garbage without a queue', 'allocatedBytesPerOp', 0, 48, 'pass regression regression', CODE],
  ['garbage that is exact on one side alone', 'allocatedBytesPerOp', undefined, 48, 'pass pass inconclusive']
])) {
  test(`counts: ${title}: ${verdicts} where the time is faster, level or open`, () => {
    const judged = Object.values(TIMES).map(
      samples => judgeGate(gated, new Heats([...samples, ...counts(metric, base, head)])).verdict
    )
    assert.equal(judged.join(' '), verdicts)
  })
}

test('a count that the time outweighs passes and is marked; garbage is warned of, unless it is named', () => {
  const grown = judge(...faster, ...counts('workPerOp', 9, 12))
  const work = grown.comparisons.find(({ metric }) => metric === 'workPerOp')
  assert.deepEqual([work?.verdict, work?.gates, work?.isOutweighed, grown.warnings], ['pass', false, true, []])
  const { warnings } = judge(...faster, ...garbage)
  assert.equal(warnings.length, 1)
  assert.match(warnings[0], /^heap on .*: the head is faster, but allocates 48.* bytes per operation \(base: 0/)
  const named = judgeWith([...faster, ...garbage], { expect: [{ change: 'not-slower', rows: 'allocation' }] })
  assert.deepEqual([named.verdict, named.warnings], ['regression', []])
})

test('only time that the row itself saves outweighs its garbage: not that of other rows, nor of a guard', () => {
  const saving = (/** @type {(sample: Sample) => boolean} */ saves, /** @type {'nsPerOp' | 'latencyP99Ms'} */ metric) =>
    judge(
      ...withMetrics(sample => {
        const all = { nsPerOp: sample.metrics.nsPerOp, latencyP99Ms: 0.1 * sample.metrics.nsPerOp }
        return sample.side === 'head' && saves(sample) ? { ...all, [metric]: 0.5 * all[metric] } : all
      }),
      ...garbage
    ).verdict
  assert.deepEqual(
    [saving(isFirst, 'nsPerOp'), saving(sample => !isFirst(sample), 'nsPerOp'), saving(isFirst, 'latencyP99Ms')],
    ['pass', 'regression', 'regression']
  )
})

test('counts need no control: gross growth fails the gate on a disturbed machine, and without any control', () => {
  for (const samples of [samplesOf(plan, { controlShift: 1.04, slowdown: 1.5 }), uncontrolled]) {
    assert.equal(judge(...samples, ...counts('workPerOp', 9, 12)).verdict, 'regression')
    assert.equal(judgeGate(CODE, new Heats([...samples, ...counts('workPerOp', 9, 12)])).verdict, 'invalid', 'no queue')
  }
})

test('a count that one side lacks is shown as not counted, and decides nothing', () => {
  for (const [missing, there] of /** @type {const} */ ([
    ['head', 'base'],
    ['base', 'head']
  ])) {
    const { verdict, comparisons } = judge(...same, countOf(FIRST_ROW, there, { workPerOp: 9 }))
    assert.deepEqual(
      comparisons
        .filter(({ metric }) => metric === 'workPerOp')
        .map(({ verdict, reason, gates }) => [verdict, reason, gates]),
      [['invalid', `${missing}: not counted`, false]]
    )
    assert.equal(verdict, 'pass')
  }
  const slowly = judge(...same, countOf(FIRST_ROW, 'base', { workPerOp: 9 }), countOf(FIRST_ROW, 'head', {}, lost))
  assert.equal(slowly.verdict, 'pass', 'a timed head that is too slow to be counted')
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
