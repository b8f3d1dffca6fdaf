/**
 * A plan says what a run measures: cells, rounds and the order of the samples. It is plain data, kept in run.json, so
 * that a run can be resumed and repeated.
 */
import { UsageError } from '../model/errors.js'
import { isCountable } from '../measure/http/exact.js'
import { createCell, tableId } from '../model/cell.js'
import { MOST_ENTRANTS } from '../processes/open-files.js'
import { groupBy } from '../model/group-by.js'
import { createRandom, shuffle } from '../model/random.js'

/**
 * @typedef {import('../processes/child.js').Runtime} Runtime
 *
 * @typedef {object} PlannedQueue
 * @property {string} name
 * @property {'own' | 'peer' | 'built-in' | 'user'} origin
 * @property {string} url
 * @property {string} [sha256]  Of its file when the run began.
 * @property {string[]} [breaks]  Clauses of the contract that a brief check found broken before the run.
 * @property {import('../../queues/contract.js').QueueMeta} meta
 *
 * @typedef {object} PlannedScenario
 * @property {string} name
 * @property {'micro' | 'http'} kind
 * @property {string} title
 * @property {string} source
 * @property {boolean} [usesAllCores]  Its servers cannot share a core: they are measured alone.
 * @property {boolean} [isCounted]  Its work is counted, too.
 * @property {string} url
 * @property {string} [sha256]  Of its file when the run began.
 * @property {Record<string, number[]>} values  What each parameter is set to, every combination a cell.
 *
 * @typedef {import('../model/cell.js').Cell} Cell
 *
 * @typedef {PlainSettings & import('../measure/http/load-generator.js').LoadSettings} Settings
 *
 * @typedef {object} PlainSettings
 * @property {string} preset
 * @property {number} seed  32 bit.
 * @property {number} [countSeed]  Of the workloads that are counted: the same in every run, so that counts can be compared. Older runs
 *   have none: they counted with `seed`.
 * @property {number} rounds  Heats of every table.
 * @property {number} [windows]  Rounds in which servers are also measured alone.
 * @property {number | null} budgetSeconds  That the whole run may take. What does not fit is left out.
 * @property {number} [until]  A queue gets no more heats when its ratios to the control are known this well: 0.03 is an interval
 *   within 3 %.
 * @property {number} [enough]  The same, where the run only has its time budget to keep: it says nothing of ratios that are not
 *   known this well.
 * @property {number} port  0: any that is free.
 * @property {string | null} [trace]  A file, for scenarios that replay one.
 * @property {import('../measure/micro/measure.js').Timing} micro
 * @property {number} httpWarmupMs
 * @property {import('../measure/heat/http.js').HttpTiming} httpHeat
 * @property {number} [serverLimitMs]  CPU time that a server may take for an answer.
 * @property {number} [memoryMb]  That a measured process may use.
 * @property {Record<string, string>} control  By scenario kind, the queue that the others are compared with.
 *
 * @typedef {object} Plan
 * @property {Settings} settings
 * @property {PlannedQueue[]} queues
 * @property {PlannedScenario[]} scenarios
 * @property {Runtime[]} runtimes
 * @property {Cell[]} cells
 * @property {import('./groups.js').CellGroup[]} [groups]  Cells that are measured together; default: the cells of each table.
 * @property {string[]} [claims]  Ids of the claims that timerq reproduce judges by this run.
 *
 * @typedef {'heat' | 'time' | 'exact' | 'profile'} Channel  CPU times of queues that run at the same time;
 *   times of one queue alone; counts, which are the same every time; what a profiler saw.
 *
 * @typedef {{cell: Cell, round: number, channel: Channel}} PlannedSample
 *
 * @typedef {object} PlannedHeat  Cells of one table, measured at the same time; with slack, beside the control without.
 * @property {string} id
 * @property {Cell[]} cells
 * @property {number} round
 */

/** As many as the time budget allows. */
export const MOST_ROUNDS = 100
/** Of all servers of a heat together: sockets are files, whose number systems limit. */
const MOST_CONNECTIONS = 20_000

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
 * compared, and times of different machines cannot be. So do tables that differ in slack only, whose heats share a control.
 *
 * @param {Plan} plan
 * @param {{index: number, count: number}} shard  Index from 1.
 * @returns {Plan}
 */
export function shardPlan (plan, { index, count }) {
  const tables = [...groupBy(plan.cells, cell => tableId({ ...cell, params: { ...cell.params, slack: 0 } })).values()]
  return { ...plan, cells: tables.filter((_, i) => i % count === index - 1).flat() }
}

/**
 * What a plan keeps of a scenario.
 *
 * @param {import('../measure/modules/load-scenario.js').MicroScenario | import('../measure/modules/load-scenario.js').HttpScenario} scenario
 * @param {string} url
 * @param {Record<string, number[]>} values
 * @returns {PlannedScenario}
 */
export function planScenario (scenario, url, values) {
  const { name, kind, title, source } = scenario
  const usesAllCores = 'usesAllCores' in scenario && scenario.usesAllCores === true
  const isCounted = scenario.kind === 'micro' || isCountable(/** @type {import('../measure/modules/load-scenario.js').HttpScenario} */ (scenario))
  return { name, kind, title, source, usesAllCores, isCounted, url, values }
}

/**
 * The heats of one round, in a random order. All cells of a table run in one heat, unless they are too many: then in
 * several, each with the control, and put together differently in every round, so that every two queues meet now and then.
 * Timers with slack share their heat with the control without: so what slack saves is a ratio within heats, too.
 *
 * @param {Plan} plan
 * @param {number} round
 * @returns {PlannedHeat[]}
 */
export function planHeats (plan, round) {
  const { cells, scenarios, settings } = plan
  const scenarioOf = (/** @type {Cell} */ cell) => /** @type {PlannedScenario} */ (scenarios.find(({ name }) => name === cell.scenario))
  const controls = controlsOf(plan)
  const exactControls = exactControlsOf(controls)
  const together = cells.filter(cell => !scenarioOf(cell).usesAllCores)
  const random = randomOf(settings.seed, round)
  const heats = [...groupBy(together, tableId)].flatMap(([table, members]) => {
    const held = [controls.get(table), exactControls.get(table)].flatMap(cell => cell ?? [])
    const groups = splitTable(members, { held, most: entrantsAtOnce(members[0].params), random })
    return groups.map((group, i) => ({ id: [table, ...(groups.length > 1 ? [`group ${i + 1}`] : []), `round ${round}`].join(' '), cells: group, round }))
  })
  return shuffle(heats, random)
}

/** @param {{settings: Pick<Settings, 'seed' | 'countSeed'>}} plan */
export const countSeedOf = ({ settings: { seed, countSeed = seed } }) => countSeed

/**
 * The cell that the others of its table are compared with, by table.
 *
 * @param {Pick<Plan, 'cells' | 'scenarios' | 'settings'>} plan
 */
export function controlsOf ({ cells, scenarios, settings: { control = {} } }) {
  const kinds = new Map(scenarios.map(({ name, kind }) => [name, kind]))
  return new Map(cells.filter(({ scenario, queue }) => queue === control[kinds.get(scenario) ?? '']).map(cell => [tableId(cell), cell]))
}

/**
 * The control without slack, by table, for the tables with slack.
 *
 * @param {Map<string, Cell>} controls  By table.
 */
export function exactControlsOf (controls) {
  return new Map([...controls].flatMap(([table, cell]) => {
    const exact = cell.params.slack > 0 ? controls.get(tableId({ ...cell, params: { ...cell.params, slack: 0 } })) : undefined
    return exact ? [[table, exact]] : []
  }))
}

/** @param {Record<string, number>} params */
function entrantsAtOnce ({ connections = 0, idle = 0 }) {
  return Math.max(2, Math.min(MOST_ENTRANTS, Math.floor(MOST_CONNECTIONS / Math.max(1, connections + idle))))
}

/**
 * @param {Cell[]} members
 * @param {{held: Cell[], most: number, random: import('../model/random.js').Random}} options  `held`: in each group.
 */
function splitTable (members, { held, most, random }) {
  const all = [...new Set([...members, ...held])]
  if (all.length <= most) return [all]
  const others = shuffle(members.filter(cell => !held.includes(cell)), random)
  const groups = Math.ceil(others.length / (most - held.length))
  const size = Math.ceil(others.length / groups)
  return Array.from({ length: groups }, (_, i) => [...held, ...others.slice(i * size, (i + 1) * size)])
}

/**
 * Samples that are taken alone, round by round, each round in a random order of its own, so that no cell is always measured
 * after the same other, and drift affects all of them alike.
 *
 * @param {Cell[]} cells
 * @param {{rounds: number, seed: number}} options
 * @returns {{cell: Cell, round: number}[]}
 */
export function orderRounds (cells, { rounds, seed }) {
  return Array.from({ length: rounds }, (_, round) => shuffle(cells, randomOf(seed, round)).map(cell => ({ cell, round }))).flat()
}

/**
 * @param {number} seed
 * @param {number} round
 */
export function randomOf (seed, round) {
  // Neighbouring seeds draw similar numbers at first; multiples of the golden ratio are far apart.
  return createRandom(seed ^ Math.imul(round + 1, 0x9e3779b1))
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
