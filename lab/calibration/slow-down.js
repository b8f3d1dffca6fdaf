/** Code that is slower by known amounts: finds the amount of useless arithmetic that makes a slowdown. */
import { pseudoMedian } from '../../harness/judge/statistics/pseudo-median.js'

/**
 * @typedef {object} Pricing  The first guess is wrong by some factor; each step takes more heats than the one before.
 * @property {number} firstGuess  Units of work.
 * @property {number[]} heats  Heats of each step.
 * @property {number} period  Starts of a timer from one piece of work to the next.
 */

export const SLOWED_QUEUE = new URL('./slowed-queue.js', import.meta.url)
/**
 * The base does useless work, too. Without any, V8 compiles other code, and the step from none to a little is larger or
 * smaller than the step from a little to more.
 */
const BASE_WORK = 50
/** Large enough to show the price of a slowdown, small enough that smaller slowdowns have the same price. */
const PRICED_SLOWDOWN = 0.25

/** @type {Pricing} */
export const MICRO_PRICING = { firstGuess: 4000, heats: [2, 6, 14], period: 500 }

/**
 * @param {string} queueUrl
 * @param {{work?: number, period: number}} slow  `work`: units on top of the base's.
 */
export function slowedUrl (queueUrl, { work = 0, period }) {
  return `${SLOWED_QUEUE.href}?of=${encodeURIComponent(queueUrl)}&work=${BASE_WORK + work}&period=${period}`
}

/**
 * Finds the work that makes each slowdown. Work hides between the operations of a modern processor, differently in
 * every cell, so its cost is measured where it is spent.
 *
 * @param {number[]} slowdowns  0.02: 2 %.
 * @param {Pick<Pricing, 'firstGuess' | 'heats'>} pricing
 * @param {(work: number) => Promise<number | undefined>} measure  Ratio of code with this work to code without, in one
 *   heat; undefined where the heat has none.
 * @returns {Promise<Record<string, number>>} by slowdown
 */
export async function priceWork (slowdowns, { firstGuess, heats }, measure) {
  let work = firstGuess
  for (const count of heats) {
    /** @type {number[]} */
    const shifts = []
    while (shifts.length < count) {
      const ratio = await measure(work)
      if (ratio !== undefined) shifts.push(Math.log(ratio))
    }
    const cost = Math.expm1(pseudoMedian(shifts).estimate)
    // Noise can hide too little work, or make it negative.
    work = Math.round(work * Math.min(20, PRICED_SLOWDOWN / Math.max(cost, 0.001)))
  }
  return Object.fromEntries(
    slowdowns.map(slowdown => [String(slowdown), Math.round((work * slowdown) / PRICED_SLOWDOWN)])
  )
}
