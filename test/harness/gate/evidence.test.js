import { test } from 'node:test'
import assert from 'node:assert/strict'
import { decidedCells, Evidence } from '../../../harness/gate/evidence.js'
import { cellOf } from '../../../harness/gate/measure-heat.js'
import { FIRST_CELL, gatePlan, sampleOf, samplesOf } from './gate-fixture.js'

const plan = gatePlan()
const options = { command: ['timerq', 'gate'] }

/**
 * @param {import('../../../harness/gate/plan.js').GatePlan} plan
 * @param {import('../../../harness/store/results.js').Sample[]} samples
 * @param {{command: string[], rounds?: number}} options
 */
const judgeGate = (plan, samples, options) => new Evidence(plan, samples).judge(options)
/** @param {import('../../../harness/store/results.js').Sample[]} samples */
const isBroken = samples => new Evidence(plan, samples).isBroken(FIRST_CELL)

test('a head like its base passes, and the control does not move', () => {
  const { verdict, control, comparisons } = judgeGate(plan, samplesOf(plan), options)
  assert.equal(verdict, 'pass')
  assert.deepEqual([control?.moved, control?.pairs, comparisons.length], [false, 30, 4])
})

test('a slower head is a regression', () => {
  assert.equal(judgeGate(plan, samplesOf(plan, { slowdown: 1.08 }), options).verdict, 'regression')
})

test('a base that differs from itself contaminates the whole, whatever the head shows', () => {
  const { verdict, control } = judgeGate(plan, samplesOf(plan, { slowdown: 1.5, controlShift: 1.04 }), options)
  assert.deepEqual([verdict, control?.moved], ['invalid', true])
})

test('a control that moved significantly but little does no harm', () => {
  assert.equal(judgeGate(plan, samplesOf(plan, { controlShift: 1.004, spread: 0.005 }), options).control?.moved, false)
})

test('no samples are no pass, and the reason names the budget', () => {
  const { verdict, comparisons } = judgeGate(plan, [], options)
  assert.equal(verdict, 'invalid')
  assert.match(String(comparisons[0].reason), /budget was spent/)
})

test('a heat is measured when all its arms are', () => {
  const pair = { cell: FIRST_CELL, round: 3, order: /** @type {import('../../../harness/gate/plan.js').Arm[]} */ (['head', 'base', 'again']), seed: 1 }
  const isMeasured = (/** @type {import('../../../harness/gate/plan.js').Arm[]} */ ...arms) => new Evidence(plan, arms.map(arm => sampleOf(FIRST_CELL, arm, 3, {}))).isMeasured(pair)
  assert.deepEqual([isMeasured('base', 'head', 'again'), isMeasured('base', 'head'), isMeasured('again'), isMeasured()], [true, false, false, false])
  assert.equal(new Evidence(plan, pair.order.map(arm => sampleOf(FIRST_CELL, arm, 4, {}))).isMeasured(pair), false)
})

test('a side that crashed in a heat of which nothing else is known is not measured again', () => {
  for (const arm of /** @type {const} */ (['base', 'head'])) assert.equal(isBroken([sampleOf(FIRST_CELL, arm, 0, {}, 'crash')]), true, arm)
})

test('a head that never shows what its base always shows is no pass', () => {
  const lacking = samplesOf(plan).map(sample => sample.queue === 'heap@head' ? sample : { ...sample, metrics: { ...sample.metrics, latencyP99Ms: 2 } })
  const { verdict, comparisons } = judgeGate(plan, lacking, options)
  assert.equal(verdict, 'invalid')
  assert.deepEqual([...new Set(comparisons.filter(row => row.verdict === 'invalid').map(({ queue, metric, reason }) => `${queue} ${metric}, ${reason}`))],
    ['heap latencyP99Ms, head: 99th percentile of latency is missing'])
})

test('a side that crashed is no pass, and is not measured again', () => {
  const samples = [...samplesOf(plan), sampleOf(FIRST_CELL, 'head', 0, {}, 'crash')]
  const { verdict, comparisons } = judgeGate(plan, samples, options)
  assert.deepEqual([verdict, comparisons[0].reason], ['invalid', 'head: it died'])
  assert.equal(isBroken(samples), true)
})

/**
 * @param {import('../../../harness/gate/plan.js').Arm} arm
 * @param {number} rounds  The first of the first cell.
 */
const lose = (arm, rounds) => Array.from({ length: rounds }, (_, round) => sampleOf(FIRST_CELL, arm, round, {}, 'time-limit'))

test('a head lost once is slow once, a head lost in every second heat is no pass', () => {
  const [once] = judgeGate(plan, [...samplesOf(plan), ...lose('head', 1)], options).comparisons
  assert.deepEqual([once.verdict, once.pairs, once.lost], ['pass', 30, { base: 0, head: 1 }])
  const often = judgeGate(plan, [...samplesOf(plan), ...lose('head', 15)], options)
  assert.notEqual(often.verdict, 'pass')
  assert.deepEqual(often.comparisons[0].lost, { base: 0, head: 15 })
})

test('one heat that lost both sides is only lost, two are too many', () => {
  const once = [...samplesOf(plan), ...lose('head', 1), ...lose('base', 1)]
  assert.equal(isBroken(once), false)
  assert.equal(judgeGate(plan, once, options).comparisons[0].pairs, 29)
  const twice = [...samplesOf(plan), ...lose('head', 2), ...lose('base', 2)]
  assert.equal(isBroken(twice), true)
  assert.equal(judgeGate(plan, twice, options).verdict, 'invalid')
})

test('heats that lost one side alone, or of which only one side is known, break no cell', () => {
  for (const arm of /** @type {const} */ (['base', 'head'])) {
    assert.equal(isBroken([...samplesOf(plan), ...lose(arm, 15)]), false, arm)
    assert.equal(isBroken(lose(arm, 15)), false, arm)
  }
})

test('heats are compared slice by slice', () => {
  const sliced = samplesOf(plan).map(sample => {
    const slowdown = sample.queue.endsWith('@head') ? 1.2 : 1
    // What disturbs the machine disturbs all arms of a heat in the same slice.
    return { ...sample, slices: { nsPerOp: [40, 400, 44].map(ns => ns * slowdown) } }
  })
  const [time] = judgeGate(plan, sliced, options).comparisons
  assert.deepEqual([time.verdict, Number(time.ratio?.toFixed(6)), time.spread], ['regression', 1.2, 0])
})

test('whatever a timed row is called, one that only one side has is no pass', () => {
  const lacking = samplesOf(plan).map(sample => sample.queue === 'heap@head' ? { ...sample, metrics: { cpuMicrosPerRequest: 9 } } : sample)
  const { verdict, comparisons } = judgeGate(plan, lacking, options)
  assert.equal(verdict, 'invalid')
  assert.deepEqual(comparisons.filter(({ queue }) => queue === 'heap').map(({ verdict }) => verdict), ['invalid', 'invalid', 'invalid', 'invalid'])
})

test('a head that answers fewer of its requests is a regression', () => {
  const served = samplesOf(plan).map(sample => {
    const errors = sample.queue.endsWith('@head') ? 50 : 0
    return { ...sample, metrics: { cpuMicrosPerRequest: sample.metrics.nsPerOp, requestsPerSecond: 1000, errors } }
  })
  const { verdict, comparisons } = judgeGate(plan, served, options)
  assert.equal(verdict, 'regression')
  assert.deepEqual(comparisons.filter(row => row.verdict === 'regression').map(({ metric }) => metric), ['errors', 'errors', 'errors', 'errors'])
})

test('a cell is decided when its gating rows are, whatever is shown beside', () => {
  const wide = samplesOf(gatePlan({ seed: 4 }), { spread: 0.3 }).filter(({ params }) => params.size === 10)
  const record = judgeGate(plan, [...wide, ...samplesOf(plan).filter(({ params }) => params.size === 20)], options)
  assert.deepEqual(decidedCells(record), ['heap', 'wheel'].map(queue => cellOf({ ...FIRST_CELL, queue, params: { size: 20 } }, 'head').id))
})

test('a control that is lost once is left out', () => {
  const control = samplesOf(plan).find(({ queue }) => queue.endsWith('@again'))
  assert.ok(control)
  for (const queue of [control.queue, control.queue.replace('@again', '@base')]) {
    const lost = { ...control, queue, cell: control.cell.replace(control.queue, queue), metrics: {}, failure: { kind: 'time-limit', message: 'it took too long' } }
    const { verdict, control: judged } = judgeGate(plan, [...samplesOf(plan), lost], options)
    assert.deepEqual([verdict, judged?.pairs, judged?.moved], ['pass', 29, false], queue)
  }
})

test('a gate without a control is no pass, and says so', () => {
  const { verdict, control, comparisons } = judgeGate(plan, samplesOf(plan).filter(({ queue }) => !queue.endsWith('@again')), options)
  assert.deepEqual([verdict, control], ['invalid', null])
  assert.match(String(comparisons[0].reason), /the control was never measured/)
})

test('a control that died makes the whole invalid, even beside a regression', () => {
  const control = samplesOf(plan, { slowdown: 1.5 }).find(({ queue }) => queue === 'heap@again')
  assert.ok(control)
  const died = { ...control, metrics: {}, failure: { kind: 'crash', message: 'it died' } }
  const { verdict, comparisons } = judgeGate(plan, [...samplesOf(plan, { slowdown: 1.5 }), died], options)
  assert.equal(verdict, 'invalid')
  assert.deepEqual(comparisons.filter(({ gates, verdict }) => gates && verdict === 'invalid').map(({ queue, reason }) => `${queue}, ${reason}`), ['heap, control: it died'])
})

test('of what was measured later, a look sees nothing', () => {
  const early = samplesOf(plan).filter(({ round }) => round < 15)
  const late = samplesOf(plan, { slowdown: 3 }).filter(({ round }) => round >= 15)
  assert.deepEqual(judgeGate(plan, [...early, ...late], { ...options, rounds: 15 }), judgeGate(plan, early, options))
})

/** @param {Partial<import('../../../harness/store/results.js').Sample>} changed */
const countedOf = changed => ({ ...sampleOf(FIRST_CELL, 'base', 0, { workPerOp: 9 }), kind: /** @type {const} */ ('count'), ...changed })

test('counts that grow grossly fail the gate, though the clock shows nothing; a little more is only shown', () => {
  const gateWith = (/** @type {object} */ before, /** @type {object} */ after, slowdown = 1) => judgeGate(plan, [...samplesOf(plan, { slowdown }),
    countedOf({ metrics: { workPerOp: 9, bytesPerTimer: 72, ...before } }),
    { ...countedOf({ metrics: { workPerOp: 9, bytesPerTimer: 72, ...after } }), cell: cellOf(FIRST_CELL, 'head').id }], options)
  assert.equal(gateWith({}, {}).verdict, 'pass')
  assert.equal(gateWith({}, { workPerOp: 11 }).verdict, 'pass')
  assert.equal(gateWith({}, { workPerOp: 12 }).verdict, 'regression')
  assert.equal(gateWith({}, { bytesPerTimer: 100 }).verdict, 'regression')
  assert.equal(gateWith({}, { workPerOp: 12 }, 0.8).verdict, 'pass', 'more work in less time')
  assert.equal(gateWith({}, { bytesPerTimer: 100 }, 0.8).verdict, 'regression')
  assert.equal(gateWith({ workPerRequest: 20 }, { workPerRequest: 21 }).verdict, 'pass')
  assert.equal(gateWith({ workPerRequest: 20 }, { workPerRequest: 21.2 }).verdict, 'regression', 'a request costs more work by more than the margin')
  assert.equal(gateWith({ workPerOp: 0 }, { workPerOp: 1 }).verdict, 'pass', 'a queue of built-ins alone counts nothing')
  assert.equal(gateWith({ workPerOp: 0 }, { workPerOp: 20 }).verdict, 'regression')
  assert.equal(gateWith({ bytesPerTimer: 0 }, { bytesPerTimer: 5000 }).verdict, 'regression')
  assert.equal(gateWith({ bytesPerTimer: -1 }, { bytesPerTimer: 5000 }).verdict, 'regression')
  assert.equal(gateWith({ bytesPerTimer: -1 }, { bytesPerTimer: 0.5 }).verdict, 'pass')
})

test('a longest advance that executes many more blocks fails the gate, however fast the mean is', () => {
  const gateWith = (/** @type {number} */ before, /** @type {number} */ after, slowdown = 1) => judgeGate(plan, [...samplesOf(plan, { slowdown }),
    countedOf({ metrics: { longestAdvanceWork: before } }),
    { ...countedOf({ metrics: { longestAdvanceWork: after } }), cell: cellOf(FIRST_CELL, 'head').id }], options).verdict
  assert.equal(gateWith(1000, 20_000), 'regression')
  assert.equal(gateWith(1000, 20_000, 0.8), 'regression', 'a shorter mean does not make up for a longer pause')
  assert.equal(gateWith(1000, 2000), 'pass', 'some microseconds')
  assert.equal(gateWith(20_000, 22_000), 'pass', 'less than the margin')
  assert.equal(gateWith(20_000, 1000), 'pass')
})

test('only time that the cell itself saves makes up for more work: not that of other cells, nor what a guard shows', () => {
  const grown = [countedOf({}), { ...countedOf({ metrics: { workPerOp: 12 } }), cell: cellOf(FIRST_CELL, 'head').id }]
  const isFirst = (/** @type {import('../../../harness/store/results.js').Sample} */ { queue, params }) => queue === 'heap@head' && params.size === FIRST_CELL.params.size
  const isOther = (/** @type {import('../../../harness/store/results.js').Sample} */ { queue, params }) => queue === 'wheel@head' && params.size === FIRST_CELL.params.size
  const saving = (/** @type {typeof isFirst} */ saves, /** @type {string} */ metric) => judgeGate(plan, [...samplesOf(plan).map(sample => {
    const all = { ...sample.metrics, latencyP99Ms: 0.1 * sample.metrics.nsPerOp }
    return { ...sample, metrics: saves(sample) ? { ...all, [metric]: 0.5 * all[/** @type {'nsPerOp'} */ (metric)] } : all }
  }), ...grown], options)
  assert.deepEqual([saving(isFirst, 'nsPerOp').verdict, saving(isOther, 'nsPerOp').verdict, saving(isFirst, 'latencyP99Ms').verdict], ['pass', 'regression', 'regression'])
  const guarded = saving(isFirst, 'latencyP99Ms').comparisons.find(({ queue, metric }) => queue === 'heap' && metric === 'latencyP99Ms')
  assert.equal(guarded?.change, 'faster')
})

test('counts that grow grossly need no control: they fail the gate on a disturbed machine, and without any control', () => {
  const counts = [countedOf({}), { ...countedOf({ metrics: { workPerOp: 12 } }), cell: cellOf(FIRST_CELL, 'head').id }]
  const disturbed = judgeGate(plan, [...samplesOf(plan, { controlShift: 1.04 }), ...counts], options)
  assert.deepEqual([disturbed.verdict, disturbed.control?.moved], ['regression', true])
  const uncontrolled = samplesOf(plan).filter(({ queue }) => !queue.endsWith('@again'))
  assert.equal(judgeGate(plan, [...uncontrolled, ...counts], options).verdict, 'regression')
})

test('a guard that one side never showed keeps nothing from passing', () => {
  const served = samplesOf(plan).map(sample => ({ ...sample, metrics: { ...sample.metrics, ...sample.queue === 'heap@base' && sample.round === 3 ? { latenessP99Ms: 2 } : {} } }))
  assert.equal(judgeGate(plan, served, options).verdict, 'pass')
})

test('a side that runs the code of another is no pass, and is not measured', () => {
  const foreign = countedOf({ metrics: {}, failure: { kind: 'wrong', message: 'it runs /project/heap.js, which is not its own copy of that file' } })
  const { verdict, comparisons } = judgeGate(plan, [...samplesOf(plan), foreign], options)
  assert.deepEqual([verdict, comparisons[0].reason], ['invalid', 'base: it runs /project/heap.js, which is not its own copy of that file'])
  assert.equal(isBroken([foreign]), true)
  assert.match(String(judgeGate(plan, [foreign], options).comparisons[0].reason), /not its own copy/)
})

test('a count that one side lacks is shown as not measured', () => {
  for (const [missing, counted] of /** @type {const} */ ([['head', 'base'], ['base', 'head']])) {
    const { verdict, comparisons } = judgeGate(plan, [...samplesOf(plan), countedOf({ cell: cellOf(FIRST_CELL, counted).id })], options)
    assert.deepEqual(comparisons.filter(({ metric }) => metric === 'workPerOp').map(({ verdict, reason, gates, pairs }) => [verdict, reason, gates, pairs]), [['invalid', `${missing}: not counted`, false, 0]])
    assert.equal(verdict, 'pass')
    const lacking = countedOf({ cell: cellOf(FIRST_CELL, missing).id, metrics: { bytesPerTimer: 72 } })
    const reasons = judgeGate(plan, [...samplesOf(plan), countedOf({ cell: cellOf(FIRST_CELL, counted).id }), lacking], options).comparisons.map(({ reason }) => reason)
    assert.deepEqual(reasons.filter(Boolean), [`${missing}: not counted`, `${counted}: not counted`])
  }
})

test('a head that declares another accuracy is reported', () => {
  const declared = (/** @type {import('../../../harness/gate/plan.js').Arm} */ arm, /** @type {unknown} */ accuracy) =>
    ({ ...sampleOf(FIRST_CELL, arm, 0, {}), kind: /** @type {const} */ ('count'), details: { declared: { accuracy } } })
  const warningsOf = (/** @type {unknown} */ accuracy) => judgeGate(plan, [...samplesOf(plan), declared('base', 'exact'), declared('head', accuracy)], options).warnings
  assert.deepEqual(warningsOf('exact'), [])
  assert.deepEqual(warningsOf(undefined), [])
  const warnings = (/** @type {import('../../../harness/store/results.js').Sample[]} */ ...samples) => judgeGate(plan, [...samplesOf(plan), ...samples], options).warnings
  assert.deepEqual(warnings(declared('base', undefined), declared('head', 'exact')), [])
  assert.deepEqual(warnings({ ...declared('base', 'exact'), details: {} }, declared('head', 'exact')), [])
  const wheel = { ...FIRST_CELL, queue: 'wheel' }
  const [base, head] = /** @type {const} */ (['base', 'head']).map(arm => ({ ...sampleOf(wheel, arm, 0, {}), kind: /** @type {const} */ ('count'), details: { declared: { accuracy: arm } } }))
  assert.match(warnings(base, head).join(), /^wheel declares another accuracy than its base, "head" instead of "base"/)
  assert.match(warningsOf({ relative: 1 })[0], /^heap declares another accuracy than its base, \{"relative":1\} instead of "exact"/)
})
