/** Plans and results of runs made by hand, of which a test says only what matters to it. */
import { createPlan } from '../../harness/plan/plan.js'

/** @import { Cell } from '../../harness/model/cell.js' */
/** @import { Results } from '../../harness/store/results.js' */
/** @import { Plan } from '../../harness/plan/plan.js' */

/**
 * @param {object} [changed]
 * @param {string} [changed.question]
 * @param {object} [changed.settings]
 * @param {object} [changed.end]
 * @param {object} [changed.of]
 * @param {(string | object)[]} [changed.queues]  Names of own queues, or whole queues.
 * @param {object} [changed.scenario]
 * @param {object[]} [changed.scenarios]
 * @param {object[]} [changed.runtimes]
 */
export function aPlan ({
  question = 'run',
  settings,
  end,
  of = {},
  queues = ['heap'],
  scenario,
  scenarios = [{ name: 'refresh', kind: 'micro', values: { size: [10] }, ...scenario }],
  runtimes = [{ name: 'v20', path: process.execPath, flags: [] }]
} = {}) {
  return createPlan(
    /** @type {any} */ ({
      question,
      settings: { seed: 1, control: {}, micro: {}, ...settings },
      end: { rounds: 3, budgetSeconds: null, ...end },
      queues: queues.map(queue => (typeof queue === 'string' ? { name: queue, origin: 'own' } : queue)),
      scenarios: scenarios.map(scenario => ({ steps: ['heat', 'alone'], ...scenario })),
      runtimes,
      of
    })
  )
}

/**
 * @param {object} options
 * @param {Plan} [options.plan]
 * @param {(cell: Cell) => any[]} [options.samplesOf]  Samples of a cell: the first is of round 0, and so on.
 * @param {string} [options.directory]
 * @param {object} [options.run]  Changes of run.json.
 * @returns {Results & {run: any, samples: any[]}}
 */
export function aRun ({ plan = aPlan(), samplesOf = () => [], directory = 'results/x', run }) {
  const samples = plan.cells.flatMap(({ id, ...place }) =>
    samplesOf({ id, ...place }).map((sample, round) => ({
      ...place,
      cell: id,
      round,
      kind: 'alone',
      metrics: {},
      warnings: [],
      ...sample
    }))
  )
  const started = { command: [], started: 'now', ended: 'later', environment: /** @type {any} */ ({}) }
  return { directory, run: { ...started, plan, ...run }, samples, warnings: [] }
}
