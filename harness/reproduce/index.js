/** Measures what the source documents claim, and judges each claim by its own predicate. */
import { loadQueueMeta } from '../load-queue.js'
import { loadScenario } from '../load-scenario.js'
import { createPlan, planScenario } from '../plan.js'
import { takeProfiles } from '../profile/run.js'
import { readResults } from '../results.js'
import { startRun } from '../run.js'
import { SAMPLES_TO_DECIDE } from './figures.js'
import { judgeClaim, measuredCells } from './judge.js'

/**
 * @typedef {import('./judge.js').Claim} Claim
 * @typedef {import('./judge.js').CellsOf} CellsOf
 * @typedef {import('./judge.js').Preset} Preset
 * @typedef {import('./judge.js').Row} Row
 * @typedef {import('../plan.js').Plan} Plan
 * @typedef {import('../plan.js').Settings} Settings
 *
 * @typedef {object} Catalogue  What names stand for.
 * @property {(name: string) => {name: string, origin: 'own' | 'peer' | 'built-in', url: string}} queue
 * @property {(name: string) => {name: string, url: string}} scenario
 * @property {(nodeFlags?: string) => Promise<import('../child.js').Runtime[]>} runtimes
 */

/**
 * @param {Claim[]} claims
 * @param {object} options
 * @param {Settings} options.settings
 * @param {Catalogue} options.catalogue
 * @param {import('../profile/tools/index.js').Tool} options.profiler
 * @param {string} options.directory
 * @param {string[]} options.command
 * @param {(progress: import('../execute.js').Progress) => void} options.onProgress
 * @param {AbortSignal} options.signal
 * @returns {Promise<Row[]>}
 */
export async function reproduce (claims, { settings, catalogue, profiler, directory, ...options }) {
  const wanted = [...new Set(claims.flatMap(({ cells }) => cells))]
  const plans = await Promise.all(wanted.map(cells => planCells(cells, settingsOfClaims(settings), catalogue)))
  if (plans.length > 0) {
    await startRun(unite(plans), { directory, ...options })
    const profiled = plans.filter((_, index) => wanted[index].profiled)
    if (profiled.length > 0) await takeProfiles(withoutBuiltIn(unite(profiled)), { tools: [profiler], directory, signal: options.signal })
  }
  const cells = plans.length > 0 ? measuredCells(readResults(directory)) : []
  return claims.map(claim => judgeClaim(claim, cells, presetOf(settings)))
}

/**
 * Claims are also about what only a server alone shows, requests per second among it, and never about single calls.
 *
 * @param {Settings} settings
 * @returns {Settings}
 */
function settingsOfClaims (settings) {
  return { ...settings, windows: Math.min(settings.rounds, SAMPLES_TO_DECIDE), micro: { ...settings.micro, tailMs: 0 } }
}

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
  return createPlan({
    settings,
    queues: await Promise.all(queues.map(async queue => {
      const entry = catalogue.queue(queue)
      return { ...entry, meta: await loadQueueMeta(entry.url) }
    })),
    scenarios: [planScenario(loaded, url, values)],
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

/**
 * What can be profiled, as often as it takes to decide something.
 *
 * @param {Plan} plan
 */
function withoutBuiltIn (plan) {
  const builtIn = plan.queues.filter(({ origin }) => origin === 'built-in').map(({ name }) => name)
  return { ...plan, settings: { ...plan.settings, rounds: SAMPLES_TO_DECIDE }, cells: plan.cells.filter(({ queue }) => !builtIn.includes(queue)) }
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
