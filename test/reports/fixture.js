import { fileURLToPath } from 'node:url'
import { readResults } from '../../harness/store/results.js'
import { summarise } from '../../harness/judge/summary.js'

/**
 * A small real run, wherever the project lies.
 *
 * @param {string} name
 */
function readRun (name) {
  const results = { ...readResults(fileURLToPath(new URL(`../fixtures/runs/${name}`, import.meta.url))), directory: `results/${name}` }
  return { results, summary: summarise(results) }
}

/** One sample after the other. */
export const smallRun = () => readRun('small')

/** In heats. */
export const heatsRun = () => readRun('heats')
