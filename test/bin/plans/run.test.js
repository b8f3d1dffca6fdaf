/** Plans of a run: the default, and what a user chooses. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { pickByName, resolveQueues } from '../../../bin/request/catalogue.js'
import { planRecommend, planRun } from '../../../bin/plans/run.js'
import { presets } from '../../../bin/presets.js'
import { MOST_ROUNDS } from '../../../harness/plan/plan.js'
import { scenarios } from '../../../scenarios/index.js'

const ASKED = { command: /** @type {any} */ ({ name: 'run' }) }

/** @param {Partial<import('../../../bin/request/request.js').Request>} request */
async function endOf (request) {
  const { end: { rounds, budgetSeconds, until, enough } } = await planRun({ ...ASKED, preset: 'quick', ...request })
  return { rounds, budgetSeconds, until, enough }
}

test('the default run measures as many rounds as its time allows, and no table that it knows well enough', async () => {
  const { budgetSeconds, enough } = presets.quick.end
  assert.deepEqual(await endOf({}), { rounds: MOST_ROUNDS, budgetSeconds, until: undefined, enough })
})

test('whoever chooses what is measured gets rounds, and whoever says when to end is not stopped before', async () => {
  assert.deepEqual(await endOf({ size: [100] }), {
    rounds: presets.quick.end.rounds,
    budgetSeconds: null,
    until: undefined,
    enough: undefined
  })
  assert.deepEqual(await endOf({ until: 0.05, budget: 88 }), {
    rounds: MOST_ROUNDS,
    budgetSeconds: 88,
    until: 0.05,
    enough: undefined
  })
})

test("the control of every kind of scenario joins a user's queue, and no other choice of queues", async () => {
  const queuesOf = async (/** @type {string[]} */ specs, /** @type {string[]} */ names) => {
    const plan = await planRun({
      ...ASKED,
      preset: 'quick',
      queue: resolveQueues(specs),
      scenario: names.map(name => pickByName('scenario', scenarios, name))
    })
    return plan.queues.map(({ name }) => name)
  }
  const mine = fileURLToPath(new URL('../../../bin/templates/my-queue.js', import.meta.url))
  assert.deepEqual(await queuesOf([mine], ['start-cancel']), ['my-queue', 'duration-lists'])
  assert.deepEqual(await queuesOf([mine, 'duration-lists'], ['start-cancel', 'keep-alive']), [
    'my-queue',
    'duration-lists',
    'node'
  ])
  assert.deepEqual(await queuesOf(['binary-heap'], ['start-cancel']), ['binary-heap'])
})

test('run and recommend measure the same on one trace', async () => {
  const trace = fileURLToPath(new URL('../../fixtures/traces/fastify-app.trace', import.meta.url))
  const queue = resolveQueues(['lazy-wheel', 'duration-lists'])
  const request = { ...ASKED, trace, queue, rounds: 10, budget: 60, seed: 1 }
  assert.deepEqual(await planRecommend(request), await planRun(request))
})
