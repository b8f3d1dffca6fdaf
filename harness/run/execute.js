/**
 * Executes a plan, every measurement in fresh processes, kept as soon as it is finished:
 *
 *   the first rounds of heats    cells that are compared run at the same time
 *   windows                      one cell alone: a server's throughput, latency, lateness and collections; a queue's slowest calls
 *   counts                       what is the same every time; nothing is timed beside it
 *   more rounds of heats         as many as planned, until ratios are known well enough, or as the time budget allows; queues whose
 *                                ratios are known leave their time to the others
 */
import os from 'node:os'
import { chunk, sum } from 'simple-statistics'
import { CHANNELS, groupSteps, roundsOf } from '../plan/groups.js'
import { createEta } from './time-left.js'
import { tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { MEMORY } from '../processes/memory.js'
import { onAllCores } from '../processes/pinning.js'
import { orderRounds, planHeats } from '../plan/plan.js'
import { FEWEST_ROUNDS, findImprecise, standardsOf } from '../judge/precision.js'
import { createMeasure, lookUp, mostProcesses, takeHeat, takeSample } from '../measure/sample.js'
import { Taken } from './taken.js'

/**
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../plan/plan.js').Cell} Cell
 * @typedef {import('../plan/plan.js').PlannedHeat} PlannedHeat
 * @typedef {import('../plan/plan.js').PlannedSample} PlannedSample
 * @typedef {import('../store/results.js').Sample} Sample
 *
 * @typedef {object} Step  What is measured in one go.
 * @property {import('../plan/plan.js').Channel} channel
 * @property {Cell[]} cells
 * @property {number} round
 * @property {string} [id]  Of a heat.
 *
 * @typedef {object} StopRule  Decides what is still measured.
 * @property {(samples: Sample[]) => void} see
 * @property {(cell: Cell, kind: import('../plan/groups.js').StepKind) => boolean} wants
 *
 * @typedef {object} Progress
 * @property {Step} next  What is measured now.
 * @property {number} done  Samples.
 * @property {number} total  Samples, at most.
 * @property {{seconds: number, isAtLeast: boolean} | null} left  What the rest takes, about; null where nothing like it has been
 *   measured yet.
 * @property {{seconds: number, spent: number} | null} budget  When it is spent, the run ends.
 * @property {{within: number, open: number, tables: number} | null} until  How many tables are still measured because their ratios
 *   are not known well enough.
 */

/** One heat says nothing about the spread between heats. */
const FIRST_ROUNDS = 2
/** Where time is short: three heats are the fewest that give an interval, and that is worth more than counts. Slow queues get no more. */
const FIRST_ROUNDS_IN_BUDGET = 3
/**
 * Later on, micro heats of so many rounds come before the server heats of the same rounds: they keep all cores busy meanwhile, even of
 * one table. The last of them may turn out not to have been needed.
 */
const ROUNDS_AT_ONCE = 2
/** Where turns wait for full speed, one heat starts while another is measured: see heat/core.js. */
const HEATS_ON_A_CORE = 2
/** What a measuring process takes, about: Node, and a timer with what the largest queues keep of it. */
const PROCESS_BYTES = 60 * 2 ** 20
const TIMER_BYTES = 400
/** Set aside for reading the samples again and writing the report. */
const REPORT_SECONDS = 2
/** How many steps the time that is left is added up of, at each step: in the mean. */
const STEPS_ESTIMATED = 1000
/** Timers take no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * @param {Plan} plan
 * @param {object} options
 * @param {Iterable<Sample>} [options.finished]  Samples of the plan that are there already: a resumed run's.
 * @param {(samples: Sample[]) => void} options.keep  Called with what a step has measured, all of it at once.
 * @param {() => Pick<import('../store/samples.js').Samples, 'byCell'>} options.recall  All samples so far: those that were finished, and
 *   those that were kept. Only asked for where the plan says until when it measures.
 * @param {StopRule} [options.stopRule]
 * @param {(planned: {cell: Cell, round: number}, signal: AbortSignal) => Promise<Sample>} [options.profile]  Records a profile, where the plan has any.
 * @param {(progress: Progress) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 * @param {number} [options.startedMs]  By performance.now(): since when the time budget is being spent.
 */
export async function executePlan (plan, { finished = [], keep, recall, stopRule, profile, onProgress = () => {}, signal, startedMs = performance.now() }) {
  const { settings, scenarios } = plan
  const { budgetSeconds, until, enough } = settings
  const wanted = until ?? enough
  const deadlineMs = budgetSeconds === null ? Infinity : startedMs + 1000 * (budgetSeconds - REPORT_SECONDS)
  const late = lateSignal(deadlineMs)
  const taken = new Taken()
  for (const sample of finished) taken.add(sample)
  stopRule?.see([...finished])
  const aborted = signal ? AbortSignal.any([signal, late]) : late
  const measure = createMeasure(settings, aborted)
  const isHttp = (/** @type {Step} */ { cells: [{ scenario }] }) => scenarios.some(({ name, kind }) => name === scenario && kind === 'http')
  // What needs no load and shares no core runs on all of them; servers have the machine to themselves.
  const isAlone = (/** @type {Step} */ step) => isHttp(step) && step.channel !== 'exact'
  const eta = createEta(settings, isHttp)
  const stages = planStages(plan).map(rounds => rounds.map(steps => steps.filter(step => !taken.has(step))))
  const left = new Set(stages.flat(2))
  const total = sum([...left].map(({ cells }) => cells.length))
  let done = 0
  let estimated = { steps: Infinity, atMs: 0, left: /** @type {Progress['left']} */ (null) }
  const tables = new Set(plan.cells.map(tableId))
  const standards = new Set([...standardsOf(plan).values()].map(({ id }) => id))
  const twice = Array.from({ length: HEATS_ON_A_CORE }, () => measure.pins.cores).flat()
  let open = new Set(plan.cells)
  /** Heats of each table's first round. @type {Map<string, {round: number, begun: Promise<void>[]}>} */
  const first = new Map()

  for (const rounds of stages) {
    for (const isWanted of [isOverlapped, (/** @type {Step} */ step) => !isOverlapped(step) && !isAlone(step)]) {
      await onAllCores(worthTaking(rounds, isWanted), lanesOf(rounds.flat().find(isWanted)), takeAfterFirst)
    }
    for (const step of worthTaking(rounds, isAlone)) await take(step)
  }

  /**
   * Looked at only when the next one can be taken: by then the earlier ones have shown more.
   *
   * @param {Step[][]} rounds
   * @param {(step: Step) => boolean} isWanted
   */
  function * worthTaking (rounds, isWanted) {
    for (const steps of rounds) {
      if (steps.some(({ round }) => round >= FEWEST_ROUNDS)) open = openCells()
      for (const step of slowestCoresFirst(steps.filter(isWanted))) {
        if (isOpen(step)) yield step
        else leave(step)
      }
    }
  }

  /**
   * Whether the next heat starts while this one is measured.
   *
   * @param {Step} step
   */
  function isOverlapped (step) {
    return settings.micro.waitMs !== undefined && step.channel === 'heat' && !isAlone(step) && canOverlap(step, measure.pins.cores.length)
  }

  /**
   * @param {Step} [step]  One of those that are taken in one go.
   * @returns {string[][]} where they are taken, one at a time on each: command prefixes
   */
  function lanesOf (step) {
    if (step?.channel === 'exact') return Array.from({ length: os.availableParallelism() }, () => [])
    return step && isOverlapped(step) ? twice : measure.pins.cores
  }

  /**
   * Heats on slow cores are left out of a table, so it has fewer than the others. The time may end within a round.
   *
   * @param {Step[]} steps
   */
  function slowestCoresFirst (steps) {
    const slowCores = (/** @type {Step} */ { cells }) => sum(cells.map(({ id }) => taken.slowCores(id)))
    return [...steps].sort((one, other) => slowCores(other) - slowCores(one))
  }

  /**
   * Rounds overlap, but for the first of each table: a queue that hangs there is not tried again meanwhile.
   *
   * @param {Step} step
   * @param {string[]} pin
   */
  async function takeAfterFirst (step, pin) {
    const table = tableId(step.cells[0])
    const { round, begun } = first.get(table) ?? { round: step.round, begun: [] }
    const isFirst = step.channel === 'heat' && step.round === round
    if (!isFirst) await Promise.all(begun)
    const taking = take(step, pin)
    if (isFirst) first.set(table, { round, begun: [...begun, taking] })
    await taking
  }

  /**
   * @param {Step} planned
   * @param {string[]} [pin]
   */
  async function take (planned, pin) {
    signal?.throwIfAborted()
    const step = inTime({ ...planned, cells: planned.cells.filter(cell => isWorthwhile(planned, cell.id) && isNeeded(planned, cell)) })
    const startMs = performance.now()
    if (step) {
      onProgress(progressAt(step))
      const samples = await takeStep(step, pin).catch(unlessLate)
      // Whatever was interrupted may have failed because of that.
      if (!late.aborted) {
        keep(samples)
        stopRule?.see(samples)
        for (const sample of samples) taken.add(sample)
        eta.finish(step, (performance.now() - startMs) / 1000)
      }
    }
    leave(planned)
  }

  /**
   * What of a step fits into the time that is left. Of a micro heat it may be a part: first of all, the queues that were measured on slow
   * cores most often.
   *
   * @param {Step} step
   * @returns {Step | undefined} undefined: nothing
   */
  function inTime (step) {
    const { channel, round, cells } = step
    const fits = (/** @type {Step} */ some) => some.cells.length > 0 && performance.now() + 1000 * eta.secondsOf(some) <= deadlineMs
    if (fits(step)) return step
    if (stopRule || channel !== 'heat' || isHttp(step) || round < FIRST_ROUNDS_IN_BUDGET) return undefined
    const inNeed = cells.filter(({ id }) => !standards.has(id)).sort((one, other) => taken.slowCores(other.id) - taken.slowCores(one.id))
    // Fewer and fewer, beside what they are compared with.
    return inNeed.slice(1).map((_, left) => ({ ...step, cells: cells.filter(cell => inNeed.indexOf(cell) < inNeed.length - 1 - left) })).find(fits)
  }

  /** @param {Step} step  It is done, or is not needed. */
  function leave (step) {
    left.delete(step)
    done += step.cells.length
  }

  /**
   * @param {unknown} error
   * @returns {Sample[]}
   */
  function unlessLate (error) {
    if (late.aborted && !signal?.aborted) return []
    throw error
  }

  /**
   * @param {Pick<Step, 'channel' | 'round'>} step
   * @param {string} cell  Of it.
   */
  function isWorthwhile ({ channel, round }, cell) {
    if (taken.isGivenUp(cell)) return false
    // When time is short, it is not spent on a queue that is many times slower than the others.
    const isExtra = channel === 'exact' || round >= FIRST_ROUNDS_IN_BUDGET
    return stopRule !== undefined || budgetSeconds === null || !isExtra || !taken.isSlow(cell)
  }

  /** Those whose ratios are not known well enough, as long as measuring them again helps. */
  function openCells () {
    if (wanted === undefined) return open
    const next = /** @type {const} */ ({ channel: 'heat', round: FEWEST_ROUNDS })
    const samples = recall()
    return new Set([...groupBy(plan.cells, tableId).values()]
      .flatMap(cells => findImprecise({ ...plan, cells }, samples.byCell(cells), wanted))
      .flatMap(({ cell }) => isWorthwhile(next, cell.id) ? [cell] : []))
  }

  /** @param {Step} step */
  function isOpen ({ channel, round, cells }) {
    if (stopRule) return cells.some(cell => stopRule.wants(cell, kindOf(channel)))
    return channel === 'exact' || round < FEWEST_ROUNDS || cells.some(cell => open.has(cell))
  }

  /**
   * Whether a heat is to measure a cell. One that is known leaves its time to the others; not so a server, because what a request
   * costs depends on how many share the core.
   *
   * @param {Step} step
   * @param {Cell} cell
   */
  function isNeeded (step, cell) {
    return isHttp(step) || isOpen({ ...step, cells: [cell] }) || (!stopRule && standards.has(cell.id))
  }

  /**
   * @param {Step} next
   * @returns {Progress}
   */
  function progressAt (next) {
    return {
      next,
      done,
      total,
      left: estimateNow(),
      budget: budgetSeconds === null ? null : { seconds: budgetSeconds, spent: (performance.now() - startedMs) / 1000 },
      until: until === undefined ? null : { within: until, open: new Set([...open].map(tableId)).size, tables: tables.size }
    }
  }

  /** Adds up all that is left, but in long runs not at every step: all steps together would take longer the longer the run. */
  function estimateNow () {
    const nowMs = performance.now()
    if (estimated.steps - left.size >= left.size / STEPS_ESTIMATED) {
      estimated = { steps: left.size, atMs: nowMs, left: estimate() }
    }
    const { left: before, atMs } = estimated
    return before && { ...before, seconds: Math.max(0, before.seconds - (nowMs - atMs) / 1000) }
  }

  /** Some counts take a hundred times as long as others: what they take is not known before they are done. */
  function estimate () {
    const timed = [...left].filter(({ channel }) => channel !== 'exact')
    if (!timed.every(eta.isKnown)) return null
    const seconds = sum(timed.map(step => eta.secondsOf(step) / (isAlone(step) ? 1 : lanesOf(step).length)))
    return { seconds, isAtLeast: timed.length < left.size }
  }

  /**
   * @param {Step} step
   * @param {string[]} [pin]
   * @returns {Promise<Sample[]>}
   */
  async function takeStep ({ channel, cells, round, id }, pin) {
    if (channel === 'profile' && profile) return [await profile({ cell: cells[0], round }, aborted)]
    const found = cells.map(cell => lookUp(plan, cell))
    if (id !== undefined) return takeHeat({ id, cells, round }, () => measure.heat(found, { seed: seedOf(settings.seed, id), pin }))
    return [await takeSample({ cell: cells[0], round, channel }, () => channel === 'exact' ? measure.count(found[0]) : measure.window(found[0], pin))]
  }
}

/**
 * Whether the processes of such heats, two on every core, fit into half of the memory.
 *
 * @param {Pick<Step, 'cells'>} step
 * @param {number} cores
 * @param {number} [memory]  In bytes.
 */
export function canOverlap ({ cells }, cores, memory = MEMORY) {
  const { size = 0 } = cells[0].params
  return HEATS_ON_A_CORE * cores * mostProcesses(cells.length) * (PROCESS_BYTES + TIMER_BYTES * size) <= memory / 2
}

/**
 * @param {Plan} plan
 * @returns {Step[][][]} by stage and round
 */
function planStages (plan) {
  if (plan.groups) {
    const rounds = Array.from({ length: roundsOf(plan.groups) }, (_, round) => groupSteps(plan, round))
    return [rounds.flat().filter(({ channel }) => channel === 'exact'), ...rounds.map(steps => steps.filter(({ channel }) => channel !== 'exact'))].map(steps => [steps])
  }
  const { cells, queues, scenarios, settings: { rounds, windows = 1, budgetSeconds, seed, micro } } = plan
  const namesOf = (/** @type {(scenario: import('../plan/plan.js').PlannedScenario) => boolean} */ isWanted) => new Set(scenarios.filter(isWanted).map(({ name }) => name))
  const micros = namesOf(({ kind }) => kind === 'micro')
  const sharing = namesOf(({ usesAllCores }) => !usesAllCores)
  const isShownAlone = (/** @type {Cell} */ { scenario }) => !micros.has(scenario) || micro.tailMs > 0
  // What shares no heat is measured alone as often as the others are in heats.
  const unshared = orderRounds(cells.filter(({ scenario }) => !sharing.has(scenario)), { rounds, seed })
  const measured = Array.from({ length: rounds }, (_, round) => [
    ...heatSteps(planHeats(plan, round)),
    ...stepsOf('time', unshared.filter(sample => sample.round === round))
  ])
  const alone = orderRounds(cells.filter(cell => sharing.has(cell.scenario) && isShownAlone(cell)), { rounds: windows, seed })
  const countable = namesOf(({ isCounted }) => isCounted === true)
  const builtIn = new Set(queues.filter(({ origin }) => origin === 'built-in').map(({ name }) => name))
  const counted = micro.exactLimitMs > 0 ? cells.filter(({ scenario, queue }) => countable.has(scenario) && !builtIn.has(queue)) : []
  const first = budgetSeconds === null ? FIRST_ROUNDS : FIRST_ROUNDS_IN_BUDGET
  // Rounds overlap where heats do. Whether one is needed is looked at when its turn comes.
  const together = (/** @type {Step[][]} */ rounds, /** @type {number} */ most) => chunk(rounds, micro.waitMs === undefined ? 1 : most)
  return [
    ...together(measured.slice(0, first), first),
    [stepsOf('time', alone)],
    [stepsOf('exact', counted.map(cell => ({ cell, round: 0 })))],
    ...together(measured.slice(first), ROUNDS_AT_ONCE)
  ]
}

/** @param {Step['channel']} channel */
const kindOf = channel => /** @type {import('../plan/groups.js').StepKind[]} */ (Object.keys(CHANNELS)).find(kind => CHANNELS[kind] === channel) ?? 'heat'

/**
 * @param {PlannedHeat[]} heats
 * @returns {Step[]}
 */
const heatSteps = heats => heats.map(heat => ({ channel: 'heat', ...heat }))

/**
 * @param {PlannedSample['channel']} channel
 * @param {{cell: Cell, round: number}[]} samples
 * @returns {Step[]}
 */
const stepsOf = (channel, samples) => samples.map(({ cell, round }) => ({ channel, cells: [cell], round }))

/** @param {number} deadlineMs  By performance.now(); Infinity: none. */
function lateSignal (deadlineMs) {
  if (deadlineMs === Infinity) return new AbortController().signal
  return AbortSignal.timeout(Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil(deadlineMs - performance.now()))))
}

/**
 * Every heat draws its own layout and hashes.
 *
 * @param {number} seed
 * @param {string} id
 */
function seedOf (seed, id) {
  let hash = seed
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash >>> 0
}
