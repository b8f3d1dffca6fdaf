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
 *
 * @typedef {object} Subject
 * @property {new () => TimerQueue} Queue
 * @property {Pick<QueueMeta, 'order' | 'accuracy'>} declared
 * @property {number} seed
 *
 * @typedef {{tried: number}} Tally  Sequences.
 *
 * @typedef {object} Breach  The first run that breaks a clause.
 * @property {fc.Arbitrary<Sequence>} sequences
 * @property {number} run
 * @property {string} seen  What it did, as a test.
 */

/** A sequence takes about a tenth of a millisecond. */
const ENDLESS_MS = 500
/** Once one is known to be endless, the shorter ones need not be waited for so long. */
const STILL_ENDLESS_MS = 20
/** Processor time to try a family of sequences, and for a counter-example: more than any but the slowest queues need. */
const FAMILY_SECONDS = 1
const SHRINKING_SECONDS = 2
/** How often a counter-example is tried to be made shorter; an endless one less often. */
const ATTEMPTS = 2000
const ENDLESS_ATTEMPTS = 50

/** Heads what no repetition shows: random numbers, or what outlives a queue, had a part in it. */
const SEEN_ONCE = '// seen once, and not again when the same was repeated'

/** Clauses that already say what a sequence must have asked for to break them. */
const SPECIFIC = new Set(['returns', 'throws-nothing', 'release', 'order', 'inside-expire', 'same-batch', 'throwing'])

const PLANNED = families.reduce((sum, { runs }) => sum + runs, 0)

/**
 * @param {Subject} subject
 * @returns {{broken: Map<string, string>, sequences: {tried: number, planned: number}}} counter-examples by clause, and
 *   how many sequences there was time for
 */
export function checkSequences (subject) {
  /** @type {Map<string, string>} */
  const broken = new Map()
  const tally = { tried: 0 }
  for (const { clause, breach } of findBreaches(subject, tally)) {
    broken.set(clause, findShortest(subject, clause, breach) ?? `${SEEN_ONCE}\n${breach.seen}`)
  }
  return { broken, sequences: { ...tally, planned: PLANNED } }
}

/**
 * @param {Subject} subject
 * @param {Tally} [tally]
 * @returns {Generator<{clause: string, breach: Breach}>} as they are found
 */
export function * findBreaches (subject, tally = { tried: 0 }) {
  /** @type {Set<string>} */
  const broken = new Set()
  for (const { sequences, runs } of families) {
    let cpuMicros = 0
    for (const [run, sequence] of fc.sample(sequences, { seed: subject.seed, numRuns: runs }).entries()) {
      const start = process.cpuUsage()
      let trial = perform(subject, sequence, ENDLESS_MS)
      // A process that was held up looks endless, but hardly twice.
      if (trial.isEndless) trial = perform(subject, sequence, ENDLESS_MS)
      cpuMicros += process.cpuUsage(start).user
      tally.tried++
      for (const finding of trial.findings) {
        const clause = blamed(finding, broken)
        if (broken.has(clause)) continue
        broken.add(clause)
        yield { clause, breach: { sequences, run, seen: trial.print(finding, sentenceOf(clause)) } }
      }
      // Whatever comes next may be endless again, and each time that costs half a second.
      if (broken.has('returns')) return
      if (cpuMicros > FAMILY_SECONDS * 1e6) break
    }
  }
}

/**
 * @param {Subject} subject
 * @param {string} clause
 * @param {Breach} breach
 * @returns {string | null} null when it breaks no more
 */
export function findShortest (subject, clause, { sequences, run }) {
  const find = (/** @type {Trial} */ trial) => trial.findings.find(finding => isToBlame(finding, clause))
  let attempts = clause === 'returns' ? ENDLESS_ATTEMPTS : ATTEMPTS
  const isSpent = budget(SHRINKING_SECONDS)
  let limitMs = ENDLESS_MS
  /** @type {Sequence | undefined} */
  let first
  const breaks = (/** @type {Sequence} */ sequence) => {
    if (attempts-- <= 0 || (isSpent() && first) || !find(perform(subject, sequence, limitMs))) return false
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
    const finding = find(trial)
    if (finding) return trial.print(finding, sentenceOf(clause))
  }
  return null
}

/**
 * @param {Subject} subject
 * @param {Sequence} sequence
 * @param {number} limitMs
 */
function perform ({ Queue, declared }, sequence, limitMs) {
  const trial = new Trial(Queue, declared, sequence)
  if (!returnsWithin(() => trial.perform(), limitMs)) trial.endless()
  return trial
}

/**
 * Processor time, so that other processes take nothing away from it.
 *
 * @param {number} seconds
 */
function budget (seconds) {
  const start = process.cpuUsage()
  return () => process.cpuUsage(start).user > seconds * 1e6
}

/**
 * What goes wrong only after expire has thrown, say, breaks the clause about throwing.
 *
 * @param {Finding} finding
 * @param {Set<string>} known  Clauses that are broken already.
 */
function blamed ({ clause, after }, known) {
  if (SPECIFIC.has(clause)) return clause
  return [clause, ...after].find(candidate => known.has(candidate)) ?? after.at(-1) ?? clause
}

/**
 * @param {Finding} finding
 * @param {string} clause
 */
function isToBlame (finding, clause) {
  if (SPECIFIC.has(finding.clause) || finding.after.length === 0) return finding.clause === clause
  return finding.after.includes(clause)
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
