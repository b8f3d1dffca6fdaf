/** The pictures of a run, as data: what each shows, for which cells. charts/ draws them. */
import { cellId } from '../../harness/model/cell.js'
import { groupBy } from '../../harness/model/group-by.js'
import { metrics } from '../../harness/model/metrics.js'
import { styleOf } from '../charts/style.js'
import { isMapped, isShown, linesOf, rankedMetricsOf, sweepsOf } from '../sweeps.js'
import { asCompared, asMeasured } from './captions.js'
import { collectionBars } from './collections.js'
import { costCurves } from './curves.js'
import { costDots } from './dots.js'
import { cheapestMaps } from './map.js'
import { latencyDots } from './percentiles.js'
import { slackCurves } from './slack.js'

/**
 * @typedef {import('../../harness/store/results.js').Results} Results
 * @typedef {import('../../harness/store/results.js').Sample} Sample
 * @typedef {import('../../harness/judge/summary.js').Summary} Summary
 * @typedef {import('../charts/index.js').Figure} Figure
 * @typedef {Omit<import('../charts/lines.js').LinesFigure, 'id'>} Drawn
 * @typedef {import('../sweeps.js').Line} Line
 *
 * @typedef {{scenario: string, line: Line | null, figure: Figure}} PlacedFigure  `line`: a closer look at one line of a map.
 */

const DRAWN = Object.keys(metrics).filter(name => metrics[name].isDrawn)

/**
 * @param {Results} results
 * @param {Summary} summary
 * @returns {PlacedFigure[]}
 */
export function figuresOf ({ samples }, { queues, cells, ...summary }) {
  const styles = new Map(queues.map(({ name }, index) => [name, styleOf(index)]))
  /** @type {import('./captions.js').Queues} */
  const drawn = {
    names: queues.map(({ name }) => name),
    styleOf: queue => /** @type {import('../charts/style.js').Style} */ (styles.get(queue)),
    numberOf: cell => cells.indexOf(cell)
  }
  const taken = new Set()
  return sweepsOf({ queues, cells, ...summary }).flatMap(sweep => {
    const own = sweep.kind === 'http' ? servedIn(samples, sweep.cells) : new Map()
    const lines = linesOf(sweep)
    const placed = isMapped(sweep)
      ? [
          ...cheapestMaps(sweep, drawn).map(figure => ({ line: null, figure })),
          ...lines.flatMap(line => [
            ...drawRatios(line, drawn).slice(0, 1),
            ...slackCurves(line, drawn),
            ...drawnMetricsOf(line).slice(0, 1).map(metric => drawCosts(line, metric, drawn))
          ].map(figure => ({ line, figure })))
        ]
      : lines.flatMap(line => [
        ...drawRatios(line, drawn),
        ...slackCurves(line, drawn),
        ...drawnMetricsOf(line).map(metric => drawCosts(line, metric, drawn)),
        ...latencyDots(line, own, drawn),
        ...collectionBars(line, own, drawn)
      ]).map(figure => ({ line: null, figure }))
    return placed.map(({ line, figure }) => {
      const id = uniqueId(taken, figure.title)
      return { scenario: sweep.scenario, line, figure: /** @type {Figure} */ ({ id, ...figure }) }
    })
  })
}

/**
 * What clients notice is that of servers which had the machine for themselves, where there are such samples.
 *
 * @param {Results['samples']} samples
 * @param {Summary['cells']} cells  Of one scenario.
 * @returns {Map<string, Sample[]>}
 */
function servedIn (samples, cells) {
  const wanted = new Set(cells.map(cellId))
  const taken = [...groupBy(samples.filter(({ cell }) => wanted.has(cell)), ({ cell }) => cell)]
  const select = (/** @type {(sample: Sample) => boolean} */ isWanted) => new Map(taken.map(([id, own]) => [id, own.filter(isWanted)]))
  const windows = select(({ kind, failure }) => kind === 'alone' && !failure)
  return [...windows.values()].some(({ length }) => length > 0) ? windows : select(({ failure }) => !failure)
}

/** @param {Line} line */
const drawnMetricsOf = ({ cells }) => DRAWN.filter(name => isShown(name, cells))

/**
 * What can be trusted comes first.
 *
 * @param {Line} line
 * @param {import('./captions.js').Queues} drawn
 */
function drawRatios (line, drawn) {
  return rankedMetricsOf(line).flatMap(metric => {
    const measure = asCompared(metric, line.cells, line.sweep.control)
    if (!measure) return []
    return [line.parameter === null ? costDots(line, measure, drawn, { log: true }) : costCurves(line, measure, drawn)]
  })
}

/**
 * @param {Line} line
 * @param {string} metric
 * @param {import('./captions.js').Queues} drawn
 */
function drawCosts (line, metric, drawn) {
  const measure = asMeasured(metric, line.cells)
  return line.parameter === null ? costDots(line, measure, drawn) : costCurves(line, measure, drawn)
}

/**
 * A file name and an element's id, whatever the scenario is called.
 *
 * @param {Set<string>} taken
 * @param {string} title
 */
export function uniqueId (taken, title) {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'figure'
  let id = slug
  for (let i = 2; taken.has(id); i++) id = `${slug}-${i}`
  taken.add(id)
  return id
}
