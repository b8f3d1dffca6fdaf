/** Measured figures, scenario by scenario: in short for a terminal; with charts and every figure for a report. */
import { compact } from '../../harness/model/compact.js'
import { groupBy } from '../../harness/model/group-by.js'
import { FEWEST_HEATS } from '../../harness/model/heats.js'
import { isRanked, metrics } from '../../harness/model/metrics.js'
import {
  capitalise,
  describeCell,
  endsOf,
  formatCount,
  formatCoverage,
  formatSome
} from '../../harness/model/numbers.js'
import { warningKinds } from '../../harness/model/warnings.js'
import { runAnswer } from '../answers/run.js'
import { createDocument, fold, list, longNames, paragraph, picture, section, warnings as warn } from '../blocks.js'
import { drawSweeps } from '../figures/index.js'
import { isMapped, nameOf } from '../sweeps.js'
import { columnsIn, resultTables, sweepTables } from '../tables.js'

/** @import { CellSummary, Summary } from '../../harness/judge/records.js' */
/** @import { WarningKind } from '../../harness/model/warnings.js' */
/** @import { Document, Section } from '../blocks.js' */

/**
 * Advice for warnings of cells that concern the whole run, by kind.
 *
 * @type {{[Kind in WarningKind]?: string}}
 */
const DISTURBANCES = {
  'shared-core': 'other programs ran on the measured core in N cells: repeat the run on a quiet machine',
  'few-connections': 'many connections were never open in N cells: give them more seconds',
  'different-outcomes': 'not all alternatives did the same work in N cells: the checksums of their outcomes differ'
}
/**
 * The output of a run.
 *
 * @param {Summary} summary
 * @param {string[] | null} [again]  As of runAnswer.
 * @returns {Document}
 */
export function summaryDocument (summary, again) {
  return createDocument(
    [],
    [
      ...summary.scenarios.map(({ name, title }) => {
        const tables = resultTables(summary, name)
        return tables.length > 0 && section(`${name}: ${title}`, tables)
      }),
      section('', [list(explainTables(summary)), warn([...summary.warnings, ...cautions(summary)])]),
      section('', [runAnswer(summary, again)])
    ],
    '',
    namesIn(summary)
  )
}

/** @param {Summary} summary */
export const namesIn = ({ cells, skipped }) => longNames([...cells, ...skipped])

/**
 * Explains the columns and marks that a terminal shows, and no others.
 *
 * @param {Summary} summary
 */
function explainTables ({ cells, ranking: { tables }, environment, queues, settings }) {
  const controls = new Set(
    tables.flatMap(({ control, queues }) => (queues.some(({ queue }) => queue === control) ? control : []))
  )
  const { cores, cpu, node, loadGenerator } = environment
  return [
    compact(
      tables.some(({ queues }) => queues.length > 1) && '* best',
      controls.size > 0 && `= control (${[...controls].join(', ')})   x ratio to the control`
    ).join('   '),
    cells.length > 0 && describeIntervals(cells),
    new Set(cells.map(({ runtime }) => runtime)).size > 1 &&
      'Runtimes do not meet in heats here: timerq gate --runtime compares two.',
    ...explainServers(cells),
    ...columnsIn(cells).map(name => metrics[name].legend),
    queues.some(({ breaks }) => breaks) &&
      '! breaks the contract: its figures are not of the same work (timerq check).',
    compact(
      `${cores} x ${cpu}`,
      `Node ${[...new Set(cells.map(({ runtime }) => runtime))].join(', ') || node}`,
      loadGenerator !== 'none' && loadGenerator,
      `seed ${settings.seed}`
    ).join(', ')
  ]
}

/**
 * Heats behind the ratios, from the fewest to the most, with the least coverage of their intervals.
 *
 * @param {CellSummary[]} cells
 * @returns {{counts: number[], coverage: number} | null} null: nothing was compared. `coverage` is 0 without an
 *   interval
 */
export function heatsIn (cells) {
  const ratios = cells.flatMap(({ metrics }) =>
    Object.entries(metrics).flatMap(([name, { ratio }]) => (ratio && isRanked(name) ? [ratio] : []))
  )
  if (ratios.length === 0) return null
  const known = ratios.filter(({ n }) => n > 1)
  return {
    counts: endsOf(ratios.map(({ n }) => n)),
    coverage: known.length > 0 ? Math.min(...known.map(({ coverage }) => coverage)) : 0
  }
}

/** @param {CellSummary[]} cells */
export function describeIntervals (cells) {
  const heats = heatsIn(cells)
  if (heats) {
    const { counts, coverage } = heats
    const intervals = coverage > 0 ? `coverage ${formatCoverage(coverage)}` : 'no interval yet'
    const noun = counts.at(-1) === 1 ? 'heat' : 'heats'
    return `x is paired within ${counts.join('–')} ${noun} (${intervals}); times move with the machine.`
  }
  const counts = endsOf(cells.flatMap(({ metrics }) => Object.values(metrics).map(({ n }) => n)))
  return `Median and interval of ${counts.join('–')} fresh processes a cell.`
}

/**
 * Reasons to doubt the figures.
 *
 * @param {Summary} summary
 * @returns {string[]}
 */
export function cautions ({ cells }) {
  const warned = cells.flatMap(cell => cell.warnings.map(warning => ({ cell, ...warning })))
  const few = cells.filter(cell => heatsIn([cell])?.counts.some(count => count < FEWEST_HEATS))
  return compact(
    few.length > 0 &&
      `fewer than ${FEWEST_HEATS} heats in ${few.length} of ${formatCount(cells.length, 'cell')}: ` +
        'only gross differences count; ask for more rounds, or for fewer cells',
    ...[...groupBy(warned, ({ kind }) => kind)].map(([kind, own]) => {
      const { title, doubts, isTold } = warningKinds[kind]
      const advice = DISTURBANCES[kind]
      if (advice) return advice.replace('N', `${own.length} of ${cells.length}`)
      const rows = formatSome(own.map(({ cell }) => describeCell(cell)))
      const isSaid = doubts === 'either' || isTold
      return isSaid && `${title} in ${formatCount(own.length, 'cell')} (${rows}): ${own[0].text}`
    })
  )
}

/**
 * The origin of the figures of servers.
 *
 * @param {CellSummary[]} cells
 */
export function explainServers (cells) {
  const served = cells.filter(
    ({ metrics }) => (metrics.cpuMicrosPerRequest ?? metrics.cpuMillisPerSecond)?.ratio?.by === 'heat'
  )
  if (served.length === 0) return []
  const isShared = served.some(({ metrics }) => Object.values(metrics).some(({ isShared }) => isShared))
  return [
    'CPU of servers is from heats, in which they share a core.',
    isShared
      ? 'Requests/s, latency and GC are from heats, too: compare them within a table.'
      : 'Requests/s, latency and GC are from windows of one server: they rank no queues.'
  ]
}

/**
 * @param {Summary} summary
 * @returns {Section[]} one for each scenario
 */
export function scenarioSections (summary) {
  const sweeps = drawSweeps(summary)
  return summary.scenarios.map(({ name, title, source }) => {
    const all = resultTables(summary, name).filter(({ rows }) => rows.length > 0)
    const [mapped, others] = [true, false].map(isMap =>
      sweeps.filter(sweep => sweep.scenario === name && isMapped(sweep) === isMap)
    )
    const lines = others.flatMap(({ lines }) => lines)
    const curves = lines.filter(({ parameter }) => parameter !== null)
    return section(name, [
      paragraph(`What is measured: ${title}. Source: ${source}.`),
      ...[...mapped.flatMap(({ maps }) => maps), ...lines.flatMap(({ figures }) => figures)].map(picture),
      ...curves.flatMap(line => sweepTables(line, summary)),
      ...mapped.flatMap(({ lines }) =>
        lines.map(line => fold(capitalise(nameOf(line)), [...line.figures.map(picture), ...sweepTables(line, summary)]))
      ),
      ...(mapped.length + curves.length > 0 ? [fold('All figures, one by one', all)] : all),
      all.length === 0 && paragraph('Nothing was measured here.')
    ])
  })
}
