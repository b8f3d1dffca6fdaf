/** Measures what the source documents claim, and judges each claim by its own predicate. */
import { execute } from '../run/execute.js'
import { RunProgress } from '../run/progress.js'
import { failures } from '../run/stop-rules.js'
import { loadQueueMeta } from '../measure/modules/load-queue.js'
import { loadScenario } from '../measure/modules/load-scenario.js'
import { groupBy } from '../model/group-by.js'
import { createPlan, planScenario } from '../plan/plan.js'
import { takeProfiles } from '../profile/run.js'
import { openRun } from '../run/run.js'
import { SAMPLES_TO_DECIDE } from './figures.js'
import { judgeClaim, measuredCells } from './judge.js'
import { lookTwice } from './looks.js'

/**
 * @typedef {import('./judge.js').Claim} Claim
 * @typedef {import('./judge.js').CellsOf} CellsOf
 * @typedef {import('./judge.js').Preset} Preset
 * @typedef {import('./judge.js').Row} Row
 * @typedef {import('../plan/plan.js').Plan} Plan
 * @typedef {import('../plan/plan.js').Settings} Settings
 *
 * @typedef {object} Catalogue  What names stand for.
 * @property {(name: string) => {name: string, origin: 'own' | 'peer' | 'built-in', url: string}} queue
 * @property {(name: string) => {name: string, url: string}} scenario
 * @property {(nodeFlags?: string) => Promise<import('../processes/child.js').Runtime[]>} runtimes
 *
 * @typedef {object} Work  What is measured for some claims.
 * @property {Plan} plan
 * @property {Plan} profiled  What servers are profiled.
 * @property {import('../plan/arrangement.js').CellGroup[]} profiles  How often. A cell may be in several groups.
 */

/**
 * Queues that take less than 1 % of a server's CPU need many ticks. Five times as many as usual make a request a quarter dearer and
 * all shares a tenth smaller, which leaves their ratios where they are.
 */
const SAMPLING_MICROS = 100

/**
 * @param {Claim[]} claims
 * @param {object} options
 * @param {Settings} options.settings
 * @param {number} [options.seconds]  While there is time left of these, what is undecided is measured again.
 * @param {Catalogue} options.catalogue
 * @param {import('../profile/tools/index.js').Tool} options.profiler
 * @param {string} options.directory
 * @param {string[]} options.command
 * @param {(progress: import('../run/progress.js').Progress) => void} options.onProgress
 * @param {(progress: import('../profile/run.js').ProfileProgress) => void} options.onProfile
 * @param {AbortSignal} options.signal
 * @returns {Promise<Row[]>}
 */
export async function reproduce (claims, { settings, seconds = Infinity, catalogue, directory, command, ...options }) {
  const judge = (/** @type {Claim[]} */ wanted, /** @type {import('./judge.js').MeasuredCell[]} */ cells) =>
    wanted.map(claim => judgeClaim(claim, cells, presetOf(settings)))
  const whole = await planClaims(claims, settings, catalogue)
  if (whole.plan.cells.length === 0) return judge(claims, [])

  const store = await openRun(whole.plan, { directory, command, isResumable: false })
  const planOpen = async (/** @type {Claim} */ claim) => /** @type {const} */ ([claim, await planClaims([openPart(claim)], settings, catalogue)])
  const open = new Map(await Promise.all(claims.map(planOpen)))
  const rows = await lookTwice(claims, {
    rounds: settings.rounds,
    seconds,
    async measure (wanted, rounds) {
      const again = wanted.map(claim => /** @type {Work} */ (open.get(claim)))
      for (const work of rounds > settings.rounds ? again : [whole]) await measureRounds(work, rounds, { store, ...options })
    },
    secondsPerRound: claim => secondsOf(/** @type {Work} */ (open.get(claim)), store.samples) / settings.rounds,
    judge: (wanted, confidence) => judge(wanted, measuredCells(store.results, confidence))
  })
  store.end()
  return rows
}

/**
 * What is missing of so many rounds.
 *
 * @param {Work} work
 * @param {number} rounds  As many as are planned, or more.
 * @param {object} options
 * @param {import('../profile/tools/index.js').Tool} options.profiler
 * @param {import('../store/results.js').Store} options.store
 * @param {(progress: import('../run/progress.js').Progress) => void} options.onProgress
 * @param {(progress: import('../profile/run.js').ProfileProgress) => void} options.onProfile
 * @param {AbortSignal} options.signal
 */
async function measureRounds ({ plan, profiled, profiles }, rounds, { profiler, store, onProgress, onProfile, signal }) {
  const { settings, arrangement } = plan
  const reach = (/** @type {import('../plan/arrangement.js').CellGroup[]} */ groups) =>
    groups.map(group => ({ ...group, rounds: group.rounds * rounds / settings.rounds }))
  const arranged = { ...arrangement, heats: reach(arrangement?.heats ?? []), windows: reach(arrangement?.windows ?? []) }
  const arrangedPlan = { ...plan, arrangement: arranged }
  const finished = [...store.samples]
  const [stopRule, progress] = [failures(), new RunProgress(arrangedPlan, { finished, startedMs: performance.now() })]
  for (const sample of finished) stopRule.see([sample])
  for await (const samples of execute(arrangedPlan, stopRule, { finished, signal, onStep: step => onProgress(progress.at(step)) })) {
    store.append(samples)
    stopRule.see(samples)
    progress.see(samples)
  }
  // At first there are as many profiles as decide something, whatever the rounds of heats are.
  const more = (SAMPLES_TO_DECIDE + rounds - settings.rounds) / SAMPLES_TO_DECIDE
  for (const group of profiles) {
    const cells = profiled.cells.filter(({ id }) => group.cells.includes(id))
    await takeProfiles({ ...profiled, cells, settings: { ...profiled.settings, rounds: group.rounds * more } }, {
      tools: [profiler],
      store,
      finished: store.samples.filter(({ kind }) => kind === 'profile'),
      samplingMicros: SAMPLING_MICROS,
      calibratedRounds: 0,
      attempts: 2,
      onProgress: onProfile,
      signal
    })
  }
}

/**
 * What a second look measures again.
 *
 * @param {Claim} claim
 * @returns {Claim}
 */
export const openPart = claim => ({ ...claim, cells: claim.open ?? claim.cells })

/**
 * What some work has taken so far. Heats that ran on two cores at once count as if they had not.
 *
 * @param {Work} work
 * @param {Iterable<import('../store/results.js').Sample>} samples
 */
export function secondsOf ({ plan: { arrangement }, profiles }, samples) {
  const cellsOf = (/** @type {{cells: string[]}[]} */ groups) => new Set(groups.flatMap(({ cells }) => cells))
  const profiled = cellsOf(profiles)
  const measured = cellsOf([...arrangement?.heats ?? [], ...arrangement?.windows ?? []])
  let sum = 0
  for (const { cell, kind, seconds, heatSize = 1 } of samples) {
    if ((kind === 'profile' ? profiled : measured).has(cell)) sum += seconds / heatSize
  }
  return sum
}

/**
 * Every cell once, whichever claims need it, with the others that it is compared with.
 *
 * @param {Claim[]} claims
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @returns {Promise<Work>}
 */
export async function planClaims (claims, settings, catalogue) {
  const wanted = [...new Set(claims.flatMap(({ cells }) => cells))]
  // Claims are never about the slowest calls.
  const withoutTails = { ...settings, micro: { ...settings.micro, tailMs: 0 } }
  const parts = await Promise.all(wanted.map(async cells => ({ cells, plan: await planCells(cells, withoutTails, catalogue) })))
  const groups = [...groupBy(parts, ({ cells }) => cells.group ?? cells).values()].map(members => ({
    alone: members[0].cells.alone,
    isCounted: members[0].cells.counted ?? false,
    isMeasured: !members[0].cells.profiled && !members[0].cells.counted,
    cells: members.flatMap(({ plan }) => plan.cells.map(({ id }) => id)),
    rounds: settings.rounds * (members[0].cells.repeat ?? 1)
  }))
  const arrange = (/** @type {boolean} */ alone) =>
    groups.filter(group => group.isMeasured && (group.alone ?? false) === alone).map(({ cells, rounds }) => ({ cells, rounds }))
  const united = unite(parts.map(({ plan }) => plan), withoutTails)
  const profiled = parts.filter(({ cells }) => cells.profiled).map(({ cells, plan }) => ({ repeat: cells.repeat ?? 1, plan }))
  return {
    plan: { ...united, arrangement: { counts: groups.filter(({ isCounted }) => isCounted).flatMap(({ cells }) => cells), heats: arrange(false), windows: arrange(true) } },
    profiled: unite(profiled.map(({ plan }) => plan), { ...withoutTails, rounds: SAMPLES_TO_DECIDE }),
    profiles: [...groupBy(profiled, ({ repeat }) => repeat)].sort(([one], [other]) => one - other).map(([repeat, members]) => ({
      cells: distinct(members.flatMap(({ plan }) => plan.cells.map(({ id }) => id)), id => id),
      rounds: SAMPLES_TO_DECIDE * repeat
    }))
  }
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
 * @param {Settings} settings
 * @returns {Plan}
 */
function unite (plans, settings) {
  return {
    settings,
    queues: distinct(plans.flatMap(({ queues }) => queues), ({ name }) => name),
    scenarios: distinct(plans.flatMap(({ scenarios }) => scenarios), ({ name }) => name),
    runtimes: distinct(plans.flatMap(({ runtimes }) => runtimes), ({ name }) => name),
    cells: distinct(plans.flatMap(({ cells }) => cells), ({ id }) => id)
  }
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
