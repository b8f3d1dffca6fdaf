/**
 * Finds a short sequence that breaks the same clause as a long one. Whole parts are removed first, and then fast-check
 * makes the rest smaller. fast-check alone would try the small changes first: of 116 counter-examples of broken queues,
 * the longest had 85 lines instead of 41.
 */
import fc from 'fast-check'

/**
 * @import { Action, Sequence } from './sequences.js'
 *
 * @typedef {(sequence: Sequence) => boolean} Breaks  Whether a sequence breaks the clause. The last one that does
 *   is the shortest.
 */

/**
 * @param {fc.Arbitrary<Sequence>} sequences  The family that made the sequence.
 * @param {Sequence} sequence
 * @param {Breaks} breaks
 */
export function shrinkGenerated (sequences, sequence, breaks) {
  if (breaks(sequence)) shrinkFrom(sequences, withoutIdleParts(sequence, breaks), breaks)
}

/**
 * Shrinks how often each step of a life is repeated.
 *
 * @param {Sequence} life
 * @param {Breaks} breaks
 */
export function shrinkLife (life, breaks) {
  const full = life.steps.map(({ times = 1 }) => times)
  shrinkFrom(fc.tuple(...full.map(max => fc.nat({ max }))), full, counts => {
    const steps = life.steps.map((step, i) => ({ ...step, times: step.times && counts[i] }))
    return breaks({ ...life, steps: steps.filter((_, i) => counts[i] > 0) })
  })
}

/**
 * fast-check shrinks a failing example of a property. No other value is tried.
 *
 * @template T
 * @param {fc.Arbitrary<T>} values
 * @param {T} example
 * @param {(value: T) => boolean} breaks
 */
function shrinkFrom (values, example, breaks) {
  fc.check(fc.property(values, value => !breaks(value)), { examples: [[example]], numRuns: 1 })
}

/**
 * @param {Sequence} sequence
 * @param {Breaks} breaks
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
 * @param {Breaks} breaks
 * @returns {Sequence} the same object if every part is needed
 */
function withFewerParts (sequence, breaks) {
  let shortest = sequence
  const replace = (/** @type {Partial<Sequence>} */ change) => {
    const shorter = { ...shortest, ...change }
    if (!breaks(shorter)) return false
    shortest = shorter
    return true
  }
  if (shortest.attentive) replace({ attentive: false })
  if (shortest.oddPayloads) replace({ oddPayloads: false })
  for (const list of /** @type {const} */ (['beside', 'steps'])) {
    removeStretches(shortest[list] ?? [], items => replace({ [list]: items }))
  }
  // The number of a firing chooses its action, so actions are removed from the end only.
  removeStretches(shortest.actions, (actions, start) => {
    const wasAtEnd = start === actions.length
    return wasAtEnd && replace({ actions })
  })
  for (const [i, { calls, throws }] of shortest.actions.entries()) {
    const replaceAction = (/** @type {Partial<Action>} */ change) =>
      replace({ actions: shortest.actions.with(i, { ...shortest.actions[i], ...change }) })
    if (throws) replaceAction({ throws: false })
    removeStretches(calls, calls => replaceAction({ calls }))
  }
  return shortest
}

/**
 * Removes stretches of a list, long ones first.
 *
 * @template T
 * @param {T[]} list
 * @param {(shorter: T[], start: number) => boolean} replace  Whether the list may do without the stretch that began at
 *   `start`.
 */
function removeStretches (list, replace) {
  let shortest = list
  for (let length = list.length; length > 0; length = Math.floor(length / 2)) {
    for (let start = shortest.length - length; start >= 0; start -= length) {
      const shorter = shortest.toSpliced(start, length)
      if (replace(shorter, start)) shortest = shorter
    }
  }
}
