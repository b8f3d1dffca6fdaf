/** Steps of a plan: their order, and the stop rules that end them. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { execute } from '../../../harness/run/execute.js'
import { RunProgress } from '../../../harness/run/progress.js'
import { stagesOf } from '../../../harness/run/stages.js'
import { temporaryFolder } from '../temporary-folder.js'
import { heatsOf, planOf, queueOf, urlOf } from './plans.js'

/** @type {import('../../../harness/run/execute.js').StopRule} */
const NEVER = { see () {}, wants: () => true }

/**
 * @param {import('../../../harness/plan/plan.js').Plan} plan
 * @param {import('../../../harness/run/execute.js').StopRule} [stopRule]
 * @param {Partial<import('../../../harness/run/execute.js').ExecuteOptions>} [options]
 */
async function measured (plan, stopRule = NEVER, options) {
  const all = []
  for await (const samples of execute(plan, stopRule, { order: stagesOf(plan), ...options })) {
    all.push(samples)
    stopRule.see(samples)
  }
  return all
}

/** @param {any[][]} all */
const namesOf = all => all.map(([{ kind, round }]) => `${kind} ${round}`)

for (const { budgetSeconds, expected } of [
  { budgetSeconds: null, expected: [['heat 0'], ['heat 1'], ['alone 0', 'alone 0'], ['count 0', 'count 0']] },
  { budgetSeconds: 3600, expected: [['heat 0'], ['heat 1', 'heat 2'], ['alone 0', 'alone 0'], ['count 0', 'count 0']] }
]) {
  test(`the first heats come first, then cells alone, then counts, then the others: budget ${budgetSeconds}`, () => {
    const end = { budgetSeconds, rounds: expected.flat().filter(step => step.startsWith('heat')).length + 1 }
    const stages = stagesOf(planOf({ end, micro: { tailMs: 1, exactLimitMs: 20_000 } }))
    assert.deepEqual(
      stages.map(steps => steps.map(({ kind, round }) => `${kind} ${round}`)),
      [...expected, [`heat ${end.rounds - 1}`]]
    )
  })
}

test('later rounds share a stage, two by two, so that all cores are busy; a server has the machine to itself', () => {
  const roundsOf = (/** @type {object} */ scenario) =>
    stagesOf(planOf({ settings: { windows: 0 }, end: { rounds: 6 }, scenario })).map(steps =>
      steps.map(({ round, isExclusive }) => `${round}${isExclusive ? ' alone' : ''}`)
    )
  assert.deepEqual(roundsOf({}), [['0'], ['1'], ['2', '3'], ['4', '5']])
  assert.deepEqual(roundsOf({ kind: 'http' }), [
    ['0 alone'],
    ['1 alone'],
    ['2 alone'],
    ['3 alone'],
    ['4 alone'],
    ['5 alone']
  ])
})

test('steps that are finished are left out', async () => {
  const plan = planOf()
  assert.deepEqual(namesOf(await measured(plan, NEVER, { finished: heatsOf(plan, 2).flat() })), ['heat 2'])
})

test('a stop rule sees the samples of a step before the next one begins, and chooses its cells', async () => {
  const plan = planOf({ end: { rounds: 4 } })
  let seen = 0
  const stopRule = {
    see: (/** @type {any[]} */ samples) => {
      seen += samples.length
    },
    wants: (/** @type {{queue: string}} */ { queue }) => seen < 4 && (seen < 2 || queue === 'heap')
  }
  const all = await measured(plan, stopRule)
  assert.deepEqual(
    all.map(samples => samples.map(({ queue }) => queue)),
    [['heap', 'wheel'], ['heap'], ['heap'], ['heap']],
    'rounds 2 and 3 begin together'
  )
})

test('a rule that ends what is under way ends the plan without an error, and without its samples', async () => {
  const end = new AbortController()
  const plan = planOf({
    micro: { limitMs: 1_800_000 },
    queues: [queueOf('endless', 'test/fixtures/queues/endless.js')]
  })
  assert.deepEqual(
    await measured(plan, { ...NEVER, signal: end.signal }, { onStep: () => setTimeout(() => end.abort(), 500) }),
    []
  )
})

test('an abort ends the plan with an error', async () => {
  const end = new AbortController()
  const plan = planOf({
    micro: { limitMs: 1_800_000 },
    queues: [queueOf('endless', 'test/fixtures/queues/endless.js')]
  })
  await assert.rejects(
    measured(plan, NEVER, { signal: end.signal, onStep: () => setTimeout(() => end.abort(), 500) }),
    { name: 'AbortError' }
  )
})

test('every heat draws a new workload, the same for all its queues; counts always draw the same; so does ' +
  'Math.random', async t => {
  const folder = temporaryFolder(t)
  const [scenario, draws] = ['scenario.js', 'draws'].map(name => path.join(folder, name))
  writeFileSync(
    scenario,
    `import { appendFileSync } from 'node:fs'
import { scenario as original } from ${JSON.stringify(urlOf('scenarios/refresh-one-duration.js'))}
const own = Math.random()
export const scenario = {
  ...original,
  createWorkload (queue, params, random) {
    if (queue.constructor.name !== 'ModelQueue') appendFileSync(${JSON.stringify(draws)}, random(2 ** 30) + own + '\\n')
    return original.createWorkload(queue, params, random)
  }
}
`
  )
  const url = pathToFileURL(scenario).href
  const drawn = async (/** @type {number} */ rounds, /** @type {object} */ settings = {}, micro = {}) => {
    writeFileSync(draws, '')
    await measured(planOf({ settings, end: { rounds }, micro, scenario: { url, values: { size: [400] } } }))
    return readFileSync(draws, 'utf8').trim().split('\n')
  }
  const first = await drawn(3)
  assert.equal(first.length, 6)
  assert.deepEqual(
    [0, 1, 2].map(round => new Set(first.slice(2 * round, 2 * round + 2)).size),
    [1, 1, 1],
    'two queues, one workload'
  )
  assert.equal(new Set(first).size, 3, 'three heats, three workloads')
  assert.deepEqual(await drawn(2), first.slice(0, 4), 'the seed of a run decides its draws')
  assert.notDeepEqual(await drawn(1, { seed: 2 }), first.slice(0, 2))
  const counted = await drawn(0, { seed: 3 }, { exactLimitMs: 20_000 })
  assert.deepEqual((await drawn(0, { seed: 4 }, { exactLimitMs: 20_000 })).sort(), counted.sort())
})

test('progress says what is measured, and how long the rest takes once a step of its kind has been measured', () => {
  const plan = planOf({ end: { rounds: 2 } })
  const progress = new RunProgress(plan, { finished: [], stages: stagesOf(plan), stopRule: NEVER })
  const [[first], [second]] = stagesOf(plan)
  assert.deepEqual([progress.at(first).done, progress.at(first).total, progress.at(first).left], [0, 4, null])
  progress.see(heatsOf(plan, 1)[0])
  const { next, done, left } = progress.at(second)
  assert.deepEqual([next, done, left?.isAtLeast], [second, 2, false])
  assert.ok(left && left.seconds > 0)
})
