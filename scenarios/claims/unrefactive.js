/** Claims A: Node wiki, "Optimizing _unrefActive" (2014), on the socket timeouts of Node 0.10 and 0.11. */
import { LINEAR, LOGARITHMIC, SHOWN, staggeredExpiry } from './staggered-expiry.js'

/** @import { CellSpec, Document } from './claim.js' */

const server = (/** @type {string} */ queue) => /** @type {CellSpec} */ ({ scenario: 'keep-alive', queue })
const [node, list, array, heap, lists, wheel] = [
  'node',
  'sorted-list',
  'unsorted-array',
  'binary-heap',
  'duration-lists',
  'hierarchical-wheel'
].map(server)

/** A cost among the cheapest is at most a quarter above the lowest. */
const AMONG_THE_CHEAPEST = 1.25
/** The document saw 2.1 %. */
const SMALL_SHARE = 0.1
/** A ratio of list to heap from which the heap is at least twice as far from the list as from the array. */
const MUCH_MORE = 3

/** @type {Document} */
export function unrefactive ({ preset }) {
  const { cell, growth } = staggeredExpiry(preset)
  // In the first second connections are opened, and few timers expire.
  const seconds = preset === 'quick' ? { many: { seconds: 2 }, timingOut: { seconds: 4 } } : {}
  const [manyList, manyHeap] = ['sorted-list', 'binary-heap'].map(queue => ({
    ...server(queue),
    params: { connections: 10_000, ...seconds.many }
  }))
  // The document's connections. With 1000, the array's scan is lost in the other costs of a timeout.
  const timingOut = (/** @type {string} */ scenario) =>
    ['unsorted-array', 'binary-heap'].map(queue => ({
      scenario,
      queue,
      params: { connections: 5000, ...seconds.timingOut }
    }))
  const [timeoutArray, timeoutHeap] = timingOut('timeouts')
  const [oneInTenArray, oneInTenHeap] = timingOut('timeouts-one-in-ten')
  return [
    {
      id: 'A1',
      claim: 'The sorted list takes the largest share of all queues, and clearly more CPU per request than Node today',
      documented: '34.4 % of ticks, and 14.1 % below it',
      holds: [
        { metric: 'queueTickShare', of: list, to: { highest: [array, heap, lists, wheel] }, above: 1 },
        { metric: 'cpuMicrosPerRequest', of: list, to: node, above: 1 }
      ]
    },
    {
      id: 'A2',
      claim:
        "The unsorted array takes a small fraction of the sorted list's share, is among the cheapest per request, " +
        'and requests per second rise',
      documented: '2.6 %',
      holds: [
        { metric: 'queueTickShare', of: list, to: array, above: 3 },
        {
          metric: 'cpuMicrosPerRequest',
          of: array,
          to: { lowest: [node, list, heap, lists, wheel] },
          below: AMONG_THE_CHEAPEST
        },
        { metric: 'requestsPerSecond', of: array, to: list, above: 1 }
      ]
    },
    {
      id: 'A3',
      claim: 'The binary heap lies between array and sorted list, much nearer the array',
      documented: '4.4 %',
      holds: [
        { metric: 'queueTickShare', of: heap, to: array, above: 1 },
        { metric: 'queueTickShare', of: list, to: heap, above: MUCH_MORE }
      ]
    },
    {
      id: 'A4',
      claim: 'Expiry from the unsorted array costs in proportion to the pending timers',
      documented: '24.6 % of ticks, and 15.4 % below it',
      holds: [growth('unsorted-array', 'workPerOp', LINEAR), growth('unsorted-array', 'expireNsPerTimer', SHOWN)]
    },
    {
      id: 'A5',
      claim: 'Expiry from the binary heap costs log n, where that from the unsorted array costs n',
      documented: '2.1 %',
      holds: [
        growth('binary-heap', 'workPerOp', LOGARITHMIC),
        // If the array did not grow either, a flat heap would only show that growth cannot be seen.
        growth('unsorted-array', 'workPerOp', { above: LINEAR.above }),
        growth('binary-heap', 'expireNsPerTimer', SHOWN)
      ]
    },
    {
      id: 'A6',
      claim: 'When every request times out, the unsorted array costs more CPU per fired timeout than the heap',
      documented: '4.1 % + 3.1 %',
      holds: [{ metric: 'queueMicrosPerTimeout', of: timeoutArray, to: timeoutHeap, above: 1 }]
    },
    {
      id: 'A7',
      claim:
        'When every request times out, the heap takes only a small share of the CPU, ' +
        'and a smaller one than the unsorted array',
      documented: '2.1 %',
      holds: [
        { metric: 'queueTickShare', of: timeoutArray, to: timeoutHeap, above: 1 },
        { metric: 'queueTickShare', of: timeoutHeap, below: SMALL_SHARE }
      ]
    },
    {
      id: 'A8',
      claim: 'When one request in ten times out, the unsorted array still costs more CPU per request than the heap',
      documented: 'still a significant contributor',
      holds: [{ metric: 'queueMicrosPerRequest', of: oneInTenArray, to: oneInTenHeap, above: 1 }]
    },
    {
      id: 'A9',
      claim: "At 10 000 connections the heap's share is still a fraction of the sorted list's",
      documented: '3.4 % + 2.9 %',
      holds: [{ metric: 'queueTickShare', of: manyList, to: manyHeap, above: 2 }]
    },
    {
      id: 'A10',
      claim: 'A timer wheel is better than the heap (the open question of the document)',
      documented: 'not implemented: "could be better", "could be difficult to tune"',
      holds: [
        { metric: 'queueTickShare', of: heap, to: wheel, above: 1 },
        { metric: 'cpuMicrosPerRequest', of: heap, to: wheel },
        { metric: 'expireNsPerTimer', of: cell('binary-heap'), to: cell('hierarchical-wheel'), above: 1 }
      ]
    }
  ]
}
