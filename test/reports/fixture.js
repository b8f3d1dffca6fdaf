import { fileURLToPath } from 'node:url'
import { summarise } from '../../harness/judge/summary.js'
import { readResults } from '../../harness/store/results.js'

/** @import { Results, Sample } from '../../harness/store/results.js' */

/**
 * A small real run, wherever the project lies.
 *
 * @param {string} name
 */
function readRun (name) {
  const results = { ...readResults(fileURLToPath(new URL(`../fixtures/runs/${name}`, import.meta.url))), directory: `results/${name}` }
  return { results, summary: summarise(results) }
}

export const heatsRun = () => readRun('heats')
export const smallRun = () => readRun('small')

/**
 * @param {Results} results
 * @param {Sample[]} samples
 * @returns {Results}
 */
export const withSamples = (results, samples) => ({ ...results, samples })
