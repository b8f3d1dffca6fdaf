/** Differences between two runs that rule out a comparison, as a whole or of times, or that a reader should know. */
import { UsageError } from '../model/errors.js'

/**
 * @import { CellPlace } from '../model/cell.js'
 * @import { Results, Run, Sample } from '../store/results.js'
 */

/** Conditions of the environment, with the noun that names them. */
const CONDITIONS = /** @type {const} */ ({
  kernel: 'kernels',
  governor: 'CPU governors',
  v8: 'V8',
  clock: 'clocks',
  pinning: 'pinning',
  loadGenerator: 'load generators'
})

/**
 * A copy always agrees with its original, so comparing them says nothing.
 *
 * @param {Results} base
 * @param {Results} head
 * @throws {UsageError} when both hold the same samples
 */
export function assertOtherSamples (base, head) {
  const keyOf = (/** @type {Sample} */ { cell, round, kind, started, metrics }) =>
    started && JSON.stringify([cell, round, kind, started, metrics])
  const known = new Set(Array.from(base.samples, keyOf))
  const shared = Array.from(head.samples, keyOf).filter(key => key && known.has(key)).length
  if (shared > 0) {
    throw new UsageError(
      `${base.directory} and ${head.directory} share ${shared} of ${head.samples.length} samples: ` +
        'a run cannot be compared with itself (compare two queues of it with --queue a,b)'
    )
  }
}

/**
 * Reasons why two runs did other work, so that no figure of a cell can be compared.
 *
 * @param {Results} base
 * @param {Results} head
 * @returns {(cell: CellPlace) => string | null}
 */
export function otherWork (base, head) {
  const runs = [base, head]
  const [timerq, newTimerq] = runs.map(({ run }) => run.environment.timerq)
  if (timerq !== newTimerq) return () => `measured by timerq ${timerq} and ${newTimerq}`
  const unended = runs.find(({ run }) => run.ended === null)
  if (unended) return () => `${unended.directory} did not end: continue it with timerq run --resume`
  const hashes = runs.map(({ run }) => new Map(run.plan.scenarios.map(({ name, sha256 }) => [name, sha256])))
  return ({ scenario }) => {
    const [before, now] = hashes.map(hashOf => hashOf.get(scenario))
    return before && now && before !== now
      ? `${scenario} is another workload in ${head.directory}: its file has changed`
      : null
  }
}

/**
 * Conditions that make times of one machine incomparable, though the work is the same.
 *
 * @param {Results} base
 * @param {Results} head
 */
export function otherConditions ({ run: base }, { run: head }) {
  const names = /** @type {(keyof typeof CONDITIONS)[]} */ (Object.keys(CONDITIONS))
  return [
    ...names.flatMap(name => {
      const [before, now] = [base, head].map(({ environment }) => environment[name])
      return before === now ? [] : [`different ${CONDITIONS[name]} (${before}; ${now})`]
    }),
    ...(timingOf(base) === timingOf(head)
      ? []
      : [`samples of different lengths (presets ${base.plan.settings.preset}; ${head.plan.settings.preset})`]),
    ...(programOf(base) === programOf(head) ? [] : ['another program, or other requests'])
  ]
}

/**
 * The program as it was set: what it did when it was tried out differs from run to run.
 *
 * @param {Run} run
 */
function programOf ({ plan: { of } }) {
  const { usesTimers, requestsPerSecond, askedPort, ...program } = of.program ?? {}
  return JSON.stringify(program)
}

/** @param {Run} run */
function timingOf ({ plan: { settings, of } }) {
  const { preset, seed, windows, control, ...timing } = settings
  const { load: { generator, port, ...load } = {}, trace, benchmarks } = of
  return JSON.stringify([timing, load, trace?.sha256, benchmarks?.task])
}

/**
 * @param {Results} base
 * @param {Results} head
 * @returns {string[]} warnings
 */
export function differences ({ run: base }, { run: head }) {
  const plans = [base.plan, head.plan]
  const [before, now] = plans.map(({ runtimes }) => runtimes.map(({ name }) => name).join(', '))
  return before === now ? [] : [`different runtimes (${before}; ${now}): cells of different runtimes do not match`]
}
