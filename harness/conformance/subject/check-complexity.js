/** Counts the work of a queue's operations at growing sizes and compares its growth with the declared growth. */
import { cpuMs } from '../../processes/clock.js'
import { complexityClauseOf, HANDLE_COMPLEXITY } from '../clauses.js'
import { hasLinear, isAmortised, isLinear, judgeGrowth, parseComplexity } from '../complexity.js'
import { mustReturn } from './watchdog.js'
import { fill, workloads } from './workloads.js'

/**
 * @import { TimerQueue } from '../../../queues/contract.js'
 * @import { Count, Growth } from '../complexity.js'
 * @import { Workload } from './workloads.js'
 *
 * @typedef {object} Counter
 * @property {() => {work: number, builtIns: string[]}} count  Returns the basic blocks since the last count, and the
 *   built-in methods whose work is in them.
 *
 * @typedef {Count & {builtIns: Set<string>}} WorkloadCount
 */

const SIZES = [256, 1024, 4096]
/**
 * Counted only while work grows: a factor of 64 tells a logarithm from a constant, and a larger one tells it from a
 * bound that is reached late.
 */
const LARGER_SIZES = [16_384, 65_536]
/** Filling a queue with linear operations takes quadratic time. */
const LINEAR_SIZES = [256, 1024, 2048]
/** CPU time of a workload: this, and many times what the size before took, of which quadratic work takes 16 times. */
const PATIENCE_MS = 3000
const PATIENCE = 50

/**
 * @param {new () => TimerQueue} Queue
 * @param {Record<string, string> | undefined} declared
 * @param {Counter} counter
 * @param {string} [only]  The only clause to count for.
 * @returns {Map<string, string>} counts by broken clause
 */
export function checkComplexity (Queue, declared, counter, only) {
  const [sizes, larger] = hasLinear(declared) ? [LINEAR_SIZES, []] : [SIZES, LARGER_SIZES]
  const counted = workloads.filter(({ operation }) => only === undefined || only === complexityClauseOf(operation))
  // The counter distinguishes two blocks only once they have run a different number of times.
  for (const workload of counted) countAt(Queue, workload, sizes[0], counter)

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
      const { counts, isFaster } = countUntilJudged({ Queue, workload, growth, counter }, sizes, larger)
      if (isFaster) broken.set(clause, describeGrowth(workload, text, counts))
    } else {
      broken.set(clause, `meta.complexity.${operation} cannot be verified: it must read like 'O(log n)'`)
    }
  }
  return broken
}

/**
 * Counts at all sizes, and at larger ones while the work grows too fast, until the growth is blatant.
 *
 * @param {{Queue: new () => TimerQueue, workload: Workload, growth: Growth, counter: Counter}} counted
 * @param {number[]} sizes
 * @param {number[]} larger
 */
function countUntilJudged ({ Queue, workload, growth, counter }, sizes, larger) {
  /** @type {WorkloadCount[]} */
  const counts = []
  let limitMs = PATIENCE_MS
  let isFaster = false
  for (const size of [...sizes, ...larger]) {
    const start = cpuMs()
    counts.push(countAt(Queue, workload, size, counter, limitMs))
    limitMs = PATIENCE_MS + PATIENCE * (cpuMs() - start)
    const judged = judgeGrowth(growth, counts)
    isFaster = judged.isFaster
    const isTooMuch = counts.length > sizes.length ? isFaster : judged.isSuspicious
    if (judged.isBlatant || (counts.length >= sizes.length && !isTooMuch)) break
  }
  return { counts, isFaster }
}

/**
 * @param {new () => TimerQueue} Queue
 * @param {Workload} workload
 * @param {number} n  Timers.
 * @param {Counter} counter
 * @param {number} [limitMs]  CPU time.
 * @returns {WorkloadCount}
 * @throws {Endless}
 */
function countAt (Queue, workload, n, counter, limitMs = PATIENCE_MS) {
  const what = `with ${n} timers pending: ${workload.operation} (${workload.title})`
  return mustReturn(what, limitMs, () => {
    let work = 0
    /** @type {Set<string>} */
    const builtIns = new Set()
    const calls = workload.run(fill(Queue, workload, n), operate => {
      counter.count()
      operate()
      const counted = counter.count()
      work += counted.work
      for (const name of counted.builtIns) builtIns.add(name)
    })
    return { n, ...calls, work, builtIns }
  })
}

/** @type {(workload: Workload, declared: string | undefined, counts: WorkloadCount[]) => string} */
function describeGrowth ({ operation, title }, declared, counts) {
  const figures = counts.map(({ n, calls, work }) => `${(work / calls).toFixed(1)} at ${n} timers`)
  const names = [...counts[counts.length - 1].builtIns]
  const including = names.length > 0 ? `, the work of ${names.join(' and ')} included` : ''
  return `${operation} is declared ${declared}; basic blocks per call (${title}): ${figures.join(', ')}${including}`
}
