/** Tries generated sequences and long lives on a queue, and shortens the first one that breaks each clause. */
import fc from 'fast-check'
import { wallMs } from '../measure/trust/clock.js'
import { createTrial, findFault, newBreaches, perform, print, startCpuClock, withoutIdleSteps } from './attempt.js'
import { findBreachesInLives } from './check-lives.js'
import { SIZES } from './lives.js'
import { families } from './sequences.js'
import { returnsWithin } from './watchdog.js'

/**
 * @typedef {import('./attempt.js').Breach} Breach
 * @typedef {import('./attempt.js').Subject} Subject
 * @typedef {import('./sequences.js').Sequence} Sequence
 * @typedef {import('./trial/trial.js').Trial} Trial
 *
 * @typedef {object} Tally
 * @property {number} tried  Generated sequences.
 * @property {number} largest  Timers, or starts, of the longest lives that were tried.
 */

/** A sequence takes about a tenth of a millisecond. */
const ENDLESS_MS = 500
/** Once a sequence is known to be endless, its shorter versions get less time. */
const STILL_ENDLESS_MS = 20
/** CPU time to try a family of sequences: more than any but the slowest queues need. */
const FAMILY_SECONDS = 1
/** A brief check tries this share of each family, for at most this long. */
const BRIEF = { share: 1 / 4, seconds: 0.08 }
/** CPU time to shorten a counter-example. */
const SHRINKING_SECONDS = 2
/** How many shorter sequences are tried; fewer where each may be endless. */
const ATTEMPTS = 2000
const ENDLESS_ATTEMPTS = 50
/** At most this many sequences share a watch; the first one has a watch of its own. */
const MOST_PER_WATCH = 64
/** After this, a watch starts no further sequence, so that the last one has most of its time left. */
const WATCH_MS = 50

/** Heads a counter-example that cannot be repeated: it depended on random numbers, or on state that outlives a queue. */
const SEEN_ONCE = '// seen once, and not again when the same was repeated'

const PLANNED = families.reduce((sum, { runs }) => sum + runs, 0)

/**
 * @param {Subject} subject
 * @returns {{broken: Map<string, string>, sequences: import('./index.js').Sequences}} counter-examples by clause, and
 *   how much was tried
 */
export function checkSequences (subject) {
  /** @type {Map<string, string>} */
  const broken = new Map()
  const tally = newTally()
  for (const { clause, seen, shorten } of findBreaches(subject, tally)) {
    broken.set(clause, shorten() ?? `${SEEN_ONCE}\n${seen}`)
  }
  const { tried, largest } = tally
  return { broken, sequences: { tried, planned: PLANNED, largest: { tried: largest, planned: Math.max(...SIZES) } } }
}

/**
 * Takes at most about a second of CPU time: no long lives, fewer sequences, and no counter-example is shortened.
 *
 * @param {Subject} subject
 * @returns {{broken: Map<string, string>}} what was seen, by broken clause
 */
export function checkSequencesBriefly (subject) {
  const found = findBreachesInFamilies(subject, new Set(), newTally(), BRIEF)
  return { broken: new Map(Array.from(found, ({ clause, seen }) => [clause, seen])) }
}

/**
 * @param {Subject} subject
 * @param {Tally} [tally]
 * @returns {Generator<Breach>} as they are found
 */
export function * findBreaches (subject, tally = newTally()) {
  /** @type {Set<string>} */
  const broken = new Set()
  yield * findBreachesInFamilies(subject, broken, tally, { share: 1, seconds: FAMILY_SECONDS })
  if (!broken.has('returns')) yield * findBreachesInLives(subject, broken, tally)
}

/** @returns {Tally} */
function newTally () {
  return { tried: 0, largest: 0 }
}

/**
 * @param {Subject} subject
 * @param {Set<string>} broken  Clauses that are broken already; the new ones are added.
 * @param {Tally} tally
 * @param {{share: number, seconds: number}} effort  How many of each family's sequences to try, and for how long.
 * @returns {Generator<Breach>} until an operation does not return
 */
function * findBreachesInFamilies (subject, broken, tally, { share, seconds }) {
  for (const { sequences, runs } of families) {
    const sample = fc.sample(sequences, { seed: subject.seed, numRuns: Math.ceil(share * runs) })
    for (const { run, trial } of tryEach(subject, sample, seconds)) {
      tally.tried++
      for (const { clause, seen } of newBreaches(trial, broken)) {
        yield { clause, seen, shorten: () => findShortest(subject, clause, sequences, run) }
      }
      // The next sequence may be endless too, and each of these costs half a second.
      if (broken.has('returns')) return
    }
  }
}

/**
 * @param {Subject} subject
 * @param {Sequence[]} sequences
 * @param {number} seconds  CPU time.
 * @returns {Generator<{run: number, trial: Trial}>} as far as there is CPU time
 */
function * tryEach (subject, sequences, seconds) {
  const cpuSeconds = startCpuClock()
  let run = 0
  let perWatch = 1
  do {
    const trials = tryUnderOneWatch(subject, sequences.slice(run, run + perWatch))
    for (const trial of trials) yield { run: run++, trial }
    perWatch = Math.min(2 * perWatch, MOST_PER_WATCH)
  } while (run < sequences.length && cpuSeconds() < seconds)
}

/**
 * @param {Subject} subject
 * @param {Sequence[]} sequences
 * @param {typeof returnsWithin} [watch]
 * @returns {Trial[]} of at least one sequence
 */
export function tryUnderOneWatch (subject, sequences, watch = returnsWithin) {
  /** @type {Trial[]} */
  const trials = []
  // Called again if the process got too small a share of a core, even when the last one had just ended.
  const returns = watch(() => {
    const end = wallMs() + WATCH_MS
    while (trials.length < sequences.length) {
      const trial = createTrial(subject, sequences[trials.length])
      trial.perform()
      trials.push(trial)
      if (wallMs() >= end) break
    }
  }, ENDLESS_MS)
  const unfinished = sequences[trials.length]
  // It shared its time with the sequences before it: give it the whole limit.
  if (!returns && unfinished) trials.push(perform(subject, unfinished, ENDLESS_MS))
  return trials
}

/**
 * @param {Subject} subject
 * @param {string} clause
 * @param {fc.Arbitrary<Sequence>} sequences
 * @param {number} run  Index of the sequence that breaks the clause.
 * @returns {string | null} null if the clause does not break again
 */
function findShortest (subject, clause, sequences, run) {
  let attempts = clause === 'returns' ? ENDLESS_ATTEMPTS : ATTEMPTS
  const cpuSeconds = startCpuClock()
  let limitMs = ENDLESS_MS
  /** @type {Sequence | undefined} */
  let first
  const breaks = (/** @type {Sequence} */ sequence) => {
    const isSpent = attempts-- <= 0 || (cpuSeconds() > SHRINKING_SECONDS && first)
    if (isSpent || !findFault(perform(subject, sequence, limitMs), clause)) return false
    limitMs = STILL_ENDLESS_MS
    first ??= sequence
    return true
  }
  const property = fc.property(sequences, sequence => !breaks(sequence))
  const { counterexample } = fc.check(property, { seed: subject.seed, path: String(run) })
  if (!first || !counterexample) return null
  const [shrunk] = counterexample
  attempts = shrunk.steps.length
  for (const sequence of [withoutIdleSteps(shrunk, breaks), first]) {
    const trial = perform(subject, sequence, ENDLESS_MS)
    const fault = findFault(trial, clause)
    if (fault) return print(trial, fault, clause)
  }
  return null
}
