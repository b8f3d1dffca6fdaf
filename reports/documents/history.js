/** Runs over time as a document: changes of the latest run against the runs before it, in tables and charts. */
import { tableId } from '../../harness/model/cell.js'
import { groupBy } from '../../harness/model/group-by.js'
import { isGuard, metrics } from '../../harness/model/metrics.js'
import {
  capitalise,
  formatChange,
  formatCount,
  formatNumber,
  formatPercent,
  placeOf
} from '../../harness/model/numbers.js'
import {
  createDocument,
  figure,
  list,
  longNames,
  number,
  paragraph,
  picture,
  section,
  table,
  warnings as warn,
  words
} from '../blocks.js'
import { styleOf } from '../charts/style.js'

/** @import { History, Trend } from '../../harness/judge/history.js' */
/** @import { Document, Table, TableCell } from '../blocks.js' */
/** @import { LinesFigure } from '../charts/option.js' */

const BARS = '▁▂▃▄▅▆▇█'
/** Runs that fit on the line of the figures. */
const LATEST_BARS = 10
/** Relative to the lowest value: smaller differences are noise, and do not fill the height of the bars. */
const LEAST_SPAN = 0.2
/** Values this many times apart need a logarithmic axis. */
const LOG_FROM = 5

/**
 * @param {History} history
 * @returns {Document}
 */
export function historyDocument ({ runs, trends, warnings }) {
  const changed = trends.filter(isChanged)
  const figures = figuresOf(changed).map(picture)
  return createDocument(
    [
      paragraph(
        `${changed.length} of ${formatCount(trends.length, 'trend')} changed ` +
          `in the latest of ${formatCount(runs.length, 'run')}, ${runs[0].started} to ${runs[runs.length - 1].started}.`
      )
    ],
    [
      changed.length > 0 && section('Changed', [trendTable(changed), ...figures]),
      section('All trends', [trendTable(trends, isMinor), list(explainTrends(trends))]),
      { ...section('Runs', [runTable(runs)]), wide: true },
      warnings.length > 0 && section('Warnings', [warn(warnings)])
    ],
    'The latest run against the runs before it',
    longNames(trends)
  )
}

/** @param {Trend} trend */
const isChanged = ({ latest, drift }) => latest?.changed === true || drift?.changed === true

/** @param {Trend} trend */
const titleOf = ({ metric, toControl }) => `${metrics[metric].title}${toControl ? ', ratio' : ''}`

/**
 * A terminal shows times as a whole, and counts that changed; phases and steady counts are for longer reports.
 *
 * @param {Trend} trend
 */
const isMinor = ({ metric, exact, latest }) => (exact ? latest?.ratio === 1 : isGuard(metric))

/**
 * @param {Trend[]} trends
 * @param {(trend: Trend) => boolean} [isWide]
 * @returns {Table}
 */
const trendTable = (trends, isWide = () => false) =>
  table({
    caption: 'The latest run against the runs before it',
    short: '',
    columns: [
      'queue',
      words('scenario', { narrow: 'group' }),
      'what',
      number('before', { wide: true }),
      number('latest'),
      number('change'),
      '',
      'run by run'
    ],
    rows: trends.map(trend => {
      const { queue, metric, points, latest } = trend
      const { short } = metrics[metric]
      const medians = points.map(({ median }) => median)
      const last = medians[medians.length - 1]
      return {
        wide: isWide(trend),
        cells: [
          queue,
          placeOf(trend),
          { text: titleOf(trend), short: trend.toControl ? 'ratio' : short },
          figure(latest ? formatNumber(latest.before) : '-', latest?.before),
          figure(formatNumber(last), last),
          figure(latest ? formatChange(latest) : '-', latest?.ratio),
          isChanged(trend) ? markOf(trend) : '',
          sparkline(medians.slice(-LATEST_BARS))
        ]
      }
    })
  })

/**
 * A drift is said where the latest run alone shows no change.
 *
 * @param {Trend} trend  Changed.
 * @returns {TableCell}
 */
function markOf ({ latest, drift, better }) {
  const isStep = latest?.changed === true
  const { ratio } = /** @type {{ratio: number}} */ (isStep ? latest : drift)
  const isWorse = (ratio > 1) === (better === 'lower')
  const text = isWorse ? 'worse' : 'better'
  return {
    text: isStep ? text : `${text} by ${formatPercent(Math.abs(ratio - 1))} since the first runs`,
    short: isStep ? text : 'drifts',
    tone: isWorse ? 'bad' : 'good'
  }
}

/** @param {Trend[]} trends */
function explainTrends (trends) {
  const major = trends.filter(trend => !isMinor(trend))
  const minor = trends.length - major.length
  return [
    ...[...new Set(major.map(({ metric }) => metrics[metric]))].map(
      ({ short, axis }) => `${capitalise(short)}: ${axis}.`
    ),
    trends.some(({ toControl }) => toControl) && 'Ratio: to the time of the control in the same heats.',
    'Change: of the latest run to those before it, with its 95 % interval.',
    minor > 0 && `On a terminal, ${formatCount(minor, 'trend')} of phases and of steady counts are left out.`
  ]
}

/**
 * A curve as a line of bars.
 *
 * @param {number[]} values
 */
function sparkline (values) {
  const low = Math.min(...values)
  const span = Math.max(Math.max(...values) - low, LEAST_SPAN * low)
  return values.map(value => BARS[span === 0 ? 0 : Math.round(((value - low) / span) * (BARS.length - 1))]).join('')
}

/** @param {History['runs']} runs */
const runTable = runs =>
  table({
    caption: 'In order of time',
    columns: ['run', 'started', 'revision', 'machine', 'results'],
    rows: runs.map(({ started, gitCommit, machine, directory }, i) => [
      String(i + 1),
      started,
      gitCommit ?? '-',
      machine,
      directory
    ])
  })

/**
 * Queues that changed in the same place share a chart.
 *
 * @param {Trend[]} trends
 * @returns {LinesFigure[]}
 */
function figuresOf (trends) {
  const together = groupBy(trends, trend => `${tableId(trend)} ${titleOf(trend)}`)
  return [...together.values()].map((own, i) => {
    const [{ metric, unit, exact, toControl }] = own
    const values = own.flatMap(({ points }) => points.flatMap(({ low, high }) => [low, high]))
    const changes = own.map(({ queue, latest }) => latest && `${queue}: ${formatChange(latest)} in the latest run`)
    return {
      kind: 'lines',
      id: `trend-${i + 1}`,
      title: `${placeOf(own[0])}: ${titleOf(own[0])}`,
      subtitle: `run by run; ${exact ? 'counted, the same every time' : 'bands are intervals of the medians'}`,
      description: `${changes.join('; ')}.`,
      unit,
      x: { title: 'run', log: false },
      y: {
        title: toControl ? 'ratio to the control' : metrics[metric].axis,
        log: Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > LOG_FROM
      },
      rows: own.map(({ queue, points }, i) => ({
        name: queue,
        control: false,
        style: styleOf(i),
        points: points.map(({ run, median: value, low, high }) => ({ x: run + 1, value, low, high, cell: null }))
      }))
    }
  })
}
