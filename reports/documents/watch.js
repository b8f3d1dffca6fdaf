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
import { createDocument, number, warnings as warn, words } from '../blocks.js'

/** @import { Summary } from '../../harness/judge/summary.js' */
/** @import { Look } from '../../harness/run/watch.js' */
/** @import { Document, Table, TableCell } from '../blocks.js' */

/**
 * The first news of a save.
 *
 * @param {string} queue
 * @param {string[]} breaks
 * @returns {Document}
 */
export function contractDocument (queue, breaks) {
  return createDocument([
    breaks.length === 0
      ? { kind: 'verdict', name: queue, tone: 'good', text: 'no clause of the contract was seen to break' }
      : {
          kind: 'verdict',
          name: queue,
          tone: 'bad',
          text: `breaks the contract (timerq check shows how). Not kept: ${breaks.join('; ')}`
        }
  ])
}

/**
 * @param {Summary} summary
 * @param {{queue: string, looks: Look[]}} watched
 * @returns {Document}
 */
export function lookDocument (summary, { queue, looks }) {
  const others = summary.queues.filter(({ name }) => name !== queue).map(({ name }) => name)
  return createDocument([
    ...(looks.length > 0 ? [table(summary, others, looks)] : []),
    ...warn(summary.skipped.map(skipped => `${skipped.queue} on ${skipped.scenario}: ${skipped.reason}`))
  ])
}

/**
 * @param {Summary} summary
 * @param {string[]} others
 * @param {Look[]} looks
 * @returns {Table}
 */
function table (summary, others, looks) {
  return {
    kind: 'table',
    caption: '',
    columns: [
      words('workload'),
      number('now'),
      ...others.map(name => number(`x ${name}`)),
      number('x last save'),
      number('work/op'),
      number('before')
    ],
    rows: looks.flatMap(({ cell: id, metric, change, work, workBefore }) => {
      const cell = summary.cells.find(cell => cellId(cell) === id)
      if (!cell) return []
      const figures = cell.metrics[metric]
      const ratios = [figures.ratio, ...(figures.others ?? [])]
      return [
        {
          cells: [
            { text: placeOf({ scenario: cell.scenario, params: cell.params }) },
            { text: `${formatInterval(figures)} ${figures.unit}` },
            ...others.map(name => {
              const ratio = ratios.find(ratio => ratio?.to === name)
              return { text: ratio ? formatRatioWithInterval(ratio) : '-' }
            }),
            changeCell(change),
            { text: work === null ? '-' : formatNumber(work) },
            { text: workBefore === null ? '-' : formatNumber(workBefore) }
          ]
        }
      ]
    }),
    remarks: remarksOn(summary, looks)
  }
}

/**
 * @param {Summary} summary
 * @param {Look[]} looks
 * @returns {string[]} over how many heats the intervals are, and how far they reach
 */
function remarksOn ({ cells }, looks) {
  const ratios = looks.flatMap(
    ({ cell: id, metric }) => cells.find(cell => cellId(cell) === id)?.metrics[metric].ratio ?? []
  )
  if (ratios.length === 0) return []
  const [fewest, lowest] = [Math.min(...ratios.map(({ n }) => n)), Math.min(...ratios.map(({ coverage }) => coverage))]
  return [`intervals: ${formatCount(fewest, 'heat')} or more, coverage ${formatCoverage(lowest)}; x last save: 95 %`]
}

/**
 * @param {Look['change']} change
 * @returns {TableCell}
 */
function changeCell (change) {
  if (change === null) return { text: '-' }
  const text = `${formatRatio(change.ratio)} (${formatRatioRange(change)})`
  if (change.low > 1) return { text, tone: 'bad' }
  return change.high < 1 ? { text, tone: 'good' } : { text }
}
