/** How findings speak of places and figures. */
import { enumerate, formatInterval, formatParam, formatParams, placeOf } from '../../harness/model/numbers.js'

/**
 * @typedef {import('../../harness/summary.js').MetricSummary} MetricSummary
 * @typedef {import('../sweeps.js').Line} Line
 * @typedef {import('./contests.js').Place} Place
 */

/** @param {Line} line */
export function nameOf ({ sweep, others }) {
  return placeOf({ scenario: sweep.scenario, params: others, runtime: sweep.onlyRuntime ? undefined : sweep.runtime })
}

/** @param {Place} place */
export function whereIs ({ line, at }) {
  return [...(line.parameter === null ? [] : [formatParams({ [line.parameter]: Number(at) })]), formatParams(line.others)].filter(Boolean).join(', ')
}

/** @param {Place[]} places  Along one line. */
export function at (...places) {
  return places[0].at === null ? '' : ` at ${enumerate(places.map(({ at }) => formatParam(Number(at))))}`
}

/** @param {string | null} parameter */
export const unitOf = parameter => parameter === 'size' ? 'pending timers' : parameter ?? ''

/** @param {MetricSummary} figures */
export const formatFigures = figures => `${formatInterval(figures)} ${figures.unit}`
