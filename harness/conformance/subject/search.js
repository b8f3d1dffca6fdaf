/**
 * Tries generated programs and long lives on a queue, and shortens the first that breaks each clause. The words of a
 * program (`attentive`, `beside`, `at`) are explained in programs.js, those of a life in lives.js.
 */
import fc from 'fast-check'
import { cpuMs } from '../../processes/clock.js'
import { ModelQueue } from '../../subject/trust/model-queue.js'
import { sentenceOf } from '../clauses.js'
import { isQuadratic } from '../complexity.js'
import { promisesOf } from './declaration.js'
import { SIZES, lives } from './lives.js'
import { families } from './programs.js'
import { shrinkGenerated, shrinkLife } from './shrink.js'
import { Trial } from './trial.js'
import { returnsWithin } from './watchdog.js'

/**
 * @import { Life } from './lives.js'
 * @import { Program } from './programs.js'
 * @import { Breaks } from './shrink.js'
 * @import { QueueUnderTest } from './trial.js'
 *
 * @typedef {object} Effort  CPU time that runs out ends a part of the search. Seconds are those of a fast machine.
 * @property {number} share  Share of each family's programs to try.
 * @property {number} seconds  Seconds for each family.
 * @property {number} shortenSeconds  Seconds for shortening the counter-example of one clause; 0 does not shorten.
 * @property {number} lives  Most timers of long lives; 0 tries none.
 * @property {number} livesSeconds  Seconds for all lives. A life is tried if it is expected to leave half of the rest.
 *
 * @typedef {{clause: string, counterexample: string}} Breach  The counter-example is a test.
 *
 * @typedef {object} Performed
 * @property {Trial} trial
 * @property {number} usedMs  CPU time.
 * @property {boolean} isSlow  It did not end, but no call is endless: the second, longer try made further calls.
 */

/** @type {Record<'full' | 'brief', Effort>} */
export const EFFORTS = {
  full: { share: 1, seconds: 0.6, shortenSeconds: 4, lives: Infinity, livesSeconds: 6 },
  brief: { share: 1 / 4, seconds: 0.08, shortenSeconds: 0, lives: 0, livesSeconds: 0 }
}

/** Programs and timers of a full search. */
export const PLANNED = { tried: families.reduce((sum, { runs }) => sum + runs, 0), largest: Math.max(...SIZES) }

/** A program takes about a tenth of a millisecond, and the longest, in queues with linear operations, 10 ms. */
const ENDLESS_MS = 200
/**
 * A program that exceeds its limit is repeated with this many times the limit. A slow queue gets further then, and so
 * does any queue on a machine that stalled; an endless call is reached again, and never left.
 */
const CONFIRMATION = 3
/** Shorter versions of a program get this share of its time. */
const SHORTER = 1 / 6

/** CPU time of the model's own life of 2 000 timers on a fast machine: a slow machine does not make a slow queue. */
const MODEL_MS = 40
const MODEL_TIMERS = 2000
const MOST_SLOWNESS = 4
/** A life is repeated when it takes this many times as long as expected, and half a second more. */
const PATIENCE = 1.5
const PATIENCE_SECONDS = 0.5
/** How much longer a life takes at the next size: nearly linear, or quadratic. */
const GROWTH = 12
const QUADRATIC_GROWTH = 100

/** These clauses are blamed even when the program also exercised another one. */
const SPECIFIC = new Set([
  'returns',
  'throws-nothing',
  'instances',
  'order',
  'inside-expire',
  'same-batch',
  'throwing',
  'due-again'
])

/** Clauses whose breach ends the search: every further program could fail for that reason alone. */
const FATAL = ['returns', 'instances']

/** Head of a counter-example that does not fail again. */
const SEEN_ONCE =
  '// seen once, and not again when the same calls were repeated: random numbers, or state that outlives a queue'
const SHARED = '; each queue alone passes: the queues share state, perhaps a variable of the module'

export class Search {
  /** Generated programs that were tried. */
  tried = 0
  /** Timers, or starts of a few timers, of the longest lives that were tried. */
  largest = 0
  #queue
  #effort
  #returnsWithin
  /** @type {Set<string>} */
  #broken = new Set()
  /** How many times as slow as a fast machine this one is. */
  #slowness = Math.min(MOST_SLOWNESS, Math.max(1, modelMs() / MODEL_MS))

  /**
   * @param {QueueUnderTest} queue
   * @param {Effort} [effort]
   * @param {typeof returnsWithin} [watchdog]
   */
  constructor (queue, effort = EFFORTS.full, watchdog = returnsWithin) {
    this.#queue = queue
    this.#effort = effort
    this.#returnsWithin = watchdog
  }

  /** @returns {Generator<Breach>} one for each broken clause, until an operation does not return */
  * breaches () {
    const { seed } = this.#queue
    const { share, seconds } = this.#effort
    for (const { programs, runs } of families) {
      let leftMs = 1000 * seconds * this.#slowness
      for (const program of fc.sample(programs, { seed, numRuns: Math.ceil(share * runs) })) {
        if (leftMs <= 0) break
        const performed = this.#performSurely(program, ENDLESS_MS)
        this.tried++
        leftMs -= performed.usedMs
        yield * this.#breachOf(performed, ENDLESS_MS, breaks => shrinkGenerated(programs, program, breaks))
        if (FATAL.some(clause => this.#broken.has(clause))) return
      }
    }
    if (this.#effort.lives > 0) yield * this.breachesInLives()
  }

  /**
   * Tries lives at growing sizes, until they break a clause or take too long.
   *
   * @returns {Generator<Breach>}
   */
  * breachesInLives () {
    const sizes = SIZES.filter(size => size <= this.#effort.lives)
    this.largest = Math.max(...sizes)
    let leftSeconds = this.#effort.livesSeconds * this.#slowness
    const growth = isQuadratic(this.#queue.promises.complexity) ? QUADRATIC_GROWTH : GROWTH
    for (const { steps, largest, inside } of lives) {
      let expected = 0
      let triedSize = 0
      for (const size of sizes.filter(size => size <= largest)) {
        // A quadratic queue's first lives must leave time for those that show other faults.
        const isTried = expected === 0 || expected <= leftSeconds / 2
        const program = { steps: steps(size), attentive: false, inside }
        const { seconds, isSlow, isBroken } = isTried ? yield * this.#breachesAt(program, expected) : NOT_TRIED
        leftSeconds -= seconds
        if (isSlow) this.largest = Math.min(this.largest, triedSize)
        if (this.#broken.has('returns')) return
        // A larger life would break the same clauses, or take even longer.
        if (isSlow || isBroken) break
        expected = growth * seconds
        triedSize = size
      }
    }
  }

  /**
   * Tries a life of one size. A trial ends at its first new fault, so the life is repeated until it shows no other.
   *
   * @param {Program} life
   * @param {number} expected  Seconds.
   * @returns {Generator<Breach, {seconds: number, isSlow: boolean, isBroken: boolean}>}
   */
  * #breachesAt (life, expected) {
    const limitMs = 1000 * (PATIENCE_SECONDS + PATIENCE * expected)
    for (let isBroken = false, seconds = 0; ;) {
      const performed = this.#performSurely(life, limitMs)
      const { trial, usedMs, isSlow } = performed
      seconds += usedMs / 1000
      const breaches = this.#breachOf(performed, limitMs, breaks => shrinkLife(life, breaks))
      yield * breaches
      isBroken ||= breaches.length > 0 || (trial.fault !== null && !isEndless(trial))
      if (breaches.length === 0 || this.#broken.has('returns')) return { seconds, isSlow, isBroken }
    }
  }

  /**
   * Performs a program, and once more with more time if it does not return.
   *
   * @param {Program} program
   * @param {number} limitMs  CPU time.
   * @returns {Performed} the last try
   */
  #performSurely (program, limitMs) {
    const start = cpuMs()
    const first = this.#perform(program, limitMs)
    const end = cpuMs()
    if (!isEndless(first)) return { trial: first, usedMs: end - start, isSlow: false }
    const trial = this.#perform(program, CONFIRMATION * limitMs)
    return { trial, usedMs: cpuMs() - end, isSlow: isEndless(trial) && trial.calls > first.calls }
  }

  /**
   * Blames a fault on shared state where the queue passes alone.
   *
   * @param {Program} program
   * @param {number} limitMs  CPU time.
   */
  #perform (program, limitMs) {
    const trial = this.#performOnce(program, limitMs)
    const { fault } = trial
    const steps = program.steps.filter(({ kind }) => kind !== 'beside')
    if (fault === null || isEndless(trial) || steps.length === program.steps.length) return trial
    const alone = this.#performOnce({ ...program, steps }, limitMs)
    // Not shortened, it would be blamed on all that the program does: later families do less.
    if (alone.fault) return this.#effort.shortenSeconds > 0 ? alone : new Trial(this.#queue, program, this.#broken)
    fault.clause = 'instances'
    fault.message += SHARED
    return trial
  }

  /**
   * @param {Program} program
   * @param {number} limitMs  CPU time.
   */
  #performOnce (program, limitMs) {
    let trial = new Trial(this.#queue, program, this.#broken)
    // Each watch begins with a new trial: a busy machine may need several.
    const returned = this.#returnsWithin(() => {
      trial = new Trial(this.#queue, program, this.#broken)
      trial.perform()
    }, limitMs)
    if (!returned) trial.endless(limitMs)
    return trial
  }

  /**
   * Shortens the program of a trial that broke another clause, and adds the clause to the broken ones.
   *
   * @param {Performed} performed
   * @param {number} limitMs  CPU time of the program.
   * @param {(breaks: Breaks) => void} shrink  Tries shorter programs, and ends with the shortest.
   * @returns {Breach[]} one, or none if nothing new is broken, or the program returns after all
   */
  #breachOf ({ trial: seen, isSlow }, limitMs, shrink) {
    if (isSlow || !isNew(seen, this.#broken)) return []
    const shortens = this.#effort.shortenSeconds > 0
    const shortest = shortens ? this.#shortest(seen, limitMs, shrink) : null
    if (shortens && isEndless(seen) && !shortest) return []
    const trial = shortest ?? seen
    const blamed = clauseToBlame(trial, this.#broken)
    this.#broken.add(blamed)
    const test = trial.print(sentenceOf(blamed))
    // Queues that share state keep it in this process, so the same calls may pass when they are repeated here.
    const isSeenOnce = shortens && !shortest && blamed !== 'instances'
    return [{ clause: blamed, counterexample: isSeenOnce ? `${SEEN_ONCE}\n${test}` : test }]
  }

  /**
   * @param {Trial} seen
   * @param {number} limitMs
   * @param {(breaks: Breaks) => void} shrink
   * @returns {Trial | null} trial of the shortest program that breaks the same clause; null if none does
   */
  #shortest (seen, limitMs, shrink) {
    const end = cpuMs() + 1000 * this.#effort.shortenSeconds
    /** @type {Program[]} */
    const breaking = []
    const tried = (/** @type {Program} */ program, /** @type {number} */ patienceMs) => {
      const trial = this.#perform(program, patienceMs)
      return trial.fault?.clause === seen.fault?.clause && isNew(trial, this.#broken) ? trial : null
    }
    shrink(program => {
      const [first] = breaking
      if (first && cpuMs() > end) return false
      if (!tried(program, first ? limitMs * SHORTER : limitMs)) return false
      breaking.push(program)
      return true
    })
    // The shortest was given little time.
    const [first] = breaking
    return first ? tried(breaking[breaking.length - 1], limitMs) ?? tried(first, limitMs) : null
  }
}

/** A life that would take too long. */
const NOT_TRIED = { seconds: 0, isSlow: true, isBroken: false }

/** @returns {number} CPU time of a life of the model, in milliseconds */
function modelMs () {
  const start = cpuMs()
  const model = { Queue: ModelQueue, promises: promisesOf({}), seed: 0 }
  new Trial(model, { steps: lives[0].steps(MODEL_TIMERS), attentive: false }, new Set()).perform()
  return cpuMs() - start
}

/** @param {Trial} trial */
const isEndless = ({ fault }) => fault?.clause === 'returns'

/**
 * @param {Trial} trial
 * @param {Set<string>} broken
 */
function isNew (trial, broken) {
  if (trial.fault === null) return false
  // Odd payloads may break anything.
  const isExcused = broken.has('payload') && trial.exercised.includes('payload')
  return !isExcused && !broken.has(clauseToBlame(trial, broken))
}

/**
 * A fault may break a clause only because of another clause that the program exercised. So a broken clause is blamed
 * before a new one, and otherwise the clause that was exercised last: the one about throwing, for example, for a fault
 * that shows only after expire has thrown.
 *
 * @param {Trial} trial
 * @param {Set<string>} broken
 */
function clauseToBlame ({ fault, exercised }, broken) {
  const { clause } = /** @type {NonNullable<Trial['fault']>} */ (fault)
  if (SPECIFIC.has(clause)) return clause
  const known = [clause, ...exercised].find(name => broken.has(name))
  return known ?? exercised.at(-1) ?? clause
}
