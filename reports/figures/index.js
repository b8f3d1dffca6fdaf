/** The pictures of a run: the content of each, and its cells. charts/ draws them. */
import { metrics, metricsIn, rankedMetrics } from '../../harness/model/metrics.js'
import { styleOf } from '../charts/style.js'
import { isMapped, linesOf, sweepsOf } from '../sweeps.js'
import { asCompared, asMeasured } from './captions.js'
import { costCurves } from './curves.js'
import { costDots } from './dots.js'
import { cheapestMaps } from './map.js'
import { collectionBars, latencyDots } from './servers.js'
import { slackCurves } from './slack.js'
import { servedSamples } from '../samples.js'

/**
 * @import { Summary } from '../../harness/judge/summary.js'
 * @import { Results } from '../../harness/store/results.js'
 * @import { Figure } from '../charts/option.js'
 * @import { LinesFigure } from '../charts/option.js'
 * @import { Style } from '../charts/style.js'
 * @import { Line } from '../sweeps.js'
 * @import { Queues } from './captions.js'
 *
 * @typedef {Omit<LinesFigure, 'id'>} Drawn
 *
 * @typedef {{scenario: string, line: Line | null, figure: Figure}} PlacedFigure `line`: a closer look at one line of a
 *   map.
 */

/** File systems allow 255 bytes, with endings. */
const LONGEST_ID = 200

const DRAWN = Object.keys(metrics).filter(name => metrics[name].isDrawn)

/**
 * @param {Results} results
 * @param {Summary} summary
 * @returns {PlacedFigure[]}
 */
export function figuresOf ({ samples }, summary) {
  const { cells, ranking } = summary
  const names = summary.queues.map(({ name }) => name)
  const styles = new Map(names.map((name, index) => [name, styleOf(index)]))
  /** @type {Queues} */
  const queues = {
    names,
    styleOf: queue => /** @type {Style} */ (styles.get(queue)),
    numberOf: cell => cells.indexOf(cell)
  }
  /** @type {Set<string>} */
  const ids = new Set()
  return sweepsOf(summary).flatMap(sweep => {
    const lines = linesOf(sweep)
    const served = sweep.kind === 'http' ? servedSamples(samples, sweep.cells) : new Map()
    const placed = isMapped(sweep)
      ? [
          ...cheapestMaps(sweep, ranking, queues).map(figure => ({ line: null, figure })),
          ...lines.flatMap(line =>
            [
              ...drawRatios(line, queues).slice(0, 1),
              ...slackCurves(line, queues),
              ...drawCosts(line, queues).slice(0, 1)
            ].map(figure => ({ line, figure }))
          )
        ]
      : lines
        .flatMap(line => [
          ...drawRatios(line, queues),
          ...slackCurves(line, queues),
          ...drawCosts(line, queues),
          ...latencyDots(line, served, queues),
          ...collectionBars(line, served, queues)
        ])
        .map(figure => ({ line: null, figure }))
    return placed.map(({ line, figure }) => ({
      scenario: sweep.scenario,
      line,
      figure: /** @type {Figure} */ ({ id: uniqueId(ids, figure.title), ...figure })
    }))
  })
}

/**
 * @param {Line} line
 * @param {Queues} queues
 */
const drawRatios = (line, queues) =>
  metricsIn(rankedMetrics, line.cells)
    .flatMap(metric => asCompared(metric, line.cells, line.sweep.control) ?? [])
    .map(measure => drawCost(line, measure, queues, { log: true }))

/**
 * @param {Line} line
 * @param {Queues} queues
 */
const drawCosts = (line, queues) =>
  DRAWN.filter(name => line.cells.some(({ metrics }) => metrics[name])).map(metric =>
    drawCost(line, asMeasured(metric, line.cells), queues)
  )

/** @type {(...parts: Parameters<typeof costDots>) => ReturnType<typeof costDots> | ReturnType<typeof costCurves>} */
const drawCost = (line, ...rest) => (line.parameter === null ? costDots : costCurves)(line, ...rest)

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
