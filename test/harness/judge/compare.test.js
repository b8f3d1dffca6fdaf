/** Comparisons of two runs, and of two queues of one run. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { compareQueues, compareRuns } from '../../../harness/judge/compare.js'
import { DEFAULT_RULES } from '../../../harness/judge/decision.js'
import { compact } from '../../../harness/model/compact.js'
import { aPlan, aRun } from '../a-run.js'

/** @import { ComparisonRecord } from '../../../harness/judge/records.js' */

const options = { rules: DEFAULT_RULES, command: ['timerq', 'compare'] }
const environment = { cpu: 'Quick', cores: 2, memoryBytes: 2 ** 33, pinning: 'pinned', loadGenerator: 'none' }

/**
 * A run whose samples hardly vary.
 *
 * @param {object} options
 * @param {Record<string, number>} [options.queues]  Nanoseconds per operation, by queue.
 * @param {Record<string, number>} [options.counts]
 * @param {object} [options.machine]
 * @param {string[]} [options.parts]  CPU of the machine that measured each part of the run.
 * @param {string} [options.runtime]
 * @param {Record<string, string>} [options.failing]  Kind of failure of all samples, by queue.
 * @param {(run: any) => unknown} [options.edit]
 */
function runOf ({ queues = { heap: 40 }, counts, machine, parts, runtime = 'v20', failing = {}, edit } = {}) {
  const ownEnvironment = { ...environment, ...machine }
  const made = aRun({
    directory: Object.values(queues).join('-'),
    run: {
      environment: ownEnvironment,
      ...(parts && { parts: parts.map(cpu => ({ environment: { ...environment, cpu } })) })
    },
    plan: aPlan({ queues: Object.keys(queues), scenario: { sha256: 'a' }, runtimes: [{ name: runtime }] }),
    samplesOf: ({ queue }) => [
      ...Array.from({ length: 12 }, (_, round) =>
        failing[queue]
          ? { failure: { kind: failing[queue], message: 'it died' } }
          : { metrics: { nsPerOp: queues[queue] * (1 + 0.001 * Math.sin(round)) } }
      ),
      { round: 0, kind: 'count', metrics: { workPerOp: 9, bytesPerTimer: 72, ...counts } }
    ]
  })
  edit?.(made)
  return made
}

/** @typedef {NonNullable<Parameters<typeof runOf>[0]>} Run */

/** @type {(base: Run, head: Run) => ComparisonRecord} */
const compare = (base, head) => compareRuns(runOf(base), runOf(head), options)

const LATER = 'runs measured one after the other cannot decide on time; timerq gate measures both sides together'

/**
 * The verdict, rows that do not pass, the number of those that do, and cells that are not compared.
 *
 * @param {ComparisonRecord} record
 */
const told = ({ verdict, comparisons, unmatched }) =>
  [
    verdict,
    ...comparisons
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ queue, metric, verdict, gates, reason = '' }) =>
        compact(queue, metric, verdict, !gates && '(decides nothing)', reason.replace(LATER, 'later')).join(' ')
      ),
    comparisons.filter(({ verdict }) => verdict === 'pass').length,
    ...unmatched.map(({ queue, reason }) => `${queue}: ${reason}`)
  ].join(' | ')

const TIME = 'heap nsPerOp inconclusive later'
const OPEN = `inconclusive | ${TIME} | 2`
const UNTIMED = 'invalid | heap nsPerOp invalid times are not compared: '
const SLOW = { cpu: 'Slow' }
const TWO = { heap: 40, wheel: 10 }
/** @type {(kept: (sample: any) => boolean) => (run: any) => unknown} */
const keeping = kept => run => (run.samples = run.samples.filter(kept))
const isOfHeapOrTimed = (/** @type {any} */ { queue, kind }) => queue === 'heap' || kind === 'alone'
/** @type {(change: (plan: any, run: any) => unknown) => Run} */
const planned = change => ({ edit: ({ run }) => change(run.plan, run) })
/** @type {(requestsPerSecond: number, path?: any) => Run} */
const tried = (requestsPerSecond, path) =>
  planned(({ of }) => {
    of.program = { command: ['node', 'server.js'], cwd: '', ...(typeof path === 'string' && { path }), startSeconds: 9 }
    Object.assign(of.program, { requestsPerSecond, usesTimers: requestsPerSecond > 3000, askedPort: requestsPerSecond })
  })
const tooSlow = { metrics: {}, failure: { kind: 'time-limit', message: 'it took too long' } }

for (const [title, base, head, expected] of /** @type {[string, Run, Run, string][]} */ ([
  ...[20, 40, 80].map(heap => [`times of ${heap / 40}`, {}, { queues: { heap } }, OPEN]),
  ...[9.01, 11.25].map(workPerOp => [`work of ${workPerOp}`, {}, { counts: { workPerOp } }, OPEN]),
  ['a third more work', {}, { counts: { workPerOp: 12 } }, `regression | ${TIME} | heap workPerOp regression | 1`],
  ['tried programs', tried(3000), tried(3100), OPEN],
  [
    'tried programs under other requests',
    ...[tried(3000), tried(3000, '/users')],
    `${UNTIMED}another program, or other requests | 2`
  ],
  [
    'a cell that one side has',
    { queues: { heap: 40, list: 80 } },
    { queues: TWO },
    `invalid | ${TIME} | list nsPerOp invalid only in 40-80 | 2 | wheel: only in 40-10`
  ],
  ...[
    ['kernels', 'kernel', undefined, 'Linux 7'],
    ['CPU governors', 'governor', undefined, 'powersave'],
    ['V8', 'v8', undefined, '13'],
    ['clocks', 'clock', undefined, 'wall clock'],
    ['pinning', 'pinning', 'pinned', 'none'],
    ['load generators', 'loadGenerator', 'none', 'wrk']
  ].map(([what, name, before, now]) => [
    `different ${what} of one machine`,
    {},
    { machine: { [String(name)]: now } },
    `${UNTIMED}different ${what} (${before}; ${now}) | 2`
  ]),
  [
    'times of another preset',
    {},
    planned(({ settings }) => Object.assign(settings, { preset: 'ci', micro: { measureMs: 7 } })),
    `${UNTIMED}samples of different lengths (presets undefined; ci) | 2`
  ],
  [
    'another timerq',
    {},
    { machine: { timerq: '9' } },
    'invalid | heap nsPerOp invalid measured by timerq undefined and 9 | 0'
  ],
  [
    'an unfinished run',
    {},
    planned((_, run) => (run.ended = null)),
    'invalid | heap nsPerOp invalid 40 did not end: continue it with timerq run --resume | 0'
  ],
  [
    'another workload of that name',
    {},
    planned(({ scenarios }) => (scenarios[0].sha256 = 'b')),
    'invalid | heap nsPerOp invalid refresh is another workload in 40: its file has changed | 0'
  ],
  [
    'a time that one side lacks',
    { edit: ({ samples }) => samples.slice(0, 12).map(({ metrics }) => (metrics.expireNsPerTimer = 5)) },
    {},
    `invalid | ${TIME} | heap expireNsPerTimer invalid head: time to expire a timer is missing | 2`
  ],
  [
    'a count that one side lacks, as it is not exact there',
    {},
    { edit: ({ samples }) => delete samples.at(-1).metrics.workPerOp },
    `inconclusive | ${TIME} | heap workPerOp invalid (decides nothing) head: work per operation is missing | 1`
  ],
  ['allocated bytes that one side lacks', {}, { counts: { allocatedBytesPerOp: 48 } }, OPEN],
  ['nothing in common', {}, { runtime: 'v24' }, 'invalid | heap nsPerOp invalid only in 40 | 0 | heap: only in 40'],
  ['a head that crashed', {}, { failing: { heap: 'crash' } }, 'invalid | heap nsPerOp invalid head: it died | 2'],
  [
    'a cell that one machine could not count',
    { queues: TWO },
    { queues: TWO, machine: SLOW, edit: ({ samples }) => Object.assign(samples.at(-1), tooSlow) },
    'invalid | wheel workPerOp invalid head: it took too long | 2'
  ],
  [
    'a run that ended before it counted',
    {},
    { machine: SLOW, edit: keeping(({ kind }) => kind === 'alone') },
    'invalid | heap workPerOp invalid head: not counted, its run ended before | 0'
  ],
  [
    'a cell that is never counted',
    { queues: TWO, edit: keeping(isOfHeapOrTimed) },
    { queues: TWO, machine: SLOW, edit: keeping(isOfHeapOrTimed) },
    'pass | 2 | wheel: only timed, and times of different machines are not compared'
  ],
  ['another CPU', {}, { machine: SLOW }, 'pass | 2'],
  ['more cores', {}, { machine: { cores: 4 } }, 'pass | 2'],
  ['two ids', { machine: { machine: 'a' } }, { machine: { machine: 'b' } }, 'pass | 2'],
  ['parts of several machines', { parts: ['Quick', 'Slow'] }, { parts: ['Quick', 'Other'] }, 'pass | 2'],
  // The record does not say which of the two machines measured which part.
  ['parts of the same two machines', { parts: ['Quick', 'Slow'] }, { parts: ['Quick', 'Slow'] }, 'pass | 2'],
  ['an id on one side only', { machine: { machine: 'a' } }, {}, OPEN],
  ['parts of one machine', { parts: ['Quick', 'Quick'] }, {}, OPEN],
  ...[[960, 1008], [900, 948]].map((sides, i) => [
    `${sides.join(', then ')} allocated bytes`,
    ...sides.map((allocatedBytesPerOp, j) => ({ counts: { allocatedBytesPerOp }, ...(j > 0 && { machine: SLOW }) })),
    i === 0 ? 'pass | 3' : 'regression | heap allocatedBytesPerOp regression | 2'
  ])
])) {
  test(`two runs with ${title}: ${expected}`, () => assert.equal(told(compare(base, head)), expected))
}

test('warnings say what two runs do not share', () => {
  const [later, machines, runtimes] = [{}, { machine: SLOW }, { runtime: 'v24' }].map(head => compare({}, head))
  assert.match(later.warnings[0], /one after the other/)
  assert.ok(Math.abs(Number(later.comparisons[0].ratio) - 1) < 0.002 && later.comparisons[0].morePairs === null)
  assert.match(machines.warnings[0], /^different machines .*times are not compared/)
  assert.match(runtimes.warnings.join(), /different runtimes \(v20; v24\)/)
})

test('a run is not compared with itself or a copy', () => {
  const startedAt = (/** @type {string} */ started) => ({
    edit: (/** @type {any} */ { samples }) => {
      for (const sample of samples) sample.started = started
    }
  })
  assert.throws(() => compare(startedAt('now'), startedAt('now')), {
    exitCode: 2,
    message: /share 13 of 13 samples: a run cannot be compared with itself/
  })
  assert.equal(compare(startedAt('now'), startedAt('later')).verdict, 'inconclusive')
})

test('two queues of one run: the faster passes, whatever the counts; one that crashed or that few tables have is ' +
  'named', () => {
  const compareTwo = (/** @type {Run} */ run, base = 'heap', head = 'wheel') =>
    compareQueues(runOf({ queues: TWO, ...run }), base, head, options)
  assert.equal(told(compareTwo({})), 'pass | 3')
  assert.equal(told(compareTwo({}, 'wheel', 'heap')), 'regression | heap nsPerOp regression | 2')
  for (const queue of ['heap', 'wheel']) {
    const crashed = compareTwo({ failing: { [queue]: 'crash' } })
    assert.equal(told(crashed), `invalid | wheel nsPerOp invalid ${queue}: it died | 2`)
  }
  const { run, ...results } = runOf({ queues: TWO })
  run.plan.cells.push({ ...run.plan.cells[0], params: { size: 20 } })
  const lacking = compareQueues({ run, ...results }, 'heap', 'wheel', options)
  assert.equal(told(lacking), 'pass | 3 | heap: wheel was not measured here')
  assert.throws(() => compareTwo({}, 'heap', 'list'), { exitCode: 2, message: /^40-10 has no list \(it has heap and wh/ })
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
  const [fine, slow] = [1.02, 2.5].map(factor => compareServers(service(1), service(factor)))
  assert.equal(told(fine), 'pass | 4')
  const slower = ['requestsPerSecond', 'latencyP99Ms', 'latenessP99Ms'].map(metric => `heap ${metric} regression`)
  assert.equal(told(slow), ['regression', ...slower, 1].join(' | '))
  const late = (/** @type {Record<string, number>} */ base, /** @type {number} */ latenessP99Ms) =>
    told(compareServers(() => base, () => ({ latenessP99Ms })))
  assert.equal(late({ latenessP99Ms: 0 }, 0.8), 'pass | 2', 'below the resolution of the clock')
  assert.equal(late({}, 40), 'pass | 1', 'built-in timers have no lateness')
})

test('errors are added up over all samples and can fail a comparison, if a client saw any', () => {
  const failing = (/** @type {number} */ errors) => () => ({ requestsPerSecond: 1000, errors })
  const errorsOf = (/** @type {number} */ head) =>
    compareServers(failing(0), failing(head))
      .comparisons.slice(2)
      .map(({ metric, base, head, verdict }) => [metric, base, head, verdict])
  assert.deepEqual(
    [0, 15, 30].map(errorsOf),
    [[], [['errors', 0, 300, 'pass']], [['errors', 0, 600, 'regression']]]
  )
})

test('queues of a table split into heats are compared through the control, and two such runs by round', () => {
  const split = (more = '') =>
    runOf({
      queues: { list: 80, ...TWO },
      edit: made => {
        made.run.plan.settings.control = { micro: 'list' }
        made.samples = made.samples
          .filter((/** @type {any} */ { kind }) => kind === 'alone')
          .flatMap((/** @type {any} */ sample) =>
            (sample.queue === 'list' ? ['heap', 'wheel'] : [sample.queue]).map(group => ({
              ...sample,
              kind: 'heat',
              heat: `${more}${group} ${sample.round}`
            }))
          )
      }
    })
  const [{ ratio, pairs, verdict }] = compareQueues(split(), 'heap', 'wheel', options).comparisons
  assert.deepEqual([pairs, verdict, Number(ratio).toFixed(2)], [12, 'pass', '0.25'])
  assert.ok(compareRuns(split(), split('another '), options).comparisons.every(({ pairs }) => pairs > 0))
})
