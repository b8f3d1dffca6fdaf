import { UsageError } from '../model/errors.js'
import { createPlan } from '../plan/plan.js'
import { runId } from '../run/run.js'

/**
 * Joins shards of one plan into one run. Every shard has measured whole tables, so queues are only compared on one machine.
 * The joined run keeps the whole plan, so where a shard is absent, a summary says what is missing.
 *
 * @param {import('./results.js').Results[]} shards
 * @returns {{run: import('./results.js').Run, samples: Iterable<import('./results.js').Sample>}}
 * @throws {UsageError} when they are not shards of one plan
 */
export function mergeShards (shards) {
  const [first] = shards
  for (const shard of shards.slice(1)) verifySamePlan(first, shard)
  const measured = new Set()
  const twice = shards.flatMap(measuredCells).find(id => measured.size === measured.add(id).size)
  if (twice !== undefined) throw new UsageError(`the cell "${twice}" was measured in two of the directories: merge takes shards of one plan`)

  const undated = shards.find(({ run }) => Number.isNaN(Date.parse(run.started)))
  if (undated) throw new UsageError(`${undated.directory}: /started of run.json is not a date, got ${JSON.stringify(undated.run.started)}`)
  const started = shards.map(({ run }) => run.started).sort()[0]
  const ends = shards.map(({ run }) => run.ended)
  const run = {
    ...first.run,
    id: runId(new Date(started)),
    started,
    ended: ends.includes(null) ? null : /** @type {string} */ (ends.sort().at(-1)),
    plan: createPlan(first.run.plan),
    parts: shards.flatMap(({ directory, run }) => run.parts ?? [{ directory, environment: run.environment, cells: run.plan.cells.map(({ id }) => id) }])
  }
  return { run, samples: samplesOf(shards) }
}

/** @param {import('./results.js').Results} shard */
export function measuredCells ({ run, samples }) {
  return run.plan.cells.map(({ id }) => id).filter(id => samples.linesOf(id).length > 0)
}

/** @param {import('./results.js').Results[]} shards */
function * samplesOf (shards) {
  for (const { samples } of shards) yield * samples
}

/**
 * @param {import('./results.js').Results} one
 * @param {import('./results.js').Results} other
 */
function verifySamePlan (one, other) {
  const [expected, found] = [one, other].map(({ run: { plan: { settings, queues, scenarios, runtimes } } }) => ({
    settings,
    queues: queues.map(({ name, sha256 }) => ({ name, sha256 })),
    scenarios: scenarios.map(({ name, values, sha256 }) => ({ name, values, sha256 })),
    runtimes: runtimes.map(({ name }) => name)
  }))
  for (const part of /** @type {const} */ (['settings', 'queues', 'scenarios', 'runtimes'])) {
    if (JSON.stringify(expected[part]) !== JSON.stringify(found[part])) {
      throw new UsageError(`${other.directory} has other ${part} than ${one.directory}: merge takes shards of one plan, run with the same options and --seed`)
    }
  }
}
