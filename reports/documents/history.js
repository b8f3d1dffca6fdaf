/** Runs over time as a document: what changed, when and by how much, in tables and pictures. What stayed the same is folded. */
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
 * @typedef {import('../../harness/judge/history.js').Change} Change
 */

/**
 * @param {History} history
 * @returns {import('../blocks.js').Document}
 */
export function historyDocument ({ runs, trends, warnings }) {
  const changed = trends.filter(({ changes }) => changes.length > 0)
  return {
    title: 'What changed, and when',
    blocks: [
      paragraph(`${changed.length} of ${formatCount(trends.length, 'trend')} changed in ${formatCount(runs.length, 'run')}.`),
      { ...paragraph(`From ${runs[0].started} to ${runs[runs.length - 1].started}. ${HOW_CHANGES_ARE_FOUND}`), wide: true }
    ],
    sections: [
      ...(changed.length > 0
        ? [section('Changes', [changeTable(changed, runs)]), section('Trends that changed', figuresOf(changed).map(picture))]
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

const HOW_CHANGES_ARE_FOUND = 'Work and memory are counted: they changed wherever they differ. A time changed where its level did. The levels are ' +
  'those that fit the runs best, by squared deviations in units of the noise, with a penalty for each further level. A level counts once two runs ' +
  'show it. Steps below 2 % are not reported.'

/**
 * Short names by which people know runs.
 *
 * @param {History['runs']} runs
 * @param {number} run
 */
function nameOfRun (runs, run) {
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
    caption: 'The latest change first',
    short: '',
    columns: [
      words('queue'), words('scenario', { narrow: 'group' }), words('what'), words('since run'),
      number('before'), number('after'), number('ratio'), words('which is')
    ],
    rows: trends.flatMap(trend => trend.changes.map(change => ({ trend, change }))).sort((a, b) => b.change.run - a.change.run).map(({ trend, change }) => {
      const isWorse = (change.ratio > 1) === (trend.better === 'lower')
      return {
        cells: [
          { text: trend.queue },
          { text: placeOf(trend) },
          { text: metrics[trend.metric].title, short: metrics[trend.metric].short },
          { text: nameOfRun(runs, change.run), sort: change.run },
          { text: formatNumber(change.before), sort: change.before },
          { text: formatNumber(change.after), sort: change.after },
          { text: formatRatio(change.ratio), sort: change.ratio },
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
    caption: 'Against the runs before it, since their last change',
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
    'Interval of a change: how far runs of one level lie apart by chance (95 %).',
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
      subtitle: `run by run; rings mark changes; ${exact ? 'counted, the same every time' : 'bands are intervals of the medians'}`,
      description: own.map(({ queue, changes }) => `${queue}: ${changes.map(change => `${formatNumber(change.before)} to ${formatNumber(change.after)}, ${formatRatio(change.ratio)} at run ${change.run + 1}`).join('; ')}`).join('. ') + '.',
      unit,
      x: { title: 'run', log: false },
      y: { title: metrics[metric].axis, log: Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > 5 },
      series: own.map(({ queue, points, changes }, i) => ({
        name: queue,
        control: false,
        style: styleOf(i),
        points: points.map(({ run, median: value, low, high }) => ({ x: run + 1, value, low, high, cell: null, ringed: changes.some(change => change.run === run) }))
      }))
    }
  })
}
