/** Stop rules: what ends the measuring of a cell, or of a whole plan. */
import { controlsOrFirst, findImprecise } from '../judge/precision.js'
import { fatalFailure } from '../judge/pairs.js'
import { tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { FEWEST_HEATS, KNOWN_HEATS } from '../model/heats.js'
import { kindIn } from '../model/kinds.js'
import { TimeLeft } from './time-left.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { Budget } from './budget.js' */
/** @import { StopRule } from './execute.js' */

/** Time reserved for writing the report. */
const REPORT_SECONDS = 2
/**
 * A cell is measured while all rules want it.
 *
 * @param {StopRule[]} rules
 * @returns {StopRule}
 */
export function allOf (rules) {
  const signals = rules.flatMap(({ signal }) => signal ?? [])
  const deciding = rules.find(({ total }) => total !== undefined)
  return {
    see (samples) {
      for (const rule of rules) rule.see(samples)
    },
    wants: (cell, step) => rules.every(rule => rule.wants(cell, step)),
    ...(signals.length > 0 && { signal: AbortSignal.any(signals) }),
    budget: rules.find(({ budget }) => budget)?.budget,
    get open () {
      return deciding?.open
    },
    total: deciding?.total
  }
}

/**
 * Gives up a cell that fails again, uses up its CPU time at first, or fires the wrong timers.
 *
 * @returns {StopRule}
 */
export function failures () {
  /**
   * The first sample of each cell, and those that failed.
   *
   * @type {Map<string, Pick<Sample, 'failure'>[]>}
   */
  const seen = new Map()
  return {
    see (samples) {
      for (const { cell, failure } of samples) {
        const known = seen.get(cell)
        if (known === undefined) seen.set(cell, [{ failure }])
        else if (failure) known.push({ failure })
      }
    },
    wants: ({ id }) => fatalFailure(seen.get(id) ?? []) === undefined
  }
}

/**
 * Ends the plan when its time is up: no step begins that would not fit. Slow queues get three heats and no counts.
 *
 * @param {Plan} plan
 * @param {Budget} budget
 * @returns {StopRule}
 */
export function timeIsUp (plan, budget) {
  const timeLeft = new TimeLeft(plan)
  /** @type {Set<string>} */
  const slow = new Set()
  return {
    see (samples) {
      timeLeft.see(samples)
      for (const { cell, isSlow } of samples) if (isSlow) slow.add(cell)
    },
    wants (cell, step) {
      const isExtra = step.kind === 'count' || step.round >= FEWEST_HEATS
      if (isExtra && slow.has(cell.id)) return false
      return timeLeft.secondsOf(step) <= budget.secondsLeft - REPORT_SECONDS
    },
    signal: budget.endSignal(REPORT_SECONDS),
    budget
  }
}

/** Samples by cell, as they come. */
export function collected () {
  /** @type {Map<string, Sample[]>} */
  const byCell = new Map()
  return {
    see (/** @type {Sample[]} */ samples) {
      for (const [cell, own] of groupBy(samples, ({ cell }) => cell)) {
        byCell.set(cell, [...(byCell.get(cell) ?? []), ...own])
      }
    },
    samplesIn: (/** @type {Cell} */ { id }) => byCell.get(id) ?? []
  }
}

/**
 * Ends the heats of a queue when its ratios are known well enough. A server goes on as long as any server of its table:
 * the CPU time of a request depends on the number of servers that share the core.
 *
 * @param {Plan} plan
 * @param {number} within  0.03: the ends of an interval are at most 3 % from the ratio.
 */
export function knownWithin (plan, within) {
  const kindOf = kindIn(plan)
  const tables = groupBy(plan.cells, tableId)
  const tableOf = new Map(plan.cells.map(cell => [cell.id, tableId(cell)]))
  const { see, samplesIn } = collected()
  /**
   * Ids of the cells of a table whose ratios are imprecise; missing: not judged since its latest samples.
   *
   * @type {Map<string, Set<string>>}
   */
  const imprecise = new Map()
  const references = new Set([...controlsOrFirst(plan).values()].map(({ id }) => id))
  /**
   * Cells that get no more heats, however imprecise their ratios are.
   *
   * @type {Set<string>}
   */
  const slow = new Set()
  const failed = failures()
  const canImprove = (/** @type {Cell} */ cell) => failed.wants(cell, /** @type {any} */ (null)) && !slow.has(cell.id)

  /** @param {string} table */
  function openIn (table) {
    const known = imprecise.get(table)
    if (known) return known
    const cells = tables.get(table) ?? []
    const open = new Set(
      findImprecise({ ...plan, cells }, samplesIn, within).flatMap(({ cell }) => (canImprove(cell) ? [cell.id] : []))
    )
    imprecise.set(table, open)
    return open
  }

  return {
    /** @param {Sample[]} samples */
    see (samples) {
      failed.see(samples)
      see(samples)
      for (const sample of samples) {
        if (sample.isSlow && plan.end.budgetSeconds !== null) slow.add(sample.cell)
        imprecise.delete(tableOf.get(sample.cell) ?? '')
      }
    },

    /**
     * @param {Cell} cell
     * @param {Step} step
     */
    wants (cell, { kind, round }) {
      if (kind === 'count' || round < KNOWN_HEATS) return true
      const open = openIn(tableId(cell))
      return kindOf(cell).isServer || references.has(cell.id) ? open.size > 0 : open.has(cell.id)
    },

    /** @returns {number} tables with an imprecise ratio */
    get open () {
      return [...tables.keys()].filter(table => openIn(table).size > 0).length
    },

    total: tables.size
  }
}
