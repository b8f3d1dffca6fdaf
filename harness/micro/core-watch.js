/**
 * Tells whether a core runs at full speed. On shared machines another guest often uses the core's other hyperthread: additions then
 * take 1.2 to 2 times as long, and what waits for memory or guesses branches suffers less, or more. So queues do not slow down
 * alike, and their ratios change with it.
 */
import { wallMs } from '../trust/clock.js'

/** The loop takes about 4 µs. */
const ROUNDS = 700
/** The first ones load its code again; a tick of the system falls into one of them at most. */
const TRIES = 4

/** Kept, so that V8 computes it. */
let sum = 0

/**
 * @returns {number} milliseconds that the same additions take, now: the shortest of some tries, each of a few microseconds
 */
export function loopMs () {
  let shortest = Infinity
  for (let i = 0; i < TRIES; i++) {
    const start = wallMs()
    sum = add(sum)
    shortest = Math.min(shortest, wallMs() - start)
  }
  return shortest
}

/**
 * As many independent additions as a core can start at once, in more code than V8 inlines: inlined into different callers, the same
 * loop took 6.1 or 7.5 µs.
 *
 * @param {number} seed
 */
function add (seed) {
  let [a, b, c, d, e, f] = [seed | 0, 3, 5, 7, 11, 13]
  for (let i = 0; i < ROUNDS; i++) {
    a = (a + 3) ^ b; b = (b + 5) ^ c; c = (c + 7) ^ d; d = (d + 11) ^ e; e = (e + 13) ^ f; f = (f + 17) ^ a
    a = (a + 19) ^ b; b = (b + 23) ^ c; c = (c + 29) ^ d; d = (d + 31) ^ e; e = (e + 37) ^ f; f = (f + 41) ^ a
    a = (a + 43) ^ b; b = (b + 47) ^ c; c = (c + 53) ^ d; d = (d + 59) ^ e; e = (e + 61) ^ f; f = (f + 67) ^ a
    a = (a + 71) ^ b; b = (b + 73) ^ c; c = (c + 79) ^ d; d = (d + 83) ^ e; e = (e + 89) ^ f; f = (f + 97) ^ a
    a = (a + 101) ^ b; b = (b + 103) ^ c; c = (c + 107) ^ d; d = (d + 109) ^ e; e = (e + 113) ^ f; f = (f + 127) ^ a
    a = (a + 131) ^ b; b = (b + 137) ^ c; c = (c + 139) ^ d; d = (d + 149) ^ e; e = (e + 151) ^ f; f = (f + 157) ^ a
    a = (a + 163) ^ b; b = (b + 167) ^ c; c = (c + 173) ^ d; d = (d + 179) ^ e; e = (e + 181) ^ f; f = (f + 191) ^ a
    a = (a + 193) ^ b; b = (b + 197) ^ c; c = (c + 199) ^ d; d = (d + 211) ^ e; e = (e + 223) ^ f; f = (f + 227) ^ a
  }
  return a ^ b ^ c ^ d ^ e ^ f
}
