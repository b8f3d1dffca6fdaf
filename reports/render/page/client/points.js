/** What can be pointed at in a figure. */
import { formatInterval, formatNumber } from '../../../../harness/model/numbers.js'

/**
 * @typedef {import('../../../charts/index.js').Figure} Figure
 *
 * @typedef {object} Point
 * @property {number} series
 * @property {number} index  Within its series.
 * @property {number} place  Points of one place are above each other.
 * @property {number | null} cell  Number of the cell whose samples are behind it.
 */

/**
 * @param {Figure} figure
 * @param {Set<string>} picked
 * @returns {Figure}
 */
export function pickQueues (figure, picked) {
  switch (figure.kind) {
    case 'lines':
      return { ...figure, series: figure.series.filter(({ name }) => picked.has(name)) }
    case 'dots':
      return { ...figure, rows: figure.rows.filter(({ name, queue = name }) => picked.has(queue)) }
    case 'bars':
      return { ...figure, rows: figure.rows.filter(({ name }) => picked.has(name)) }
    case 'map':
      return { ...figure, fields: figure.fields.filter(({ name }) => picked.has(name)) }
    case 'flame':
      return figure
  }
}

/**
 * @param {Figure} figure
 * @returns {Point[]}
 */
export function pointsOf (figure) {
  switch (figure.kind) {
    case 'lines':
      return figure.series.flatMap(({ points }, series) =>
        points.map(({ x, cell }, index) => ({ series, index, place: x, cell }))
      )
    case 'dots':
      return figure.rows.flatMap(({ dots, cell }, series) =>
        dots.flatMap((dot, index) => (dot ? [{ series, index, place: index, cell }] : []))
      )
    case 'bars':
      return figure.rows.flatMap(({ values, cell }, series) =>
        values.flatMap((value, index) => (value > 0 ? [{ series, index, place: index, cell }] : []))
      )
    case 'map':
      return figure.fields.map(({ x, cell }, series) => ({ series, index: 0, place: x, cell }))
    // Up and down go from caller to callee.
    case 'flame':
      return figure.bars.map(({ depth }, index) => ({ series: depth, index, place: 0, cell: null }))
  }
}

/**
 * @param {Figure} figure
 * @param {Point} point
 * @returns {string}
 */
export function describePoint (figure, { series, index }) {
  switch (figure.kind) {
    case 'lines': {
      const { name, points } = figure.series[series]
      const { x, value, low, high } = points[index]
      return `${name} at ${formatNumber(x)}: ${formatInterval({ median: value, low, high })} ${figure.unit}`
    }
    case 'dots': {
      const { name, dots } = figure.rows[series]
      const { value, low, high } = /** @type {import('../../../charts/dots.js').Dot} */ (dots[index])
      const mark = figure.marks.length > 1 ? `, ${figure.marks[index].title}` : ''
      return `${name}${mark}: ${formatInterval({ median: value, low, high })} ${figure.unit}`
    }
    case 'bars': {
      const { name, values } = figure.rows[series]
      return `${name}, ${figure.parts[index]}: ${formatNumber(values[index])} ${figure.unit}`
    }
    case 'map': {
      const { name, value, x, y, tiedWith } = figure.fields[series]
      return `${name} at ${figure.x.title} ${formatNumber(x)}, ${figure.y.title} ${formatNumber(y)}: ${formatNumber(value)} ${figure.unit}${tiedWith ? `, tied with ${tiedWith}` : ''}`
    }
    case 'flame': {
      const { name, from, to } = figure.bars[index]
      return `${name}: ${formatNumber(to - from)} ${figure.unit}`
    }
  }
}
