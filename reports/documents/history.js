/** Runs over time as a document: what the latest run changed and by how much, in tables and pictures. */
import { tableId } from '../../harness/model/cell.js'
import { groupBy } from '../../harness/model/group-by.js'
import { isGuard, metrics } from '../../harness/model/metrics.js'
import { capitalise, formatChange, formatCount, formatNumber, formatRatio, placeOf } from '../../harness/model/numbers.js'
import { list, number, paragraph, picture, section, warnings as warn, words } from '../blocks.js'
import { styleOf } from '../charts/style.js'
import { sparkline } from '../sparkline.js'

/**
 * @typedef {import('../../harness/judge/history.js').History} History
 * @typedef {import('../../harness/judge/history.js').Trend} Trend
 */

/**
 * @param {History} history
 * @returns {import('../blocks.js').Document}
 */
export function historyDocument ({ runs, trends, warnings }) {
  const changed = trends.filter(({ latest }) => latest?.changed)
  return {
    title: 'What the latest run changed',
    blocks: [
      paragraph(`${changed.length} of ${formatCount(trends.length, 'trend')} changed in the latest of ${formatCount(runs.length, 'run')}.`),
      { ...paragraph(`From ${runs[0].started} to ${runs[runs.length - 1].started}. ${HOW_CHANGES_ARE_FOUND}`), wide: true }
    ],
    sections: [
      ...(changed.length > 0
        ? [section('Changes', [changeTable(changed)]), section('Trends that changed', figuresOf(changed).map(picture))]
        : []),
      section('Latest run', [latestTable(trends), list(legend(trends))]),
      { ...section('Runs', [runTable(runs)]), wide: true },
      ...(warnings.length > 0 ? [section('Warnings', warn(warnings))] : [])
    ]
  }
}

/** Runs that fit beside the figures. */
const LATEST_BARS = 10
/** Of the level: less than this from the lowest bar to the highest looks like what it is, noise. */
const LEAST_SPAN = 0.2

const HOW_CHANGES_ARE_FOUND = 'Work and memory are counted: any difference from the run before is a change. A time changed if it differs by more than ' +
  '2 % from the median of up to ten runs before, and by more than their spread explains, adjusted for the number of trends.'

/** @param {{ratio: number}} change */
const sizeOf = ({ ratio }) => Math.abs(Math.log(ratio))

/**
 * @param {Trend[]} trends  Changed.
 * @returns {import('../blocks.js').Table}
 */
function changeTable (trends) {
  return {
    kind: 'table',
    caption: 'The largest change first',
    short: '',
    columns: [
      words('queue'), words('scenario', { narrow: 'group' }), words('what'),
      number('before'), number('after'), number('ratio'), words('which is')
    ],
    rows: trends.flatMap(({ latest, ...trend }) => latest ? [{ trend, latest }] : []).sort((a, b) => sizeOf(b.latest) - sizeOf(a.latest)).map(({ trend, latest }) => {
      const isWorse = (latest.ratio > 1) === (trend.better === 'lower')
      return {
        cells: [
          { text: trend.queue },
          { text: placeOf(trend) },
          { text: metrics[trend.metric].title, short: metrics[trend.metric].short },
          { text: formatNumber(latest.before), sort: latest.before },
          { text: formatNumber(latest.value), sort: latest.value },
          { text: formatRatio(latest.ratio), sort: latest.ratio },
          { text: isWorse ? 'worse' : 'better', tone: isWorse ? 'bad' : 'good' }
        ]
      }
    })
  }
}

/**
 * @param {Trend[]} trends
 * @returns {import('../blocks.js').Table}
 */
function latestTable (trends) {
  return {
    kind: 'table',
    caption: 'Against the runs before it',
    short: '',
    columns: [
      words('queue'), words('scenario', { narrow: 'group' }), words('what'),
      number('before'), number('last'), number('change'), words('run by run')
    ],
    rows: trends.map(trend => {
      const { queue, metric, points, latest } = trend
      const { median } = points[points.length - 1]
      return {
        wide: isMinor(trend),
        cells: [
          { text: queue },
          { text: placeOf(trend) },
          { text: metrics[metric].title, short: metrics[metric].short },
          { text: latest ? formatNumber(latest.before) : '-', sort: latest?.before },
          { text: formatNumber(median), sort: median },
          { text: latest ? formatChange(latest) : '-', sort: latest?.ratio },
          { text: sparkline(points.map(point => point.median), { most: LATEST_BARS, leastSpan: LEAST_SPAN }) }
        ]
      }
    })
  }
}

/**
 * A terminal shows times as a whole, and counts that changed: phases and steady counts are for longer reports.
 *
 * @param {Trend} trend
 */
const isMinor = ({ metric, exact, latest }) => exact ? latest?.ratio === 1 : isGuard(metric)

/** @param {Trend[]} trends */
function legend (trends) {
  const minor = trends.filter(isMinor).length
  const shown = new Set(trends.filter(trend => !isMinor(trend)).map(({ metric }) => metric))
  return [
    ...[...shown].map(metric => `${capitalise(metrics[metric].short)}: ${metrics[metric].axis}.`),
    'Interval of a change: how far runs lie apart by chance (95 %).',
    ...(minor > 0 ? [`On a terminal, ${formatCount(minor, 'trend')} of phases and of steady counts are left out.`] : [])
  ]
}

/**
 * @param {History['runs']} runs
 * @returns {import('../blocks.js').Table}
 */
function runTable (runs) {
  return {
    kind: 'table',
    caption: 'In order of time',
    columns: ['run', 'started', 'revision', 'machine', 'results'].map(title => words(title)),
    rows: runs.map(({ started, gitCommit, machine, directory }, i) => ({
      cells: [String(i + 1), started, gitCommit ?? '-', machine, directory].map(text => ({ text }))
    }))
  }
}

/**
 * Queues that changed in the same place share a picture.
 *
 * @param {Trend[]} trends
 * @returns {import('../charts/lines.js').LinesFigure[]}
 */
function figuresOf (trends) {
  const together = groupBy(trends, trend => `${tableId(trend)} ${trend.metric}`)
  return [...together.values()].map((own, i) => {
    const [{ metric, unit, exact }] = own
    const values = own.flatMap(({ points }) => points.flatMap(({ low, high }) => [low, high]))
    return {
      kind: 'lines',
      id: `trend-${i + 1}`,
      title: `${placeOf(own[0])}: ${metrics[metric].title}`,
      subtitle: `run by run; a ring marks the change; ${exact ? 'counted, the same every time' : 'bands are intervals of the medians'}`,
      description: own.flatMap(({ queue, latest }) => latest ? `${queue}: ${formatNumber(latest.before)} to ${formatNumber(latest.value)}, ${formatRatio(latest.ratio)}` : []).join('. ') + '.',
      unit,
      x: { title: 'run', log: false },
      y: { title: metrics[metric].axis, log: Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > 5 },
      series: own.map(({ queue, points }, i) => ({
        name: queue,
        control: false,
        style: styleOf(i),
        points: points.map(({ run, median: value, low, high }) => ({ x: run + 1, value, low, high, cell: null, ringed: run === points[points.length - 1].run }))
      }))
    }
  })
}
