/** Merging of shards, measured on several machines, into one run. */
import path from 'node:path'
import { UsageError } from '../model/errors.js'
import { createPlan } from '../plan/plan.js'
import { MOST_SAMPLES } from './samples.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Plan } from '../plan/plan.js' */
/** @import { Results, Run, Sample } from './results.js' */

/**
 * Joins shards of one plan into one run. Every shard has measured whole tables, so queues are only compared on one
 * machine. The joined run keeps the whole plan, so a summary says what is missing where a shard is absent.
 *
 * @param {Results[]} shards
 * @returns {{run: Run, samples: Sample[]}} to be written as new results
 * @throws {UsageError} when they are not shards of one plan
 */
export function mergeShards (shards) {
  const [first] = shards
  for (const shard of shards.slice(1)) assertSamePlan(first, shard)
  const rowOf = rowIn(first.run.plan)
  const measured = new Set()
  const twice = shards.flatMap(measuredCells).find(id => measured.size === measured.add(rowOf(id)).size)
  if (twice !== undefined) {
    throw new UsageError(
      `the cell "${twice.id}" was measured in two of the directories: merge takes shards of one plan`
    )
  }

  const undated = shards.find(({ run }) => Number.isNaN(Date.parse(run.started)))
  if (undated) {
    throw new UsageError(
      `${undated.directory}: /started of run.json is not a date, got ${JSON.stringify(undated.run.started)}`
    )
  }
  const samples = shards.flatMap(shard => shard.samples)
  if (samples.length > MOST_SAMPLES) {
    throw new UsageError(
      `the shards have ${samples.length} samples, and ${MOST_SAMPLES} are the most that timerq reads: ` +
        'merge fewer of them'
    )
  }
  const ends = shards.map(({ run }) => run.ended)
  const run = {
    ...first.run,
    started: shards.map(({ run }) => run.started).sort()[0],
    ended: ends.includes(null) ? null : /** @type {string} */ (ends.sort().at(-1)),
    plan: { ...first.run.plan, cells: cellsOf(shards, rowOf) },
    parts: shards.flatMap(
      ({ directory, run }) =>
        run.parts ?? [
          { run: run.id, directory, environment: run.environment, cells: run.plan.cells.map(({ id }) => id) }
        ]
    )
  }
  return { run, samples }
}

/**
 * Names the row of a cell. Machines differ in the number of operations that is fitted to them.
 *
 * @param {Plan} plan
 * @returns {(cell: Cell) => string}
 */
function rowIn ({ scenarios }) {
  const fitted = new Set(scenarios.flatMap(({ name, isFitted }) => (isFitted ? name : [])))
  return ({ id, scenario, params: { n, ...params }, queue, runtime }) =>
    fitted.has(scenario) ? JSON.stringify([scenario, params, queue, runtime]) : id
}

/**
 * The cells of the whole plan, as the shards have them.
 *
 * @param {Results[]} shards
 * @param {(cell: Cell) => string} rowOf
 */
function cellsOf (shards, rowOf) {
  const measured = new Map(shards.flatMap(shard => measuredCells(shard).map(cell => [rowOf(cell), cell])))
  return createPlan(shards[0].run.plan).cells.map(cell => measured.get(rowOf(cell)) ?? cell)
}

/**
 * Parts of a plan that all shards share. Each machine has its own addresses, and its own folders for files.
 *
 * @param {Plan} plan
 */
function commonOf ({ settings, end, queues, scenarios, runtimes, of: { load, trace, program, benchmarks } }) {
  const { generator, command = [] } = load ?? {}
  const own = (/** @type {string} */ word) => (path.isAbsolute(word) ? path.basename(word) : word)
  return {
    settings: [settings, end, program, benchmarks?.task],
    load: [generator, command.map(own)],
    trace: trace && (trace.sha256 ?? path.basename(trace.file)),
    queues: queues.map(({ name, sha256 }) => ({ name, sha256 })),
    scenarios: scenarios.map(({ name, values, sha256, isFitted }) => ({ name, sha256, ...(!isFitted && { values }) })),
    runtimes: runtimes.map(({ name }) => name)
  }
}

/** @param {Results} shard */
export function measuredCells ({ run, samples }) {
  const measured = new Set(samples.map(({ cell }) => cell))
  return run.plan.cells.filter(({ id }) => measured.has(id))
}

/**
 * @param {Results} one
 * @param {Results} other
 */
function assertSamePlan (one, other) {
  const [expected, found] = [one, other].map(({ run: { plan } }) => commonOf(plan))
  for (const part of /** @type {(keyof typeof found)[]} */ (Object.keys(found))) {
    if (JSON.stringify(expected[part]) !== JSON.stringify(found[part])) {
      throw new UsageError(
        `${other.directory} has other ${part} than ${one.directory}: ` +
          'merge takes shards of one plan, run with the same options and --seed'
      )
    }
  }
}
