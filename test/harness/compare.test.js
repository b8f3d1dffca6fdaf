import { test } from 'node:test'
import assert from 'node:assert/strict'
import { compareQueues, compareRuns } from '../../harness/compare.js'
import { createPlan } from '../../harness/plan.js'
import { DEFAULT_RULES } from '../../harness/verdict.js'

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
 */
function runOf ({ queues = { heap: 40 }, work = 9, rounds = 12, machine = {}, runtime = 'v20', seed = 1, failing = {}, uncounted = [] }) {
  const plan = createPlan(/** @type {any} */ ({
    settings: { seed, rounds, micro: {}, httpWarmupMs: 1 },
    queues: Object.keys(queues).map(name => ({ name, origin: 'own' })),
    scenarios: [{ name: 'refresh', kind: 'micro', values: { size: [10] } }],
    runtimes: [{ name: runtime }]
  }))
  const samples = plan.cells.flatMap(cell => Array.from({ length: rounds + 1 }, (_, round) => {
    const sample = { ...cell, cell: cell.id, warnings: [] }
    if (round === rounds && uncounted.includes(cell.queue)) {
      return { ...sample, round: 0, channel: 'exact', metrics: {}, failure: { kind: 'time-limit', message: 'it took too long' } }
    }
    if (round === rounds) return { ...sample, round: 0, channel: 'exact', metrics: { workPerOp: work, bytesPerTimer: 72 } }
    const kind = failing[cell.queue]
    if (kind && (kind !== 'time-limit' || round === 0)) return { ...sample, round, channel: 'time', metrics: {}, failure: { kind, message: 'it died' } }
    return { ...sample, round, channel: 'time', metrics: { nsPerOp: queues[cell.queue] * (1 + 0.001 * Math.sin(round)) } }
  }))
  const name = Object.values(queues).join('-')
  return /** @type {any} */ ({ directory: name, run: { environment: { ...environment, ...machine }, plan }, samples, warnings: [] })
}

test('cells that match are compared, each metric in a row of its own', () => {
  const record = compareRuns(runOf({}), runOf({ queues: { heap: 44 } }), options)
  assert.equal(record.verdict, 'regression')
  assert.deepEqual(record.comparisons.map(({ metric, gates, verdict }) => [metric, gates, verdict]),
    [['nsPerOp', true, 'regression'], ['workPerOp', false, 'pass'], ['bytesPerTimer', false, 'pass']])
  assert.ok(Math.abs(Number(record.comparisons[0].ratio) - 1.1) < 0.002)
})

test('two runs of the same code pass', () => {
  assert.equal(compareRuns(runOf({}), runOf({}), options).verdict, 'pass')
})

test('cells of one side only are listed', () => {
  const record = compareRuns(runOf({ queues: { heap: 40, list: 80 } }), runOf({ queues: { heap: 40, wheel: 10 } }), options)
  assert.deepEqual(record.unmatched.map(({ queue, reason }) => [queue, reason]), [['list', 'only in 40-80'], ['wheel', 'only in 40-10']])
  assert.equal(record.verdict, 'pass')
})

test('nothing in common is no pass, and different runtimes are named', () => {
  const record = compareRuns(runOf({}), runOf({ runtime: 'v24' }), options)
  assert.equal(record.verdict, 'invalid')
  assert.ok(record.warnings.some(warning => warning.includes('different runtimes (v20; v24)')))
})

test('times of different machines are never compared, what is counted decides', () => {
  const record = compareRuns(runOf({}), runOf({ queues: { heap: 80 }, machine: { cpu: 'Slow' } }), options)
  assert.deepEqual(record.comparisons.map(({ metric, gates }) => [metric, gates]), [['workPerOp', true], ['bytesPerTimer', true]])
  assert.equal(record.verdict, 'pass')
  assert.match(record.warnings[0], /times are not compared/)
  assert.equal(compareRuns(runOf({}), runOf({ work: 9.01, machine: { cores: 4 } }), options).verdict, 'regression')
})

test('a cell that one machine could not count is invalid, never a pass', () => {
  const queues = { heap: 40, wheel: 10 }
  const head = runOf({ queues, machine: { cpu: 'Slow' }, uncounted: ['wheel'] })
  const { verdict, comparisons } = compareRuns(runOf({ queues }), head, options)
  assert.equal(verdict, 'invalid')
  assert.deepEqual(comparisons.filter(({ queue }) => queue === 'wheel').map(({ metric, gates, reason }) => [metric, gates, reason]),
    [['workPerOp', true, 'head: it took too long']])

  const stopped = { ...head, samples: head.samples.filter(({ channel }) => channel === 'time') }
  const [first] = compareRuns(runOf({ queues }), stopped, options).comparisons
  assert.deepEqual([first.verdict, first.reason], ['invalid', 'head: not counted, its run ended before'])
})

test('a cell that is never counted is listed where times are not compared', () => {
  const withoutWheel = (/** @type {any} */ run) => ({ ...run, samples: run.samples.filter((/** @type {any} */ { queue, channel }) => queue === 'heap' || channel === 'time') })
  const [base, head] = [{}, { machine: { cpu: 'Slow' } }].map(changed => withoutWheel(runOf({ queues: { heap: 40, wheel: 10 }, ...changed })))
  const { verdict, unmatched } = compareRuns(base, head, options)
  assert.equal(verdict, 'pass')
  assert.deepEqual(unmatched.map(({ queue, reason }) => [queue, reason]), [['wheel', 'only timed, and times of different machines are not compared']])
})

test('runs merged from several machines are of one machine only if all their parts are', () => {
  const partsOf = (/** @type {string[]} */ ...cpus) => cpus.map(cpu => ({ directory: cpu, environment: { ...environment, cpu } }))
  const merged = (/** @type {any} */ run, /** @type {string[]} */ ...cpus) => ({ ...run, run: { ...run.run, parts: partsOf(...cpus) } })
  const metricsOf = (/** @type {any} */ base, /** @type {any} */ head) => compareRuns(base, head, options).comparisons.map(({ metric }) => metric)
  assert.ok(metricsOf(merged(runOf({}), 'Quick', 'Quick'), runOf({})).includes('nsPerOp'))
  assert.deepEqual(metricsOf(merged(runOf({}), 'Quick', 'Slow'), merged(runOf({}), 'Quick', 'Other')), ['workPerOp', 'bytesPerTimer'])
  // Which of the two measured which shard is not known.
  assert.deepEqual(metricsOf(merged(runOf({}), 'Quick', 'Slow'), merged(runOf({}), 'Quick', 'Slow')), ['workPerOp', 'bytesPerTimer'])
})

test('different seeds make different workloads: counts nearly equal are taken for equal', () => {
  const head = runOf({ work: 9.1, seed: 2, machine: { cores: 4 } })
  assert.equal(compareRuns(runOf({}), head, options).verdict, 'pass')
})

test('a cell that crashed on one side is invalid, never a pass', () => {
  const record = compareRuns(runOf({}), runOf({ failing: { heap: 'crash' } }), options)
  assert.equal(record.verdict, 'invalid')
  assert.equal(record.comparisons[0].reason, 'head: it died')
})

test('a sample lost to the time limit is only a pair lost', () => {
  const record = compareRuns(runOf({}), runOf({ failing: { heap: 'time-limit' } }), options)
  assert.deepEqual([record.verdict, record.comparisons[0].pairs], ['pass', 11])
})

test('too few samples are inconclusive, however far apart', () => {
  assert.equal(compareRuns(runOf({ rounds: 3 }), runOf({ rounds: 3, queues: { heap: 400 } }), options).verdict, 'inconclusive')
})

test('two queues of one run are compared by round', () => {
  const record = compareQueues(runOf({ queues: { heap: 40, wheel: 10 } }), 'heap', 'wheel', options)
  assert.deepEqual([record.verdict, record.base, record.head, record.comparisons[0].queue], ['pass', 'heap', 'wheel', 'wheel'])
  assert.equal(record.comparisons[0].change, 'faster')
  assert.equal(compareQueues(runOf({ queues: { heap: 40, wheel: 10 } }), 'wheel', 'heap', options).verdict, 'regression')
})
