/** How findings speak of places and figures. */
import { enumerate, formatInterval, formatNumber, formatParam, formatParams, formatRatioRange, placeOf } from '../../harness/model/numbers.js'
import { heatRatioOf } from '../costs.js'

/**
 * @typedef {import('../costs.js').Entry} Entry
 * @typedef {import('../sweeps.js').Line} Line
 * @typedef {import('./contests.js').Place} Place
 */

/** @param {Line} line */
export function nameOf ({ sweep, others }) {
  return placeOf({ scenario: sweep.scenario, params: others, side: sweep.side, runtime: sweep.onlyRuntime ? undefined : sweep.runtime })
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

/**
 * 4.56 (4.50–4.71) ns; where the ratio to the control is known better than that: 4.56 ns (1.21–1.23x node).
 *
 * @param {Entry} entry
 */
export function formatFigures ({ figures }) {
  const ratio = heatRatioOf(figures)
  if (!ratio) return `${formatInterval(figures)} ${figures.unit}`
  return `${formatNumber(figures.median)} ${figures.unit} (${formatRatioRange(ratio)} ${ratio.to})`
}
