/**
 * The streams of operations that all competitors replay, as files. lab/notebook/league.md describes the format, and
 * says why it is not that of traces.
 */
import { createRandom, shuffle } from '../../harness/model/random.js'

/** Kinds of records. */
export const START = 0
export const RESTART = 1
export const CANCEL = 2
export const PASS = 3

const MAGIC = 'TQS1'
/** Lengths in words of four bytes. */
const HEADER_WORDS = 6
const RECORD_WORDS = 2

const OPERATIONS_PER_MS = 40
/** Eight of these are 4.096 s, the width of a slot at the highest level that the C wheel uses here. */
const BLOCK_MS = 512
/**
 * Branch predictors learn shorter laps: with 2 ** 15 operations, lazy-wheel takes 5.8 ns, with 2 ** 18 to 2 ** 21 about
 * 8.
 */
const FEWEST_OPERATIONS = 2 ** 19
/** Fewest operations on each timer in a lap. */
const FEWEST_TOUCHES = 2

const ONE_DURATION_MS = 120_000
const [SHORTEST_MS, LONGEST_MS] = [1000, 120_000]

/**
 * @typedef {import('../../harness/model/random.js').Random} Random
 *
 * @typedef {object} Stream
 * @property {number} timers  Numbered from 0, all idle at first.
 * @property {Int32Array} setup  Records, pairs of words: `timer * 4 + kind` and milliseconds.
 * @property {Int32Array} lap  Records that are replayed again and again.
 * @property {number} blocks  Equal parts of a lap.
 * @property {number} blockOperations  Operations of each block.
 *
 * @typedef {object} StreamEntry
 * @property {string} name
 * @property {string} title
 * @property {{lead: number, measured: number}} turn  Lengths in blocks.
 * @property {number} slices  Slices of a heat.
 * @property {boolean} fires  It measures expiries, so competitors that follow the real clock cannot take part.
 * @property {() => Stream} make
 */

const refresh = () => [[RESTART, ONE_DURATION_MS]]
const restart = (/** @type {Random} */ random) => [[RESTART, drawDuration(random)]]
const cancelAndStart = (/** @type {Random} */ random) => [
  [CANCEL, 0],
  [START, drawDuration(random)]
]

/** @type {StreamEntry[]} */
export const streams = [
  ...[10_000, 1_000_000].map(timers =>
    steady('refresh', timers, 'one duration, 120 s; an operation restarts a random timer', refresh)
  ),
  ...[10_000, 100_000, 1_000_000].map(timers =>
    steady(
      'mixed',
      timers,
      'durations of 1 to 120 s; an operation restarts a random timer with another duration',
      restart
    )
  ),
  ...[10_000, 100_000, 1_000_000].map(timers =>
    steady(
      'cancel',
      timers,
      'durations of 1 to 120 s; an operation cancels a random timer and starts it with another duration',
      cancelAndStart
    )
  ),
  // A lap of a million timers takes long enough to need no lead.
  staggered(10_000, { lead: 1, measured: 8 }),
  staggered(1_000_000, { lead: 0, measured: 1 })
]

/**
 * @param {string} name
 * @param {number} timers
 * @param {string} what
 * @param {(random: Random) => number[][]} draw  The records of an operation, without the timer.
 * @returns {StreamEntry}
 */
function steady (name, timers, what, draw) {
  return {
    name: `${name}-${short(timers)}`,
    title: `${what}; ${OPERATIONS_PER_MS} operations a millisecond`,
    // After half a second of virtual time the caches hold this queue's timers again.
    turn: { lead: 1, measured: 8 },
    slices: slicesFor(timers),
    fires: false,
    make: () => makeSteady(timers, draw)
  }
}

/**
 * @param {number} timers
 * @param {StreamEntry['turn']} turn
 * @returns {StreamEntry}
 */
function staggered (timers, turn) {
  return {
    name: `expiry-${short(timers)}`,
    title:
      'timers are started with durations of 1, 2, 3 ms and so on, then expire, one a millisecond; ' +
      'an operation is a start and its expiry',
    turn,
    slices: slicesFor(timers),
    fires: true,
    make: () => makeStaggered(timers)
  }
}

/**
 * A stream in steady state. Each timer is touched as often as any other, so none stays idle long after it expires.
 *
 * @param {number} timers
 * @param {(random: Random) => number[][]} draw
 * @param {{blockMs?: number, fewestOperations?: number}} [lengths]
 * @returns {Stream}
 */
export function makeSteady (timers, draw, { blockMs = BLOCK_MS, fewestOperations = FEWEST_OPERATIONS } = {}) {
  const random = createRandom(timers)
  const all = Array.from({ length: timers }, (_, timer) => timer)
  /** @type {number[]} */
  const setup = []
  // Timers start at the rate at which they restart later, so that their ages are those of a running server.
  for (const [i, timer] of shuffle(all, random).entries()) {
    const [, ms] = /** @type {number[]} */ (draw(random).at(-1))
    add(setup, timer, START, ms)
    if ((i + 1) % OPERATIONS_PER_MS === 0) add(setup, 0, PASS, 1)
  }

  const blockOperations = blockMs * OPERATIONS_PER_MS
  const blocks = Math.ceil(Math.max(fewestOperations, FEWEST_TOUCHES * timers) / blockOperations)
  /** @type {number[]} */
  const lap = []
  let order = all
  for (let i = 0; i < blocks * blockOperations; i++) {
    if (i % timers === 0) order = shuffle(all, random)
    for (const [kind, ms] of draw(random)) add(lap, order[i % timers], kind, ms)
    if ((i + 1) % OPERATIONS_PER_MS === 0) add(lap, 0, PASS, 1)
  }
  return { timers, setup: Int32Array.from(setup), lap: Int32Array.from(lap), blocks, blockOperations }
}

/**
 * @param {number} timers
 * @returns {Stream}
 */
export function makeStaggered (timers) {
  /** @type {number[]} */
  const lap = []
  for (let timer = 0; timer < timers; timer++) add(lap, timer, START, timer + 1)
  add(lap, 0, PASS, timers)
  return { timers, setup: new Int32Array(), lap: Int32Array.from(lap), blocks: 1, blockOperations: timers }
}

/**
 * @param {number[]} words
 * @param {number} timer
 * @param {number} kind
 * @param {number} ms
 */
function add (words, timer, kind, ms) {
  words.push(timer * 4 + kind, ms)
}

/** @param {Random} random */
function drawDuration (random) {
  return SHORTEST_MS + random(LONGEST_MS - SHORTEST_MS + 1)
}

/**
 * Turns with many timers take long.
 *
 * @param {number} timers
 */
function slicesFor (timers) {
  return timers < 1_000_000 ? 12 : 5
}

/** @param {number} timers */
function short (timers) {
  return timers % 1_000_000 === 0 ? `${timers / 1_000_000}m` : `${timers / 1000}k`
}

/**
 * @param {Stream} stream
 * @returns {Buffer} the file
 */
export function encodeStream ({ timers, setup, lap, blocks, blockOperations }) {
  const bytes = Buffer.alloc(4 * (HEADER_WORDS + setup.length + lap.length))
  bytes.write(MAGIC, 'latin1')
  const header = [timers, setup.length / RECORD_WORDS, blocks, lap.length / RECORD_WORDS / blocks, blockOperations]
  let offset = MAGIC.length
  for (const words of [header, setup, lap]) {
    for (const word of words) offset = bytes.writeInt32LE(word, offset)
  }
  return bytes
}
