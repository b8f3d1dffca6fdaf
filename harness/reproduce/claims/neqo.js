/** B: neqo, pull request 1780, on a timer wheel with a single level of 16 384 slots. */
import { allHold, exactly, isAbove, lowest, show, showRatio, times } from '../figures.js'

/**
 * @typedef {import('../judge.js').CellsOf} CellsOf
 * @typedef {import('../judge.js').Claim} Claim
 */

/** Of neqo's wheel, and of the hashed wheels here. */
const SLOTS = 16_384
/** A look at one place in memory takes between these, on any machine. */
const LOOK_NS = { from: 0.1, to: 10 }
/** One slot or 16 384: what differs in how much it looks at differs by far more. */
const MUCH = 10

/**
 * @param {Record<string, number[]>} params
 * @returns {CellsOf['params']} the same in both presets
 */
const always = params => ({ quick: params, documented: params })

/** @type {CellsOf} */
const poll = {
  scenario: 'one-timer-poll',
  queues: ['hashed-wheel', 'hashed-wheel-bounded', 'hierarchical-wheel', 'ordered-map', 'single-wakeup'],
  params: always({ size: [1] })
}
/**
 * All timers of the scenario expire every 10 000 polls. With many more than a thousand, expiring them would cost more than
 * polling.
 */
const MANY = 1000
/** @type {CellsOf} */
const pollMany = { scenario: 'one-timer-poll', queues: ['hierarchical-wheel'], params: always({ size: [MANY] }) }
/** @type {CellsOf} */
const drainEmpty = { scenario: 'drain-empty', queues: ['hashed-wheel', 'hashed-wheel-bounded'], params: always({ pause: [4] }) }
/** From few to many. */
const SIZES = [10, 100, 1000, 10_000]
/** @type {CellsOf[]} */
const mixed = SIZES.map(size => ({
  scenario: 'mixed',
  queues: ['single-wakeup', 'binary-heap', 'ordered-map', 'hierarchical-wheel'],
  params: always({ size: [size], expiring: [10], decades: [2] })
}))

/** @type {Claim[]} */
export const neqo = [
  {
    id: 'B1',
    claim: 'Polling a hashed wheel with one timer costs a look into each of its slots',
    documented: '5 to 10 µs a call, up to 33 % of CPU',
    cells: [poll],
    judge (figureOf) {
      const [hashed, hierarchical] = ['hashed-wheel', 'hierarchical-wheel'].map(queue => figureOf('one-timer-poll', queue, 'advanceNsPerCall', { size: 1 }))
      const perSlot = times(1 / SLOTS, hashed)
      return {
        measured: `${show(hashed, 'ns')}, ${show(perSlot, 'ns')} a slot; hierarchical wheel ${show(hierarchical, 'ns')}`,
        holds: allHold([isAbove(perSlot, exactly(LOOK_NS.from)), isAbove(exactly(LOOK_NS.to), perSlot), isAbove(hashed, hierarchical, MUCH)])
      }
    }
  },
  {
    id: 'B2',
    claim: 'Visiting only the slots between cursor and now is clearly cheaper',
    documented: '2.8 % of CPU; empty drain 40.6 -> 25.8 µs',
    cells: [poll, drainEmpty],
    judge (figureOf) {
      const [all, bounded] = ['hashed-wheel', 'hashed-wheel-bounded'].map(queue => figureOf('one-timer-poll', queue, 'advanceNsPerCall', { size: 1 }))
      const [allEmpty, boundedEmpty] = ['hashed-wheel', 'hashed-wheel-bounded'].map(queue => figureOf('drain-empty', queue, 'nsPerOp'))
      return {
        measured: `poll ${show(all, 'ns')} -> ${show(bounded, 'ns')}; empty drain ${show(allEmpty, 'ns')} -> ${show(boundedEmpty, 'ns')}`,
        holds: allHold([isAbove(all, bounded), isAbove(allEmpty, boundedEmpty)])
      }
    }
  },
  {
    id: 'B3',
    claim: 'Looking for due timers costs more than asking for the next expiry',
    documented: 'take_next 18.86 %, next_time 4.77 %',
    cells: [poll],
    judge (figureOf) {
      const [ask, take] = ['nextExpiryNsPerCall', 'advanceNsPerCall'].map(metric => figureOf('one-timer-poll', 'hashed-wheel', metric, { size: 1 }))
      return { measured: `next expiry ${show(ask, 'ns')}, advance ${show(take, 'ns')}`, holds: isAbove(take, ask) }
    }
  },
  {
    id: 'B4',
    claim: 'The optimisation of B2 is a loss where few timers are drained quickly',
    documented: '+81.6 % (702 ns), on a wheel of 100 slots',
    cells: [],
    excluded: "the document's wheel had 100 slots, the hashed wheels here have 16 384: with so many, some can always be skipped, and the loss cannot show"
  },
  {
    id: 'B5',
    claim: 'A hierarchical wheel is polled in O(1), with one timer and with a thousand, at far less than a hashed wheel costs',
    documented: 'suggested, not built',
    cells: [poll, pollMany],
    judge (figureOf) {
      const [one, many] = [1, MANY].map(size => figureOf('one-timer-poll', 'hierarchical-wheel', 'advanceNsPerCall', { size }))
      const hashed = figureOf('one-timer-poll', 'hashed-wheel', 'advanceNsPerCall', { size: 1 })
      return {
        measured: `${show(one, 'ns')} with one timer, ${show(many, 'ns')} with ${MANY}; hashed wheel ${show(hashed, 'ns')}`,
        // Without a wheel that costs more, equal costs would only show that differences cannot be seen.
        holds: allHold([isAbove(one, many, 1 / MUCH), isAbove(hashed, many, MUCH)])
      }
    }
  },
  {
    id: 'B6',
    claim: 'An ordered map would serve too: polling it costs a tenth of what the hashed wheel costs, or less',
    documented: 'suggested, not built',
    cells: [poll, ...mixed.slice(-1)],
    judge (figureOf) {
      const [map, hashed] = ['ordered-map', 'hashed-wheel'].map(queue => figureOf('one-timer-poll', queue, 'advanceNsPerCall', { size: 1 }))
      const [mixedMap, mixedWheel] = ['ordered-map', 'hierarchical-wheel'].map(queue => figureOf('mixed', queue, 'nsPerOp', { size: 10_000 }))
      return {
        measured: `poll ${show(map, 'ns')}, hashed wheel ${show(hashed, 'ns')}; mixed, 10 000 timers ${show(mixedMap, 'ns')}, hierarchical wheel ${show(mixedWheel, 'ns')}`,
        holds: isAbove(hashed, map, 10)
      }
    }
  },
  {
    id: 'B7',
    claim: 'One stored wake-up and a scan is the best with few timers, and loses as they grow',
    documented: 'merged',
    cells: mixed,
    judge (figureOf) {
      const figures = SIZES.map((size, index) => {
        const [single, ...others] = mixed[index].queues.map(queue => figureOf('mixed', queue, 'nsPerOp', { size }))
        return { size, single, others, best: lowest(others) }
      })
      const lost = figures.find(({ single, best }) => best.median < single.median)
      const [few, many] = [figures[0], figures[figures.length - 1]]
      return {
        measured: figures.map(({ size, single, best }) => `${size}: ${show(single, 'ns')}, the best other ${show(best, 'ns')}, ${showRatio(single, best)}`).join('; ') +
          (lost === undefined ? '' : `; crossover below ${lost.size}`),
        holds: allHold([...few.others.map(other => isAbove(other, few.single)), isAbove(many.single, many.best)])
      }
    }
  }
]
