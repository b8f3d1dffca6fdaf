/** Comparisons of two runs, and of two queues of one run. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { compareQueues, compareRuns } from '../../../harness/judge/compare.js'
import { createPlan } from '../../../harness/plan/plan.js'
import { machinesOf } from '../../../harness/model/machine.js'
import { DEFAULT_RULES } from '../../../harness/judge/verdict.js'

const options = { rules: DEFAULT_RULES, command: ['timerq', 'compare'] }
const environment = { cpu: 'Quick', cores: 2, memoryBytes: 2 ** 33, pinning: 'pinned', loadGenerator: 'none' }

/**
 * A run whose samples hardly vary.
 *
 * @param {object} options
 * @param {Record<string, number>} [options.queues]  ns per operation of each.
 * @param {number} [options.work]
 * @param {number} [options.rounds]
 * @param {object} [options.machine]
 * @param {string} [options.runtime]
 * @param {number} [options.seed]
 * @param {Record<string, string>} [options.failing]  Kind of failure by queue.
 * @param {string[]} [options.uncounted]  Queues that were not counted in time.
 * @param {number[]} [options.sizes]
 * @param {object} [options.scenario]
 * @param {(round: number) => Record<string, number>} [options.more]  Other metrics.
 * @param {number} [options.lostRounds]  Scattered, of a queue that fails by time limit.
 */
function runOf ({
  queues = { heap: 40 },
  work = 9,
  rounds = 12,
  machine = {},
  runtime = 'v20',
  seed = 1,
  failing = {},
  uncounted = [],
  sizes = [10],
  scenario = {},
  more = () => ({}),
  lostRounds = 1
}) {
  const plan = createPlan(
    /** @type {any} */ ({
      settings: { seed, countSeed: 1, rounds, micro: {}, httpWarmupMs: 1 },
      queues: Object.keys(queues).map(name => ({ name, origin: 'own' })),
      scenarios: [{ name: 'refresh', kind: 'micro', values: { size: sizes }, ...scenario }],
      runtimes: [{ name: runtime }]
    })
  )
  const samples = plan.cells.flatMap(cell =>
    Array.from({ length: rounds + 1 }, (_, round) => {
      const sample = { ...cell, cell: cell.id, warnings: [] }
      if (round === rounds && uncounted.includes(cell.queue)) {
        return {
          ...sample,
          round: 0,
          kind: 'count',
          metrics: {},
          failure: { kind: 'time-limit', message: 'it took too long' }
        }
      }
      if (round === rounds) {
        return { ...sample, round: 0, kind: 'count', metrics: { workPerOp: work, bytesPerTimer: 72 } }
      }
      const kind = failing[cell.queue]
      if (kind && (kind !== 'time-limit' || (7 * round) % rounds < lostRounds)) {
        return { ...sample, round, kind: 'alone', metrics: {}, failure: { kind, message: 'it died' } }
      }
      return {
        ...sample,
        round,
        kind: 'alone',
        metrics: { nsPerOp: queues[cell.queue] * (1 + 0.001 * Math.sin(round)), ...more(round) }
      }
    })
  )
  const name = Object.values(queues).join('-')
  return /** @type {any} */ ({
    directory: name,
    run: { environment: { ...environment, ...machine }, plan },
    samples,
    warnings: []
  })
}

test('cells that match are compared, each metric in a row of its own', () => {
  const record = compareRuns(runOf({}), runOf({ queues: { heap: 44 } }), options)
  assert.deepEqual(
    record.comparisons.map(({ metric, gates, verdict }) => [metric, gates, verdict]),
    [
      ['nsPerOp', true, 'inconclusive'],
      ['workPerOp', true, 'pass'],
      ['bytesPerTimer', true, 'pass']
    ]
  )
  assert.ok(Math.abs(Number(record.comparisons[0].ratio) - 1.1) < 0.002)
})

test('runs measured one after the other decide nothing on time, in either direction, and say what would', () => {
  for (const heap of [20, 40, 80]) {
    const {
      verdict,
      comparisons: [time],
      warnings
    } = compareRuns(runOf({}), runOf({ queues: { heap } }), options)
    assert.deepEqual([verdict, time.verdict, time.morePairs], ['inconclusive', 'inconclusive', null])
    assert.match(String(time.reason), /timerq gate measures both sides together/)
    assert.match(warnings[0], /one after the other/)
  }
})

test('counts of runs one after the other decide: more work is a regression', () => {
  const { verdict, comparisons } = compareRuns(runOf({}), runOf({ work: 9.01 }), options)
  assert.deepEqual(
    [verdict, comparisons.map(({ verdict }) => verdict)],
    ['regression', ['inconclusive', 'regression', 'pass']]
  )
})

test('a cell that only the base has is invalid, unless missing ones are allowed; one that only the head has is listed', () => {
  const [base, head] = [runOf({ queues: { heap: 40, list: 80 } }), runOf({ queues: { heap: 40, wheel: 10 } })]
  const strict = compareRuns(base, head, options)
  assert.deepEqual(
    strict.comparisons
      .filter(({ queue }) => queue === 'list')
      .map(({ verdict, gates, reason }) => [verdict, gates, reason]),
    [['invalid', true, 'only in 40-80']]
  )
  assert.equal(strict.verdict, 'invalid')
  const lenient = compareRuns(base, head, { ...options, allowMissing: true })
  assert.deepEqual(
    lenient.unmatched.map(({ queue, reason }) => [queue, reason]),
    [
      ['list', 'only in 40-80'],
      ['wheel', 'only in 40-10']
    ]
  )
  assert.equal(lenient.verdict, 'inconclusive')
})

test('other sizes are other cells', () => {
  assert.equal(compareRuns(runOf({ sizes: [10, 20] }), runOf({ sizes: [10, 30] }), options).verdict, 'invalid')
})

for (const [what, environment] of Object.entries({
  kernels: { kernel: 'Linux 7' },
  'CPU governors': { governor: 'powersave' },
  V8: { v8: '13' },
  pinning: { pinning: 'none' }
})) {
  test(`times of one machine are refused for different ${what}`, () => {
    const { verdict, comparisons } = compareRuns(runOf({}), runOf({ machine: environment }), options)
    assert.equal(verdict, 'invalid')
    assert.match(String(comparisons[0].reason), new RegExp(`^times are not compared: different ${what}`))
    assert.deepEqual(
      comparisons.slice(1).map(({ metric, verdict }) => [metric, verdict]),
      [
        ['workPerOp', 'pass'],
        ['bytesPerTimer', 'pass']
      ]
    )
  })
}

/** @param {(run: any) => void} change */
function changedRun (change) {
  const results = runOf({})
  change(results.run)
  return results
}

test('times of another preset are refused, nothing else is compared of another timerq or an unfinished run', () => {
  const presets = compareRuns(
    runOf({}),
    changedRun(({ plan: { settings } }) => {
      settings.micro.measureMs = 7
      settings.preset = 'ci'
    }),
    options
  )
  assert.match(String(presets.comparisons[0].reason), /samples of different lengths \(presets .*ci\)/)
  for (const [change, message] of /** @type {[(run: any) => void, RegExp][]} */ ([
    [
      run => {
        run.environment.timerq = '9'
      },
      /measured by timerq undefined and 9/
    ],
    [
      run => {
        run.ended = null
      },
      /did not end: continue it with timerq run --resume/
    ]
  ])) {
    const { verdict, comparisons } = compareRuns(runOf({}), changedRun(change), options)
    assert.deepEqual([verdict, comparisons.length], ['invalid', 1])
    assert.match(String(comparisons[0].reason), message)
  }
})

test('a scenario whose file has changed is another workload, whatever its name', () => {
  const runs = ['a', 'b'].map(sha256 => runOf({ scenario: { sha256 } }))
  const { verdict, comparisons } = compareRuns(runs[0], runs[1], options)
  assert.deepEqual([verdict, comparisons.length], ['invalid', 1])
  assert.match(String(comparisons[0].reason), /refresh is another workload in 40/)
  assert.equal(compareRuns(runs[0], runOf({ scenario: { sha256: 'a' } }), options).verdict, 'inconclusive')
})

test('machines are the same by their ids, or by their description where a run has no id', () => {
  const [one, other, unknown] = [{ machine: 'a' }, { machine: 'b' }, {}].map(machine => runOf({ machine }))
  assert.deepEqual(
    compareRuns(one, other, options).comparisons.map(({ metric }) => metric),
    ['workPerOp', 'bytesPerTimer']
  )
  assert.equal(compareRuns(one, unknown, options).comparisons[0].metric, 'nsPerOp')
  assert.deepEqual(machinesOf(one.run, other.run), ['2 x Quick, 8 GiB, id a', '2 x Quick, 8 GiB, id b'])
})

test('a run is not compared with itself or a copy', () => {
  const started = (/** @type {any} */ run, /** @type {string} */ when) => ({
    ...run,
    samples: run.samples.map((/** @type {any} */ sample) => ({ ...sample, started: when }))
  })
  assert.throws(() => compareRuns(started(runOf({}), 'now'), started(runOf({}), 'now'), options), {
    exitCode: 2,
    message: /share 13 of 13 samples: a run cannot be compared with itself/
  })
  assert.equal(compareRuns(started(runOf({}), 'now'), started(runOf({}), 'later'), options).verdict, 'inconclusive')
})

test('a metric that one side lacks is invalid', () => {
  const { verdict, comparisons } = compareRuns(runOf({ more: () => ({ expireNsPerTimer: 5 }) }), runOf({}), options)
  assert.equal(verdict, 'invalid')
  assert.deepEqual(
    comparisons.find(({ metric }) => metric === 'expireNsPerTimer')?.reason,
    'head: time to expire a timer is missing'
  )
  const uncounted = runOf({})
  delete uncounted.samples.at(-1).metrics.workPerOp
  const counts = compareRuns(runOf({}), uncounted, options)
  assert.deepEqual(
    [counts.verdict, counts.comparisons.find(({ metric }) => metric === 'workPerOp')?.reason],
    ['invalid', 'head: work per operation is missing']
  )
})

test('runs with nothing in common never pass, and different runtimes are named', () => {
  const record = compareRuns(runOf({}), runOf({ runtime: 'v24' }), options)
  assert.equal(record.verdict, 'invalid')
  assert.ok(record.warnings.some(warning => warning.includes('different runtimes (v20; v24)')))
})

test('times of different machines are never compared; counts decide', () => {
  const record = compareRuns(runOf({}), runOf({ queues: { heap: 80 }, machine: { cpu: 'Slow' } }), options)
  assert.deepEqual(
    record.comparisons.map(({ metric, gates }) => [metric, gates]),
    [
      ['workPerOp', true],
      ['bytesPerTimer', true]
    ]
  )
  assert.equal(record.verdict, 'pass')
  assert.match(record.warnings[0], /times are not compared/)
  assert.equal(compareRuns(runOf({}), runOf({ work: 9.01, machine: { cores: 4 } }), options).verdict, 'regression')
})

test('a cell that one machine could not count is invalid, never a pass', () => {
  const queues = { heap: 40, wheel: 10 }
  const head = runOf({ queues, machine: { cpu: 'Slow' }, uncounted: ['wheel'] })
  const { verdict, comparisons } = compareRuns(runOf({ queues }), head, options)
  assert.equal(verdict, 'invalid')
  assert.deepEqual(
    comparisons.filter(({ queue }) => queue === 'wheel').map(({ metric, gates, reason }) => [metric, gates, reason]),
    [['workPerOp', true, 'head: it took too long']]
  )

  const stopped = { ...head, samples: head.samples.filter(({ kind }) => kind === 'alone') }
  const [first] = compareRuns(runOf({ queues }), stopped, options).comparisons
  assert.deepEqual([first.verdict, first.reason], ['invalid', 'head: not counted, its run ended before'])
})

test('a cell that is never counted is listed where times are not compared', () => {
  const withoutWheel = (/** @type {any} */ run) => ({
    ...run,
    samples: run.samples.filter((/** @type {any} */ { queue, kind }) => queue === 'heap' || kind === 'alone')
  })
  const [base, head] = [{}, { machine: { cpu: 'Slow' } }].map(changed =>
    withoutWheel(runOf({ queues: { heap: 40, wheel: 10 }, ...changed }))
  )
  const { verdict, unmatched } = compareRuns(base, head, options)
  assert.equal(verdict, 'pass')
  assert.deepEqual(
    unmatched.map(({ queue, reason }) => [queue, reason]),
    [['wheel', 'only timed, and times of different machines are not compared']]
  )
})

test('runs merged from several machines are of one machine only if all their parts are', () => {
  const partsOf = (/** @type {string[]} */ ...cpus) =>
    cpus.map(cpu => ({ directory: cpu, environment: { ...environment, cpu } }))
  const merged = (/** @type {any} */ run, /** @type {string[]} */ ...cpus) => ({
    ...run,
    run: { ...run.run, parts: partsOf(...cpus) }
  })
  const metricsOf = (/** @type {any} */ base, /** @type {any} */ head) =>
    compareRuns(base, head, options).comparisons.map(({ metric }) => metric)
  assert.ok(metricsOf(merged(runOf({}), 'Quick', 'Quick'), runOf({})).includes('nsPerOp'))
  assert.deepEqual(metricsOf(merged(runOf({}), 'Quick', 'Slow'), merged(runOf({}), 'Quick', 'Other')), [
    'workPerOp',
    'bytesPerTimer'
  ])
  // It is not known which of the two measured which shard.
  assert.deepEqual(metricsOf(merged(runOf({}), 'Quick', 'Slow'), merged(runOf({}), 'Quick', 'Slow')), [
    'workPerOp',
    'bytesPerTimer'
  ])
})

test('counts of different workloads decide nothing, and it is said', () => {
  const [base, head] = [runOf({}), runOf({ work: 20, seed: 2, machine: { cores: 4 } })]
  assert.equal(compareRuns(base, head, options).verdict, 'regression')
  head.run.plan.settings.countSeed = 2
  const { verdict, comparisons, warnings } = compareRuns(base, head, options)
  assert.deepEqual([verdict, comparisons.every(({ gates }) => !gates)], ['invalid', true])
  assert.ok(
    warnings.includes(
      'counted with different seeds (1; 2), so of different workloads: counts are shown, but decide nothing'
    )
  )
})

test('a cell that crashed on one side is invalid, never a pass', () => {
  const record = compareRuns(runOf({}), runOf({ failing: { heap: 'crash' } }), options)
  assert.equal(record.verdict, 'invalid')
  assert.equal(record.comparisons[0].reason, 'head: it died')
})

test('a sample lost to the time limit counts as infinitely slow, and losses are shown by side', () => {
  const record = compareRuns(runOf({}), runOf({ failing: { heap: 'time-limit' } }), options)
  const [{ pairs, lost, ratio }] = record.comparisons
  assert.deepEqual([record.verdict, pairs, lost], ['inconclusive', 12, { base: 0, head: 1 }])
  assert.ok(Math.abs(Number(ratio) - 1) < 0.01)
})

test('a queue that loses most of its samples is a regression, even if the remaining ones are fast', () => {
  const lossy = (/** @type {string} */ queue, /** @type {number} */ lostRounds) =>
    runOf({ queues: { heap: 40, wheel: 20 }, rounds: 20, failing: { [queue]: 'time-limit' }, lostRounds })
  const [head] = compareQueues(lossy('wheel', 16), 'heap', 'wheel', options).comparisons
  assert.deepEqual([head.verdict, head.lost, head.ratio, head.high], ['regression', { base: 0, head: 16 }, null, null])
  assert.equal(head.head && Math.round(head.head), 20)
  assert.equal(compareQueues(lossy('wheel', 6), 'heap', 'wheel', options).verdict, 'inconclusive')
  const base = compareQueues(lossy('heap', 16), 'heap', 'wheel', options)
  assert.deepEqual([base.verdict, base.comparisons[0].lost], ['pass', { base: 16, head: 0 }])
})

test('what is wrong with one of two queues is said by its name', () => {
  const record = compareQueues(
    runOf({ queues: { heap: 40, wheel: 20 }, failing: { wheel: 'crash' } }),
    'heap',
    'wheel',
    options
  )
  assert.equal(record.comparisons[0].reason, 'wheel: it died')
  assert.equal(
    compareQueues(runOf({ queues: { heap: 40, wheel: 20 }, failing: { heap: 'crash' } }), 'heap', 'wheel', options)
      .comparisons[0].reason,
    'heap: it died'
  )
})

/**
 * Two servers of one run.
 *
 * @param {(round: number) => Record<string, number>} base
 * @param {(round: number) => Record<string, number>} head
 */
function compareServers (base, head) {
  const cells = ['node', 'heap'].map(queue => ({
    id: queue,
    scenario: 'keep-alive',
    params: { seconds: 2 },
    queue,
    runtime: 'v20'
  }))
  const samples = cells.flatMap((cell, i) =>
    Array.from({ length: 20 }, (_, round) => ({
      ...cell,
      cell: cell.id,
      round,
      kind: 'alone',
      warnings: [],
      metrics: { cpuMicrosPerRequest: 50 + Math.sin(round * round), ...[base, head][i](round) }
    }))
  )
  return compareQueues(
    /** @type {any} */ ({ run: { plan: { cells, queues: [{ name: 'node' }, { name: 'heap' }], scenarios: [], settings: {} } }, samples, warnings: [] }),
    'node',
    'heap',
    options
  )
}

test('fewer requests, longer latency and later expiries fail a comparison whose CPU is level', () => {
  const service = (/** @type {number} */ factor) => (/** @type {number} */ round) => ({
    requestsPerSecond: (9000 + round) / factor,
    latencyP99Ms: factor * (4 + (round % 3)),
    latenessP99Ms: factor * 0.9
  })
  const fine = compareServers(service(1), service(1.02))
  assert.deepEqual(
    [fine.verdict, fine.comparisons.map(({ metric, guard }) => [metric, guard])],
    [
      'pass',
      [
        ['cpuMicrosPerRequest', undefined],
        ['requestsPerSecond', true],
        ['latencyP99Ms', true],
        ['latenessP99Ms', true]
      ]
    ]
  )
  const slow = compareServers(service(1), service(2.5))
  assert.deepEqual(
    [slow.verdict, slow.comparisons.map(({ verdict }) => verdict)],
    ['regression', ['pass', 'regression', 'regression', 'regression']]
  )
})

test('lateness below the grain of the clock is not a difference, nor is a metric that built-in timers lack', () => {
  assert.equal(
    compareServers(
      () => ({ latenessP99Ms: 0 }),
      () => ({ latenessP99Ms: 0.8 })
    ).verdict,
    'pass'
  )
  assert.equal(
    compareServers(
      () => ({ latenessP99Ms: 0 }),
      () => ({ latenessP99Ms: 40 })
    ).verdict,
    'regression'
  )
  assert.equal(
    compareServers(
      () => ({}),
      () => ({ latenessP99Ms: 40 })
    ).verdict,
    'pass'
  )
})

test('errors of more than one request in a hundred fail a comparison, where the base has fewer', () => {
  const failing = (/** @type {number} */ errors) => () => ({ requestsPerSecond: 1000, errors })
  const errorsOf = (/** @type {number} */ base, /** @type {number} */ head) => {
    const { verdict, comparisons } = compareServers(failing(base), failing(head))
    return [verdict, comparisons.filter(({ metric }) => metric === 'errors').map(({ base, head }) => [base, head])]
  }
  assert.deepEqual(errorsOf(0, 0), ['pass', []])
  assert.deepEqual(errorsOf(0, 15), ['pass', [[0, 300]]])
  assert.deepEqual(errorsOf(0, 30), ['regression', [[0, 600]]])
  assert.deepEqual(errorsOf(30, 40), ['pass', [[600, 800]]])
})

test('queues of a table that was split into heats are compared through the control, and runs by round', () => {
  const split = () => {
    const run = runOf({ queues: { list: 80, heap: 40, wheel: 10 } })
    run.run.plan.settings.control = { micro: 'list' }
    run.samples = run.samples
      .filter((/** @type {any} */ { kind }) => kind === 'alone')
      .flatMap((/** @type {any} */ sample) =>
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

test('two queues of one run are compared by round', () => {
  const record = compareQueues(runOf({ queues: { heap: 40, wheel: 10 } }), 'heap', 'wheel', options)
  assert.deepEqual(
    [record.verdict, record.base, record.head, record.comparisons[0].queue],
    ['pass', 'heap', 'wheel', 'wheel']
  )
  assert.equal(record.comparisons[0].change, 'faster')
  assert.equal(
    compareQueues(runOf({ queues: { heap: 40, wheel: 10 } }), 'wheel', 'heap', options).verdict,
    'regression'
  )
})
