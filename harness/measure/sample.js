/** Lines of samples.jsonl: a measurement becomes a sample for each of its cells, also where the measurement failed. */
import { SampleError } from '../model/errors.js'
import { PauseWatch } from '../processes/pauses.js'
/** @import { Cell } from '../model/cell.js' */
/** @import { Step } from '../plan/steps.js' */
/** @import { Sample } from '../store/results.js' */
/** @import { Measured } from './measure.js' */

/** Attempts to measure in one go, on a machine that is suspended again and again. */
const ATTEMPTS = 3

/**
 * @param {Step} step
 * @param {() => Promise<(Measured | SampleError)[]>} measure  One result a cell.
 * @returns {Promise<Sample[]>}
 */
export async function takeSamples ({ kind, cells, round, id }, measure) {
  const date = new Date()
  const start = performance.now()
  const results = await inOneGo(measure).catch(error => cells.map(() => onlySampleErrors(error)))
  const seconds = Math.round(performance.now() - start) / 1000
  return cells.map((cell, i) => ({
    ...placeOf(cell),
    round,
    kind,
    started: date.toISOString(),
    seconds,
    ...(kind === 'heat' && { heat: id, heatSize: cells.length }),
    ...resultOf(results[i])
  }))
}

/** @param {Cell} cell */
const placeOf = ({ id, ...place }) => ({ cell: id, ...place })

/** @param {Measured | SampleError} measured */
function resultOf (measured) {
  if (!(measured instanceof SampleError)) return measured
  return { metrics: {}, failure: { kind: measured.kind, message: measured.message }, warnings: [] }
}

/**
 * Measures again if the machine paused: see pauses.js.
 *
 * @param {() => Promise<(Measured | SampleError)[]>} measure
 * @param {() => Pick<PauseWatch, 'end'>} [createWatch]
 * @returns {Promise<(Measured | SampleError)[]>}
 * @throws {SampleError} when the machine pauses each time
 */
export async function inOneGo (measure, createWatch = () => new PauseWatch()) {
  let pause = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const watch = createWatch()
    const results = await measure().catch(onlySampleErrors)
    const paused = watch.end()
    // A failure may come from the pause.
    if (paused > 0) pause = paused
    else if (results instanceof SampleError) throw results
    else return attempt === 0 ? results : results.map(result => noteAgain(result, pause))
  }
  throw new SampleError('load', `the machine paused for ${describePause(pause)} during each of ${ATTEMPTS} attempts`)
}

/**
 * @param {Measured | SampleError} result
 * @param {number} pause  Milliseconds.
 * @returns {Measured | SampleError}
 */
function noteAgain (result, pause) {
  if (result instanceof SampleError) return result
  return {
    ...result,
    warnings: [
      ...result.warnings,
      { kind: 'measured-again', text: `the machine paused for ${describePause(pause)} during the first attempt` }
    ]
  }
}

/** @param {number} milliseconds */
const describePause = milliseconds => `${Math.round(milliseconds / 1000)} s`

/** @param {unknown} error */
function onlySampleErrors (error) {
  if (error instanceof SampleError) return error
  throw error
}
