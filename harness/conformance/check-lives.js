/** Tries long lives on a queue, as long as it is fast enough, and shortens the first one that breaks each clause. */
import { findFault, newBreaches, perform, print, startCpuClock, withoutIdleSteps } from './attempt.js'
import { parseComplexity } from './complexity.js'
import { SIZES, lives } from './lives.js'

/**
 * @typedef {import('./attempt.js').Breach} Breach
 * @typedef {import('./attempt.js').Subject} Subject
 * @typedef {import('./sequences.js').Sequence} Sequence
 * @typedef {import('./sequences.js').Step} Step
 */

/** CPU time that a life may take; one that is expected to take longer is not tried. */
const LIFE_SECONDS = 3
/** A life that takes this much longer than expected is taken to be endless. */
const PATIENCE_SECONDS = 4
const PATIENCE = 4
/** CPU time to shorten a counter-example. */
const SHRINKING_SECONDS = 8

/**
 * @param {Subject} subject
 * @param {Set<string>} broken  Clauses that are broken already.
 * @param {{largest: number}} tally  The largest size at which all planned lives were tried.
 * @returns {Generator<Breach>}
 */
export function * findBreachesInLives (subject, broken, tally) {
  tally.largest = Math.max(...SIZES)
  const exponent = exponentOf(subject.declared.complexity)
  for (const { steps, largest } of lives) {
    let expected = 0
    for (const [i, size] of SIZES.filter(size => size <= largest).entries()) {
      if (expected > LIFE_SECONDS) {
        tally.largest = Math.min(tally.largest, SIZES[i - 1])
        break
      }
      const limitSeconds = PATIENCE_SECONDS + PATIENCE * expected
      /** @type {Sequence} */
      const sequence = { steps: steps(size), actions: [], attentive: false }
      const cpuSeconds = startCpuClock()
      const trial = perform(subject, sequence, 1000 * limitSeconds)
      expected = cpuSeconds() * (SIZES[i + 1] / size) ** exponent
      for (const { clause, seen } of newBreaches(trial, broken)) {
        yield { clause, seen, shorten: () => findShortest(subject, clause, sequence, limitSeconds) }
      }
      if (broken.has('returns')) return
      // What is broken at this size breaks at the next one.
      if (trial.faults.length > 0) break
    }
  }
}

/**
 * How the length of a life grows with its size, as the queue declares it: nearly linear, or quadratic where one operation
 * on a timer may touch all of them.
 *
 * @param {Partial<import('../../queues/contract.js').QueueMeta['complexity']>} declared
 */
function exponentOf (declared) {
  const few = 64
  const workOf = (/** @type {string | undefined} */ text, /** @type {number} */ n, k = 1) => parseComplexity(text)?.(n, k) ?? n
  const lengthOf = (/** @type {number} */ n) =>
    n * (workOf(declared.insert, n) + workOf(declared.cancel, n) + workOf(declared.reschedule, n)) +
    few * (workOf(declared.nextExpiry, n) + workOf(declared.advance, n, n / few))
  const [small, large] = SIZES.slice(-2)
  return Math.log(lengthOf(large) / lengthOf(small)) / Math.log(large / small)
}

/**
 * @param {Subject} subject
 * @param {string} clause
 * @param {Sequence} sequence
 * @param {number} limitSeconds
 * @returns {string | null} null if the clause does not break again
 */
function findShortest (subject, clause, sequence, limitSeconds) {
  const cpuSeconds = startCpuClock()
  let limitMs = 1000 * limitSeconds
  const breaks = (/** @type {Sequence} */ candidate) => {
    if (cpuSeconds() > SHRINKING_SECONDS) return false
    const isBroken = findFault(perform(subject, candidate, limitMs), clause) !== undefined
    // Shorten an endless life with less patience; one that ends may need as long as the first.
    if (isBroken && clause === 'returns') limitMs = Math.min(limitMs, 500)
    return isBroken
  }
  let shortest = withoutIdleSteps(sequence, breaks)
  for (let i = 0; i < shortest.steps.length; i++) shortest = withFewest(shortest, i, breaks)
  for (const candidate of [withoutIdleSteps(shortest, breaks), sequence]) {
    const trial = perform(subject, candidate, 1000 * limitSeconds)
    const fault = findFault(trial, clause)
    if (fault) return print(trial, fault, clause)
  }
  return null
}

/**
 * Finds the smallest count that breaks the clause, by bisection.
 *
 * @param {Sequence} sequence
 * @param {number} index  Of the step.
 * @param {(sequence: Sequence) => boolean} breaks
 */
function withFewest (sequence, index, breaks) {
  const step = sequence.steps[index]
  if (!step.count) return sequence
  let shortest = sequence
  let [tooFew, enough] = [0, step.count]
  while (enough - tooFew > 1) {
    const count = Math.floor((tooFew + enough) / 2)
    const shorter = { ...sequence, steps: sequence.steps.with(index, { ...step, count }) }
    if (breaks(shorter)) [shortest, enough] = [shorter, count]
    else tooFew = count
  }
  return shortest
}
