/** Differences between two runs that rule out a comparison, as a whole or of times, or that a reader should know. */
import { UsageError } from '../model/errors.js'

/**
 *
 * @import { CellPlace } from '../model/cell.js'
 * @import { Results, Run, Sample } from '../store/results.js'
 */

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
      `${base.directory} and ${head.directory} share ${shared} of ${head.samples.length} samples: a run cannot be compared with itself (compare two queues of it with --queue a,b)`
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
export function otherWork ({ directory: baseDirectory, run: base }, { directory, run: head }) {
  const whole =
    base.environment.timerq !== head.environment.timerq
      ? `measured by timerq ${base.environment.timerq} and ${head.environment.timerq}`
      : base.ended === null
        ? `${baseDirectory} did not end: continue it with timerq run --resume`
        : head.ended === null
          ? `${directory} did not end: continue it with timerq run --resume`
          : null
  const [before, now] = [base, head].map(
    ({ plan }) => new Map(plan.scenarios.map(({ name, sha256 }) => [name, sha256]))
  )
  return ({ scenario }) => {
    const [one, other] = [before.get(scenario), now.get(scenario)]
    return (
      whole ??
      (one && other && one !== other ? `${scenario} is another workload in ${directory}: its file has changed` : null)
    )
  }
}

/**
 * Conditions that make times of one machine incomparable, though the work is the same.
 *
 * @param {Results} base
 * @param {Results} head
 */
export function otherConditions ({ run: a }, { run: b }) {
  const conditions = /** @type {const} */ ([
    ['kernels', 'kernel'],
    ['CPU governors', 'governor'],
    ['V8', 'v8'],
    ['pinning', 'pinning'],
    ['load generators', 'loadGenerator']
  ])
  const [before, now] = [a, b].map(timingOf)
  return [
    ...conditions
      .filter(([, name]) => a.environment[name] !== b.environment[name])
      .map(([noun, name]) => `different ${noun} (${a.environment[name]}; ${b.environment[name]})`),
    ...(before !== now
      ? [`samples of different lengths (presets ${a.plan.settings.preset}; ${b.plan.settings.preset})`]
      : [])
  ]
}

/** @param {Run} run */
function timingOf ({ plan: { settings } }) {
  const {
    preset,
    seed,
    countSeed,
    rounds,
    windows,
    budgetSeconds,
    until,
    enough,
    hopeless,
    load,
    port,
    trace,
    control,
    ...timing
  } = settings
  return JSON.stringify(timing)
}

/**
 * @param {Results} base
 * @param {Results} head
 * @returns {string[]} warnings
 */
export function differences ({ run: a }, { run: b }) {
  const runtimes = [a, b].map(({ plan }) => plan.runtimes.map(({ name }) => name).join(', '))
  const [seed, otherSeed] = [a, b].map(({ plan }) => plan.settings.countSeed)
  return [
    ...(runtimes[0] !== runtimes[1]
      ? [`different runtimes (${runtimes.join('; ')}): cells of different runtimes do not match`]
      : []),
    ...(seed !== otherSeed
      ? [
          `counted with different seeds (${seed}; ${otherSeed}), so of different workloads: counts are shown, but decide nothing`
        ]
      : [])
  ]
}
