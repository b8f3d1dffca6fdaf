/**
 * A cache whose entries expire, with a timer per key: each use of a key gives it another lifetime. Keys are used by
 * Zipf's law, so a few are refreshed all the time and many expire before they are used again. On average a key is used
 * once in the median lifetime.
 *
 * Lifetimes are those of three clusters at Twitter: one for all keys, a few, or jittered, so that entries that were
 * made together do not expire together. With jitter, hardly two timers have the same duration.
 */
import { drawUnit, shuffle } from './draws.js'
import { createTimers, VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

const USES = 5000
/**
 * Lifetimes by kind: the median in milliseconds, and one from a uniform number between 0 and 1.
 *
 * @type {{median: number, draw: (unit: number) => number}[]}
 */
const TTLS = [
  { median: 30_000, draw: () => 30_000 },
  {
    median: 300_000,
    draw: unit =>
      unit < 0.39 ? 60_000 : unit < 0.63 ? 300_000 : unit < 0.75 ? 600_000 : unit < 0.88 ? 3_600_000 : 14_400_000
  },
  { median: 540_000, draw: unit => Math.round(480_000 + 120_000 * unit) }
]
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
  source:
    'the cache in the documentation of tokio-util, DelayQueue; keys as in YCSB (B. F. Cooper et al., SoCC 2010); ' +
    'lifetimes of clusters 15, 4 and 6 in twitter/cache-trace, stat/2020Mar.md (CC BY 4.0)',
  parameters: {
    size: { title: 'keys', minimum: 1 },
    ttls: { title: 'lifetimes: 1 one (30 s), 2 a few (1 min to 4 h), 3 jittered (8 to 10 min)', minimum: 1 }
  },
  presets: {
    quick: { size: [10_000], ttls: [1] },
    documented: { size: [100_000], ttls: [1, 2, 3] },
    ci: { size: [1000], ttls: [1, 2, 3] }
  },

  createWorkload (queue, { size, ttls = 1 }, random) {
    const timers = createTimers(queue, size)
    const used = Array.from(drawKeys(size, random), key => timers[key])
    const { median, draw } = TTLS[Math.min(ttls, TTLS.length) - 1]
    const lifetimes = Float64Array.from(used, () => draw(drawUnit(random)))
    const service = new VirtualService(queue)
    const msPerUse = median / size
    let next = 0
    let clock = 0

    /** @param {number} uses */
    function useMany (uses) {
      for (let i = 0; i < uses; i++) {
        clock += msPerUse
        if (clock >= service.now + 1) service.passTo(Math.floor(clock))
        service.restart(used[next], lifetimes[next])
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
