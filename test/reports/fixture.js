/** A recorded run of a few heats. */
import { fileURLToPath } from 'node:url'
import { summarise } from '../../harness/judge/summary.js'
import { readResults } from '../../harness/store/results.js'
import { drawSweeps } from '../../reports/figures/index.js'

/** @import { Summary } from '../../harness/judge/records.js' */
/** @import { Results, Sample } from '../../harness/store/results.js' */

/** A small real run, wherever the project lies. */
export function heatsRun () {
  const results = {
    ...readResults(fileURLToPath(new URL('../fixtures/runs/heats', import.meta.url))),
    directory: 'results/heats'
  }
  return { results, summary: summarise(results) }
}

/**
 * @param {Results} results
 * @param {Sample[]} samples
 * @returns {Results}
 */
export const withSamples = (results, samples) => ({ ...results, samples })

/**
 * The pictures of a run.
 *
 * @param {Summary} summary
 */
export const figuresOf = summary =>
  drawSweeps(summary).flatMap(({ maps, lines }) => [...maps, ...lines.flatMap(({ figures }) => figures)])
