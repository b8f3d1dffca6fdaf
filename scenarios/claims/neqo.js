/** Claims B: neqo, pull request 1780, on a timer wheel with a single level of 16 384 slots. */

/** @import { CellSpec, Document } from './claim.js' */

/** Slots of neqo's wheel, and of the hashed wheels here. */
const SLOTS = 16_384
/** Nanoseconds to read one place in memory, on any machine. */
const READ_NS = { above: 0.1, below: 10 }
/** One slot or 16 384: costs that depend on the number of slots read differ by far more. */
const MUCH = 10
/** All timers of the scenario expire every 10 000 polls. With many more timers, expiry would cost more than polling. */
const MANY = 1000

const polled = (/** @type {string} */ queue) =>
  /** @type {CellSpec} */ ({ scenario: 'one-timer-poll', queue, params: { size: 1 } })
const [hashed, bounded, wheel, map] = ['hashed-wheel', 'hashed-wheel-bounded', 'hierarchical-wheel', 'ordered-map'].map(
  polled
)
/** @type {CellSpec} */
const wheelOfMany = { ...wheel, params: { size: MANY }, label: `hierarchical-wheel with ${MANY} timers` }
const [drained, drainedBounded] = ['hashed-wheel', 'hashed-wheel-bounded'].map(
  queue => /** @type {CellSpec} */ ({ scenario: 'drain-empty', queue, params: { pause: 4 } })
)

/** @type {(size: number, expiring: number, label: string) => Record<'single' | 'map' | 'wheel' | 'heap', CellSpec>} */
const mixedCells = (size, expiring, label) => {
  const cell = (/** @type {string} */ queue) => ({
    scenario: 'mixed',
    queue,
    params: { size, expiring, decades: 2 },
    label: `${queue} with ${label}`
  })
  return {
    single: cell('single-wakeup'),
    map: cell('ordered-map'),
    wheel: cell('hierarchical-wheel'),
    heap: cell('binary-heap')
  }
}
/** A server of neqo has a timer for each of a few connections, which every packet moves and which is seldom due. */
const few = mixedCells(10, 0, '10 seldom due')
/** Few to many timers, of which a tenth expire. */
const growing = [10, 100, 1000, 10_000].map(size => mixedCells(size, 10, String(size)))
const many = growing[growing.length - 1]

/** @type {Document} */
export const neqo = () => [
  {
    id: 'B1',
    claim: 'Polling a hashed wheel with one timer costs a look into each of its slots',
    documented: '5 to 10 µs a call, up to 33 % of CPU',
    holds: [
      { metric: 'advanceNsPerCall', of: hashed, above: READ_NS.above * SLOTS, below: READ_NS.below * SLOTS },
      { metric: 'advanceNsPerCall', of: hashed, to: wheel, above: MUCH }
    ]
  },
  {
    id: 'B2',
    claim: 'Visiting only the slots between cursor and now is clearly cheaper',
    documented: '2.8 % of CPU; empty drain 40.6 -> 25.8 µs',
    holds: [
      { metric: 'advanceNsPerCall', of: hashed, to: bounded, above: 1 },
      { metric: 'nsPerOp', of: drained, to: drainedBounded, above: 1 }
    ]
  },
  {
    id: 'B3',
    claim: 'Looking for due timers costs more than asking for the next expiry',
    documented: 'take_next 18.86 %, next_time 4.77 %',
    holds: [{ metric: 'advanceNsPerCall', of: hashed, to: hashed, toMetric: 'nextExpiryNsPerCall', above: 1 }]
  },
  {
    id: 'B4',
    claim: 'The optimisation of B2 is a loss where few timers are drained quickly',
    documented: '+81.6 % (702 ns), on a wheel of 100 slots',
    holds: [],
    excluded:
      "the document's wheel had 100 slots. The hashed wheels here have 16 384, " +
      'some of which can always be skipped, so the loss cannot show'
  },
  {
    id: 'B5',
    claim:
      'A hierarchical wheel is polled in O(1), with one timer and with a thousand, ' +
      'at far less than a hashed wheel costs',
    documented: 'suggested, not built',
    holds: [
      { metric: 'advanceNsPerCall', of: wheelOfMany, to: wheel, below: MUCH },
      // Beside a hashed wheel that costs the same, equal costs would only show that differences cannot be seen.
      { metric: 'advanceNsPerCall', of: hashed, to: wheelOfMany, above: MUCH }
    ]
  },
  {
    id: 'B6',
    claim: 'An ordered map would serve too: polling it costs a tenth of what the hashed wheel costs, or less',
    documented: 'suggested, not built',
    holds: [
      { metric: 'advanceNsPerCall', of: hashed, to: map, above: 10 },
      { metric: 'nsPerOp', of: many.map, to: many.wheel }
    ]
  },
  {
    id: 'B7',
    claim: 'One stored wake-up and a scan is the best with few timers that are seldom due, and loses as they grow',
    documented: 'merged',
    holds: [few, ...growing].map(({ single, ...others }) => ({
      metric: 'nsPerOp',
      of: single,
      to: { lowest: Object.values(others) },
      ...(single === few.single && { below: 1 }),
      ...(single === many.single && { above: 1 })
    }))
  }
]
