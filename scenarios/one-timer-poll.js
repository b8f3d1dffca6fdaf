/**
 * A program that polls its timers once a millisecond, as a QUIC stack does. Hardly any timer is ever due. Asking for
 * the next expiry and looking for due timers are timed separately.
 */

/** @import { MicroScenario } from './contract.js' */

const POLLS = 1000
const DURATION_MS = 10_000

/** @type {MicroScenario} */
export const scenario = {
  name: 'one-timer-poll',
  title: 'n timers pending, usually one; polled every millisecond, nothing due',
  kind: 'micro',
  source: 'neqo pull request 1780 (2024): next_time and take_next',
  parameters: { size: { title: 'pending timers', minimum: 1 } },
  presets: {
    quick: { size: [1, 10_000] },
    documented: { size: [1, 1000, 1_000_000] },
    ci: { size: [1, 100] }
  },

  createWorkload (queue, { size }) {
    const outcome = { fired: 0, checksum: 0 }
    let now = 0
    let answer = 0
    const expire = (/** @type {any} */ timer) => {
      if (answer > now) throw new Error(`nextExpiry() was ${answer}, and a timer fires at ${now}`)
      outcome.fired++
      outcome.checksum = (outcome.checksum + Math.imul(queue.payloadOf(timer) + 1, now)) >>> 0
      queue.insert(timer, now + DURATION_MS, DURATION_MS)
    }

    function askWhen () {
      for (let i = 0; i < POLLS; i++) answer = queue.nextExpiry()
    }

    function lookForDue () {
      for (let i = 0; i < POLLS; i++) queue.advance(++now, expire)
    }

    for (let i = 0; i < size; i++) queue.insert(queue.createTimer(i), DURATION_MS, DURATION_MS)
    return {
      outcome,
      phases: [
        { metric: 'nextExpiryNsPerCall', operations: POLLS, run: askWhen },
        { metric: 'advanceNsPerCall', operations: POLLS, run: lookForDue }
      ]
    }
  }
}
