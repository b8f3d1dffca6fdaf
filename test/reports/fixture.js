import { fileURLToPath } from 'node:url'
import { readResults } from '../../harness/results.js'
import { summarise } from '../../harness/summary.js'

const SMALL = fileURLToPath(new URL('../fixtures/runs/small', import.meta.url))

/** A small real run, wherever the project lies. */
export function smallRun () {
  const results = { ...readResults(SMALL), directory: 'results/small' }
  return { results, summary: summarise(results) }
}
