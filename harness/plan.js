/**
 * A plan says what a run measures: cells, rounds and the order of the samples. It is plain data, kept in run.json, so
 * that a run can be resumed and repeated.
 */
import { UsageError } from './model/errors.js'
import { createCell, tableId } from './model/cell.js'
import { groupBy } from './model/group-by.js'
import { createRandom, shuffle } from './random.js'

/**
 * @typedef {import('./child.js').Runtime} Runtime
 *
 * @typedef {object} PlannedQueue
 * @property {string} name
 * @property {'own' | 'peer' | 'built-in' | 'user'} origin
 * @property {string} url
 * @property {string} [sha256]  Of its file when the run began.
 * @property {import('../queues/contract.js').QueueMeta} meta
 *
 * @typedef {object} PlannedScenario
 * @property {string} name
 * @property {'micro' | 'http'} kind
 * @property {string} title
 * @property {string} source
 * @property {boolean} coldStart
 * @property {string} url
 * @property {Record<string, number[]>} values  What each parameter is set to, every combination a cell.
 *
 * @typedef {import('./model/cell.js').Cell} Cell
 *
 * @typedef {object} Settings
 * @property {string} preset
 * @property {number} seed  32 bit.
 * @property {number} rounds
 * @property {number | null} budgetSeconds  Rounds after the second are left out when the run would take longer.
 * @property {'wrk' | 'autocannon'} load
 * @property {number} port  0: any that is free.
 * @property {string | null} [trace]  A file, for scenarios that replay one.
 * @property {import('./micro/measure.js').Timing} micro
 * @property {number} httpWarmupMs
 * @property {Record<string, string>} control  By scenario kind, the queue that the others are compared with.
 *
 * @typedef {{settings: Settings, queues: PlannedQueue[], scenarios: PlannedScenario[], runtimes: Runtime[], cells: Cell[]}} Plan
 *
 * @typedef {object} PlannedSample
 * @property {Cell} cell
 * @property {number} round
 * @property {'time' | 'exact' | 'profile'} channel  What the clock says; what is counted and the same every
 *   time; what a profiler saw.
 */

/**
 * Every combination of runtime, scenario, parameters and queue; built-in timers have no contract, so only HTTP
 * scenarios can measure them.
 *
 * @param {Omit<Plan, 'cells'>} parts
 * @returns {Plan}
 * @throws {UsageError} when two cells have one id: their samples could not be told apart
 */
export function createPlan (parts) {
  const cells = []
  for (const runtime of parts.runtimes) {
    for (const scenario of parts.scenarios) {
      for (const params of combinations(scenario.values)) {
        for (const queue of parts.queues) {
          if (scenario.kind === 'micro' && queue.origin === 'built-in') continue
          cells.push(createCell({ scenario: scenario.name, params, queue: queue.name, runtime: runtime.name }))
        }
      }
    }
  }
  assertDistinct(cells)
  return { ...parts, cells }
}

/**
 * A part of a plan for one of several machines. All queues of a scenario and its parameters stay together: they are to be
 * compared, and times of different machines cannot be.
 *
 * @param {Plan} plan
 * @param {{index: number, count: number}} shard  Index from 1.
 * @returns {Plan}
 */
export function shardPlan (plan, { index, count }) {
  const tables = [...groupBy(plan.cells, tableId).values()]
  return { ...plan, cells: tables.filter((_, i) => i % count === index - 1).flat() }
}

/**
 * The samples of a plan in the order in which they are taken: round by round, each round in a random order of its own,
 * so that no cell is always measured after the same other and drift falls on all alike. Last comes what is counted, once
 * for every micro cell.
 *
 * @param {Plan} plan
 * @returns {PlannedSample[]}
 */
export function orderSamples ({ cells, scenarios, settings }) {
  const random = createRandom(settings.seed)
  const isMicro = (/** @type {Cell} */ cell) => scenarios.some(({ name, kind }) => name === cell.scenario && kind === 'micro')
  /** @type {PlannedSample[]} */
  const timed = Array.from({ length: settings.rounds }, (_, round) =>
    shuffle(cells, random).map(cell => ({ cell, round, channel: /** @type {const} */ ('time') }))).flat()
  const counted = settings.micro.exactLimitMs > 0 ? cells.filter(isMicro) : []
  return [...timed, ...counted.map(cell => ({ cell, round: 0, channel: /** @type {const} */ ('exact') }))]
}

/** @param {Cell[]} cells */
function assertDistinct (cells) {
  const seen = new Set()
  for (const { id } of cells) {
    if (seen.has(id)) {
      throw new UsageError(`the cell "${id}" would be measured twice: name each queue, scenario, value and runtime once (two Node binaries of one version and flags are one runtime)`)
    }
    seen.add(id)
  }
}

/**
 * @param {Record<string, number[]>} values
 * @returns {Record<string, number>[]}
 */
function combinations (values) {
  return Object.entries(values).reduce(
    (partial, [name, alternatives]) => partial.flatMap(params => alternatives.map(value => ({ ...params, [name]: value }))),
    [({})])
}
