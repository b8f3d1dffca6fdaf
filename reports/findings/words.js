/** How findings speak of places and figures. */
import { formatInterval, formatNumber, formatParams } from '../format.js'

/**
 * @typedef {import('../../harness/summary.js').MetricSummary} MetricSummary
 * @typedef {import('../sweeps.js').Line} Line
 * @typedef {import('./contests.js').Place} Place
 */

/** @param {Line} line */
export function nameOf ({ sweep, others }) {
  const more = [formatParams(others), sweep.onlyRuntime ? '' : `Node ${sweep.runtime}`].filter(Boolean)
  return [sweep.scenario, ...more].join(', ')
}

/** @param {Place} place */
export function whereIs ({ line, at }) {
  return [...(line.parameter === null ? [] : [formatParams({ [line.parameter]: Number(at) })]), formatParams(line.others)].filter(Boolean).join(', ')
}

/** @param {Place[]} places  Along one line. */
export function at (...places) {
  return places[0].at === null ? '' : ` at ${enumerate(places.map(({ at }) => formatNumber(Number(at))))}`
}

/**
 * @param {string[]} words
 * @param {'and' | 'or'} [last]
 */
export function enumerate (words, last = 'and') {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words[words.length - 1]}`
}

/** @param {string | null} parameter */
export const unitOf = parameter => parameter === 'size' ? 'pending timers' : parameter ?? ''

/** @param {MetricSummary} figures */
export const formatFigures = figures => `${formatInterval(figures)} ${figures.unit}`
