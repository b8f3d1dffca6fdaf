/** Counts the work of a queue's operations at growing sizes and compares its growth with the declared growth. */
import { complexityClauseOf, HANDLE_COMPLEXITY } from '../clauses.js'
import { growsFaster, hasLinear, isAmortised, isLinear, parseComplexity } from '../complexity.js'
import { fill, workloads } from './workloads.js'

/**
 * @import { TimerQueue } from '../../../queues/contract.js'
 * @import { Count, Growth } from '../complexity.js'
 * @import { Workload } from './workloads.js'
 *
 * @typedef {object} Counters
 * @property {{count: () => number}} blocks
 * @property {{count: () => {work: number, names: string[]}}} builtIns
 */

/** A factor of 64 tells a logarithm from a constant. */
const SIZES = [256, 1024, 4096, 16_384]
/** Filling a queue with linear operations takes quadratic time. */
const LINEAR_SIZES = [256, 1024, 2048]

/**
 * @param {new () => TimerQueue} Queue
 * @param {Record<string, string> | undefined} declared
 * @param {Counters} counters
 * @param {string} [only]  The only clause to count for.
 * @returns {Map<string, string>} counts by broken clause
 */
export function checkComplexity (Queue, declared, counters, only) {
  const sizes = hasLinear(declared) ? LINEAR_SIZES : SIZES
  const counted = workloads.filter(
    ({ operation }) => (only ?? complexityClauseOf(operation)) === complexityClauseOf(operation)
  )
  // The counter distinguishes two blocks only once they have run a different number of times.
  for (const workload of counted) countAt(Queue, workload, sizes[0], counters)

  /** @type {Map<string, string>} */
  const broken = new Map()
  for (const workload of counted) {
    const { operation, collectsDebt, asksNext } = workload
    const text = declared?.[operation] ?? HANDLE_COMPLEXITY[/** @type {keyof typeof HANDLE_COMPLEXITY} */ (operation)]
    const clause = complexityClauseOf(operation)
    if (broken.has(clause) || (collectsDebt && isAmortised(text)) || (asksNext && isLinear(declared, 'nextExpiry'))) {
      continue
    }
    const growth = parseComplexity(text)
    if (growth) {
      const counts = countUntilTooMany(Queue, workload, growth, sizes, counters)
      if (growsFaster(growth, counts)) broken.set(clause, describe(workload, text, counts))
    } else {
      broken.set(clause, `meta.complexity.${operation} cannot be verified: it must read like 'O(log n)'`)
    }
  }
  return broken
}

/**
 * @param {new () => TimerQueue} Queue
 * @param {Workload} workload
 * @param {Growth} growth
 * @param {number[]} sizes
 * @param {Counters} counters
 */
function countUntilTooMany (Queue, workload, growth, sizes, counters) {
  /** @type {(Count & {builtIns: string[]})[]} */
  const counts = []
  for (const size of sizes) {
    counts.push(countAt(Queue, workload, size, counters))
    if (growsFaster(growth, counts)) break
  }
  return counts
}

/**
 * @param {new () => TimerQueue} Queue
 * @param {Workload} workload
 * @param {number} n  Timers.
 * @param {Counters} counters
 * @returns {Count & {builtIns: string[]}}
 */
function countAt (Queue, workload, n, { blocks, builtIns }) {
  let work = 0
  /** @type {Set<string>} */
  const used = new Set()
  const calls = workload.run(fill(Queue, workload, n), operate => {
    blocks.count()
    builtIns.count()
    operate()
    const inBuiltIns = builtIns.count()
    work += blocks.count() + inBuiltIns.work
    for (const name of inBuiltIns.names) used.add(name)
  })
  return { n, ...calls, work, builtIns: [...used] }
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
