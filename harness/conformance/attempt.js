/** Tries one sequence on one queue, under a watchdog, and decides which clause to blame for a fault. */
import { sentenceOf } from './clauses.js'
import { Trial } from './trial/trial.js'
import { returnsWithin } from './watchdog.js'

/**
 * @typedef {import('../../queues/contract.js').TimerQueue} TimerQueue
 * @typedef {import('../../queues/contract.js').QueueMeta} QueueMeta
 * @typedef {import('./sequences.js').Sequence} Sequence
 * @typedef {import('./trial/faults.js').Fault} Fault
 *
 * @typedef {object} Subject
 * @property {new () => TimerQueue} Queue
 * @property {Pick<QueueMeta, 'order' | 'accuracy' | 'complexity'>} declared
 * @property {number} seed
 *
 * @typedef {object} Breach  The first sequence seen to break a clause.
 * @property {string} clause
 * @property {string} seen  What it did, as a test.
 * @property {() => string | null} shorten  The shortest sequence that breaks the clause, as a test; null if the clause
 *   does not break again.
 */

/** Clauses that are blamed for their own faults, whatever the sequence did before. */
const SPECIFIC = new Set(['returns', 'throws-nothing', 'release', 'order', 'inside-expire', 'same-batch', 'throwing'])

/**
 * @param {Subject} subject
 * @param {Sequence} sequence
 * @param {number} limitMs  CPU time.
 */
export function perform (subject, sequence, limitMs) {
  let trial = createTrial(subject, sequence)
  const returns = returnsWithin(() => {
    trial = createTrial(subject, sequence)
    trial.perform()
  }, limitMs)
  if (!returns) trial.endless()
  return trial
}

/**
 * @param {Subject} subject
 * @param {Sequence} sequence
 */
export function createTrial ({ Queue, declared }, sequence) {
  return new Trial(Queue, declared, sequence)
}

/**
 * The clauses that a trial is the first to break.
 *
 * @param {Trial} trial
 * @param {Set<string>} broken  Clauses that are broken already; the new ones are added.
 */
export function newBreaches (trial, broken) {
  const breaches = []
  for (const fault of trial.faults) {
    const clause = clauseToBlame(fault, broken)
    if (broken.has(clause)) continue
    broken.add(clause)
    breaches.push({ clause, seen: print(trial, fault, clause) })
  }
  return breaches
}

/**
 * @param {Trial} trial
 * @param {string} clause
 */
export function findFault (trial, clause) {
  return trial.faults.find(fault => isToBlame(fault, clause))
}

/**
 * @param {Trial} trial
 * @param {Fault} fault
 * @param {string} clause
 */
export function print (trial, fault, clause) {
  return trial.print(fault, sentenceOf(clause))
}

/**
 * Removes steps that do nothing: fast-check simplifies steps and cuts pieces off, but can leave such a step in the middle.
 *
 * @param {Sequence} sequence
 * @param {(sequence: Sequence) => boolean} breaks
 */
export function withoutIdleSteps (sequence, breaks) {
  let shortest = sequence
  for (let i = sequence.steps.length - 1; i >= 0; i--) {
    const shorter = { ...shortest, steps: shortest.steps.toSpliced(i, 1) }
    if (breaks(shorter)) shortest = shorter
  }
  return shortest
}

/**
 * Measures CPU time, which other processes do not use up.
 *
 * @returns {() => number} seconds since the start
 */
export function startCpuClock () {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1e6
  }
}

/**
 * Blames the clause about throwing, for example, for what goes wrong only after expire has thrown.
 *
 * @param {Fault} fault
 * @param {Set<string>} known  Clauses that are broken already.
 */
function clauseToBlame ({ clause, after }, known) {
  if (SPECIFIC.has(clause)) return clause
  return [clause, ...after].find(candidate => known.has(candidate)) ?? after.at(-1) ?? clause
}

/**
 * @param {Fault} fault
 * @param {string} clause
 */
function isToBlame (fault, clause) {
  if (SPECIFIC.has(fault.clause) || fault.after.length === 0) return fault.clause === clause
  return fault.after.includes(clause)
}
