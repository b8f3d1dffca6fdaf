/**
 * Finds a short program that breaks the same clause as a long one. Stretches of steps are removed first, and then
 * fast-check makes the rest smaller. fast-check alone would try the small changes first.
 */
import fc from 'fast-check'

/**
 * @import { Program } from './programs.js'
 *
 * @typedef {(program: Program) => boolean} Breaks  Whether a program breaks the clause. The last one that does is the
 *   shortest.
 */

/**
 * @param {fc.Arbitrary<Program>} programs  The family that made the program.
 * @param {Program} program
 * @param {Breaks} breaks
 */
export function shrinkGenerated (programs, program, breaks) {
  if (!breaks(program)) return
  let shortest = program
  const replace = (/** @type {Partial<Program>} */ change) => {
    const shorter = { ...shortest, ...change }
    if (breaks(shorter)) shortest = shorter
  }
  replace({ attentive: false, oddPayloads: false })
  for (let before = Infinity; shortest.steps.length < before;) {
    before = shortest.steps.length
    for (let length = before; length > 0; length = Math.floor(length / 2)) {
      for (let start = shortest.steps.length - length; start >= 0; start -= length) {
        replace({ steps: shortest.steps.toSpliced(start, length) })
      }
    }
  }
  shrinkFrom(programs, shortest, breaks)
}

/**
 * Shrinks how often each step of a life is repeated.
 *
 * @param {Program} life
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
