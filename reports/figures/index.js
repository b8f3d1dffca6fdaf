/** The pictures of a run: the content of each, and its cells. charts/ draws them. */
import { styleOf } from '../charts/style.js'
import { isMapped, linesOf, sweepsOf } from '../sweeps.js'
import { cheapest } from './cheapest.js'
import { costs, ratios } from './costs.js'

/**
 * @import { CellSummary, Summary } from '../../harness/judge/records.js'
 * @import { Figure } from '../charts/option.js'
 * @import { Line, Sweep } from '../sweeps.js'
 * @import { Style } from '../charts/style.js'
 *
 * @typedef {(cell: CellSummary) => {name: string, control: boolean, style: Style}} MarksOf  The queue of a cell, as all
 *   pictures show it.
 *
 * @typedef {Sweep & {lines: (Line & {figures: Figure[]})[], maps: Figure[]}} DrawnSweep
 */

/** File systems allow 255 bytes, with endings. */
const LONGEST_ID = 200

/**
 * @param {Summary} summary
 * @returns {DrawnSweep[]}
 */
export function drawSweeps (summary) {
  const styles = new Map(summary.queues.map(({ name }, i) => [name, styleOf(i)]))
  /** @type {Set<string>} */
  const ids = new Set()
  const named = (/** @type {Omit<Figure, 'id'>[]} */ figures) =>
    figures.map(figure => /** @type {Figure} */ ({ id: uniqueId(ids, figure.title), ...figure }))
  return sweepsOf(summary).map(sweep => {
    /** @type {MarksOf} */
    const marksOf = cell => ({
      name: cell.queue,
      control: cell.queue === sweep.control,
      style: styles.get(cell.queue) ?? styleOf(0)
    })
    // A closer look at one line of a map: the first figure of each kind.
    const most = isMapped(sweep) ? 1 : Infinity
    return {
      ...sweep,
      maps: named(isMapped(sweep) ? cheapest(sweep, summary.ranking, marksOf) : []),
      lines: linesOf(sweep).map(line => ({
        ...line,
        figures: named([ratios, costs].flatMap(draw => draw(line, marksOf).slice(0, most)))
      }))
    }
  })
}

/**
 * A file name and an element's id, made of letters, digits and hyphens.
 *
 * @param {Set<string>} ids  Used so far.
 * @param {string} title
 */
function uniqueId (ids, title) {
  const slug =
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, LONGEST_ID)
      .replaceAll(/^-|-$/g, '') || 'figure'
  let id = slug
  for (let i = 2; ids.has(id); i++) id = `${slug}-${i}`
  ids.add(id)
  return id
}
