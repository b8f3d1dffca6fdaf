/**
 * Measures queues in the turns of a heat, and the cost of a turn that begins with another queue's timers in the caches:
 * right after it, with the core still its own, the process is measured again.
 */
import { median } from 'simple-statistics'
import { drawLayout } from '../../harness/measure/heat/micro.js'
import { QueueProcess } from '../../harness/measure/micro/queue-process.js'
import { createRandom, shuffle } from '../../harness/model/random.js'

/**
 * @typedef {{leadMs: number, turnMs: number}} Lengths
 *
 * @typedef {(number[] | null)[]} Slice  Times per operation of each queue, in the turns that it took one after the
 *   other.
 *
 * @typedef {object} Round  Ratios to the first queue, the control, at one size; null where a queue has none.
 * @property {number} size
 * @property {(number | null)[][]} inTurns  Ratios by lengths of turns and queue.
 * @property {(number | null)[][]} shift  Slowdown of a turn against the stretch right after it, relative to the
 *   control, by lengths of turns and queue.
 */

/** Turns that other queues do not affect: a lead of 40 ms fills caches of 32 MB, at 80 ns a line of 64 bytes. */
export const SETTLED = { leadMs: 40, turnMs: 10 }
/** Slices of each choice without a break, as in a heat, and with a settled stretch after every turn. */
const SLICES = 24
const SETTLED_SLICES = 16
/** Passes over all choices: changes of the machine fall on all of them. */
const PASSES = 4
/**
 * A queue that takes this many times its share has cycles that are too long for turns, and is left out. A pause of a
 * second does not count.
 */
const PATIENCE = 4
const PAUSE_MS = 1000
/** Warm-up after which a queue of this size is in steady state: each timer was restarted twice or more. */
const warmupMsFor = (/** @type {number} */ size) => Math.max(300, size / 1000)
const LIMIT_MS = 120_000

/**
 * @typedef {object} Place
 * @property {number} size
 * @property {string} scenarioUrl
 * @property {number} seed  Seed of this round.
 * @property {string[]} pin
 */

/**
 * @param {string[]} queueUrls  The control first.
 * @param {Lengths[]} choices
 * @param {Place} place
 * @returns {Promise<Round>}
 */
export async function measureRound (queueUrls, choices, { size, scenarioUrl, seed, pin }) {
  const random = createRandom(seed)
  const { flags, env } = drawLayout(random)
  const runtime = { name: process.version, path: process.execPath, flags: [], env }
  const timing = { warmupMs: warmupMsFor(size), ...SETTLED, turns: 1, limitMs: LIMIT_MS, exactLimitMs: 0, tailMs: 0 }
  const start = (/** @type {string} */ queueUrl) =>
    QueueProcess.start(
      { queueUrl, scenarioUrl, params: { size }, seed: 1, timing },
      { expected: null, runtime, flags, pin }
    )
  const started = await Promise.allSettled(queueUrls.map(start))
  const runners = started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  try {
    const failed = started.find(({ status }) => status === 'rejected')
    if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason
    const lanes = runners.map(runner => ({ runner, usedMs: 0, allowedMs: PAUSE_MS }))
    const takesPart = (/** @type {typeof lanes[number]} */ { usedMs, allowedMs }) => usedMs <= allowedMs
    const slicesOf = choices.map(() => ({
      inTurns: /** @type {Slice[]} */ ([]),
      followed: /** @type {Slice[]} */ ([])
    }))
    for (let pass = 0; pass < PASSES; pass++) {
      for (const choice of shuffle([...choices.keys()], random)) {
        const { leadMs, turnMs } = choices[choice]
        for (let i = 0; i < SLICES / PASSES; i++) slicesOf[choice].inTurns.push(await takeSlice([{ leadMs, turnMs }]))
        for (let i = 0; i < SETTLED_SLICES / PASSES; i++) {
          slicesOf[choice].followed.push(await takeSlice([{ leadMs, turnMs }, SETTLED]))
        }
      }
    }
    const ratiosOf = (/** @type {Slice[]} */ slices, /** @type {(times: number[]) => number} */ figureOf) =>
      lanes.map((lane, queue) => {
        const ratios = slices.flatMap(
          times => ratio(times[queue] && figureOf(times[queue]), times[0] && figureOf(times[0])) ?? []
        )
        return takesPart(lane) && ratios.length > 0 ? median(ratios) : null
      })
    return {
      size,
      inTurns: slicesOf.map(({ inTurns }) => ratiosOf(inTurns, ([turn]) => turn)),
      shift: slicesOf.map(({ followed }) => ratiosOf(followed, ([turn, settled]) => turn / settled))
    }

    /**
     * @param {Lengths[]} turns  Turns that every process takes one after the other.
     * @returns {Promise<Slice>}
     */
    async function takeSlice (turns) {
      /** @type {Slice} */
      const values = lanes.map(() => null)
      for (const queue of shuffle([...lanes.keys()], random)) {
        const lane = lanes[queue]
        if (!takesPart(lane)) continue
        const times = []
        for (const lengths of turns) {
          const turn = await lane.runner.turn(lengths)
          times.push(nsPerOp(turn))
          lane.usedMs += turn.cpuMs + lengths.leadMs
          lane.allowedMs += PATIENCE * (lengths.leadMs + lengths.turnMs)
        }
        values[queue] = times
      }
      return values
    }
  } finally {
    await Promise.all(runners.map(runner => runner.end()))
  }
}

/** @param {import('../../harness/measure/micro/queue-process.js').Turn} turn */
const nsPerOp = ({ cpuMs, operations }) => (1e6 * cpuMs) / operations

/**
 * @param {number | null} time
 * @param {number | null} control
 */
const ratio = (time, control) => (time === null || control === null ? null : time / control)
