/** Measures what the source documents found, and judges each finding by its own predicate. */
import os from 'node:os'
import { cellId } from './model/cell.js'
import { groupBy } from './model/group-by.js'
import { loadQueueMeta } from './load-queue.js'
import { loadScenario } from './load-scenario.js'
import { createPlan } from './plan.js'
import { takeProfiles } from './profile/run.js'
import { readResults } from './results.js'
import { startRun } from './run.js'
import { medianInterval } from './statistics/median-interval.js'
import { summarise } from './summary.js'

/**
 * @typedef {import('../scenarios/findings.js').Finding} Finding
 * @typedef {import('../scenarios/findings.js').CellsOf} CellsOf
 * @typedef {import('../scenarios/findings.js').Preset} Preset
 * @typedef {import('../scenarios/findings.js').Figure} Figure
 * @typedef {Omit<import('./summary.js').CellSummary, 'metrics'> & {metrics: Record<string, Figure>}} MeasuredCell
 * @typedef {import('./plan.js').Plan} Plan
 * @typedef {import('./plan.js').Settings} Settings
 *
 * @typedef {{id: string, claim: string, documented: string, measured: string, holds: boolean | null, command: string}} Row
 *
 * @typedef {object} Catalogue  What names stand for.
 * @property {(name: string) => {name: string, origin: 'own' | 'peer' | 'built-in', url: string}} queue
 * @property {(name: string) => {name: string, url: string}} scenario
 * @property {(nodeFlags?: string) => Promise<import('./child.js').Runtime[]>} runtimes
 */

/**
 * @param {Finding[]} findings
 * @param {object} options
 * @param {Settings} options.settings
 * @param {Catalogue} options.catalogue
 * @param {import('./profile/tools/index.js').Tool} options.profiler
 * @param {string} options.directory
 * @param {string[]} options.command
 * @param {(progress: import('./execute.js').Progress) => void} options.onProgress
 * @param {AbortSignal} options.signal
 * @returns {Promise<Row[]>}
 */
export async function reproduce (findings, { settings, catalogue, profiler, directory, ...options }) {
  const wanted = [...new Set(findings.flatMap(({ cells }) => cells))]
  const plans = await Promise.all(wanted.map(cells => planCells(cells, settings, catalogue)))
  if (plans.length > 0) {
    await startRun(unite(plans), { directory, ...options })
    const profiled = plans.filter((_, index) => wanted[index].profiled)
    if (profiled.length > 0) await takeProfiles(withoutBuiltIn(unite(profiled)), { tools: [profiler], directory, signal: options.signal })
  }
  const cells = plans.length > 0 ? measuredCells(readResults(directory)) : []
  return findings.map(finding => judgeFinding(finding, cells, presetOf(settings)))
}

/** Profiles of a cell: shares that are close cannot be told apart by one each. */
const PROFILES = 3

/** @param {Settings} settings */
const presetOf = ({ preset }) => /** @type {Preset} */ (preset)

/**
 * @param {CellsOf} cells
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 */
export async function planCells ({ scenario, queues, params, nodeFlags }, settings, catalogue) {
  const { url } = catalogue.scenario(scenario)
  const loaded = await loadScenario(url)
  const values = { ...loaded.presets[presetOf(settings)], ...params[presetOf(settings)] }
  const { name, kind, title, source } = loaded
  return createPlan({
    settings,
    queues: await Promise.all(queues.map(async queue => {
      const entry = catalogue.queue(queue)
      return { ...entry, meta: await loadQueueMeta(entry.url) }
    })),
    scenarios: [{ name, kind, title, source, coldStart: 'coldStart' in loaded && loaded.coldStart === true, url, values }],
    runtimes: await catalogue.runtimes(nodeFlags)
  })
}

/**
 * @param {Plan[]} plans
 * @returns {Plan}
 */
function unite (plans) {
  return {
    settings: plans[0].settings,
    queues: distinct(plans.flatMap(({ queues }) => queues), ({ name }) => name),
    scenarios: distinct(plans.flatMap(({ scenarios }) => scenarios), ({ name }) => name),
    runtimes: distinct(plans.flatMap(({ runtimes }) => runtimes), ({ name }) => name),
    cells: distinct(plans.flatMap(({ cells }) => cells), ({ id }) => id)
  }
}

/** @param {Plan} plan */
function withoutBuiltIn (plan) {
  const builtIn = plan.queues.filter(({ origin }) => origin === 'built-in').map(({ name }) => name)
  return { ...plan, settings: { ...plan.settings, rounds: PROFILES }, cells: plan.cells.filter(({ queue }) => !builtIn.includes(queue)) }
}

/**
 * What a server counts and only findings ask for.
 *
 * @type {Record<string, (window: any) => number | undefined>}
 */
const COUNTERS = {
  scavenges: ({ collections }) => collections.minor?.count ?? 0,
  cpuMicrosPerTimeout: ({ userMicros, systemMicros, timers }) => timers?.fired > 0 ? (userMicros + systemMicros) / timers.fired : undefined
}

/**
 * The cells of a run with all figures that findings look at.
 *
 * @param {import('./results.js').Results} results
 * @returns {MeasuredCell[]}
 */
export function measuredCells (results) {
  const samplesOf = groupBy(results.samples, ({ cell }) => cell)
  return summarise(results).cells.map(cell => {
    const windows = (samplesOf.get(cellId(cell)) ?? []).filter(({ channel }) => channel === 'time').flatMap(({ details }) => details?.window ?? [])
    const counted = Object.entries(COUNTERS).flatMap(([name, count]) => {
      const values = windows.map(count).filter(value => value !== undefined)
      return values.length > 0 ? [[name, medianInterval(values)]] : []
    })
    return { ...cell, metrics: { ...cell.metrics, ...Object.fromEntries(counted) } }
  })
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} keyOf
 * @returns {T[]}
 */
function distinct (items, keyOf) {
  return [...new Map(items.map(item => [keyOf(item), item])).values()]
}

/**
 * @param {Finding} finding
 * @param {MeasuredCell[]} cells
 * @param {Preset} preset
 * @param {number} [cores]
 * @returns {Row}
 */
export function judgeFinding ({ id, claim, documented, judge }, cells, preset, cores = os.availableParallelism()) {
  const command = `timerq reproduce --only ${id}${preset === 'quick' ? '' : ` --preset ${preset}`}`
  try {
    return { id, claim, documented, ...judge(createLook(cells), { preset, cores }), command }
  } catch (error) {
    return { id, claim, documented, measured: `could not be measured: ${/** @type {Error} */ (error).message}`, holds: null, command }
  }
}

/**
 * @param {MeasuredCell[]} cells
 * @returns {import('../scenarios/findings.js').Look}
 */
function createLook (cells) {
  return (scenario, queue, metric, { runtime = '', ...params } = {}) => {
    const found = cells.filter(cell => cell.scenario === scenario && cell.queue === queue && cell.runtime.endsWith(String(runtime)) &&
      Object.entries(params).every(([name, value]) => cell.params[name] === value))
    // The fewest of whatever was swept, where the finding does not say.
    const [cell] = found.sort((a, b) => Object.values(a.params)[0] - Object.values(b.params)[0])
    if (!cell?.metrics[metric]) throw new Error(`no ${metric} of ${queue} on ${scenario}`)
    return cell.metrics[metric]
  }
}
