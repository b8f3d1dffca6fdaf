/**
 * Judges claims in two looks, so that time is spent where it decides something:
 *
 *   first    every claim, by as many rounds as are planned
 *   second   claims that were left undecided, by these and all that there was time for since
 *
 * Two looks are two chances to be wrong. Together they may be wrong once in ten times: with five samples, the first one spends 6.25 %,
 * by ranks, and the second asks for so much confidence that it spends no more than the rest (the Bonferroni inequality). When the
 * second look takes place depends on the clock alone, not on what was seen.
 */
import { SAMPLES_TO_DECIDE } from './figures.js'

/**
 * @typedef {import('./judge.js').Claim} Claim
 * @typedef {import('./judge.js').Row} Row
 */

/** Of the intervals by which a look decides. */
export const CONFIDENCE = { first: 0.95, second: 0.9625 }
/** As many rounds as are planned, once more and then again: what does not decide a claim then would have to be many more. */
const EXTENSIONS = [2, 3]

/**
 * @param {Claim[]} claims
 * @param {object} options
 * @param {number} options.rounds  That are planned. With too few to decide anything there is no second look.
 * @param {number} options.seconds  That all of this may take: no round is begun that would take longer.
 * @param {(claims: Claim[], rounds: number) => Promise<void>} options.measure  What these claims still lack of so many rounds.
 * @param {(claim: Claim) => number} options.secondsPerRound  That a round of its own would take, about. Asked for after the first look.
 * @param {(claims: Claim[], confidence: number) => Row[]} options.judge  By all that has been measured.
 * @param {() => number} [options.clock]  In milliseconds.
 * @returns {Promise<Row[]>} one a claim
 */
export async function lookTwice (claims, { rounds: planned, seconds, measure, secondsPerRound, judge, clock = () => performance.now() }) {
  const endMs = clock() + 1000 * seconds
  await measure(claims, planned)
  const rows = judge(claims, CONFIDENCE.first)
  const undecided = claims.filter((_, i) => rows[i].verdict === 'undecided')
  if (undecided.length === 0 || planned < SAMPLES_TO_DECIDE) return rows

  // So that as many as possible are decided, what takes little time comes first.
  const open = undecided.map(claim => ({ claim, roundMs: 1000 * secondsPerRound(claim) })).sort((a, b) => a.roundMs - b.roundMs)
  for (const times of EXTENSIONS) {
    for (const { claim, roundMs } of open) {
      for (let rounds = planned * (times - 1) + 1; rounds <= planned * times && clock() + roundMs <= endMs; rounds++) await measure([claim], rounds)
    }
  }
  const again = new Map(judge(undecided, CONFIDENCE.second).map(row => [row.id, row]))
  return rows.map(row => again.get(row.id) ?? row)
}
