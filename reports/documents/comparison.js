/** A comparison with another run as a section of a report. */
import { list, paragraph, picture, section } from '../blocks.js'
import { describeCell, describeRow, describeWhole, formatDetectable, formatP, formatRatioInterval, metricTitle } from './comparison-words.js'
import { capitalise, placeOf } from '../../harness/model/numbers.js'

/**
 * @typedef {import('../../harness/compare.js').ComparisonRecord} ComparisonRecord
 * @typedef {import('../../harness/verdict.js').Comparison} Comparison
 */

const TONES = /** @type {const} */ ({ regression: 'bad', invalid: 'bad', inconclusive: 'open', pass: 'good' })
/** A longer picture shows nothing at one look. */
const MOST_ROWS = 40

/**
 * @param {ComparisonRecord} record
 * @returns {import('../blocks.js').Section}
 */
export function comparisonSection (record) {
  const { base, verdict, comparisons, unmatched, warnings } = record
  const timed = comparisons.filter(({ gates, exact, ratio }) => gates && !exact && ratio !== null)
  const notes = [
    ...unmatched.map(cell => `Not compared: ${describeCell(cell)}: ${cell.reason}.`),
    ...warnings.map(warning => `${capitalise(warning)}.`)
  ]
  return section('Comparison with the baseline', [
    paragraph(`Against ${base}: ${verdict}. ${describeWhole(record)}.`),
    ...(timed.length > 0 && timed.length <= MOST_ROWS ? [picture(ratioFigure(timed))] : []),
    ...(comparisons.length > 0 ? [rowTable(comparisons)] : []),
    ...(notes.length > 0 ? [list(notes)] : [])
  ])
}

/**
 * @param {Comparison[]} rows
 * @returns {import('../blocks.js').Table}
 */
function rowTable (rows) {
  const titles = ['queue', 'scenario', 'what', 'head/base', 'p', 'pairs', 'could see', 'verdict']
  return {
    kind: 'table',
    caption: 'Row by row: above 1 is worse for times, work, memory and CPU',
    columns: titles.map(title => ({ title, numeric: ['head/base', 'p', 'pairs', 'could see'].includes(title) })),
    rows: rows.map(row => ({
      isControl: false,
      cells: [
        { text: row.queue },
        { text: placeOf({ scenario: row.scenario, params: row.params }) },
        { text: metricTitle(row.metric) },
        { text: formatRatioInterval(row), sort: row.ratio ?? undefined },
        { text: formatP(row.p), sort: row.p ?? undefined },
        { text: row.exact ? 'exact' : String(row.pairs), sort: row.pairs },
        { text: formatDetectable(row), sort: row.detectable ?? undefined },
        { text: describeRow(row), tone: row.gates ? TONES[row.verdict] : undefined }
      ]
    }))
  }
}

/**
 * @param {Comparison[]} rows
 * @returns {import('../charts/dots.js').DotsFigure}
 */
function ratioFigure (rows) {
  const worst = [...rows].sort((a, b) => Number(b.ratio) - Number(a.ratio))
  return {
    kind: 'dots',
    id: 'comparison',
    title: 'Time and CPU, head to base',
    subtitle: 'whiskers are intervals of the ratio; left of the line is faster than before',
    description: `From ${formatRatioInterval(worst[worst.length - 1])} to ${formatRatioInterval(worst[0])}.`,
    unit: '',
    x: { title: 'ratio', log: true },
    marks: [{ title: 'ratio', symbol: 'circle' }],
    rows: worst.map(({ queue, scenario, params, ratio, low, high, change }) => ({
      name: [queue, scenario, ...Object.values(params).slice(0, 1)].join(' '),
      queue,
      control: false,
      hue: change === 'slower' ? 1 : change === 'faster' ? 2 : 5,
      dots: [{ value: Number(ratio), low: Number(low), high: Number(high) }],
      cell: null
    })),
    reference: { value: 1, title: 'no change' }
  }
}
