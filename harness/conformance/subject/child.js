/**
 * A process that checks a queue. There are two: one loads the queue and tries sequences; the other, started with
 * WORK_FLAGS and --expose-gc, counts work and weighs the heap.
 */
import { watchBuiltIns } from '../../subject/count/built-ins.js'
import { loadQueue } from '../../subject/modules/load.js'
import { startWorkCounter } from '../../subject/count/work-counter.js'
import { answer } from '../../processes/answer.js'
import { COMPLEXITY_CLAUSES, NOT_COUNTED } from '../clauses.js'
import { checkComplexity } from './check-complexity.js'
import { checkRetained } from './check-retained.js'
import { faultsOfMeta, promisesOf } from './declaration.js'
import { Endless, mustReturn } from './watchdog.js'
/** @import { Counter } from './check-complexity.js' */

/** CPU time of the check after checkComplexity, from whose workloads the queue has returned. */
const LIMIT_MS = 60_000

answer({
  /** @param {{queueUrl: string}} task */
  async load ({ queueUrl }) {
    const { meta } = await loadQueue(queueUrl)
    return { faults: faultsOfMeta(meta) }
  },

  /** @param {{queueUrl: string, seed: number, effort: 'full' | 'brief'}} task */
  async search ({ queueUrl, seed, effort }) {
    const { EFFORTS, PLANNED, Search } = await import('./search.js')
    const { Queue, meta } = await loadQueue(queueUrl)
    const search = new Search({ Queue, promises: promisesOf(meta), seed }, EFFORTS[effort])
    const broken = new Map([...search.breaches()].map(({ clause, counterexample }) => [clause, counterexample]))
    // Queues that share state end the search, and slowness has nothing to do with it.
    if (broken.has('instances')) return { broken }
    const largest = { tried: search.largest, planned: PLANNED.largest }
    return { broken, sequences: { tried: search.tried, planned: PLANNED.tried, largest } }
  },

  /** @param {{queueUrl: string, clause?: string}} task  `clause`: the only one to count for. */
  async count ({ queueUrl, clause }) {
    // Only modules loaded from here on are counted: the queue and its imports.
    const counter = startCounter()
    const { Queue, meta } = await loadQueue(queueUrl)
    try {
      const broken = checkComplexity(Queue, meta?.complexity, counter, clause)
      if (clause === undefined || clause === 'retained') {
        const kept = mustReturn('some operation', LIMIT_MS, () => checkRetained(Queue, meta?.complexity))
        if (kept !== null) broken.set('retained', kept)
      }
      return { broken }
    } catch (error) {
      if (!(error instanceof Endless)) throw error
      const uncounted = COMPLEXITY_CLAUSES.map(name => /** @type {const} */ ([name, NOT_COUNTED]))
      return { broken: new Map([['returns', error.message], ...uncounted]) }
    }
  }
})

/** @returns {Counter} */
function startCounter () {
  const blocks = startWorkCounter()
  const touched = watchBuiltIns()
  return {
    count () {
      const { work, names } = touched.count()
      const counted = { work: work + blocks.count(), builtIns: names }
      // Counting blocks may itself use what is watched: those uses are discarded.
      touched.count()
      return counted
    }
  }
}
