/** E: what others have measured or proved. */
import { allHold, isAbove, isOver, isUnder, ratioOf, show, showGrowth, showRatio } from '../figures.js'
import { growthOf, largestSize, LINEAR, staggered, staggeredLists } from './staggered-expiry.js'

/**
 * @typedef {import('../judge.js').CellsOf} CellsOf
 * @typedef {import('../judge.js').Claim} Claim
 */

/** Growth that is not seen between two sizes. */
const CONSTANT = { to: 0.3 }

/** @type {CellsOf} */
const distinctCancelled = {
  scenario: 'distinct-durations-cancelled',
  queues: ['duration-lists', 'unordered-list', 'binary-heap'],
  params: { quick: { size: [10_000] }, documented: { size: [100_000] } }
}
/** A cascade costs the same however many timers there are, and a heap costs less the fewer there are. */
const FEW = 1000
/** @type {CellsOf} */
const deepCascades = {
  scenario: 'far-future-cascade',
  queues: ['hierarchical-wheel', 'binary-heap'],
  params: { quick: { size: [FEW, 10_000] }, documented: { size: [FEW, 10_000] } }
}
/** @type {CellsOf} */
const cancelManyMore = {
  scenario: 'start-cancel',
  queues: ['ordered-map', 'hierarchical-wheel'],
  params: { quick: { size: [4000, 1_000_000] }, documented: { size: [4000, 1_000_000] } }
}
/** @type {CellsOf} */
const millionTimers = { scenario: 'million-timers', queues: ['binary-heap'], params: { quick: {}, documented: {} } }

/** @type {Claim[]} */
export const elsewhere = [
  {
    id: 'E1',
    claim: 'A sorted list starts a timer in O(n), a hierarchical wheel in O(1)',
    documented: 'Varghese and Lauck 1987',
    cells: [staggered],
    judge (figureOf, { preset }) {
      const [list, wheel] = ['sorted-list', 'hierarchical-wheel'].map(queue => growthOf(figureOf, preset, queue, 'startNsPerTimer'))
      return {
        measured: `list ~ ${showGrowth(list)}, wheel ~ ${showGrowth(wheel)}`,
        holds: allHold([isOver(list, LINEAR.from), isUnder(wheel, CONSTANT.to)])
      }
    }
  },
  {
    id: 'E2',
    claim: 'Lists per duration make distinct durations that expire much cheaper than the unordered list',
    documented: 'unrefTimeout 40-79 % of CPU -> gone (node pull request 4007)',
    cells: [staggeredLists],
    judge (figureOf, { preset }) {
      const size = largestSize(preset)
      const [list, lists] = ['unordered-list', 'duration-lists'].map(queue => figureOf('staggered-expiry', queue, 'expireNsPerTimer', { size }))
      return { measured: `${show(list, 'ns')} -> ${show(lists, 'ns')}, ${showRatio(list, lists)}`, holds: isAbove(list, lists, 2) }
    }
  },
  {
    id: 'E3',
    claim: 'Lists per duration make distinct durations that are cancelled much dearer',
    documented: 'CPU 2.6 -> 19.0 s (node pull request 4007)',
    cells: [distinctCancelled],
    judge (figureOf) {
      const [list, lists] = ['unordered-list', 'duration-lists'].map(queue => figureOf('distinct-durations-cancelled', queue, 'nsPerOp'))
      return { measured: `${show(list, 'ns')} -> ${show(lists, 'ns')}, ${showRatio(lists, list)}`, holds: isAbove(lists, list, 2) }
    }
  },
  {
    id: 'E4',
    claim: 'Deep cascades can make a hierarchical wheel lose to a heap',
    documented: 'wahern/timeout, issue 18',
    cells: [deepCascades],
    judge (figureOf) {
      const sizes = [FEW, 10_000]
      const [wheel, heap] = ['hierarchical-wheel', 'binary-heap'].map(queue => sizes.map(size => figureOf('far-future-cascade', queue, 'expireNsPerTimer', { size })))
      return {
        measured: sizes.map((size, i) => `${size} timers: wheel ${show(wheel[i], 'ns')}, heap ${show(heap[i], 'ns')}, wheel to heap ${showRatio(wheel[i], heap[i])}`).join('; '),
        holds: isAbove(wheel[0], heap[0])
      }
    }
  },
  {
    id: 'E5',
    claim: 'From 4000 to 1 000 000 timers, cancelling grows dearer in an ordered map than in a wheel',
    documented: 'map 46 -> 172 ns, wheel 21 -> 22 ns (glommio 44)',
    cells: [cancelManyMore],
    judge (figureOf) {
      const sizes = [4000, 1_000_000]
      const [map, wheel] = ['ordered-map', 'hierarchical-wheel'].map(queue => sizes.map(size => figureOf('start-cancel', queue, 'nsPerOp', { size })))
      const [few, many] = sizes.map((_, index) => ratioOf(map[index], wheel[index]))
      return {
        measured: `map ${show(map[0], 'ns')} -> ${show(map[1], 'ns')}, wheel ${show(wheel[0], 'ns')} -> ${show(wheel[1], 'ns')}, with the restart; ` +
          `map to wheel ${showRatio(map[0], wheel[0])} -> ${showRatio(map[1], wheel[1])}, which is ${showRatio(many, few)}`,
        holds: isAbove(many, few)
      }
    },
    whyNot: 'In nanoseconds the map grows far more. In proportion it does not: a million random timers fit no cache, and a few misses multiply what little a wheel does'
  },
  {
    id: 'E6',
    claim: 'Of very many timers in a heap, expiring costs much more than starting',
    documented: 'a million: start 0.85 s, dispatch 9.15 s (libuv)',
    cells: [millionTimers],
    judge (figureOf) {
      const [start, expire] = ['startNsPerTimer', 'expireNsPerTimer'].map(metric => figureOf('million-timers', 'binary-heap', metric))
      return { measured: `start ${show(start, 'ns')}, expire ${show(expire, 'ns')} a timer`, holds: isAbove(expire, start, 2) }
    }
  }
]
