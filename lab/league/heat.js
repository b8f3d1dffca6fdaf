/**
 * A heat of the league: all competitors, each in a fresh process, take turns on one core and meter their own CPU time,
 * as in harness/measure/heat/micro.js. Here a turn is a stretch of the stream, the same for all, so a slice compares
 * equal work.
 */
import { createInterface } from 'node:readline'
import { drawLayout } from '../../harness/measure/heat/micro.js'
import { withinCpuTime } from '../../harness/processes/limits.js'
import { SampleError } from '../../harness/model/errors.js'
import { endProcess, startProcess, supervise } from '../../harness/processes/processes.js'
import { createRandom, shuffle } from '../../harness/model/random.js'
import { Oracle } from './oracle.js'

/** A competitor that has used this many times the control's time, and at least this much, sits slices out. */
const PATIENCE = 4
const PATIENCE_NS = 5e8
const LIMIT_MS = 120_000

/**
 * @typedef {import('./competitors.js').Competitor} Competitor
 *
 * @typedef {object} Outcome  Figures of a competitor in a heat.
 * @property {string} name
 * @property {(number | null)[]} nsPerOp  Time in each slice; null where it sat out.
 * @property {string} [error]  Reason for missing figures.
 */

/**
 * @param {Competitor[]} competitors  The control is the first.
 * @param {{entry: import('./streams.js').StreamEntry, stream: import('./streams.js').Stream, path: string}} course
 * @param {{seed: number, pin: string[]}} options
 * @returns {Promise<Outcome[]>}
 */
export async function runHeat (competitors, { entry, stream, path }, { seed, pin }) {
  const random = createRandom(seed)
  const env = { ...process.env, ...drawLayout(random).env }
  const lanes = shuffle(competitors, random).map(competitor => new Lane(competitor, path, { env, pin, ...entry }))
  try {
    await Promise.all(lanes.map(lane => lane.attempt(() => lane.ready())))
    for (const lane of lanes) await lane.attempt(() => lane.warmUp())
    const control = /** @type {Lane} */ (lanes.find(({ competitor }) => competitor === competitors[0]))
    for (let slice = 0; slice < entry.slices; slice++) {
      const allowedNs = Math.max(PATIENCE_NS, PATIENCE * control.usedNs)
      for (const lane of shuffle(lanes, random)) {
        if (lane.usedNs <= allowedNs) await lane.attempt(() => lane.takeTurn(slice))
      }
    }
    await check(lanes, stream)
  } finally {
    await Promise.all(lanes.map(lane => lane.end()))
  }
  const operations = entry.turn.measured * stream.blockOperations
  return competitors.map(({ name }) => {
    const { ns, error } = /** @type {Lane} */ (lanes.find(lane => lane.competitor.name === name))
    return {
      name,
      nsPerOp: ns.map(value => (value === null ? null : Number((value / operations).toPrecision(5)))),
      ...(error === undefined ? {} : { error })
    }
  })
}

/**
 * Fires all pending timers, then compares everything that fired since the setup with the oracle.
 *
 * @param {Lane[]} lanes
 * @param {import('./streams.js').Stream} stream
 */
async function check (lanes, stream) {
  const oracle = new Oracle(stream)
  const checked = lanes.filter(({ competitor, error }) => competitor.followsStream && error === undefined)
  for (const lane of checked.sort((a, b) => a.blocks - b.blocks)) {
    oracle.playTo(lane.blocks)
    const { fired, checksum } = oracle.drained()
    await lane.attempt(async () => {
      const answer = await lane.ask(`drain ${oracle.rest}`)
      if (answer !== `${fired} ${checksum}`) {
        throw new SampleError('wrong', `fired "${answer}", expected "${fired} ${checksum}" (timers and checksum)`)
      }
    })
  }
}

/** One competitor's process. */
class Lane {
  blocks = 0
  usedNs = 0
  /** @type {(number | null)[]} */
  ns
  /** @type {string | undefined} */
  error
  #process
  #lines
  #died
  #turn

  /**
   * @param {Competitor} competitor
   * @param {string} path  Path of the stream.
   * @param {{env: NodeJS.ProcessEnv, pin: string[], slices: number, turn: import('./streams.js').StreamEntry['turn']}}
   *   options
   */
  constructor (competitor, path, { env, pin, slices, turn }) {
    this.competitor = competitor
    this.ns = Array.from({ length: slices }, () => null)
    this.#turn = turn
    this.#process = startProcess([...pin, ...competitor.command, path, ...competitor.last], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env
    })
    this.#process.stdin?.on('error', () => {})
    const input = /** @type {import('node:stream').Readable} */ (this.#process.stdout)
    this.#lines = createInterface({ input })[Symbol.asyncIterator]()
    this.#died = supervise(this.#process).ended.then(({ ending }) => {
      throw new SampleError('crash', `the process ${ending}`)
    })
    this.#died.catch(() => {})
  }

  /**
   * Takes a step. A competitor that fails is out of the heat; the others go on.
   *
   * @param {() => Promise<void>} step
   */
  async attempt (step) {
    if (this.error !== undefined) return
    try {
      await step()
    } catch (error) {
      if (!(error instanceof SampleError)) throw error
      this.error = error.message
      await this.end()
    }
  }

  async ready () {
    const answer = await this.#answer()
    if (answer !== 'ready') throw new SampleError('wrong', `said "${answer}", expected "ready"`)
  }

  /** Turns that do not count. */
  async warmUp () {
    for (let used = 0; used < this.competitor.warmupMs * 1e6;) used += await this.#play()
  }

  /** @param {number} slice */
  async takeTurn (slice) {
    const ns = await this.#play()
    this.ns[slice] = ns
    this.usedNs += ns
  }

  /** @param {string} request */
  async ask (request) {
    this.#process.stdin?.write(`${request}\n`)
    return this.#answer()
  }

  async end () {
    await endProcess(this.#process)
    await this.#died.catch(() => {})
  }

  async #play () {
    const { lead, measured } = this.#turn
    const ns = Number(await this.ask(`turn ${lead} ${measured}`))
    this.blocks += lead + measured
    if (!(ns > 0)) throw new SampleError('wrong', `says that a turn took ${ns} ns`)
    return ns
  }

  #answer () {
    return withinCpuTime({ pid: this.#process.pid, limitMs: LIMIT_MS }, async () => {
      const { value } = await Promise.race([this.#lines.next(), this.#died])
      // The end of its output comes before that of the process.
      return value ?? this.#died
    })
  }
}
