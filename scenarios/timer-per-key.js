/**
 * A cache whose entries expire, with a timer per key: each use of a key gives it another 30 seconds. Keys are used by
 * Zipf's law, so a few are refreshed all the time and many expire before they are used again. On average a key is used
 * once in 30 seconds.
 *
 * Entries may expire a little late: with slack, a timer is late by less than the slack. See slack-service.js.
 */
import { drawUnit, shuffle } from './draws.js'
import { createSlackService } from './slack-service.js'

/** @import { MicroScenario } from './contract.js' */

const USES = 5000
const LIFETIME_MS = 30_000
/** The exponent of YCSB's zipfian generator. */
const ZIPF_EXPONENT = 0.99
/** Mean uses of a key before the sequence of uses repeats: longer than entries live. */
const SEQUENCE_LIFETIMES = 4
/** A prime above all sizes, which spreads the popular keys over the memory. */
const SCATTER = 2_654_435_761

/** @type {MicroScenario} */
export const scenario = {
  name: 'timer-per-key',
  title: 'a cache of n keys, a timer each, used by a Zipf distribution: refreshed, or started again after it expired',
  kind: 'micro',
  source: 'the cache in the documentation of tokio-util, DelayQueue; keys as in YCSB (B. F. Cooper et al., SoCC 2010)',
  parameters: {
    size: { title: 'keys', minimum: 1 },
    slack: { title: 'by how much timers may be late, ms' }
  },
  presets: {
    quick: { size: [10_000], slack: [0, 64, 1024] },
    documented: { size: [100_000], slack: [0, 1, 4, 16, 64, 256, 1024, 4096] },
    ci: { size: [1000], slack: [0, 64] }
  },
  recordsLateness: true,

  createWorkload (queue, { size, slack }, random, _trace, lateness) {
    const timers = Array.from({ length: size }, (_, index) => queue.createTimer(index))
    const used = Array.from(drawKeys(size, random), key => timers[key])
    const service = createSlackService(queue, { slack }, lateness)
    const msPerUse = LIFETIME_MS / size
    let next = 0
    let clock = 0

    /** @param {number} uses */
    function useMany (uses) {
      for (let i = 0; i < uses; i++) {
        clock += msPerUse
        if (clock >= service.now + 1) service.passTo(Math.floor(clock))
        service.refresh(used[next], LIFETIME_MS)
        next = next + 1 === used.length ? 0 : next + 1
      }
    }

    useMany(size)
    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: USES, run: () => useMany(USES) }] }
  }
}

/**
 * Keys with the frequencies of Zipf's law, shuffled.
 *
 * @param {number} size
 * @param {(limit: number) => number} random
 */
function drawKeys (size, random) {
  const keys = new Uint32Array(SEQUENCE_LIFETIMES * size)
  let weights = 0
  for (let rank = 1; rank <= size; rank++) weights += rank ** -ZIPF_EXPONENT
  let drawn = 0
  let expected = drawUnit(random)
  for (let rank = 1; rank <= size; rank++) {
    expected += (keys.length * rank ** -ZIPF_EXPONENT) / weights
    while (drawn < Math.min(expected, keys.length)) keys[drawn++] = (rank * SCATTER) % size
  }
  shuffle(keys, random)
  return keys
}
