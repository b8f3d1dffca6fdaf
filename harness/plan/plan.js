/**
 * A plan says what a run measures, and how. It is plain data in run.json, so that a run can be resumed and repeated.
 * Each question derives its steps from it: run/stages.js, gate/stages.js, reproduce/schedule.js.
 */
import { UsageError } from '../model/errors.js'
import { controlIn, createCell, MOST_ENTRANTS, tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { kinds } from '../model/kinds.js'
import { createRandom, shuffle } from '../model/random.js'
/** @import { QueueMeta } from '../../queues/contract.js' */
/** @import { HttpTiming } from '../measure/heat/http.js' */
/** @import { TurnTimes } from '../measure/micro/queue-process.js' */
/** @import { ScenarioDescription } from '../subject/describe/describe-scenario.js' */
/** @import { Cell, Side } from '../model/cell.js' */
/** @import { Random } from '../model/random.js' */
/** @import { Runtime } from '../processes/child.js' */
/** @import { Kind } from './steps.js' */

/**
 * @typedef {object} Plan
 * @property {string} question  Name of the command that asks it.
 * @property {Settings} settings
 * @property {End} end
 * @property {PlannedQueue[]} queues
 * @property {PlannedScenario[]} scenarios
 * @property {Runtime[]} runtimes
 * @property {Cell[]} cells
 * @property {Record<string, any>} of  What one question, instrument or format alone reads, by its name: `gate`,
 *   `reproduce`, `program`, `load`, `trace`, `benchmarks`. Its schema lies beside the code that reads it.
 *
 * @typedef {object} End  When a run ends.
 * @property {number} rounds  Heats of every table, at most.
 * @property {number | null} budgetSeconds  Limit of the whole run. Steps that do not fit are left out.
 * @property {number} [until] A queue gets no more heats when its ratios to the control are known this well: 0.03 is an
 *   interval within 3 %.
 * @property {number} [enough] The same where only the time budget was asked for; the report does not name ratios that
 *   are less certain.
 *
 * @typedef {object} PlannedQueue
 * @property {string} name
 * @property {'own' | 'peer' | 'built-in' | 'user' | 'code'} origin `code`: no queue, but a workload without a queue, or
 *   one of its alternatives.
 * @property {string} url  Empty where each side of a gate has a copy.
 * @property {string} [file]  File of the repository, of which each side of a gate has a copy.
 * @property {string[]} [scenarios]  The only scenarios that measure it, by name: those of origin `code`.
 * @property {string} [sha256]  Hash of its file when the run began.
 * @property {string[]} [breaks] Clauses of the contract that a brief check found broken before the run; missing: not
 *   checked.
 * @property {QueueMeta} meta
 *
 * @typedef {object} PlannedScenario
 * @property {string} name
 * @property {'micro' | 'http' | 'code'} kind
 * @property {string} title
 * @property {string} source
 * @property {string} [control]  Alternative that others are compared with, in a workload without a queue.
 * @property {ScenarioDescription['subject']} [subject]
 * @property {ScenarioDescription['flags']} [flags]
 * @property {ScenarioDescription['timing']} [timing]
 * @property {ScenarioDescription['isFitted']} [isFitted]
 * @property {ScenarioDescription['of']} [of]
 * @property {Kind[]} steps  Kinds of steps that measure it. Without heats, it is measured alone in every round.
 * @property {string} url  Empty for a user's program, and where each side of a gate has a copy.
 * @property {string} [file]  File of the repository, of which each side of a gate has a copy.
 * @property {string} [sha256]  Hash of its file when the run began.
 * @property {Record<string, number[]>} values  Values of each parameter; every combination is a cell.
 *
 * @typedef {object} Settings  How each sample is measured.
 * @property {string} preset
 * @property {number} seed  Seed of every draw but those of counts; 32 bit.
 * @property {number} [windows]  Rounds in which cells are also measured alone.
 * @property {TurnTimes} micro
 * @property {number} httpWarmupMs
 * @property {HttpTiming} httpHeat
 * @property {number} [serverLimitMs]  CPU time that a server may take for an answer.
 * @property {number} [memoryMb]  Memory limit of a measured process.
 * @property {Record<string, string>} control  The queue that others are compared with, by scenario kind.
 *
 * @typedef {Record<Side, SideChoice>} Sides  Places of their code on the machine that measures.
 *
 * @typedef {object} SideChoice
 * @property {string} [runtime]  Name of the side's runtime.
 * @property {string[]} [copies]  Copies of its binary: each process draws one.
 * @property {string} [folder]  Its copy of the repository.
 * @property {string} [cwd]  Working directory in the copy.
 *
 * @typedef {{id: string, cells: Cell[], round: number}} PlannedHeat  Cells of one table.
 */

/** Stands for the URL of a module of which each side has its own. */
export const SIDE_URL = ''
/** Rounds of a run that ends when its time budget does. */
export const MOST_ROUNDS = 100
/** Connections of all servers of a heat together: sockets are files, whose number systems limit. */
const MOST_CONNECTIONS = 20_000

/**
 * Every combination of runtime, scenario, parameters and queue. Built-in timers have no contract: only HTTP scenarios
 * measure them.
 *
 * @param {Omit<Plan, 'cells'>} parts
 * @returns {Plan}
 * @throws {UsageError} when two cells have one id: their samples could not be told apart
 */
export function createPlan (parts) {
  const cells = parts.runtimes.flatMap(runtime =>
    parts.scenarios.flatMap(scenario =>
      combinations(scenario.values).flatMap(params =>
        parts.queues
          .filter(queue => isMeasuredBy(queue, scenario))
          .map(queue => createCell({ scenario: scenario.name, params, queue: queue.name, runtime: runtime.name }))
      )
    )
  )
  assertDistinct(cells)
  return { ...parts, cells }
}

/**
 * @param {PlannedQueue} queue
 * @param {Pick<PlannedScenario, 'name' | 'kind'>} scenario
 */
function isMeasuredBy ({ origin, scenarios }, { name, kind }) {
  const { isCode, needsQueue } = kinds[kind]
  if (isCode || scenarios) return scenarios?.includes(name) ?? false
  return !needsQueue || origin !== 'built-in'
}

/**
 * The part of a plan for one of several machines. All queues of a table stay together: times of different machines
 * cannot be compared.
 *
 * @param {Plan} plan
 * @param {{index: number, count: number}} shard  `index`: from 1.
 * @returns {Plan}
 */
export function shardPlan (plan, { index, count }) {
  const tables = [...groupBy(plan.cells, tableId).values()]
  return { ...plan, cells: tables.filter((_, i) => i % count === index - 1).flat() }
}

/**
 * The heats of one round, in a random order. All cells of a table run in one heat, unless there are too many: then in
 * several, each with the control, put together differently in every round, so that every two queues meet now and then.
 *
 * @param {Plan} plan
 * @param {number} round
 * @returns {PlannedHeat[]}
 */
export function planHeats (plan, round) {
  const { cells, scenarios, settings } = plan
  const withHeats = new Set(scenarios.filter(({ steps }) => steps.includes('heat')).map(({ name }) => name))
  const controls = controlsOf(plan)
  const random = randomOf(settings.seed, round)
  const together = cells.filter(({ scenario }) => withHeats.has(scenario))
  const heats = [...groupBy(together, tableId)].flatMap(([table, members]) => {
    const control = controls.get(table)
    const groups = splitTable(members, { control, most: entrantsAtOnce(members[0].params), random })
    return groups.map((group, i) => ({
      id: [table, ...(groups.length > 1 ? [`group ${i + 1}`] : []), `round ${round}`].join(' '),
      cells: group,
      round
    }))
  })
  return shuffle(heats, random)
}

/**
 * The cell that others of its table are compared with, by table.
 *
 * @param {Pick<Plan, 'cells' | 'scenarios' | 'settings'>} plan
 */
export function controlsOf ({ cells, scenarios, settings }) {
  const controls = new Map(scenarios.map(scenario => [scenario.name, controlIn(settings, scenario)]))
  return new Map(
    cells.filter(({ scenario, queue }) => queue === controls.get(scenario)).map(cell => [tableId(cell), cell])
  )
}

/** @param {Record<string, number>} params */
function entrantsAtOnce ({ connections = 0, idle = 0 }) {
  return Math.max(2, Math.min(MOST_ENTRANTS, Math.floor(MOST_CONNECTIONS / Math.max(1, connections + idle))))
}

/**
 * @param {Cell[]} members
 * @param {{control?: Cell, most: number, random: Random}} options  `control`: in every group.
 */
function splitTable (members, { control, most, random }) {
  if (members.length <= most) return [members]
  const held = control ? [control] : []
  const others = shuffle(
    members.filter(cell => cell !== control),
    random
  )
  const groups = Math.ceil(others.length / (most - held.length))
  const size = Math.ceil(others.length / groups)
  return Array.from({ length: groups }, (_, i) => [...held, ...others.slice(i * size, (i + 1) * size)])
}

/**
 * Every cell in every round, each round in a new random order: no cell always follows the same other cell, and
 * drift affects all cells alike.
 *
 * @param {Cell[]} cells
 * @param {{rounds: number, seed: number}} options
 * @returns {{cell: Cell, round: number}[]}
 */
export function orderRounds (cells, { rounds, seed }) {
  return Array.from({ length: rounds }, (_, round) =>
    shuffle(cells, randomOf(seed, round)).map(cell => ({ cell, round }))
  ).flat()
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
      throw new UsageError(
        `the cell "${id}" would be measured twice: name each queue, scenario, ` +
          'value and runtime once (two Node binaries of one version and flags are one runtime)'
      )
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
    (partial, [name, alternatives]) =>
      partial.flatMap(params => alternatives.map(value => ({ ...params, [name]: value }))),
    [{}]
  )
}
