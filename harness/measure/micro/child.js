/** One queue under one micro workload, in a process of its own: it gets ready, takes its turns in a heat, and is checked. */
import { getHeapSpaceStatistics } from 'node:v8'
import { Bench } from 'tinybench'
import { isFullSpeed } from '../../model/core-speed.js'
import { answer } from '../../processes/answer.js'
import { cpuMs, wallMs } from '../trust/clock.js'
import { loadQueue } from '../modules/load-queue.js'
import { createWorkload, loadScenario } from '../modules/load-scenario.js'
import { assertPunctual } from '../trust/punctuality.js'
import { createRandom } from '../../model/random.js'
import { sumOf } from './batches.js'
import { loopMs } from './core-watch.js'
import { warmUp } from './warm-up.js'

/** Cycles whose outcome is compared with the reference model's. */
const VERIFIED_CYCLES = 2
/** Reading the CPU clock costs 1.5 µs, and it moves in steps of 1 µs: a batch this long makes neither matter. */
const SHORTEST_BATCH_MS = 0.5
/** Times the lead: batches this long fill the caches within so small a part of themselves that they need no lead. */
const NEEDS_NO_LEAD = 20

/** Of the loop that shows whether the core runs at full speed. By then V8 has optimised it. */
const LOOPS = 20

/** Calls: together they take 4 kB of the stack, beyond which the last 12 bits of its addresses come again. */
const DEPTHS = 64
/** Any few batches in a row are spread over all depths: the golden section of them. */
const STEP = 39

/** Optimised code is not this many times as fast. */
const PLAINLY_LONG = 100

/** With so many objects that moving them takes longer, every place of a page is taken anyway. */
const MOST_MOVE_MS = 25
const WORDS_OF_PAGE = 512
/** The golden section of them. */
const SHIFT = 317
/** V8 keeps large arrays elsewhere. */
const GARBAGE_WORDS = 1000

/** By then V8 has optimised the clocks and the code around the cycles. */
const REHEARSALS = 1000
/**
 * Phases of nothing. Two, so that V8 inlines no phase into the code around it, and need not compile that again because of what a queue
 * does.
 */
const [ONE, OTHER] = [{ metric: '', operations: 1, run () {} }, { metric: '', operations: 1, run () {} }]

/** Taken before a queue can replace it. */
const collect = /** @type {() => void} */ (globalThis.gc)

/** @typedef {import('./batches.js').Batch & {isFast: boolean, loopMs: number}} WatchedBatch */

/** What `prepare` leaves for the turns. @type {any} */
let queue
/** @type {new () => import('../modules/load-queue.js').TimerQueue} */
let Queue
/** @type {import('../../../scenarios/contract.js').Phase[]} */
let phases
/** What each phase took in the batch that was timed last. @type {Float64Array} */
let phaseMs
let cyclesPerBatch = 1
let batchMs = 0
let depth = 0
let place = 0
/** What it takes to move everything. */
let moveMs = 0

answer({ verify, prepare, turn, drain })

/**
 * What the first cycles fire: the same for every exact queue.
 *
 * @param {import('./measure.js').MicroTask} task
 */
async function verify (task) {
  return runVerifiedCycles(await fill(task))
}

/**
 * Fills the queue and runs it until V8 has settled.
 *
 * What a server keeps for long V8 has moved to the old generation, where it costs more to point to something: up to 1.8 times as much
 * in lists. Here nothing would move it before the turns, or halfway through them, so it is moved at once.
 *
 * @param {import('./measure.js').MicroTask & {warmupMs: number}} task
 * @returns {Promise<{outcome: import('./measure.js').Fired, isWarm: boolean, loopMs: number}>}
 */
async function prepare (task) {
  rehearse()
  const workload = await fill(task)
  const filled = cpuMs()
  collect()
  moveMs = cpuMs() - filled
  setPhases(workload.phases)
  const start = cpuMs()
  const outcome = runVerifiedCycles(workload)
  const verifiedMs = cpuMs() - start
  const isWarm = warmUp(() => timeCycles(1), task.warmupMs, verifiedMs)
  fitBatch(verifiedMs / VERIFIED_CYCLES)
  return { outcome, isWarm, loopMs: tenthOf(Array.from({ length: LOOPS }, loopMs)) }
}

/** What V8 would optimise in the turns, it does now: there it would take milliseconds of one. */
function rehearse () {
  for (const empty of [[ONE, OTHER], [ONE], [OTHER]]) {
    setPhases(empty)
    for (let i = 0; i < REHEARSALS; i++) timeBatch()
  }
}

/** @param {import('../../../scenarios/contract.js').Phase[]} ofWorkload */
function setPhases (ofWorkload) {
  phases = ofWorkload
  phaseMs = new Float64Array(phases.length)
}

/**
 * Finds how many cycles make a batch that the CPU clock can time.
 *
 * @param {number} coldCycleMs  What a cycle took before V8 had optimised it: long cycles are not run again to find out.
 */
function fitBatch (coldCycleMs) {
  cyclesPerBatch = 1
  batchMs = coldCycleMs
  if (coldCycleMs > PLAINLY_LONG * SHORTEST_BATCH_MS) return
  for (; ; cyclesPerBatch *= 2) {
    batchMs = timeCycles(cyclesPerBatch)
    // Twice: a short batch that the machine has held up is not a long one.
    if (batchMs >= SHORTEST_BATCH_MS) batchMs = Math.min(batchMs, timeCycles(cyclesPerBatch))
    if (batchMs >= SHORTEST_BATCH_MS) return
  }
}

/**
 * All cycles run here, in the warm-up and in the turns.
 *
 * @param {number} count
 * @returns {number} milliseconds of CPU time that they took together
 */
function timeCycles (count) {
  phaseMs.fill(0)
  const start = cpuMs()
  for (let cycle = 0; cycle < count; cycle++) runTimedCycle()
  return cpuMs() - start
}

/**
 * @param {{place: number, leadMs: number, turnMs: number, waitMs: number, paceMs: number, givesUp: boolean}} message  `place`: another
 *   than that of the turn before: everything moves. `leadMs`: run before the clock starts, so that the caches hold this process's timers again and not those of whoever had the core before. `turnMs`: for each phase. `waitMs`: how
 *   much longer the turn may last until all that it should measure ran at full speed. `paceMs`: what the loop takes then; 0: nobody
 *   looks. `givesUp`: it ends when it may wait no longer, whatever it has measured.
 * @returns {import('./measure.js').Turn}
 */
function turn ({ place: wanted, leadMs, turnMs, waitMs, paceMs, givesUp }) {
  const begun = cpuMs()
  const isElsewhere = wanted !== place
  place = wanted
  if (isElsewhere && moveMs <= MOST_MOVE_MS) move()
  if (batchMs < NEEDS_NO_LEAD * leadMs) {
    while (cpuMs() - begun < leadMs) timeCycles(1)
  }

  const measuredMs = turnMs * phases.length
  const isWatched = paceMs > 0 && batchMs <= measuredMs
  /** @type {WatchedBatch[]} */
  const batches = []
  let slowMs = 0
  let before = isWatched ? loopMs() : 0
  // A cycle of thousands of operations is timed at once and divided.
  const bench = new Bench({ time: measuredMs, iterations: 1, warmup: false, now: cpuMs, throws: true })
  bench.add('batch', () => {
    const ms = timeBatch()
    const after = isWatched ? loopMs() : 0
    const isFast = isWatched && isFullSpeed(Math.max(before, after), paceMs)
    before = after
    batches.push({ ms, phaseMs: [...phaseMs], isFast, loopMs: after })
    if (!isFast) slowMs += ms
    // Once it may wait no longer, what runs slowly is measured, or ends the turn.
    const slowCost = slowMs <= waitMs ? 0 : givesUp ? measuredMs : ms
    return { overriddenDuration: ms / (cyclesPerBatch * phases[0].operations), overriddenIterationCost: isWatched && !isFast ? slowCost : ms }
    // Otherwise tinybench runs a batch more to find out.
  }, { async: false })
  bench.runSync()

  const workload = { phases, cyclesPerBatch }
  const all = sumOf(batches, workload)
  const fast = batches.filter(({ isFast }) => isFast)
  return {
    ...all,
    otherMs: cpuMs() - begun - all.cpuMs,
    ...(isWatched && { watched: { loopMs: tenthOf(batches.map(batch => batch.loopMs)), slowMs, atFullSpeed: fast.length > 0 ? sumOf(fast, workload) : null } })
  }
}

/**
 * Moves the queue, its timers and all else to another place in memory: full collections compact here, see measure.js. As with the stack,
 * some places are slow, and a process that stays where it is may be slow by half in all of its turns.
 */
function move () {
  const before = youngBytes()
  // What is young moves first, and all else follows it: otherwise the same few places of a page come again.
  const shift = new Array(place * SHIFT % WORDS_OF_PAGE).fill(0)
  collect()
  shift.length = 0
  // The young generation is as full as it was, so its next collection comes no later.
  for (let lacking = before - youngBytes(); lacking > 0; lacking -= 8 * GARBAGE_WORDS) new Array(GARBAGE_WORDS).fill(0)
}

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_used_size ?? 0

/**
 * Each batch runs somewhere else in the stack. A load waits for a store before it if their addresses have the same last 12 bits: in one
 * process in ten, what a queue stored met a place in the stack so, and the queue was slower by a tenth and more in all of its turns.
 * (C. Curtsinger and E. Berger, "Stabilizer", ASPLOS 2013, move code and data, too.)
 */
function timeBatch () {
  depth = (depth + STEP) % DEPTHS
  return timeCyclesBelow(depth, cyclesPerBatch)
}

/**
 * @param {number} calls
 * @param {number} count
 * @returns {number} milliseconds
 */
function timeCyclesBelow (calls, count) {
  return calls === 0 ? timeCycles(count) : timeCyclesBelow(calls - 1, count)
}

/** Phases are too short for the CPU clock, so the wall clock times them: see batches.js. A lone one takes all of the time. */
function runTimedCycle () {
  if (phases.length === 1) return phases[0].run()
  let last = wallMs()
  for (let i = 0; i < phases.length; i++) {
    phases[i].run()
    const now = wallMs()
    phaseMs[i] += now - last
    last = now
  }
}

/**
 * Lets all time pass. In many workloads next to nothing expires: a queue that never fires would do as well there as any
 * other, and faster.
 *
 * @returns {import('./measure.js').Drained}
 */
function drain () {
  const pending = queue.size
  const fired = new Set()
  queue.advance(Number.MAX_SAFE_INTEGER, (/** @type {any} */ timer) => fired.add(queue.payloadOf(timer)))
  assertPunctual(Queue)
  return { pending, fired: fired.size, left: queue.size }
}

/**
 * @param {import('./measure.js').MicroTask} task
 * @returns {Promise<import('../../../scenarios/contract.js').Workload>}
 */
async function fill (task) {
  ({ Queue } = await loadQueue(task.queueUrl))
  const scenario = /** @type {import('../modules/load-scenario.js').MicroScenario} */ (await loadScenario(task.scenarioUrl))
  queue = new Queue()
  return createWorkload(scenario, queue, task, createRandom(task.seed))
}

/**
 * @param {import('../../../scenarios/contract.js').Workload} workload
 * @returns {import('./measure.js').Fired}
 */
function runVerifiedCycles ({ phases, outcome }) {
  for (let cycle = 0; cycle < VERIFIED_CYCLES; cycle++) {
    for (const phase of phases) phase.run()
  }
  const { fired, checksum, spuriousWakeups } = outcome
  return { fired, checksum, pending: queue.size, ...(spuriousWakeups === undefined ? {} : { spuriousWakeups }) }
}

/**
 * What a tenth of them took at most: undisturbed moments may be rare, and the very shortest may be a moment of higher clock rate.
 *
 * @param {number[]} values
 */
const tenthOf = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)]
