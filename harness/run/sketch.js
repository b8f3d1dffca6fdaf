/** A sketch of a plan: one process runs all queues, one after the other, and nothing is stored. */
import { MeasurementError, SampleError } from '../model/errors.js'
import { tableId } from '../model/cell.js'
import { groupBy } from '../model/group-by.js'
import { placeOf } from '../model/numbers.js'
import { lookUp } from '../measure/look-up.js'
import { Child } from '../processes/child.js'
import { PROCESS } from '../processes/entries.js'
import { sketched } from '../processes/shapes.js'
/** @import { CellPlace } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { SketchedRow } from '../subject/micro/sketch.js' */

const SKETCH = { moduleUrl: new URL('../subject/micro/sketch.js', import.meta.url).href, name: 'sketch' }
/** Times of each queue: the default choice, 24 rows, takes five seconds. */
const TIMES = { warmupMs: 60, timeMs: 130 }

/**
 * @param {Plan} plan  Its cells have one runtime, and micro scenarios.
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<{place: CellPlace, rows: SketchedRow[]}>} tables
 * @throws {MeasurementError} when a queue throws, or is too slow
 */
export async function * sketch (plan, signal) {
  const tables = [...groupBy(plan.cells, tableId).values()]
  const child = new Child(PROCESS, { runtime: lookUp(plan, tables[0][0]).runtime, signal })
  try {
    for (const cells of tables) {
      const jobs = cells.map(cell => lookUp(plan, cell))
      const [{ microJob }] = jobs
      const { timing, scenarioUrl, params, seed, trace } = microJob
      const queues = jobs.map(({ queue: { name, url } }) => ({ name, url }))
      const request = { type: 'call', ...SKETCH, scenarioUrl, params, seed, trace, queues, ...TIMES }
      const asked = child.ask(request, cells.length * timing.limitMs, sketched)
      const { rows } = await asked.catch(nameTable(cells[0]))
      yield { place: cells[0], rows }
    }
  } finally {
    await child.end()
  }
}

/** @type {(place: CellPlace) => (error: unknown) => never} */
const nameTable = ({ scenario, params }) => error => {
  if (!(error instanceof SampleError)) throw error
  throw new MeasurementError(
    `${placeOf({ scenario, params })}: ${error.message} (a run gives each queue a process: leave --sketch out)`
  )
}
