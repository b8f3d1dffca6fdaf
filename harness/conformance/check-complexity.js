/** Counts the work of a queue's operations at growing sizes and compares its growth with what the queue declares. */
import { OPERATIONS } from './clauses.js'
import { growsFaster, isAmortised, parseComplexity } from './complexity.js'
import { fill, workloads } from './workloads.js'

/**
 * @typedef {import('../../queues/contract.js').TimerQueue} TimerQueue
 * @typedef {import('./complexity.js').Count} Count
 * @typedef {import('./workloads.js').Workload} Workload
 *
 * @typedef {object} Counters
 * @property {{count: () => number}} blocks
 * @property {{count: () => {work: number, names: string[]}}} builtIns
 */

/** A factor of 64 tells a logarithm from a constant. */
const SIZES = [256, 1024, 4096, 16_384]
/** Filling a queue with linear operations takes quadratic time. */
const LARGEST_LINEAR = 2048
const LINEAR_SIZES = [256, 1024, LARGEST_LINEAR]

/**
 * @param {new () => TimerQueue} Queue
 * @param {Record<string, string> | undefined} declared
 * @param {Counters} counters
 * @param {readonly string[]} operations  Those to be counted.
 * @returns {Map<string, string>} what was counted, by broken clause
 */
export function checkComplexity (Queue, declared, { blocks, builtIns }, operations) {
  /** @type {Map<string, import('./complexity.js').Growth | null>} */
  const growths = new Map(OPERATIONS.map(operation => [operation, parseComplexity(declared?.[operation])]))
  const isLinear = [...growths.values()].some(growth => growth !== null && growth(LARGEST_LINEAR, 0) >= LARGEST_LINEAR)
  const sizes = isLinear ? LINEAR_SIZES : SIZES
  const wanted = workloads.filter(({ operation }) => operations.includes(operation))
  // A warm-up: the counter distinguishes two blocks only once they have run a different number of times.
  for (const workload of wanted) countAt(workload, sizes[0])

  /** @type {Map<string, string>} */
  const broken = new Map()
  for (const workload of wanted) {
    const { operation, collectsDebt } = workload
    if (collectsDebt && isAmortised(declared?.[operation])) continue
    const clause = `complexity-${operation}`
    const growth = growths.get(operation)
    if (!growth) broken.set(clause, `meta.complexity.${operation} cannot be verified: it must read like 'O(log n)'`)
    else if (!broken.has(clause)) {
      const counts = countUntilTooMany(workload, growth)
      if (growsFaster(growth, counts)) broken.set(clause, describe(workload, declared?.[operation], counts))
    }
  }
  return broken

  /**
   * @param {Workload} workload
   * @param {import('./complexity.js').Growth} growth
   */
  function countUntilTooMany (workload, growth) {
    /** @type {(Count & {builtIns: string[]})[]} */
    const counts = []
    for (const size of sizes) {
      counts.push(countAt(workload, size))
      if (growsFaster(growth, counts)) break
    }
    return counts
  }

  /**
   * @param {Workload} workload
   * @param {number} n
   * @returns {Count & {builtIns: string[]}}
   */
  function countAt (workload, n) {
    let work = 0
    /** @type {Set<string>} */
    const used = new Set()
    const counted = workload.run(fill(Queue, workload, n), operate => {
      blocks.count()
      builtIns.count()
      operate()
      const unseen = builtIns.count()
      work += blocks.count() + unseen.work
      for (const name of unseen.names) used.add(name)
    })
    return { n, ...counted, work, builtIns: [...used] }
  }
}

/**
 * @param {Workload} workload
 * @param {string | undefined} declared
 * @param {(Count & {builtIns: string[]})[]} counts
 */
function describe ({ operation, title }, declared, counts) {
  const figures = counts.map(({ n, calls, work }) => `${(work / calls).toFixed(1)} at ${n} timers`)
  const names = counts[counts.length - 1].builtIns
  const including = names.length > 0 ? `, the work of ${names.join(' and ')} included` : ''
  return `${operation} is declared ${declared}; basic blocks per call (${title}): ${figures.join(', ')}${including}`
}
