/**
 * Queues under a micro scenario as tasks of a tinybench Bench. `timerq run --sketch` runs them all in one process;
 * lab/queues.bench.js is a benchmark file of them.
 */
import { createRandom } from '../../model/random.js'
import { loadQueue, loadWorkload } from '../modules/load.js'
/** @import { Bench } from 'tinybench' */
/** @import { Phase } from '../../../scenarios/contract.js' */

/**
 * @typedef {object} SketchedTable
 * @property {string} scenarioUrl
 * @property {Record<string, number>} params
 * @property {string | null} [trace]  File that the scenario replays.
 * @property {{name: string, url: string}[]} queues
 * @property {number} seed  The same draws for all queues.
 */

/**
 * Adds a task for each queue. A call runs a cycle of the workload, and its time is that of one operation: tinybench
 * reads its clock twice a call, which costs more than many an operation.
 *
 * @template {Pick<Bench, 'add' | 'now'>} T
 * @param {T} bench
 * @param {SketchedTable} table
 */
export async function addQueues (bench, { queues, seed, ...table }) {
  const createWorkload = await loadWorkload(table)
  for (const { name, url } of queues) {
    const { Queue } = await loadQueue(url)
    /** @type {Phase[] | undefined} */
    let phases
    const runCycle = () => {
      const started = bench.now()
      let operations = 0
      for (const phase of /** @type {Phase[]} */ (phases)) {
        phase.run()
        operations += phase.operations
      }
      const ms = bench.now() - started
      return { overriddenDuration: ms / operations, overriddenIterationCost: ms }
    }
    bench.add(name, runCycle, {
      // Otherwise tinybench finds out by a call before beforeAll.
      async: false,
      beforeAll () {
        phases ??= createWorkload(new Queue(), createRandom(seed)).phases
      },
      afterAll (mode) {
        if (mode === 'run') phases = undefined
      }
    })
  }
  return bench
}
