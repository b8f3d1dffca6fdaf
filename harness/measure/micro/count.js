/** Counts in a fresh process, and flags of Node that several instruments share. */
import { callOnce } from '../../processes/child.js'
/** @import { Shape } from '../../processes/shapes.js' */
/** @import { MeasureCell } from '../instruments.js' */

/** Flags of a process that counts basic blocks: tiers above the interpreter may inline a call or drop a counter. */
export const WORK_FLAGS = ['--no-opt', '--no-maglev', '--no-sparkplug']

/** One thread, so that no compiler takes the core away; a young generation that does not grow on the way. */
export const STEADY_FLAGS = [
  '--single-threaded',
  '--hash-seed=1',
  '--random-seed=1',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--expose-gc'
]

/**
 * An instrument whose metrics are what a function of a module of subject/ returns.
 *
 * @type {(module: URL, name: string, how: {flags: string[], shape: Shape}) => MeasureCell}
 */
export const countWith = (module, name, how) => async ({ microJob, runtime }, { limitMs, signal }) => ({
  metrics: await callOnce(module, name, microJob, { ...how, runtime, limitMs, signal }),
  warnings: []
})
