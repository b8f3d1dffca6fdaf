/** Small plans of two queues, and samples of them. */
import { aPlan } from '../a-run.js'

/** @param {string} path */
export const urlOf = path => new URL(`../../../${path}`, import.meta.url).href

/**
 * @param {string} name
 * @param {string} path
 */
export const queueOf = (name, path) => ({ name, origin: 'own', url: urlOf(path), meta: { accuracy: 'exact' } })

export const HEAP = queueOf('heap', 'queues/binary-heap.js')
export const WHEEL = queueOf('wheel', 'queues/lazy-wheel.js')
export const LIST = queueOf('list', 'queues/sorted-list.js')

/** @param {Parameters<typeof aPlan>[0] & {micro?: object}} [changed] */
export const planOf = ({ settings, end, of, micro, queues = [HEAP, WHEEL], scenario } = {}) =>
  aPlan({
    end,
    of,
    settings: {
      windows: 1,
      control: { micro: 'heap', http: 'heap' },
      micro: { warmupMs: 1, leadMs: 0, turnMs: 1, turns: 2, limitMs: 20_000, exactLimitMs: 0, tailMs: 0, ...micro },
      httpWarmupMs: 1,
      httpHeat: { seconds: 1, sliceMs: 100 },
      ...settings
    },
    queues,
    scenario: {
      url: urlOf('scenarios/refresh-one-duration.js'),
      steps: ['heat', 'alone', 'count'],
      values: { size: [20] },
      ...scenario
    },
    runtimes: [{ name: 'own', path: process.execPath, flags: [] }]
  })

/**
 * Samples of heats, one list a round.
 *
 * @param {import('../../../harness/plan/plan.js').Plan} plan
 * @param {number} rounds
 * @param {(cell: import('../../../harness/model/cell.js').Cell, round: number) => object} [changedIn]
 * @returns {any[][]}
 */
export const heatsOf = (plan, rounds, changedIn = () => ({})) =>
  Array.from({ length: rounds }, (_, round) =>
    plan.cells.map(({ id, ...cell }) => ({
      ...cell,
      cell: id,
      round,
      kind: 'heat',
      heat: `refresh size=20 * own round ${round}`,
      seconds: 1,
      metrics: { nsPerOp: 1 },
      warnings: [],
      ...changedIn({ id, ...cell }, round)
    }))
  )
