/** Tries generated sequences on a queue, and for every clause that one of them breaks finds the shortest that does. */
import fc from 'fast-check'
import { sentenceOf } from './clauses.js'
import { families } from './sequences.js'
import { Trial } from './trial.js'
import { returnsWithin } from './watchdog.js'

/**
 * @typedef {import('../../queues/contract.js').TimerQueue} TimerQueue
 * @typedef {import('../../queues/contract.js').QueueMeta} QueueMeta
 * @typedef {import('./sequences.js').Sequence} Sequence
 * @typedef {import('./trial.js').Finding} Finding
 */

/** A sequence takes about a tenth of a millisecond. */
const ENDLESS_MS = 1000
/** Once one is known to be endless, the shorter ones need not be waited for so long. */
const STILL_ENDLESS_MS = 20
/** How often a counter-example is tried to be made shorter; an endless one less often. */
const ATTEMPTS = 2000
const ENDLESS_ATTEMPTS = 60

/** Clauses that already say what a sequence must have asked for to break them. */
const SPECIFIC = new Set(['returns', 'release', 'order', 'inside-expire', 'same-batch', 'throwing'])

/**
 * @param {new () => TimerQueue} Queue
 * @param {Pick<QueueMeta, 'order' | 'accuracy'>} declared
 * @param {number} seed
 * @returns {Map<string, string>} counter-examples by clause
 */
export function checkSequences (Queue, declared, seed) {
  /** @type {Map<string, string>} */
  const broken = new Map()
  for (const { sequences, runs } of families) {
    const firsts = firstBreaches(sequences, runs, new Set(broken.keys()))
    for (const [clause, run] of firsts) broken.set(clause, shortestBreach(sequences, run, clause))
    if (broken.has('returns')) break
  }
  return broken

  /**
   * @param {fc.Arbitrary<Sequence>} sequences
   * @param {number} runs
   * @param {Set<string>} known  Clauses that are broken for sure.
   * @returns {Map<string, number>} the first run that breaks a clause
   */
  function firstBreaches (sequences, runs, known) {
    const firsts = new Map()
    let run = 0
    fc.check(fc.property(sequences, sequence => {
      const { findings } = performed(sequence, ENDLESS_MS)
      for (const clause of findings.map(finding => blamed(finding, known))) {
        if (!known.has(clause)) firsts.set(clause, run)
        known.add(clause)
      }
      run++
      return !findings.some(({ clause }) => clause === 'returns')
    }), { seed, numRuns: runs, endOnFailure: true })
    return firsts
  }

  /**
   * @param {fc.Arbitrary<Sequence>} sequences
   * @param {number} run
   * @param {string} clause
   */
  function shortestBreach (sequences, run, clause) {
    const find = (/** @type {Trial} */ trial) => trial.findings.find(finding => couldBlame(finding, clause))
    const isEndless = clause === 'returns'
    let attempts = isEndless ? ENDLESS_ATTEMPTS : ATTEMPTS
    let limitMs = ENDLESS_MS
    const breaks = (/** @type {Sequence} */ sequence) => {
      if (attempts-- <= 0) return false
      const isBroken = find(performed(sequence, limitMs)) !== undefined
      if (isBroken) limitMs = STILL_ENDLESS_MS
      return isBroken
    }
    const { counterexample } = fc.check(fc.property(sequences, sequence => !breaks(sequence)), { seed, path: String(run) })
    const [shrunk] = /** @type {[Sequence]} */ (counterexample)
    attempts = shrunk.steps.length
    const trial = performed(withoutIdleSteps(shrunk, breaks), ENDLESS_MS)
    return trial.print(/** @type {Finding} */ (find(trial)), sentenceOf(clause))
  }

  /**
   * @param {Sequence} sequence
   * @param {number} limitMs
   */
  function performed (sequence, limitMs) {
    const trial = new Trial(Queue, declared, sequence)
    if (!returnsWithin(() => trial.perform(), limitMs)) trial.endless()
    return trial
  }
}

/**
 * What goes wrong only after expire has thrown, say, breaks the clause about throwing.
 *
 * @param {Finding} finding
 * @param {Set<string>} known
 */
function blamed ({ clause, after }, known) {
  if (SPECIFIC.has(clause)) return clause
  return [clause, ...after].find(candidate => known.has(candidate)) ?? after.at(-1) ?? clause
}

/**
 * @param {Finding} finding
 * @param {string} blame
 */
function couldBlame ({ clause, after }, blame) {
  return SPECIFIC.has(blame) && blame === clause ? true : after.length === 0 ? blame === clause : after.includes(blame)
}

/**
 * fast-check makes steps simpler and cuts pieces off; a step in the middle that does nothing can remain.
 *
 * @param {Sequence} sequence
 * @param {(sequence: Sequence) => boolean} breaks
 */
function withoutIdleSteps (sequence, breaks) {
  let shortest = sequence
  for (let i = sequence.steps.length - 1; i >= 0; i--) {
    const shorter = { ...shortest, steps: shortest.steps.toSpliced(i, 1) }
    if (breaks(shorter)) shortest = shorter
  }
  return shortest
}
