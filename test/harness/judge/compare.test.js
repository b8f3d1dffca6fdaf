/** Comparisons of two runs, and of two queues of one run. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { compareQueues, compareRuns } from '../../../harness/judge/compare.js'
import { DEFAULT_RULES } from '../../../harness/judge/verdict.js'
import { aPlan, aRun } from '../a-run.js'

const options = { rules: DEFAULT_RULES, command: ['timerq', 'compare'] }
const environment = { cpu: 'Quick', cores: 2, memoryBytes: 2 ** 33, pinning: 'pinned', loadGenerator: 'none' }

/**
 * A run whose samples hardly vary.
 *
 * @param {object} options
 * @param {Record<string, number>} [options.queues]  Nanoseconds per operation, by queue.
 * @param {number} [options.work]
 * @param {number} [options.rounds]
 * @param {object} [options.machine]
 * @param {string[]} [options.parts]  CPU of the machine that measured each part of the run.
 * @param {string} [options.runtime]
 * @param {Record<string, string>} [options.failing]  Kind of failure, by queue.
 * @param {string} [options.uncounted]  Queue whose count exceeds the time limit.
 * @param {object} [options.scenario]
 * @param {(round: number) => Record<string, number>} [options.more]  Other metrics.
 * @param {number} [options.lostRounds]  Rounds, spread over the run, lost by a queue that fails by time limit.
 */
function runOf ({
  queues = { heap: 40 },
  work = 9,
  rounds = 12,
  machine = {},
  parts,
  runtime = 'v20',
  failing = {},
  uncounted,
  scenario = {},
  more = () => ({}),
  lostRounds = 1
} = {}) {
  const ownEnvironment = { ...environment, ...machine }
  return aRun({
    directory: Object.values(queues).join('-'),
    run: {
      environment: ownEnvironment,
      ended: undefined,
      ...(parts && { parts: parts.map(cpu => ({ environment: { ...environment, cpu } })) })
    },
    plan: aPlan({ settings: { rounds }, queues: Object.keys(queues), scenario, runtimes: [{ name: runtime }] }),
    samplesOf: ({ queue }) => [
      ...Array.from({ length: rounds }, (_, round) => {
        const kind = failing[queue]
        return kind && (kind !== 'time-limit' || (7 * round) % rounds < lostRounds)
          ? { failure: { kind, message: 'it died' } }
          : { metrics: { nsPerOp: queues[queue] * (1 + 0.001 * Math.sin(round)), ...more(round) } }
      }),
      queue === uncounted
        ? { round: 0, kind: 'count', failure: { kind: 'time-limit', message: 'it took too long' } }
        : { round: 0, kind: 'count', metrics: { workPerOp: work, bytesPerTimer: 72 } }
    ]
  })
}

/** @typedef {Parameters<typeof runOf>[0]} Run */

/**
 * @param {Run} base
 * @param {Run} head
 * @param {object} [more]
 */
const compare = (base, head, more) => compareRuns(runOf(base), runOf(head), { ...options, ...more })

/**
 * @param {Run} run
 * @param {string} [base]
 * @param {string} [head]
 */
const compareTwo = (run, base = 'heap', head = 'wheel') => compareQueues(runOf(run), base, head, options)

/**
 * @param {import('../../../harness/judge/records.js').ComparisonRecord} record
 * @param {...string} names
 */
const columns = ({ comparisons }, ...names) =>
  comparisons.map(row => names.map(name => /** @type {any} */ (row)[name]))

const COUNTS = [['workPerOp', 'pass'], ['bytesPerTimer', 'pass']]
const SLOW = { cpu: 'Slow' }

test('cells that match are compared, one row per metric', () => {
  const record = compare({}, { queues: { heap: 44 } })
  assert.deepEqual(columns(record, 'metric', 'verdict'), [['nsPerOp', 'inconclusive'], ...COUNTS])
  assert.ok(record.comparisons.every(({ gates }) => gates))
  assert.ok(Math.abs(Number(record.comparisons[0].ratio) - 1.1) < 0.002)
})

test('times of runs measured one after the other are always inconclusive, and the reason recommends a gate', () => {
  for (const heap of [20, 40, 80]) {
    const { verdict, comparisons: [time], warnings } = compare({}, { queues: { heap } })
    assert.deepEqual([verdict, time.verdict, time.morePairs], ['inconclusive', 'inconclusive', null])
    assert.match(String(time.reason), /timerq gate measures both sides together/)
    assert.match(warnings[0], /one after the other/)
  }
})

test('counts decide even between runs measured one after the other: more work is a regression', () => {
  const record = compare({}, { work: 9.01 })
  assert.equal(record.verdict, 'regression')
  assert.deepEqual(columns(record, 'verdict').flat(), ['inconclusive', 'regression', 'pass'])
})

test('a cell that only the base has is invalid; a cell that only the head has is listed', () => {
  const [base, head] = [{ queues: { heap: 40, list: 80 } }, { queues: { heap: 40, wheel: 10 } }]
  const strict = compare(base, head)
  assert.deepEqual(
    columns(strict, 'queue', 'verdict', 'gates', 'reason').filter(([queue]) => queue === 'list'),
    [['list', 'invalid', true, 'only in 40-80']]
  )
  assert.equal(strict.verdict, 'invalid')
  assert.deepEqual(strict.unmatched.map(({ queue, reason }) => [queue, reason]), [['wheel', 'only in 40-10']])
})

for (const [what, machine] of Object.entries({
  kernels: { kernel: 'Linux 7' },
  'CPU governors': { governor: 'powersave' },
  V8: { v8: '13' },
  clocks: { clock: 'wall clock' },
  pinning: { pinning: 'none' }
})) {
  test(`times measured on one machine are not compared across different ${what}`, () => {
    const record = compare({}, { machine })
    assert.equal(record.verdict, 'invalid')
    assert.match(String(record.comparisons[0].reason), new RegExp(`^times are not compared: different ${what}`))
    assert.deepEqual(columns(record, 'metric', 'verdict').slice(1), COUNTS)
  })
}

for (const [what, change, message] of /** @type {[string, (run: any) => void, RegExp][]} */ ([
  [
    'times of another preset',
    ({ plan: { settings } }) => Object.assign(settings, { preset: 'ci', micro: { measureMs: 7 } }),
    /samples of different lengths \(presets .*ci\)/
  ],
  [
    'runs of another timerq',
    ({ environment }) => Object.assign(environment, { timerq: '9' }),
    /measured by timerq undefined and 9/
  ],
  [
    'unfinished runs',
    run => Object.assign(run, { ended: null }),
    /did not end: continue it with timerq run --resume/
  ],
  [
    'scenarios of one name whose file has changed',
    ({ plan: { scenarios } }) => Object.assign(scenarios[0], { sha256: 'b' }),
    /refresh is another workload in 40/
  ]
])) {
  test(`${what} are refused`, () => {
    const [base, head] = [1, 2].map(() => runOf({ scenario: { sha256: 'a' } }))
    assert.equal(compareRuns(base, head, options).verdict, 'inconclusive')
    change(head.run)
    const { verdict, comparisons } = compareRuns(base, head, options)
    assert.deepEqual([verdict, comparisons.length], ['invalid', what.startsWith('times') ? 3 : 1])
    assert.match(String(comparisons[0].reason), message)
  })
}

test('a run is not compared with itself or a copy', () => {
  const startedAt = (/** @type {string} */ started) => {
    const run = runOf()
    return { ...run, samples: run.samples.map(sample => ({ ...sample, started })) }
  }
  assert.throws(() => compareRuns(startedAt('now'), startedAt('now'), options), {
    exitCode: 2,
    message: /share 13 of 13 samples: a run cannot be compared with itself/
  })
  assert.equal(compareRuns(startedAt('now'), startedAt('later'), options).verdict, 'inconclusive')
})

test('a metric that one side lacks is invalid', () => {
  const record = compare({ more: () => ({ expireNsPerTimer: 5 }) }, {})
  assert.equal(record.verdict, 'invalid')
  assert.deepEqual(columns(record, 'metric', 'reason')[1], [
    'expireNsPerTimer',
    'head: time to expire a timer is missing'
  ])
  const allocating = runOf()
  allocating.samples.at(-1).metrics.allocatedBytesPerOp = 48
  const [never, once] = [runOf(), allocating].map(run => columns(compareRuns(runOf(), run, options), 'metric'))
  assert.deepEqual(once, never, 'allocation may be missing: it is exact in some runs only')
})

test('a count that one side lacks is not exact there, and decides nothing', () => {
  const uncounted = runOf()
  delete uncounted.samples.at(-1).metrics.workPerOp
  const { verdict, comparisons } = compareRuns(runOf(), uncounted, options)
  assert.deepEqual([verdict, comparisons[1].reason, comparisons[1].gates], [
    'inconclusive',
    'head: work per operation is missing',
    false
  ])
})

test('allocated bytes decide as in a gate: by more than one byte, and more than the margin', () => {
  const verdictOf = (/** @type {number[]} */ ...bytes) => {
    const runs = bytes.map(allocatedBytesPerOp => {
      const run = runOf({ machine: allocatedBytesPerOp === bytes[0] ? {} : SLOW })
      Object.assign(run.samples.at(-1).metrics, { allocatedBytesPerOp })
      return run
    })
    return compareRuns(runs[0], runs[1], options).verdict
  }
  assert.deepEqual(
    [verdictOf(0, 0.9), verdictOf(0.001, 0.002), verdictOf(960, 1008), verdictOf(0, 48), verdictOf(900, 948)],
    ['pass', 'pass', 'pass', 'regression', 'regression']
  )
})

test('runs with nothing in common never pass, and different runtimes are named', () => {
  const { verdict, warnings } = compare({}, { runtime: 'v24' })
  assert.equal(verdict, 'invalid')
  assert.ok(warnings.some(warning => warning.includes('different runtimes (v20; v24)')))
})

for (const [what, base, head, isTimed] of /** @type {[string, Run, Run, boolean][]} */ ([
  ['another CPU', {}, { machine: SLOW }, false],
  ['more cores', {}, { machine: { cores: 4 } }, false],
  ['two ids', { machine: { machine: 'a' } }, { machine: { machine: 'b' } }, false],
  ['an id on one side only', { machine: { machine: 'a' } }, {}, true],
  ['parts of one machine', { parts: ['Quick', 'Quick'] }, {}, true],
  ['parts of several machines', { parts: ['Quick', 'Slow'] }, { parts: ['Quick', 'Other'] }, false],
  // The record does not say which of the two machines measured which part.
  ['parts of the same two machines', { parts: ['Quick', 'Slow'] }, { parts: ['Quick', 'Slow'] }, false]
])) {
  test(`with ${what}, ${isTimed ? 'times are compared' : 'only counts are compared, and decide'}`, () => {
    const record = compare(base, { ...head, queues: { heap: 80 } })
    if (isTimed) return assert.equal(record.comparisons[0].metric, 'nsPerOp')
    assert.deepEqual(columns(record, 'metric', 'verdict'), COUNTS)
    assert.equal(record.verdict, 'pass')
    assert.match(record.warnings[0], /^different machines .*times are not compared/)
    assert.equal(compare(base, { ...head, work: 9.01 }).verdict, 'regression')
  })
}

test('a cell that one machine could not count is invalid, never a pass', () => {
  const queues = { heap: 40, wheel: 10 }
  const head = { queues, machine: SLOW, uncounted: 'wheel' }
  const record = compare({ queues }, head)
  assert.equal(record.verdict, 'invalid')
  assert.deepEqual(
    columns(record, 'queue', 'metric', 'gates', 'reason').filter(([queue]) => queue === 'wheel'),
    [['wheel', 'workPerOp', true, 'head: it took too long']]
  )
  const stopped = runOf(head)
  stopped.samples = stopped.samples.filter(({ kind }) => kind === 'alone')
  const [first] = compareRuns(runOf({ queues }), stopped, options).comparisons
  assert.deepEqual([first.verdict, first.reason], ['invalid', 'head: not counted, its run ended before'])
})

test('a cell that is never counted is listed where times are not compared', () => {
  const [base, head] = [{}, SLOW].map(machine => {
    const run = runOf({ queues: { heap: 40, wheel: 10 }, machine })
    run.samples = run.samples.filter(({ queue, kind }) => queue === 'heap' || kind === 'alone')
    return run
  })
  const { verdict, unmatched } = compareRuns(base, head, options)
  assert.deepEqual(
    [verdict, unmatched.map(({ queue, reason }) => [queue, reason])],
    ['pass', [['wheel', 'only timed, and times of different machines are not compared']]]
  )
})

test('counts of different workloads decide nothing, and a warning says so', () => {
  const [base, head] = [runOf(), runOf({ work: 20, machine: SLOW })]
  head.run.plan.settings.countSeed = 2
  const { verdict, comparisons, warnings } = compareRuns(base, head, options)
  assert.deepEqual([verdict, comparisons.every(({ gates }) => !gates)], ['invalid', true])
  assert.ok(
    warnings.includes(
      'counted with different seeds (1; 2), so of different workloads: counts are shown, but decide nothing'
    )
  )
})

test('a queue that loses most of its samples is a regression, even if the remaining ones are fast', () => {
  const lossy = (/** @type {string} */ queue, /** @type {number} */ lostRounds) =>
    compareTwo({ queues: { heap: 40, wheel: 20 }, rounds: 20, failing: { [queue]: 'time-limit' }, lostRounds })
  const [head] = lossy('wheel', 16).comparisons
  assert.deepEqual([head.verdict, head.lost, head.ratio, head.high], ['regression', { base: 0, head: 16 }, null, null])
  assert.equal(head.head && Math.round(head.head), 20)
  assert.equal(lossy('wheel', 6).verdict, 'inconclusive')
  const base = lossy('heap', 16)
  assert.deepEqual([base.verdict, base.comparisons[0].lost], ['pass', { base: 16, head: 0 }])
})

test('a cell that crashed is invalid, never a pass, and the reason names its side or queue', () => {
  const { verdict, comparisons } = compare({}, { failing: { heap: 'crash' } })
  assert.deepEqual([verdict, comparisons[0].reason], ['invalid', 'head: it died'])
  for (const queue of ['heap', 'wheel']) {
    const { comparisons } = compareTwo({ queues: { heap: 40, wheel: 20 }, failing: { [queue]: 'crash' } })
    assert.equal(comparisons[0].reason, `${queue}: it died`)
  }
})

/**
 * Two servers of one run.
 *
 * @param {(round: number) => Record<string, number>} base
 * @param {(round: number) => Record<string, number>} head
 */
function compareServers (base, head) {
  const run = aRun({
    plan: aPlan({ queues: ['node', 'heap'], scenario: { kind: 'http', values: { seconds: [2] } } }),
    samplesOf: ({ queue }) =>
      Array.from({ length: 20 }, (_, round) => ({
        metrics: { cpuMicrosPerRequest: 50 + Math.sin(round * round), ...(queue === 'node' ? base : head)(round) }
      }))
  })
  return compareQueues(run, 'node', 'heap', options)
}

test('fewer requests, longer latency and later expiries fail a comparison whose CPU is level', () => {
  const service = (/** @type {number} */ factor) => (/** @type {number} */ round) => ({
    requestsPerSecond: (9000 + round) / factor,
    latencyP99Ms: factor * (4 + (round % 3)),
    latenessP99Ms: factor * 0.9
  })
  const fine = compareServers(service(1), service(1.02))
  assert.equal(fine.verdict, 'pass')
  assert.deepEqual(columns(fine, 'metric', 'guard'), [
    ['cpuMicrosPerRequest', undefined],
    ['requestsPerSecond', true],
    ['latencyP99Ms', true],
    ['latenessP99Ms', true]
  ])
  const slow = compareServers(service(1), service(2.5))
  assert.equal(slow.verdict, 'regression')
  assert.deepEqual(columns(slow, 'verdict').flat(), ['pass', ...Array(3).fill('regression')])
})

test('lateness below the resolution of the clock is no difference, nor is a metric that built-in timers lack', () => {
  const verdictOf = (/** @type {Record<string, number>} */ base, /** @type {number} */ latenessP99Ms) =>
    compareServers(() => base, () => ({ latenessP99Ms })).verdict
  assert.deepEqual(
    [verdictOf({ latenessP99Ms: 0 }, 0.8), verdictOf({ latenessP99Ms: 0 }, 40), verdictOf({}, 40)],
    ['pass', 'regression', 'pass']
  )
})

test('errors are added up over all samples and can fail a comparison, if a client saw any', () => {
  const failing = (/** @type {number} */ errors) => () => ({ requestsPerSecond: 1000, errors })
  const errorsOf = (/** @type {number} */ head) =>
    columns(compareServers(failing(0), failing(head)), 'metric', 'base', 'head', 'verdict').slice(2)
  assert.deepEqual(
    [0, 15, 30].map(errorsOf),
    [[], [['errors', 0, 300, 'pass']], [['errors', 0, 600, 'regression']]]
  )
})

test('queues of a table split into heats are compared through the control, and two such runs by round', () => {
  const split = () => {
    const run = runOf({ queues: { list: 80, heap: 40, wheel: 10 } })
    run.run.plan.settings.control = { micro: 'list' }
    run.samples = run.samples
      .filter(({ kind }) => kind === 'alone')
      .flatMap(sample =>
        (sample.queue === 'list' ? ['heap', 'wheel'] : [sample.queue]).map(group => ({
          ...sample,
          kind: 'heat',
          heat: `${group} ${sample.round}`
        }))
      )
    return run
  }
  const [{ ratio, pairs, verdict }] = compareQueues(split(), 'heap', 'wheel', options).comparisons
  assert.deepEqual([pairs, verdict, Number(ratio).toFixed(2)], [12, 'pass', '0.25'])
  const [head, base] = [split(), split()]
  for (const sample of head.samples) sample.heat = `another ${sample.heat}`
  assert.ok(compareRuns({ ...base, directory: 'base' }, head, options).comparisons.every(({ pairs }) => pairs > 0))
})
