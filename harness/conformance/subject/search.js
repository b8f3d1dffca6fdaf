/** Tries generated sequences and long lives on a queue, and shortens the first that breaks each clause. */
import fc from 'fast-check'
import { cpuMs } from '../../processes/clock.js'
import { ModelQueue } from '../../subject/trust/model-queue.js'
import { sentenceOf } from '../clauses.js'
import { isQuadratic } from '../complexity.js'
import { promisesOf } from './declaration.js'
import { SIZES, lives } from './lives.js'
import { Pair } from './pair.js'
import { families } from './sequences.js'
import { Trial } from './trial.js'
import { returnsWithin } from './watchdog.js'

/**
 * @import { Action, Sequence } from './sequences.js'
 * @import { QueueUnderTest } from './trial.js'
 *
 * @typedef {object} Effort  CPU time that runs out ends a part of the search. Seconds are those of a fast machine.
 * @property {number} share  Share of each family's sequences to try.
 * @property {number} seconds  Seconds for each family.
 * @property {number} shortenSeconds  Seconds for shortening the counter-example of one clause; 0 does not shorten.
 * @property {boolean} lives  Whether to try long lives.
 *
 * @typedef {{clause: string, counterexample: string}} Breach  The counter-example is a test.
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
/** One watch tries sequences for this long. */
const WATCH_MS = 250
/** Reading the CPU clock takes as long as a trial. */
const TRIALS_PER_CLOCK = 16
/** Shorter versions to try. */
const ATTEMPTS = 8000
const ENDLESS_ATTEMPTS = 50

/**
 * A life is not tried if it is expected to take longer, or more than half of what all lives have left: the first two of
 * a quadratic queue would leave no time for those that show other faults.
 */
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

/** Clauses blamed for their faults in any sequence. */
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
        const { tried, trial, usedMs } = this.#tryUntilFault(sample.slice(run), leftMs)
        run += tried
        this.tried += tried
        leftMs -= usedMs
        const shrink = (/** @type {(sequence: Sequence) => boolean} */ breaks) =>
          shrinkGenerated(sequences, sample[run - 1], breaks)
        if (trial) yield * this.#breachOf(trial, ENDLESS_MS, shrink)
        if (FATAL.some(clause => this.#broken.has(clause))) return
      }
    }
    if (lives) yield * this.breachesInLives()
  }

  /** @returns {Generator<Breach>} */
  * breachesInLives () {
    const growth = isQuadratic(this.#queue.promises.complexity) ? QUADRATIC_GROWTH : GROWTH
    this.largest = Math.max(...SIZES)
    let left = ALL_LIVES_SECONDS * this.#slowness
    for (const { steps, largest, inside } of lives) {
      let expected = 0
      for (const [i, size] of SIZES.filter(size => size <= largest).entries()) {
        if (expected > Math.max(0, Math.min(left / 2, LIFE_SECONDS * this.#slowness))) {
          this.largest = Math.min(this.largest, SIZES[i - 1])
          break
        }
        const limitMs = 1000 * (PATIENCE_SECONDS + PATIENCE * expected)
        const life = { steps: steps(size), actions: [], attentive: false, inside }
        let isLast = false
        // A trial ends at its first new fault: the life is tried again until no other shows.
        for (let isSearching = true; isSearching;) {
          const { trial, usedMs, isSlow } = this.#performSurely(life, limitMs)
          expected = (growth * usedMs) / 1000
          left -= usedMs / 1000
          if (isSlow) this.largest = Math.min(this.largest, SIZES[i - 1] ?? 0)
          const breaches = !isSlow && isNew(trial, this.#broken)
            ? this.#breachOf(trial, limitMs, breaks => shrinkLife(life, breaks))
            : []
          yield * breaches
          if (this.#broken.has('returns')) return
          isSearching = breaches.length > 0
          isLast ||= isSlow || isSearching || (trial.fault !== null && !isEndless(trial))
        }
        // The larger life would break the same clauses, or take even longer.
        if (isLast) break
      }
    }
  }

  /** How many times as slow as a fast machine this one is. */
  get #slowness () {
    this.#modelMs ??= modelMs()
    return Math.min(MOST_SLOWNESS, Math.max(1, this.#modelMs / MODEL_MS))
  }

  /**
   * Tries sequences under one watch, which takes 0.1 ms to start.
   *
   * @param {Sequence[]} sequences
   * @param {number} limitMs  CPU time.
   * @returns {{tried: number, trial: Trial | Pair | null, usedMs: number}} the trial that breaks another clause
   */
  #tryUntilFault (sequences, limitMs) {
    const start = cpuMs()
    const triesMs = Math.min(limitMs, WATCH_MS)
    let tried = 0
    let stalledMs = 0
    /** @type {Trial | Pair | null} */
    let faulty = null
    const tryRest = () => {
      while (tried < sequences.length && faulty === null) {
        const trial = trialOf(this.#queue, sequences[tried], this.#broken)
        trial.perform()
        tried++
        if (isNew(trial, this.#broken)) faulty = trial
        if (tried % TRIALS_PER_CLOCK === 0 && cpuMs() - start >= triesMs) return
      }
    }
    if (!this.#returnsWithin(tryRest, triesMs + ENDLESS_MS) && tried < sequences.length && faulty === null) {
      // The sequence shared its time with the ones before.
      const { trial, usedMs, isSlow } = this.#performSurely(sequences[tried++], ENDLESS_MS)
      if (!isSlow && isNew(trial, this.#broken)) faulty = trial
      stalledMs = cpuMs() - start - usedMs
    }
    return { tried, trial: faulty, usedMs: cpuMs() - start - stalledMs }
  }

  /**
   * Performs a sequence, and once more with more time if it does not return.
   *
   * @param {Sequence} sequence
   * @param {number} limitMs  CPU time.
   * @returns {{trial: Trial | Pair, usedMs: number, isSlow: boolean}} the last trial and its CPU time; `isSlow`: it did
   *   not end either, but made further calls, so no call is endless
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
    const returns = this.#returnsWithin(() => {
      trial = trialOf(this.#queue, sequence, this.#broken)
      trial.perform()
    }, limitMs)
    if (!returns) trial.endless(limitMs)
    return trial
  }

  /**
   * Shortens the sequence of a trial, and adds its clause to the broken ones.
   *
   * @param {Trial | Pair} seen
   * @param {number} limitMs  CPU time of its sequence.
   * @param {(breaks: (sequence: Sequence) => boolean) => void} shrink  Tries shorter sequences, and ends with the
   *   shortest.
   * @returns {Breach[]} one, or none if the sequence returns after all
   */
  #breachOf (seen, limitMs, shrink) {
    const clause = seen.fault?.clause
    const { shortenSeconds } = this.#effort
    const end = cpuMs() + 1000 * shortenSeconds
    let patienceMs = limitMs
    let attempts = clause === 'returns' ? ENDLESS_ATTEMPTS : ATTEMPTS
    let shortest = /** @type {{trial: Trial | Pair, sequence: Sequence} | null} */ (null)
    const breaks = (/** @type {Sequence} */ sequence) => {
      if (attempts-- <= 0 || (shortest && cpuMs() > end)) return false
      const trial = this.#perform(sequence, patienceMs)
      if (trial.fault?.clause !== clause || !isNew(trial, this.#broken)) return false
      patienceMs = limitMs * (clause === 'returns' ? SHORTER.endless : SHORTER.share)
      shortest = { trial, sequence }
      return true
    }
    if (shortenSeconds > 0) shrink(breaks)
    let { trial } = shortest ?? { trial: seen }
    if (clause === 'returns' && shortenSeconds > 0) {
      if (!shortest) return []
      const repeated = this.#perform(shortest.sequence, limitMs)
      trial = repeated.fault?.clause === 'returns' ? repeated : seen
    }
    const blamed = clauseToBlame(trial, this.#broken)
    this.#broken.add(blamed)
    const test = trial.print(sentenceOf(blamed))
    // Queues that share state keep it in this process, so the same calls may pass when they are repeated here.
    const isSure = shortest || shortenSeconds === 0 || blamed === 'instances'
    return [{ clause: blamed, counterexample: isSure ? test : `${SEEN_ONCE}\n${test}` }]
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
const isNew = (trial, broken) =>
  trial.fault !== null &&
  !broken.has(clauseToBlame(trial, broken)) &&
  // Such payloads may break anything.
  !(broken.has('payload') && trial.exercised.includes('payload'))

/**
 * Blames the clause about throwing, for example, for a fault that shows only in sequences in which expire has thrown.
 *
 * @param {Trial | Pair} trial
 * @param {Set<string>} broken
 */
function clauseToBlame ({ fault, exercised }, broken) {
  const { clause } = /** @type {NonNullable<Trial['fault']>} */ (fault)
  if (SPECIFIC.has(clause)) return clause
  return [clause, ...exercised].find(name => broken.has(name)) ?? exercised.at(-1) ?? clause
}

/**
 * Removes whole parts first, and then makes the rest smaller. fast-check alone would try the small changes first: of
 * 116 counter-examples of broken queues, the longest had 85 lines instead of 41.
 *
 * @param {fc.Arbitrary<Sequence>} sequences
 * @param {Sequence} sequence
 * @param {(sequence: Sequence) => boolean} breaks
 */
function shrinkGenerated (sequences, sequence, breaks) {
  if (!breaks(sequence)) return
  const property = fc.property(sequences, sequence => !breaks(sequence))
  fc.check(property, { examples: [[withoutIdleParts(sequence, breaks)]], numRuns: 1 })
}

/**
 * Shrinks how often each step of a life is repeated.
 *
 * @param {Sequence} life
 * @param {(sequence: Sequence) => boolean} breaks
 */
function shrinkLife (life, breaks) {
  const full = life.steps.map(({ times = 1 }) => times)
  const counts = fc.tuple(...full.map(max => fc.nat({ max })))
  const property = fc.property(counts, counts => {
    const steps = life.steps
      .map((step, i) => ({ ...step, times: step.times && counts[i] }))
      .filter((_, i) => counts[i] > 0)
    return !breaks({ ...life, steps })
  })
  fc.check(property, { examples: [[full]], numRuns: 1 })
}

/**
 * @param {Sequence} sequence
 * @param {(sequence: Sequence) => boolean} breaks
 * @returns {Sequence} the sequence without parts that are not needed to break the clause
 */
function withoutIdleParts (sequence, breaks) {
  let shortest = sequence
  for (let longer = null; longer !== shortest;) {
    longer = shortest
    shortest = withFewerParts(shortest, breaks)
  }
  return shortest
}

/**
 * @param {Sequence} sequence
 * @param {(sequence: Sequence) => boolean} breaks
 * @returns {Sequence} the same object if every part is needed
 */
function withFewerParts (sequence, breaks) {
  let shortest = sequence
  const keep = (/** @type {Partial<Sequence>} */ change) => {
    const shorter = { ...shortest, ...change }
    if (!breaks(shorter)) return false
    shortest = shorter
    return true
  }
  if (shortest.attentive) keep({ attentive: false })
  if (shortest.oddPayloads) keep({ oddPayloads: false })
  for (const list of /** @type {const} */ (['beside', 'steps'])) {
    shorten(shortest[list] ?? [], items => keep({ [list]: items }))
  }
  // The number of a firing chooses its action, so an action in the middle only gets shorter.
  shorten(shortest.actions, (actions, start) => start === actions.length && keep({ actions }))
  for (const [i, { calls, throws }] of shortest.actions.entries()) {
    const replace = (/** @type {Partial<Action>} */ change) =>
      keep({ actions: shortest.actions.with(i, { ...shortest.actions[i], ...change }) })
    if (throws) replace({ throws: false })
    shorten(calls, calls => replace({ calls }))
  }
  return shortest
}

/**
 * Removes stretches of a list, long ones first.
 *
 * @template T
 * @param {T[]} list
 * @param {(shorter: T[], start: number) => boolean} keep  Whether the list may do without the stretch that began at
 *   `start`.
 */
function shorten (list, keep) {
  let shortest = list
  for (let length = list.length; length > 0; length = Math.floor(length / 2)) {
    for (let start = shortest.length - length; start >= 0; start -= length) {
      const shorter = shortest.toSpliced(start, length)
      if (keep(shorter, start)) shortest = shorter
    }
  }
}
