/**
 * Writes a results directory of many samples, as a long run of micro heats would: complete, timed in heats of eight
 * queues.
 */
import { hashOf } from '../../harness/processes/environment.js'
import { tableId } from '../../harness/model/cell.js'
import { createPlan, shardPlan } from '../../harness/plan/plan.js'
import { createRandom } from '../../harness/model/random.js'
import { planOf, sampleOf, writeResults } from '../fuzz/inputs.js'

const QUEUES = 8
const SLICES = 12
const STEPS = 2 ** 20
/**
 * @template {{url: string}} File
 * @param {File} file
 */
const hashed = file => ({ ...file, sha256: hashOf(file) })
/** @param {string} file */
const urlOf = file => new URL(`../../${file}`, import.meta.url).href

/**
 * @param {string} directory
 * @param {object} options  Cells times rounds are the samples.
 * @param {number} options.cells
 * @param {number} options.rounds
 * @param {number} [options.seed]
 * @param {{index: number, count: number}} [options.shard]
 */
export function writeLargeResults (directory, { cells, rounds, seed = 1, shard = { index: 1, count: 1 } }) {
  const random = createRandom(seed)
  const { cells: _, ...parts } = planOf({
    kind: 'micro',
    scenario: 'refresh',
    values: { size: Array.from({ length: cells / QUEUES }, (_, i) => 10 * (i + 1)) },
    rounds
  })
  const [[queue], [scenario]] = [parts.queues, parts.scenarios]
  const plan = shardPlan(
    createPlan({
      ...parts,
      queues: Array.from({ length: QUEUES }, (_, i) =>
        hashed({ ...queue, name: `queue-${i}`, url: urlOf('queues/sorted-list.js') })
      ),
      scenarios: [hashed({ ...scenario, url: urlOf('scenarios/refresh-one-duration.js'), steps: ['heat'] })],
      runtimes: [{ name: process.version, path: process.execPath, flags: [] }],
      settings: { ...parts.settings, control: { micro: 'queue-0', http: 'queue-0' } }
    }),
    shard
  )
  const noisy = (/** @type {number} */ ns) => Number((ns * (1 + random(STEPS) / STEPS / 20)).toPrecision(5))
  const samples = []
  for (let round = 0; round < rounds; round++) {
    for (const [i, cell] of plan.cells.entries()) {
      const ns = 10 + (i % QUEUES)
      samples.push(
        sampleOf(cell, {
          round,
          started: new Date(1e12 + 1000 * round + seed).toISOString(),
          seconds: 1.3,
          metrics: { nsPerOp: noisy(ns) },
          slices: { nsPerOp: Array.from({ length: SLICES }, () => noisy(ns)) },
          heat: `${tableId(cell)} round ${round}`,
          heatSize: QUEUES
        })
      )
    }
  }
  writeResults(directory, plan, samples)
}
