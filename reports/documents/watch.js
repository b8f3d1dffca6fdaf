/** Costs of a queue in the making: now, and against the last save. */
import { cellId } from '../../harness/model/cell.js'
import {
  formatCount,
  formatCoverage,
  formatInterval,
  formatNumber,
  formatRatio,
  formatRatioRange,
  formatRatioWithInterval,
  placeOf
} from '../../harness/model/numbers.js'
import { createDocument, number, table, warnings as warn } from '../blocks.js'

/** @import { CellSummary, MetricSummary, Summary } from '../../harness/judge/summary.js' */
/** @import { Look } from '../../harness/run/watch.js' */
/** @import { Document, TableCell } from '../blocks.js' */

/**
 * The first news of a save.
 *
 * @param {string} queue
 * @param {string[]} breaks
 * @returns {Document}
 */
export function contractDocument (queue, breaks) {
  const text =
    breaks.length === 0
      ? 'no clause of the contract was seen to break'
      : `breaks the contract (timerq check shows how). Not kept: ${breaks.join('; ')}`
  return createDocument([{ kind: 'verdict', name: queue, tone: breaks.length === 0 ? 'good' : 'bad', text }])
}

/**
 * @param {Summary} summary
 * @param {{queue: string, looks: Look[]}} watched
 * @returns {Document}
 */
export function lookDocument (summary, { queue, looks }) {
  const cells = new Map(summary.cells.map(cell => [cellId(cell), cell]))
  const seen = looks.flatMap(look => {
    const cell = cells.get(look.cell)
    return cell ? [{ look, cell, figures: cell.metrics[look.metric] }] : []
  })
  const others = summary.queues.map(({ name }) => name).filter(name => name !== queue)
  return createDocument([
    looks.length > 0 && lookTable(seen, others),
    warn(summary.skipped.map(skipped => `${skipped.queue} on ${skipped.scenario}: ${skipped.reason}`))
  ])
}

/**
 * @param {{look: Look, cell: CellSummary, figures: MetricSummary}[]} seen
 * @param {string[]} others
 */
function lookTable (seen, others) {
  const ratios = seen.flatMap(({ figures: { ratio } }) => ratio ?? [])
  const fewest = Math.min(...ratios.map(({ n }) => n))
  const lowest = Math.min(...ratios.map(({ coverage }) => coverage))
  return table({
    columns: [
      'workload',
      number('now'),
      ...others.map(name => number(`x ${name}`)),
      number('x last save'),
      number('work/op'),
      number('before')
    ],
    rows: seen.map(({ look: { change, work, workBefore }, cell: { scenario, params }, figures }) => [
      placeOf({ scenario, params }),
      `${formatInterval(figures)} ${figures.unit}`,
      ...others.map(name => {
        const ratio = [figures.ratio, ...(figures.others ?? [])].find(ratio => ratio?.to === name)
        return ratio ? formatRatioWithInterval(ratio) : '-'
      }),
      changeCell(change),
      work === null ? '-' : formatNumber(work),
      workBefore === null ? '-' : formatNumber(workBefore)
    ]),
    remarks: [
      ratios.length > 0 &&
        `intervals: ${formatCount(fewest, 'heat')} or more, coverage ${formatCoverage(lowest)}; x last save: 95 %`
    ]
  })
}

/**
 * @param {Look['change']} change
 * @returns {TableCell}
 */
function changeCell (change) {
  if (change === null) return { text: '-' }
  const { ratio, low, high } = change
  const text = `${formatRatio(ratio)} (${formatRatioRange(change)})`
  return { text, tone: low > 1 ? 'bad' : high < 1 ? 'good' : undefined }
}
