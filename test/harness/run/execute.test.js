import { test } from 'node:test'
import assert from 'node:assert/strict'
import { canOverlap, executePlan } from '../../../harness/run/execute.js'
import { createPlan } from '../../../harness/plan/plan.js'

/** @param {string} path */
const urlOf = path => new URL(`../../../${path}`, import.meta.url).href
const meta = { accuracy: 'exact' }
const queueOf = (/** @type {string} */ name, /** @type {string} */ path) => ({ name, origin: 'own', url: urlOf(path), meta })

/** @param {{settings?: object, micro?: object, queues?: object[]}} [changed] */
function planOf ({ settings = {}, micro = {}, queues = [queueOf('heap', 'queues/binary-heap.js'), queueOf('wheel', 'queues/lazy-wheel.js')] } = {}) {
  return createPlan(/** @type {any} */ ({
    settings: {
      seed: 1,
      rounds: 3,
      windows: 1,
      budgetSeconds: null,
      control: { micro: 'heap', http: 'node' },
      micro: { warmupMs: 1, leadMs: 0, turnMs: 1, turns: 2, places: 2, limitMs: 20_000, exactLimitMs: 0, tailMs: 0, ...micro },
      ...settings
    },
    queues,
    scenarios: [{ name: 'refresh', kind: 'micro', url: urlOf('scenarios/refresh-one-duration.js'), isCounted: true, values: { size: [20] } }],
    runtimes: [{ name: 'own', path: process.execPath, flags: [] }]
  }))
}

/**
 * @param {import('../../../harness/store/results.js').Sample[]} samples
 * @param {string} queue
 */
const roundsOf = (samples, queue) => samples.filter(sample => sample.queue === queue).map(({ round }) => round)

/**
 * @param {import('../../../harness/plan/plan.js').Plan} plan
 * @param {import('../../../harness/store/results.js').Sample[]} [finished]
 */
async function execute (plan, finished = []) {
  /** @type {import('../../../harness/store/results.js').Sample[][]} */
  const kept = []
  await executePlan(plan, { finished, keep: samples => kept.push(samples), recall: () => [...finished, ...kept.flat()] })
  return { kept, samples: kept.flat(), steps: kept.map(([{ kind, round }]) => `${kind} ${round}`) }
}

/**
 * Stops when the first step begins.
 *
 * @param {import('../../../harness/plan/plan.js').Plan} plan
 * @param {import('../../../harness/store/results.js').Sample[]} finished
 * @returns {Promise<string[][]>} its queues; none where there is no step
 */
async function queuesOfNext (plan, finished) {
  const stop = new AbortController()
  /** @type {string[][]} */
  const seen = []
  const executing = executePlan(plan, {
    finished,
    keep: () => {},
    recall: () => finished,
    onProgress: ({ next: { cells } }) => { seen.push(cells.map(({ queue }) => queue)); stop.abort() },
    signal: stop.signal
  })
  await executing.then(() => assert.deepEqual(seen, []), error => assert.equal(error.name, 'AbortError'))
  return seen
}

test('the first heats come first, then what is measured alone, then counts, then the other heats', async () => {
  const { kept, steps } = await execute(planOf({ micro: { tailMs: 1, exactLimitMs: 20_000 } }))
  assert.deepEqual(steps, ['heat 0', 'heat 1', 'alone 0', 'alone 0', 'count 0', 'count 0', 'heat 2'])
  assert.deepEqual(kept.map(({ length }) => length), [2, 2, 1, 1, 1, 1, 2], 'a heat is kept whole')
  const [alone] = kept[2]
  assert.ok(alone.metrics.opP999Ns >= alone.metrics.opP99Ns)
})

test('where heats overlap, rounds do, two at a time, but not the first heat of a table', async () => {
  /** Rounds that had ended when each began. @type {number[][]} */
  const before = []
  /** @type {number[]} */
  const ended = []
  await executePlan(planOf({ settings: { rounds: 8 }, micro: { waitMs: 1 } }), {
    keep: ([{ round }]) => ended.push(round),
    recall: () => [],
    onProgress: ({ next: { round } }) => { before[round] = [...ended].sort() }
  })
  assert.deepEqual([before[0], before[1]], [[], [0]])
  assert.deepEqual(before[3], before[2], 'they begin together')
  assert.deepEqual([before[6], before[7]], [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]])
})

test('heats overlap where the memory holds the processes of two on every core', () => {
  const heatOf = (/** @type {number} */ size) => ({ cells: Array(6).fill({ params: { size } }) })
  const GB = 2 ** 30
  assert.equal(canOverlap(heatOf(10_000), 2, 4 * GB), true)
  assert.equal(canOverlap(heatOf(10_000), 8, 4 * GB), false)
  assert.equal(canOverlap(heatOf(1_000_000), 2, 16 * GB), false)
  assert.equal(canOverlap({ cells: Array(6).fill({ params: {} }) }, 2, 4 * GB), true)
})

test('where no time is left, nothing is measured any more', async () => {
  const { steps } = await execute(planOf({ settings: { budgetSeconds: 0 } }))
  assert.deepEqual(steps, [])
})

test('within a time budget three rounds come before what is measured alone', async () => {
  const { steps } = await execute(planOf({ settings: { budgetSeconds: 3600, rounds: 4 }, micro: { tailMs: 1, exactLimitMs: 20_000 } }))
  assert.deepEqual(steps, ['heat 0', 'heat 1', 'heat 2', 'alone 0', 'alone 0', 'count 0', 'count 0', 'heat 3'])
})

test('a heat that the end of the time budget cuts short is dropped, and the run ends', async () => {
  // Two seconds are left, and the plan says that a heat takes half of one; left alone, it would take half an hour of CPU time.
  const limitMs = 1_800_000
  const started = performance.now()
  const { steps } = await execute(planOf({ settings: { budgetSeconds: 5 }, micro: { limitMs }, queues: [queueOf('endless', 'test/fixtures/queues/endless.js')] }))
  assert.deepEqual(steps, [])
  assert.ok(performance.now() - started < limitMs)
})

test('a run goes on until its ratios are known well enough, five heats at least', async () => {
  const settings = { until: 1e9, rounds: 6 }
  const { samples } = await execute(planOf({ settings }))
  assert.deepEqual(roundsOf(samples, 'heap'), [0, 1, 2, 3, 4])
  const goesOn = async (/** @type {object} */ changed) => (await execute(planOf({ settings: { ...settings, ...changed } }), samples)).steps
  assert.deepEqual(await goesOn({}), [])
  assert.deepEqual(await goesOn({ until: 1e-9 }), ['heat 5'])

  // Within its time budget it stops where its plan says that it knows enough; what was asked for comes first.
  const enough = { until: undefined, enough: 1e9, budgetSeconds: 3600 }
  const four = samples.filter(({ round }) => round < 4)
  assert.deepEqual((await execute(planOf({ settings: { ...settings, ...enough } }), four)).steps, ['heat 4'])
  assert.deepEqual(await goesOn({ ...enough, until: 1e-9 }), ['heat 5'])
})

test('a queue whose ratio is known leaves its time to the others, but not a server: what a request costs depends on how many there are', async () => {
  for (const { kind, url, metric, next } of [
    { kind: 'micro', url: urlOf('scenarios/refresh-one-duration.js'), metric: 'nsPerOp', next: ['heap', 'list'] },
    { kind: 'http', url: urlOf('scenarios/keep-alive.js'), metric: 'cpuMicrosPerRequest', next: ['heap', 'wheel', 'list'] }
  ]) {
    const { scenarios, ...parts } = planOf({
      settings: { until: 0.03, rounds: 6, control: { [kind]: 'heap' }, httpWarmupMs: 1, httpHeat: { seconds: 1, sliceMs: 100 } },
      queues: [queueOf('heap', 'queues/binary-heap.js'), queueOf('wheel', 'queues/lazy-wheel.js'), queueOf('list', 'queues/sorted-list.js')]
    })
    const plan = createPlan({ ...parts, scenarios: scenarios.map(scenario => ({ ...scenario, kind: /** @type {any} */ (kind), url, isCounted: false })) })
    const finished = plan.cells.flatMap(({ id, ...cell }) => [0, 1, 2, 3, 4].map(round => /** @type {any} */ ({
      ...cell, cell: id, round, kind: 'heat', heat: `refresh size=20 * own round ${round}`, metrics: { [metric]: cell.queue === 'list' ? 1 + round : 1 }, warnings: []
    })))
    assert.deepEqual(await queuesOfNext({ ...plan, settings: { ...plan.settings, windows: 0 } }, finished), [next])
  }
})

test('when time runs out, a heat measures those queues that still fit, beside the control: first, whose cores were slow', async () => {
  // Each queue takes 10 s, by the plan. The first three rounds are never cut short.
  for (const { rounds, next } of [{ rounds: 3, next: [['heap', 'list']] }, { rounds: 2, next: [] }]) {
    const plan = planOf({
      settings: { rounds: rounds + 1, budgetSeconds: 27 },
      micro: { warmupMs: 10_000 },
      queues: [queueOf('heap', 'queues/binary-heap.js'), queueOf('wheel', 'queues/lazy-wheel.js'), queueOf('list', 'queues/sorted-list.js')]
    })
    const finished = plan.cells.flatMap(({ id, ...cell }) => Array.from({ length: rounds }, (_, round) => /** @type {any} */ ({
      ...cell, cell: id, round, kind: 'heat', heat: `refresh size=20 * own round ${round}`, metrics: { nsPerOp: 1 }, warnings: [], core: { loopMs: 1, isSlow: cell.queue === 'list' }
    })))
    assert.deepEqual(await queuesOfNext(plan, finished), next)
  }
})

test('nobody reads the samples again before there are enough to tell', async () => {
  const recall = () => assert.fail('there is no file of samples yet')
  await executePlan(planOf({ settings: { until: 0.03, rounds: 3 } }), { keep: () => {}, recall })
})

test('a table that was measured on slow cores is measured first in the next round', async () => {
  const plan = planOf({ settings: { rounds: 2 } })
  // Whatever order chance gives them, one of the two has to change it.
  for (const order of [[20, 30], [30, 20]]) {
    const [slow] = order
    const of = (/** @type {number} */ size) => plan.cells.map(cell => ({ ...cell, id: `${cell.id} ${size}`, params: { size } }))
    const cells = [20, 30].flatMap(of)
    const finished = cells.map(({ id, ...cell }) => /** @type {any} */ ({
      ...cell, cell: id, round: 0, kind: 'heat', heat: `refresh size=${cell.params.size} * own round 0`, metrics: { nsPerOp: 1 }, warnings: [], core: { loopMs: 1, isSlow: cell.params.size === slow }
    }))
    /** @type {number[]} */
    const sizes = []
    await executePlan({ ...plan, cells }, { finished, keep: () => {}, recall: () => [], onProgress: ({ next }) => sizes.push(next.cells[0].params.size) })
    assert.deepEqual(sizes, order)
  }
})

test('progress says what is measured, and how long it takes once something like it has been', async () => {
  /** @type {import('../../../harness/run/execute.js').Progress[]} */
  const seen = []
  await executePlan(planOf({ settings: { rounds: 2 } }), { keep: () => {}, recall: () => [], onProgress: progress => seen.push(progress) })
  assert.deepEqual(seen.map(({ done, total, budget }) => [done, total, budget]), [[0, 4, null], [2, 4, null]])
  assert.equal(seen[0].left, null)
  assert.ok(seen[1].left && seen[1].left.seconds > 0 && !seen[1].left.isAtLeast)
  assert.deepEqual(seen[0].next.cells.map(({ queue }) => queue), ['heap', 'wheel'])
})

test('within a time budget a slow queue gets three heats, and the others go on', async () => {
  const plan = planOf({ settings: { budgetSeconds: 3600, rounds: 4 }, micro: { turns: 4 }, queues: [queueOf('heap', 'queues/binary-heap.js'), queueOf('list', 'queues/sorted-list.js')] })
  const cells = plan.cells.map(cell => ({ ...cell, params: { size: 4000 } }))
  const { samples } = await execute({ ...plan, cells })
  assert.deepEqual(roundsOf(samples, 'list'), [0, 1, 2])
  assert.deepEqual(roundsOf(samples, 'heap'), [0, 1, 2, 3])
})

test('what is finished is not measured again', async () => {
  const { samples } = await execute(planOf({ settings: { rounds: 2 } }))
  const { steps } = await execute(planOf(), samples)
  assert.deepEqual(steps, ['heat 2'])
})

test('a queue that dies twice is given up, one that fires the wrong timers or is too slow at once, and the others go on', async () => {
  const broken = ['dying', 'never', 'endless'].map(name => queueOf(name, `test/fixtures/queues/${name}.js`))
  const { samples } = await execute(planOf({ queues: [queueOf('heap', 'queues/binary-heap.js'), ...broken], micro: { limitMs: 1000 } }))
  const fateOf = (/** @type {string} */ queue) => samples.filter(sample => sample.queue === queue).map(({ failure }) => failure?.kind ?? 'measured')
  assert.deepEqual(fateOf('heap'), ['measured', 'measured', 'measured'])
  assert.deepEqual(fateOf('dying'), ['crash', 'crash'])
  assert.deepEqual(fateOf('never'), ['wrong'])
  assert.deepEqual(fateOf('endless'), ['time-limit'])
})
