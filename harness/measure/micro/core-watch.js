/**
 * Tells whether a core runs undisturbed. On shared machines another guest often uses the core's other hyperthread: it takes arithmetic
 * units, and its lines push others out of the caches. Queues do not suffer alike, so their ratios change with it.
 *
 * A loop shows both: it loads lines that it has put into the nearest cache a moment before, and adds meanwhile. That somebody else's
 * lines can be noticed so is known from attacks on ciphers (D. A. Osvik et al., "Cache Attacks and Countermeasures: the Case of AES",
 * CT-RSA 2006, "Prime+Probe"). What a queue does has no part in it, because none runs between the two: its own collections and
 * rare work are measured like all else.
 */
import { createRandom, shuffle } from '../../model/random.js'
import { wallMs } from '../trust/clock.js'

/** Most of the smallest first-level caches that are common, 32 KB. The queue gets its own lines back within 1 % of a batch. */
const LINES = 400
/** In a line of 64 bytes. */
const INTS = 16
/** In which others can use the cache: about 25 µs. */
const PAUSE_ROUNDS = 20_000
const SEED = 1

/** In each line, where the next one begins: in an order that no prefetcher guesses, the same in every process. */
const lines = new Int32Array(LINES * INTS)
shuffle(Array.from({ length: LINES }, (_, i) => i * INTS), createRandom(SEED)).forEach((line, i, order) => { lines[line] = order[(i + 1) % LINES] })

/** Kept, so that V8 computes it. */
let sum = 0

/** @returns {number} milliseconds that the same loads and additions take, now */
export function loopMs () {
  // Twice, because caches do not always evict what was used longest ago; timed, because a long batch evicts the clock's own lines.
  timedLoad()
  timedLoad()
  sum = pause(sum)
  return timedLoad()
}

function timedLoad () {
  const start = wallMs()
  sum = load(sum)
  return wallMs() - start
}

/**
 * One load after the other, and as many additions as a core can do meanwhile.
 *
 * @param {number} seed
 */
function load (seed) {
  let [a, b, c, d, e, f] = [seed | 0, 3, 5, 7, 11, 13]
  let line = 0
  for (let i = 0; i < LINES; i++) {
    line = lines[line]
    a = (a + 3) ^ b; b = (b + 5) ^ c; c = (c + 7) ^ d; d = (d + 11) ^ e; e = (e + 13) ^ f; f = (f + 17) ^ a
  }
  return line ^ a ^ b ^ c ^ d ^ e ^ f
}

/**
 * Loads nothing.
 *
 * @param {number} seed
 */
function pause (seed) {
  let product = seed | 1
  for (let i = 0; i < PAUSE_ROUNDS; i++) product = Math.imul(product, 48_271)
  return product
}
