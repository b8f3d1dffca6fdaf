import { cellOf } from '../../../harness/gate/measure-heat.js'
import { createGatePlan, gatedCells, orderPairs } from '../../../harness/gate/plan.js'
import { createRandom } from '../../../harness/model/random.js'
import { DEFAULT_RULES } from '../../../harness/judge/verdict.js'

/**
 * @param {object} [options]
 * @param {string[]} [options.queues]
 * @param {number} [options.rounds]
 * @param {number} [options.seed]
 * @param {import('../../../harness/processes/child.js').Runtime} [options.runtime]
 */
export function gatePlan ({ queues = ['heap', 'wheel'], rounds = 30, seed = 1, runtime = { name: 'v20', path: 'node', flags: [] } } = {}) {
  return createGatePlan(/** @type {any} */ ({
    settings: { seed, rounds },
    scenarios: [{ name: 'refresh', kind: 'micro', values: { size: [10, 20] } }],
    runtimes: [runtime]
  }), {
    baseRef: 'main',
    baseCommit: 'abc',
    queues: queues.map(name => /** @type {any} */ ({ name, file: `${name}.js`, origin: 'user', meta: {} })),
    rules: DEFAULT_RULES,
    budgetSeconds: 300,
    unmatched: []
  })
}

/**
 * What a gate would have measured.
 *
 * @param {import('../../../harness/gate/plan.js').GatePlan} plan
 * @param {object} [options]
 * @param {number} [options.slowdown]  Of the head.
 * @param {number} [options.controlShift]  Of the base against itself.
 * @param {number} [options.spread]
 */
export function samplesOf (plan, { slowdown = 1, controlShift = 1, spread = 0.02 } = {}) {
  const random = createRandom(plan.settings.seed + 1000)
  const noise = () => Math.exp(spread * Array.from({ length: 12 }, () => random(2 ** 20) / 2 ** 20).reduce((sum, part) => sum + part, -6))
  const pairs = Array.from({ length: plan.settings.rounds }, (_, round) => orderPairs(plan, round)).flat()
  return pairs.flatMap(({ cell, round, order }) => order.map(arm => ({
    ...sampleOf(cell, arm, round, { nsPerOp: 40 * noise() * (arm === 'head' ? slowdown : arm === 'again' ? controlShift : 1) }),
    heatSize: order.length
  })))
}

/**
 * @param {import('../../../harness/judge/verdict.js').RowCell} cell
 * @param {import('../../../harness/gate/plan.js').Arm} arm
 * @param {number} round
 * @param {Record<string, number>} metrics
 * @param {string} [failure]  Its kind.
 */
export function sampleOf (cell, arm, round, metrics, failure) {
  const { id, ...identity } = cellOf(cell, arm)
  return /** @type {import('../../../harness/store/results.js').Sample} */ ({
    cell: id,
    round,
    kind: 'heat',
    heat: `${cellOf(cell, 'head').id} round ${round}`,
    ...identity,
    started: new Date(1000 * round).toISOString(),
    seconds: 0.3,
    metrics,
    warnings: [],
    ...(failure && { failure: { kind: failure, message: 'it died' } })
  })
}

export const [FIRST_CELL] = gatedCells(gatePlan())
