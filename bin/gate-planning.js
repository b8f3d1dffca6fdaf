/** What a gate measures: the options of a run, seen as a comparison of two revisions. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { MeasurementError, UsageError } from '../harness/model/errors.js'
import { affordableRounds } from '../harness/gate/budget.js'
import { createGatePlan, SAMPLES_PER_PAIR } from '../harness/gate/plan.js'
import { isInCommit, repositoryRoot, resolveCommit } from '../harness/gate/sides.js'
import { createPlan } from '../harness/plan.js'
import { planFromOptions } from './planning.js'
import { DEFAULT_QUEUES, GATE } from './presets.js'
import { rulesFromOptions } from './judging.js'

/**
 * @param {any} argv
 * @returns {Promise<{plan: import('../harness/gate/plan.js').GatePlan, root: string}>}
 * @throws {UsageError}
 */
export async function gatePlanFromOptions (argv) {
  const root = repositoryRoot(process.cwd())
  const baseCommit = resolveCommit(root, argv.base)
  const { settings, scenarios, runtimes, ...parts } = await runPlanFromOptions(argv)
  const queues = parts.queues.map(({ url, ...queue }) => ({ ...queue, file: fileWithin(root, queue, url) }))
  const [known, added] = [true, false].map(wanted => queues.filter(({ file }) => isInCommit(root, baseCommit, file) === wanted))
  const unmatched = added.flatMap(({ name, file }) => parts.cells.filter(({ queue }) => queue === name)
    .map(({ scenario, params, queue, runtime }) => ({ scenario, params, queue, runtime, reason: `${file} is not in ${argv.base}: nothing to compare with` })))
  if (known.length === 0) throw new MeasurementError(unmatched[0].reason)

  const budgetSeconds = seconds(argv.budget)
  const cells = parts.cells.filter(({ queue }) => known.some(({ name }) => name === queue))
    .map(({ scenario, params }) => ({ params, kind: scenarios.find(({ name }) => name === scenario)?.kind ?? 'micro' }))
  const rounds = Math.min(argv.rounds === undefined ? GATE.rounds : settings.rounds, affordableRounds(settings, cells, budgetSeconds, SAMPLES_PER_PAIR))
  const plan = createGatePlan({ settings: { ...settings, rounds }, scenarios, runtimes },
    { baseRef: argv.base, baseCommit, queues: known, rules: rulesFromOptions(argv), budgetSeconds, unmatched })
  return { plan, root }
}

/**
 * The same cells as a plain run, with the gate's times.
 *
 * @param {Record<string, any>} argv
 */
export async function runPlanFromOptions (argv) {
  const plan = await planFromOptions({
    ...argv,
    preset: 'ci',
    queue: argv.queue ?? DEFAULT_QUEUES.filter(name => name !== 'node'),
    scenario: argv.scenario ?? (argv.trace === undefined ? GATE.scenarios : ['trace'])
  })
  const swept = new Set([...(argv.size ? ['size'] : []), ...(argv.sweep ?? []).map((/** @type {string} */ sweep) => sweep.split('=')[0])])
  // One value of a parameter is enough, unless more are asked for: pairs are better spent on one cell than on two.
  const scenarios = plan.scenarios.map(scenario => ({
    ...scenario,
    values: Object.fromEntries(Object.entries(scenario.values).map(([name, values]) => [name, swept.has(name) ? values : [Math.max(...values)]]))
  }))
  return createPlan({ ...plan, scenarios, settings: { ...plan.settings, preset: 'gate', micro: GATE.micro, httpWarmupMs: GATE.httpWarmupMs } })
}

/**
 * @param {string} root
 * @param {{name: string, origin: string}} queue
 * @param {string} url
 */
function fileWithin (root, { name, origin }, url) {
  const file = path.relative(root, fileURLToPath(url))
  const isOurs = !file.startsWith('..') && !path.isAbsolute(file) && !file.startsWith('node_modules') && origin !== 'built-in'
  if (isOurs) return file
  throw new UsageError(`${name} is not a file of the repository ${root}: gate compares two revisions of a file, name it: --queue ./src/my-queue.js`)
}

/** @param {string} text */
function seconds (text) {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(text) ?? []
  const value = Number(number) * { s: 1, m: 60, h: 3600 }[/** @type {'s'} */ (unit ?? 's')]
  if (value > 0) return value
  throw new UsageError(`--budget must be a time, got "${text}" (try 5m or 300s)`)
}
