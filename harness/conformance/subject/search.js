/**
 * Tries generated sequences and long lives on a queue, and shortens the first that breaks each clause. The words of a
 * sequence (`attentive`, `beside`, `inside`) are explained in sequences.js, those of a life in lives.js.
 */
import fc from 'fast-check'
import { cpuMs } from '../../processes/clock.js'
import { ModelQueue } from '../../subject/trust/model-queue.js'
import { sentenceOf } from '../clauses.js'
import { isQuadratic } from '../complexity.js'
import { promisesOf } from './declaration.js'
import { SIZES, lives } from './lives.js'
import { Pair } from './pair.js'
import { families } from './sequences.js'
import { shrinkGenerated, shrinkLife } from './shrink.js'
import { Trial } from './trial.js'
import { returnsWithin } from './watchdog.js'

/**
 * @import { Life } from './lives.js'
 * @import { Sequence } from './sequences.js'
 * @import { Breaks } from './shrink.js'
 * @import { QueueUnderTest } from './trial.js'
 *
 * @typedef {object} Effort  CPU time that runs out ends a part of the search. Seconds are those of a fast machine.
 * @property {number} share  Share of each family's sequences to try.
 * @property {number} seconds  Seconds for each family.
 * @property {number} shortenSeconds  Seconds for shortening the counter-example of one clause; 0 does not shorten.
 * @property {boolean} lives  Whether to try long lives.
 *
 * @typedef {{clause: string, counterexample: string}} Breach  The counter-example is a test.
 *
 * @typedef {object} Performed
 * @property {Trial | Pair} trial
 * @property {number} usedMs  CPU time.
 * @property {boolean} isSlow  It did not end, but no call is endless: the second, longer try made further calls.
 */

/** @type {Record<'full' | 'brief', Effort>} */
export const EFFORTS = {
  full: { share: 1, seconds: 0.6, shortenSeconds: 4, lives: true },
  brief: { share: 1 / 4, seconds: 0.08, shortenSeconds: 0, lives: false }
}

/** Sequences and timers of a full search. */
export const PLANNED = { tried: families.reduce((sum, { runs }) => sum + runs, 0), largest: Math.max(...SIZES) }

/** A sequence takes about a tenth of a millisecond, and the longest, in queues with linear operations, 10 ms. */
const ENDLESS_MS = 200
/**
 * A sequence that exceeds its limit is repeated with this many times the limit. A slow queue gets further then, and so
 * does any queue on a machine that stalled; an endless call is reached again, and never left.
 */
const CONFIRMATION = 3
/** Shorter versions of a sequence get this share of its time; of an endless sequence, the smaller share. */
const SHORTER = { share: 1 / 4, endless: 1 / 6 }
/** Sequences share a watch for this long: starting one takes as long as a sequence. */
const WATCH_MS = 250
/** The clock is read after this many sequences: reading it takes as long as one. */
const TRIALS_PER_CLOCK = 16
/** Shorter versions to try. */
const ATTEMPTS = 8000
const ENDLESS_ATTEMPTS = 50

/** A life is tried only if it is expected to take no longer than this, and at most half of what all lives have left. */
const LIFE_SECONDS = 3
const ALL_LIVES_SECONDS = 6
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

/** These clauses are blamed even when the sequence also exercised another one. */
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

/** Clauses whose breach ends the search: every further sequence could fail for that reason alone. */
const FATAL = ['returns', 'instances']

/** Head of a counter-example that does not fail again. */
const SEEN_ONCE =
  '// seen once, and not again when the same calls were repeated: random numbers, or state that outlives a queue'

export class Search {
  /** Generated sequences that were tried. */
  tried = 0
  /** Timers, or starts of a few timers, of the longest lives that were tried. */
  largest = 0
  #queue
  #effort
  #returnsWithin
  /** @type {Set<string>} */
  #broken = new Set()
  /** @type {number | undefined} */
  #modelMs
  /** CPU time that lives have left. */
  #livesSeconds = 0

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
    const { share, seconds, lives } = this.#effort
    const familyMs = 1000 * seconds * this.#slowness
    for (const { sequences, runs } of families) {
      const sample = fc.sample(sequences, { seed, numRuns: Math.ceil(share * runs) })
      let leftMs = familyMs
      for (let run = 0; run < sample.length && leftMs > 0;) {
        const { tried, faulty, usedMs } = this.#tryUntilFault(sample.slice(run), leftMs)
        run += tried
        this.tried += tried
        leftMs -= usedMs
        const last = sample[run - 1]
        if (faulty) yield * this.#breachOf(faulty, ENDLESS_MS, breaks => shrinkGenerated(sequences, last, breaks))
        if (FATAL.some(clause => this.#broken.has(clause))) return
      }
    }
    if (lives) yield * this.breachesInLives()
  }

  /** @returns {Generator<Breach>} */
  * breachesInLives () {
    this.largest = Math.max(...SIZES)
    this.#livesSeconds = ALL_LIVES_SECONDS * this.#slowness
    for (const life of lives) {
      yield * this.#breachesInLife(life)
      if (this.#broken.has('returns')) return
    }
  }

  /**
   * Tries a life at growing sizes, until it breaks a clause or takes too long.
   *
   * @param {Life} life
   * @returns {Generator<Breach>}
   */
  * #breachesInLife ({ steps, largest, inside }) {
    const growth = isQuadratic(this.#queue.promises.complexity) ? QUADRATIC_GROWTH : GROWTH
    let expected = 0
    let triedSize = 0
    for (const size of SIZES.filter(size => size <= largest)) {
      const sequence = { steps: steps(size), actions: [], attentive: false, inside }
      const result = this.#mayTake(expected) ? yield * this.#breachesAt(sequence, expected) : null
      if (!result || result.isSlow) this.largest = Math.min(this.largest, triedSize)
      // A larger life would break the same clauses, or take even longer.
      if (!result || result.isSlow || result.isBroken) return
      expected = growth * result.seconds
      triedSize = size
    }
  }

  /**
   * A quadratic queue's first two lives must leave time for those that show other faults.
   *
   * @param {number} seconds  Expected time of a life.
   */
  #mayTake (seconds) {
    return seconds === 0 || (seconds <= LIFE_SECONDS * this.#slowness && seconds <= this.#livesSeconds / 2)
  }

  /**
   * Tries a life of one size. A trial ends at its first new fault, so the life is repeated until it shows no other.
   *
   * @param {Sequence} life
   * @param {number} expected  Seconds.
   * @returns {Generator<Breach, {seconds: number, isSlow: boolean, isBroken: boolean}>}
   */
  * #breachesAt (life, expected) {
    const limitMs = 1000 * (PATIENCE_SECONDS + PATIENCE * expected)
    for (let isBroken = false; ;) {
      const { trial, usedMs, isSlow } = this.#performSurely(life, limitMs)
      const seconds = usedMs / 1000
      this.#livesSeconds -= seconds
      const breaches = !isSlow && isNew(trial, this.#broken)
        ? this.#breachOf(trial, limitMs, breaks => shrinkLife(life, breaks))
        : []
      yield * breaches
      isBroken ||= breaches.length > 0 || (trial.fault !== null && !isEndless(trial))
      if (breaches.length === 0 || this.#broken.has('returns')) return { seconds, isSlow, isBroken }
    }
  }

  /** How many times as slow as a fast machine this one is. */
  get #slowness () {
    this.#modelMs ??= modelMs()
    return Math.min(MOST_SLOWNESS, Math.max(1, this.#modelMs / MODEL_MS))
  }

  /**
   * Tries sequences until one breaks a clause that was not known to be broken, or the time is used up.
   *
   * @param {Sequence[]} sequences
   * @param {number} limitMs  CPU time.
   * @returns {{tried: number, faulty: Trial | Pair | null, usedMs: number}} `faulty`: the last one tried, if it breaks
   *   such a clause
   */
  #tryUntilFault (sequences, limitMs) {
    const start = cpuMs()
    const watchMs = Math.min(limitMs, WATCH_MS)
    let tried = 0
    /** @type {Trial | Pair | null} */
    let faulty = null
    const tryMany = () => {
      while (tried < sequences.length && faulty === null) {
        const trial = trialOf(this.#queue, sequences[tried], this.#broken)
        trial.perform()
        tried++
        if (isNew(trial, this.#broken)) faulty = trial
        if (tried % TRIALS_PER_CLOCK === 0 && cpuMs() - start >= watchMs) return
      }
    }
    const returned = this.#returnsWithin(tryMany, watchMs + ENDLESS_MS)
    const isOver = tried === sequences.length || faulty !== null
    if (returned || isOver) return { tried, faulty, usedMs: cpuMs() - start }
    // The sequence shared its time with those before it. Only its own time counts: the machine may have stalled.
    const { trial, usedMs, isSlow } = this.#performSurely(sequences[tried], ENDLESS_MS)
    const isFaulty = !isSlow && isNew(trial, this.#broken)
    return { tried: tried + 1, faulty: isFaulty ? trial : null, usedMs }
  }

  /**
   * Performs a sequence, and once more with more time if it does not return.
   *
   * @param {Sequence} sequence
   * @param {number} limitMs  CPU time.
   * @returns {Performed} the last try
   */
  #performSurely (sequence, limitMs) {
    const start = cpuMs()
    const first = this.#perform(sequence, limitMs)
    const end = cpuMs()
    if (!isEndless(first)) return { trial: first, usedMs: end - start, isSlow: false }
    const trial = this.#perform(sequence, CONFIRMATION * limitMs)
    return { trial, usedMs: cpuMs() - end, isSlow: isEndless(trial) && trial.calls > first.calls }
  }

  /**
   * @param {Sequence} sequence
   * @param {number} limitMs  CPU time.
   */
  #perform (sequence, limitMs) {
    let trial = trialOf(this.#queue, sequence, this.#broken)
    // Each watch begins with a new trial: a busy machine may need several.
    const returned = this.#returnsWithin(() => {
      trial = trialOf(this.#queue, sequence, this.#broken)
      trial.perform()
    }, limitMs)
    if (!returned) trial.endless(limitMs)
    return trial
  }

  /**
   * Shortens the sequence of a trial, and adds its clause to the broken ones.
   *
   * @param {Trial | Pair} seen
   * @param {number} limitMs  CPU time of its sequence.
   * @param {(breaks: Breaks) => void} shrink  Tries shorter sequences, and ends with the shortest.
   * @returns {Breach[]} one, or none if the sequence returns after all
   */
  #breachOf (seen, limitMs, shrink) {
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
   * @param {Trial | Pair} seen
   * @param {number} limitMs
   * @param {(breaks: Breaks) => void} shrink
   * @returns {Trial | Pair | null} trial of the shortest sequence that breaks the same clause; null if none does
   */
  #shortest (seen, limitMs, shrink) {
    const clause = seen.fault?.clause
    const [share, most] = isEndless(seen) ? [SHORTER.endless, ENDLESS_ATTEMPTS] : [SHORTER.share, ATTEMPTS]
    const end = cpuMs() + 1000 * this.#effort.shortenSeconds
    let attempts = 0
    let patienceMs = limitMs
    let shortest = /** @type {{trial: Trial | Pair, sequence: Sequence} | null} */ (null)
    shrink(sequence => {
      if (attempts++ >= most || (shortest && cpuMs() > end)) return false
      const trial = this.#perform(sequence, patienceMs)
      if (trial.fault?.clause !== clause || !isNew(trial, this.#broken)) return false
      patienceMs = limitMs * share
      shortest = { trial, sequence }
      return true
    })
    if (!shortest || !isEndless(seen)) return shortest && shortest.trial
    // It was given little time.
    const repeated = this.#perform(shortest.sequence, limitMs)
    return isEndless(repeated) ? repeated : seen
  }
}

/** @returns {number} CPU time of a life of the model, in milliseconds */
function modelMs () {
  const start = cpuMs()
  const model = { Queue: ModelQueue, promises: promisesOf({}), seed: 0 }
  new Trial(model, { steps: lives[0].steps(MODEL_TIMERS), actions: [], attentive: false }, new Set()).perform()
  return cpuMs() - start
}

/** @param {Trial | Pair} trial */
const isEndless = ({ fault }) => fault?.clause === 'returns'

/** @type {(queue: QueueUnderTest, sequence: Sequence, broken: Set<string>) => Trial | Pair} */
const trialOf = (queue, sequence, broken) => new (sequence.beside ? Pair : Trial)(queue, sequence, broken)

/**
 * @param {Trial | Pair} trial
 * @param {Set<string>} broken
 */
function isNew (trial, broken) {
  if (trial.fault === null) return false
  // Odd payloads may break anything.
  const isExcused = broken.has('payload') && trial.exercised.includes('payload')
  return !isExcused && !broken.has(clauseToBlame(trial, broken))
}

/**
 * A fault may break a clause only because of another clause that the sequence exercised. So a broken clause is blamed
 * before a new one, and otherwise the clause that was exercised last: the one about throwing, for example, for a fault
 * that shows only after expire has thrown.
 *
 * @param {Trial | Pair} trial
 * @param {Set<string>} broken
 */
function clauseToBlame ({ fault, exercised }, broken) {
  const { clause } = /** @type {NonNullable<Trial['fault']>} */ (fault)
  if (SPECIFIC.has(clause)) return clause
  const known = [clause, ...exercised].find(name => broken.has(name))
  return known ?? exercised.at(-1) ?? clause
}
