/** Claims F: what runtimes and papers have found since 2024, and what people still quote to them. */

/** @import { CellSpec, Document } from './claim.js' */

const SIZE = 10_000
/** Sizes at which all work of a cycle is counted in a second. */
const COUNTED = 1000
/** A search through 10 000 timers costs far more than any path through a heap. */
const FAR_MORE = 5
/** A cost among the cheapest is at most a quarter above the lowest. */
const AMONG_THE_CHEAPEST = 1.25

/** @type {(scenario: string, queue: string, params?: Record<string, number>, label?: string) => CellSpec} */
const cell = (scenario, queue, params = {}, label = queue) => ({
  scenario,
  queue,
  params: { size: SIZE, ...params },
  label
})
const [lists, binary, quaternary, searched, pairing] = [
  'millisecond-lists',
  'binary-heap',
  'quaternary-heap',
  'searched-heap',
  'pairing-heap'
].map(queue => cell('start-cancel', queue))
const [one, jittered] = [1, 3].map(ttls =>
  ['duration-lists', 'hierarchical-wheel'].map(queue =>
    cell('timer-per-key', queue, { ttls }, `${queue} with ${ttls === 1 ? 'one TTL' : 'jitter'}`)
  )
)
const [held, heldByHeap, scanned] = ['calendar-queue', 'binary-heap', 'unsorted-array'].map(queue =>
  cell('hold', queue)
)
const heap = cell('up-down', 'binary-heap', { size: COUNTED, stay: 100 })
const walked = cell('up-down', 'binary-heap', { size: COUNTED, stay: 50 }, 'binary-heap, at random')

/** @type {Document} */
export const since2024 = () => [
  {
    id: 'F1',
    claim: 'A list for each millisecond is slower than a heap where milliseconds with timers come and go',
    documented: 'slower with many milliseconds, so the heap came back (Bun 17811)',
    holds: [{ metric: 'nsPerOp', of: lists, to: binary, above: 1 }]
  },
  {
    id: 'F2',
    claim:
      'Cancelling makes a quaternary heap that must search far slower than a pairing heap; ' +
      'one that knows its places is the fastest',
    documented: '"needs a linear scan and its performance quickly plummets" (Crystal 15206)',
    holds: [
      { metric: 'nsPerOp', of: searched, to: pairing, above: FAR_MORE },
      { metric: 'nsPerOp', of: pairing, to: quaternary, above: 1 }
    ]
  },
  {
    id: 'F3',
    claim: 'With few TTLs, lists by TTL are faster than a timing wheel; with jitter they are not',
    documented: 'Lawn is faster than timing wheels (arXiv 1906.10860), whose TTLs are few',
    holds: [
      { metric: 'nsPerOp', of: one[1], to: one[0], above: 1 },
      { metric: 'nsPerOp', of: jittered[0], to: jittered[1], above: 1 }
    ]
  },
  {
    id: 'F4',
    claim: 'Timers that are set and cleared cost less in lists by duration than in a B-tree of deadlines',
    documented: 'a BTreeSet gave way to the design of Node (Deno 32543)',
    holds: [
      {
        metric: 'nsPerOp',
        of: cell('refresh-one-duration', 'ordered-map'),
        to: cell('refresh-one-duration', 'duration-lists'),
        above: 1
      }
    ]
  },
  {
    id: 'F5',
    claim: 'A calendar queue costs as little as a heap on average, and far less than a scan',
    documented: 'O(1) on average, O(n) at worst (Rönngren and Ayani 1997)',
    holds: [
      { metric: 'nsPerOp', of: held, to: heldByHeap, below: AMONG_THE_CHEAPEST },
      { metric: 'nsPerOp', of: scanned, to: held, above: FAR_MORE }
    ]
  },
  {
    id: 'F6',
    claim: 'Starts and expiries in random order keep a queue short: they say little about n timers',
    documented: '"certain random insertion-deletion sequences are degenerate" (Larkin, Sen and Tarjan 2014)',
    holds: [{ metric: 'workPerOp', of: walked, to: heap, below: 0.9 }]
  }
]
