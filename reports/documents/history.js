/** Runs over time as a document: what changed, when and by how much, in tables and pictures; what did not, folded. */
import { fold, paragraph, picture, section } from '../blocks.js'
import { styleOf } from '../charts/style.js'
import { formatNumber, formatRatio, placeOf } from '../../harness/model/numbers.js'
import { metricAxis, metricTitle } from '../metric-names.js'

/**
 * @typedef {import('../../harness/history.js').History} History
 * @typedef {import('../../harness/history.js').Trend} Trend
 * @typedef {import('../../harness/history.js').Change} Change
 */

/**
 * @param {History} history
 * @returns {import('../blocks.js').Document}
 */
export function historyDocument ({ runs, trends, warnings }) {
  const changed = trends.filter(({ changes }) => changes.length > 0)
  const steady = trends.filter(({ changes }) => changes.length === 0)
  return {
    title: 'What changed, and when',
    blocks: [
      paragraph(`${runs.length} runs, from ${runs[0].started} to ${runs[runs.length - 1].started}: ${changed.length} of ${trends.length} trends changed.`),
      paragraph('What is counted, work and memory, changed wherever it differs. What is timed changed where its level did: the ' +
        'sequence is cut so that squared deviations from the levels, in units of the noise, and a penalty for each cut are ' +
        'least. A level counts once two runs show it; steps below 2 % are not told.')
    ],
    sections: [
      section('Changes', [changed.length > 0 ? changeTable(changed, runs) : paragraph('None.')]),
      ...(changed.length > 0 ? [section('Trends that changed', figuresOf(changed).map(picture))] : []),
      section('Runs', [runTable(runs), ...warnings.map(paragraph)]),
      ...(steady.length > 0 ? [section('Steady', [fold(`${steady.length} trends without a change`, [steadyTable(steady)])])] : [])
    ]
  }
}

/** @param {Change} change */
export function describeChange ({ before, after, ratio }) {
  return `${formatNumber(before)} to ${formatNumber(after)}, ${formatRatio(ratio)}`
}

/**
 * Short names that people know runs by.
 *
 * @param {History['runs']} runs
 * @param {number} run
 */
export function nameOfRun (runs, run) {
  const { gitCommit, started } = runs[run]
  return `${run + 1} (${gitCommit ?? started.slice(0, 16)})`
}

/**
 * @param {Trend[]} trends
 * @param {History['runs']} runs
 * @returns {import('../blocks.js').Table}
 */
function changeTable (trends, runs) {
  return {
    kind: 'table',
    caption: 'Changes, the latest first',
    columns: [
      ...['queue', 'scenario', 'what', 'since run'].map(title => ({ title, numeric: false })),
      ...['before', 'after', 'ratio'].map(title => ({ title, numeric: true })),
      { title: 'which is', numeric: false }
    ],
    rows: trends.flatMap(trend => trend.changes.map(change => ({ trend, change }))).sort((a, b) => b.change.run - a.change.run).map(({ trend, change }) => {
      const isWorse = (change.ratio > 1) === (trend.better === 'lower')
      return {
        isControl: false,
        cells: [
          { text: trend.queue },
          { text: placeOf(trend) },
          { text: metricTitle(trend.metric) },
          { text: nameOfRun(runs, change.run), sort: change.run },
          { text: formatNumber(change.before), sort: change.before },
          { text: formatNumber(change.after), sort: change.after },
          { text: formatRatio(change.ratio), sort: change.ratio },
          { text: isWorse ? 'worse' : 'better', tone: isWorse ? /** @type {const} */ ('bad') : /** @type {const} */ ('good') }
        ]
      }
    })
  }
}

/**
 * @param {Trend[]} trends
 * @returns {import('../blocks.js').Table}
 */
function steadyTable (trends) {
  return {
    kind: 'table',
    caption: 'Latest figures',
    columns: [...['queue', 'scenario', 'what'].map(title => ({ title, numeric: false })), { title: 'latest', numeric: true }, { title: 'runs', numeric: true }],
    rows: trends.map(trend => {
      const { median } = trend.points[trend.points.length - 1]
      return {
        isControl: false,
        cells: [
          { text: trend.queue },
          { text: placeOf(trend) },
          { text: metricTitle(trend.metric) },
          { text: `${formatNumber(median)} ${trend.unit}`, sort: median },
          { text: String(trend.points.length) }
        ]
      }
    })
  }
}

/**
 * @param {History['runs']} runs
 * @returns {import('../blocks.js').Table}
 */
function runTable (runs) {
  return {
    kind: 'table',
    caption: 'In the order of time',
    columns: ['run', 'started', 'revision', 'machine', 'results'].map(title => ({ title, numeric: false })),
    rows: runs.map(({ started, gitCommit, machine, directory }, i) => ({
      isControl: false,
      cells: [String(i + 1), started, gitCommit ?? '-', machine, directory].map(text => ({ text }))
    }))
  }
}

/**
 * The queues that changed in one place share a picture.
 *
 * @param {Trend[]} trends
 * @returns {import('../charts/lines.js').LinesFigure[]}
 */
function figuresOf (trends) {
  const keys = [...new Set(trends.map(keyOf))]
  return keys.map((key, number) => {
    const own = trends.filter(trend => keyOf(trend) === key)
    const [{ metric, unit, exact }] = own
    const values = own.flatMap(({ points }) => points.flatMap(({ low, high }) => [low, high]))
    return {
      kind: 'lines',
      id: `trend-${number + 1}`,
      title: `${placeOf(own[0])}: ${metricTitle(metric)}`,
      subtitle: `run by run; rings mark changes; ${exact ? 'counted, the same every time' : 'bands are intervals of the medians'}`,
      description: own.map(({ queue, changes }) => `${queue}: ${changes.map(change => `${describeChange(change)} at run ${change.run + 1}`).join('; ')}`).join('. ') + '.',
      unit,
      x: { title: 'run', log: false },
      y: { title: metricAxis(metric), log: Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > 5 },
      series: own.map(({ queue, points, changes }, i) => ({
        name: queue,
        control: false,
        style: styleOf(i),
        points: points.map(({ run, median: value, low, high }) => ({ x: run + 1, value, low, high, cell: null, ringed: changes.some(change => change.run === run) }))
      }))
    }
  })
}

/** @param {Trend} trend */
const keyOf = ({ scenario, params, runtime, metric }) => JSON.stringify([scenario, params, runtime, metric])
