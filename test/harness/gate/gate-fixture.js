/** Gates with samples made by hand. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createGatePlan } from '../../../harness/gate/gate-plan.js'
import { rowHeats } from '../../../harness/gate/stages.js'
import { rowsOf } from '../../../harness/plan/rows.js'
import { createCell } from '../../../harness/model/cell.js'
import { DEFAULT_RULES } from '../../../harness/judge/decision.js'
import { captureEnvironment } from '../../../harness/processes/environment.js'
import { writeResults } from '../../../harness/store/results.js'
import { GATE } from '../../../bin/presets.js'
import { aPlan } from '../a-run.js'
import { normal } from '../judge/statistics/noise.js'
import { temporaryFolder } from '../temporary-folder.js'

/** @import { GatePlan } from '../../../harness/gate/gate-plan.js' */
/** @import { CellPlace, Side } from '../../../harness/model/cell.js' */
/** @import { Runtime } from '../../../harness/processes/child.js' */
/** @import { Sample } from '../../../harness/store/results.js' */

/**
 * @param {object} [options]
 * @param {string[]} [options.queues]
 * @param {number} [options.rounds]
 * @param {number} [options.seed]
 * @param {Runtime} [options.runtime]
 * @param {string} [options.root]
 * @param {object} [options.scenario]
 * @param {object} [options.meta]
 */
export function gatePlan ({
  queues = ['heap', 'wheel'],
  rounds = 30,
  seed = 1,
  runtime = { name: 'v20', path: 'node', flags: [] },
  root = '/repository',
  scenario,
  meta = {}
} = {}) {
  const { micro, httpWarmupMs, httpHeat } = GATE
  return createGatePlan(
    aPlan({
      question: 'gate',
      settings: { micro, httpWarmupMs, httpHeat, preset: 'gate', seed },
      end: { rounds },
      scenario: {
        ...{ title: '', source: '', url: '', sha256: '0'.repeat(64) },
        values: { size: [10, 20] },
        ...scenario
      },
      runtimes: [runtime],
      queues: queues.map(name => ({ name, url: '', file: `${name}.js`, origin: 'user', sha256: '', meta }))
    }),
    { baseRef: 'main', baseCommit: 'abc', root, rules: DEFAULT_RULES, budgetSeconds: 300 }
  )
}

/**
 * Samples that a gate would have measured.
 *
 * @param {GatePlan} plan
 * @param {object} [options]
 * @param {number} [options.slowdown]  Of the head.
 * @param {number} [options.swing]  Factor by which the head is slower in odd rounds, and faster in even ones.
 * @param {number} [options.controlShift]  Of the base against itself.
 * @param {number} [options.spread]
 */
export function samplesOf (plan, { slowdown = 1, swing = 1, controlShift = 1, spread = 0.02 } = {}) {
  const draw = normal(plan.settings.seed + 1000)
  const noise = () => Math.exp(spread * draw())
  const factors = (/** @type {number} */ round) => ({
    base: 1,
    head: slowdown * swing ** (round % 2 === 0 ? -1 : 1),
    control: controlShift
  })
  const heats = Array.from({ length: plan.end.rounds }, (_, round) => rowHeats(plan, round)).flat()
  return heats.flatMap(({ cells, round }) =>
    cells.map(cell => ({
      ...sampleOf(cell, /** @type {Side} */ (cell.side), round, {
        nsPerOp: 40 * noise() * factors(round)[/** @type {Side} */ (cell.side)]
      }),
      heatSize: cells.length
    }))
  )
}

/**
 * @param {CellPlace} row
 * @param {Side} side
 * @param {number} round
 * @param {Record<string, number>} metrics
 * @param {string} [failure]  Its kind.
 */
export function sampleOf (row, side, round, metrics, failure) {
  const { id, ...place } = createCell({ ...row, side })
  return /** @type {Sample} */ ({
    cell: id,
    round,
    kind: 'heat',
    heat: `${createCell({ ...row, side: undefined }).id} round ${round}`,
    ...place,
    started: new Date(1000 * round).toISOString(),
    seconds: 0.3,
    metrics,
    warnings: [],
    ...(failure && { failure: { kind: failure, message: 'it died' } })
  })
}

/**
 * @param {CellPlace} row
 * @param {Side} side
 * @param {Record<string, number>} metrics
 * @param {object} [changed]
 */
export function countOf (row, side, metrics, changed) {
  const { heat, ...sample } = sampleOf(row, side, 0, metrics)
  return /** @type {Sample} */ ({ ...sample, kind: 'count', ...changed })
}

export const [FIRST_ROW] = rowsOf(gatePlan())

export const environment = captureEnvironment({ pinning: '', loadGenerator: 'none' })

/**
 * The directory of a gate that has ended.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} [gate]
 * @param {GatePlan} [gate.plan]
 * @param {Sample[]} [gate.samples]
 * @param {object} [gate.run]  Changes of run.json.
 */
export function endedGate (t, { plan = gatePlan(), samples = samplesOf(plan), run } = {}) {
  const directory = path.join(temporaryFolder(t), 'gate')
  const [started, ended] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:05:00.000Z']
  writeResults(directory, { command: ['timerq', 'gate'], started, ended, environment, plan, ...run }, samples)
  return { directory, plan, samples: () => readFileSync(path.join(directory, 'samples.jsonl'), 'utf8') }
}
