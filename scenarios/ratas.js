/**
 * The benchmark of ratas, a timer wheel in C++. Pairs of work units, a client and a server each, exchange messages for
 * three minutes. Every unit has five timers, and each is used in its own way:
 *
 *   timer      duration        use
 *   idle       60 s            refreshed by every message, never expires
 *   close      180 s, 10 s     started twice, expires twice
 *   pace       0.2 ms          started for every message, always expires
 *   request    1 s and more    started for every request, always expires
 *   deadline   102 ms, 51 ms   started for every request, restarted by the first part of its response, always cancelled
 *
 * Time is in ticks of 20 microseconds, as in ratas. A tick takes the place of a millisecond. When all units are gone,
 * the benchmark begins again. ratas lets an idle timer be late by a second; here it is exact.
 */
import { drawUnit } from './draws.js'
import { VirtualService } from './virtual-service.js'

/** @import { MicroScenario } from './contract.js' */

/** Fewest operations of a cycle, which ends when nothing is left to do at the present tick. */
const OPERATIONS = 5000
const TICKS_PER_MS = 50
const SECOND = 1000 * TICKS_PER_MS
const IDLE_TICKS = 60 * SECOND
const OPEN_TICKS = 180 * SECOND
const CLOSING_TICKS = 10 * SECOND
const PACE_TICKS = 10
const REQUEST_TICKS = SECOND
/** Requests of different units drift apart. */
const REQUEST_SPREAD = 100
/** Messages of a response. */
const RESPONSE = 128
/** Units are created at random within this time. */
const CREATION_TICKS = SECOND

const [IDLE, CLOSE, PACE, REQUEST, DEADLINE] = [0, 1, 2, 3, 4]
const TIMERS = 5

class Unit {
  /** Messages to send. */
  unsent = 0
  /** Deliveries received, of which one a request is empty. */
  received = 0
  quota = 1
  /** Tick at which the unit begins to close. */
  closesAt = 0
  isWaiting = false
  /** @type {any} The other unit of the pair. */
  other = null

  /**
   * @param {any[]} timers
   * @param {number} requestTicks  Pause between a response and the next request.
   */
  constructor (timers, requestTicks) {
    this.timers = timers
    this.requestTicks = requestTicks
  }
}

/** @type {MicroScenario} */
export const scenario = {
  name: 'ratas',
  title: 'work units with five timers each: idle, close, pace, request, deadline',
  kind: 'micro',
  source: 'J. Snellman, ratas, src/test/test_benchmark.cc (2016)',
  parameters: {
    pairs: { title: 'pairs of work units, of ten timers together', minimum: 2 }
  },
  presets: {
    quick: { pairs: [5, 1000] },
    documented: { pairs: [5, 100, 1000, 10_000] },
    ci: { pairs: [5] }
  },

  createWorkload (queue, { pairs }, random) {
    const creations = drawCreations(pairs, random)
    const units = creations.flatMap(({ requestTicks }, pair) => [
      createUnit(2 * pair, REQUEST_TICKS),
      createUnit(2 * pair + 1, requestTicks)
    ])
    const service = new VirtualService(queue, onExpire)
    let operations = 0
    let counted = 0
    let created = creations.length
    let begun = 0

    /**
     * @param {number} index
     * @param {number} requestTicks
     */
    function createUnit (index, requestTicks) {
      return new Unit(
        Array.from({ length: TIMERS }, (_, kind) => queue.createTimer(TIMERS * index + kind)),
        requestTicks
      )
    }

    function operateMany () {
      counted += OPERATIONS
      while (!isDone()) {
        if (created < creations.length) createNext()
        else if (!service.wakeNext()) begin()
      }
    }

    const isDone = () => operations >= counted

    function begin () {
      created = 0
      begun = service.now
    }

    function createNext () {
      const { tick } = creations[created]
      service.passTo(begun + tick)
      const [server, client] = [units[2 * created], units[2 * created + 1]]
      created++
      open(server, client)
      open(client, server)
      request(client)
    }

    /**
     * @param {Unit} unit
     * @param {Unit} other
     */
    function open (unit, other) {
      Object.assign(unit, {
        unsent: 0,
        received: 0,
        quota: 1,
        isWaiting: false,
        other,
        closesAt: service.now + OPEN_TICKS
      })
      stayAwake(unit)
      start(unit, CLOSE, OPEN_TICKS)
    }

    /** @param {any} timer */
    function onExpire (timer) {
      operations++
      const payload = queue.payloadOf(timer)
      const kind = payload % TIMERS
      const unit = units[(payload - kind) / TIMERS]
      if (kind === PACE) pace(unit)
      else if (kind === REQUEST) request(unit)
      else if (kind === CLOSE) close(unit)
      else if (kind === IDLE) remove(unit)
      else {
        remove(unit)
        remove(unit.other)
      }
    }

    /** @param {Unit} unit  Sends a request, unless the unit closes. */
    function request (unit) {
      // Decided by time, not by the order of two timers of one tick.
      if (service.now >= unit.closesAt) return
      start(unit, DEADLINE, 4 * RESPONSE * PACE_TICKS)
      unit.isWaiting = true
      unit.other.unsent += RESPONSE
      deliver(unit.other)
    }

    /** @param {Unit} unit  May send another message. */
    function pace (unit) {
      if (unit.unsent === 0) return
      unit.quota = 1
      deliver(unit)
    }

    /** @param {Unit} unit */
    function deliver (unit) {
      stayAwake(unit)
      const messages = Math.min(unit.quota, unit.unsent)
      unit.quota -= messages
      unit.unsent -= messages
      receive(unit.other)
      if (unit.quota === 0) start(unit, PACE, PACE_TICKS)
    }

    /** @param {Unit} unit */
    function receive (unit) {
      stayAwake(unit)
      if (unit.isWaiting) {
        start(unit, DEADLINE, 2 * RESPONSE * PACE_TICKS)
        unit.isWaiting = false
      }
      unit.received++
      if (unit.received % RESPONSE === 0) {
        stop(unit, DEADLINE)
        start(unit, REQUEST, unit.requestTicks)
      }
    }

    /** @param {Unit} unit */
    function close (unit) {
      if (service.now < unit.closesAt + CLOSING_TICKS) start(unit, CLOSE, CLOSING_TICKS)
      else remove(unit)
    }

    /** @param {Unit} unit */
    function remove (unit) {
      for (let kind = 0; kind < TIMERS; kind++) stop(unit, kind)
    }

    /** @param {Unit} unit  Not idle. */
    function stayAwake (unit) {
      operations++
      service.restart(unit.timers[IDLE], IDLE_TICKS)
    }

    /**
     * @param {Unit} unit
     * @param {number} kind
     * @param {number} ticks
     */
    function start (unit, kind, ticks) {
      operations++
      service.restart(unit.timers[kind], ticks)
    }

    /**
     * @param {Unit} unit
     * @param {number} kind
     */
    function stop (unit, kind) {
      operations++
      queue.cancel(unit.timers[kind])
    }

    return { outcome: service, phases: [{ metric: 'nsPerOp', operations: OPERATIONS, run: operateMany }] }
  }
}

/**
 * Creation times in ticks.
 *
 * @param {number} pairs  Mean number.
 * @param {(limit: number) => number} random
 */
function drawCreations (pairs, random) {
  const creations = []
  let progress = 0
  for (let tick = 0; tick < CREATION_TICKS; tick++) {
    progress += (drawUnit(random) * 2 * pairs) / CREATION_TICKS
    while (progress > 1) {
      progress--
      creations.push({ tick, requestTicks: REQUEST_TICKS + random(REQUEST_SPREAD) })
    }
  }
  return creations
}
