/** A: Node wiki, "Optimizing _unrefActive" (2014), on the socket timeouts of Node 0.10 and 0.11. */
import { allHold, exactly, isAbove, isOver, isUnder, lowest, percent, round, show, showGrowth, showRatio, sum, times } from '../figures.js'
import { growthOf, largestSize, LINEAR, LOGARITHMIC, staggered, staggeredWork } from './staggered-expiry.js'

/**
 * @typedef {import('../judge.js').CellsOf} CellsOf
 * @typedef {import('../judge.js').Claim} Claim
 */

/** @type {CellsOf} */
const keepAlive = {
  scenario: 'keep-alive',
  queues: ['node', 'sorted-list', 'unsorted-array', 'binary-heap', 'duration-lists', 'hierarchical-wheel'],
  params: { quick: {}, documented: {} }
}
const PROFILED = keepAlive.queues.slice(1)
/**
 * Where their shares alone are compared: processes differ more than their ticks do, so more of them tell more than longer ones.
 *
 * @param {string[]} queues
 * @returns {CellsOf}
 */
const sharesOf = queues => ({ ...keepAlive, queues, profiled: true })
/**
 * Shares of a few thousandths: it takes many processes to tell which is smaller.
 *
 * @param {string[]} queues
 * @returns {CellsOf}
 */
const smallSharesOf = queues => ({ ...sharesOf(queues), repeat: 2 })
const ofArrayAndHeap = smallSharesOf(['unsorted-array', 'binary-heap'])
const ofWheelAndHeap = smallSharesOf(['hierarchical-wheel', 'binary-heap'])
/** @type {CellsOf} */
const manyConnections = {
  scenario: 'keep-alive',
  queues: ['sorted-list', 'binary-heap'],
  params: { quick: { connections: [10_000], seconds: [2] }, documented: { connections: [10_000] } },
  profiled: true
}
/**
 * With as many connections as the document had: a scan of 1000 timers is lost among what else a timeout costs. In the first second
 * they are opened, and little expires.
 *
 * @type {CellsOf}
 */
const timeouts = { scenario: 'timeouts', queues: ['unsorted-array', 'binary-heap'], params: { quick: { connections: [5000], seconds: [4] }, documented: {} }, profiled: true }
/** @type {CellsOf} */
const oneInTen = { ...timeouts, scenario: 'timeouts-one-in-ten' }

/** What is among the cheapest may cost a quarter more than the cheapest. */
const AMONG_THE_CHEAPEST = 1.25
/** The document saw 2.1 %. */
const SMALL_SHARE = 0.1

/**
 * By the time that the queues themselves take, as in the document's profiles. It is less than 1 % of what a server takes to open and
 * close connections, which is never twice the same.
 *
 * @param {string} scenario
 * @param {string} metric
 * @param {string} title
 * @returns {NonNullable<Claim['judge']>}
 */
const arrayCostsMoreThanHeap = (scenario, metric, title) => figureOf => {
  const [array, heap] = ['unsorted-array', 'binary-heap'].map(queue => figureOf(scenario, queue, metric))
  return { measured: `${title}: array ${show(array, 'µs')}, heap ${show(heap, 'µs')}, ${showRatio(array, heap)}`, holds: isAbove(array, heap) }
}

/** @type {Claim[]} */
export const unrefactive = [
  {
    id: 'A1',
    claim: 'The sorted list takes the largest share of all queues, and clearly more CPU per request than Node today',
    documented: '34.4 % of ticks, and 14.1 % below it',
    cells: [keepAlive, sharesOf(PROFILED)],
    judge (figureOf) {
      const share = figureOf('keep-alive', 'sorted-list', 'queueShare')
      const others = PROFILED.filter(queue => queue !== 'sorted-list').map(queue => figureOf('keep-alive', queue, 'queueShare'))
      const [list, node] = ['sorted-list', 'node'].map(queue => figureOf('keep-alive', queue, 'cpuMicrosPerRequest'))
      return {
        measured: `${percent(share)} of busy CPU; CPU per request ${show(list, 'µs')}, node ${show(node, 'µs')}, ${showRatio(list, node)}`,
        holds: allHold([...others.map(other => isAbove(share, other)), isAbove(list, node)])
      }
    }
  },
  {
    id: 'A2',
    claim: "The unsorted array takes a small fraction of the sorted list's share, is among the cheapest per request, and requests per second rise",
    documented: '2.6 %',
    cells: [keepAlive, sharesOf(['unsorted-array', 'sorted-list'])],
    judge (figureOf) {
      const [array, list] = ['unsorted-array', 'sorted-list'].map(queue => figureOf('keep-alive', queue, 'queueShare'))
      const [rate, listRate] = ['unsorted-array', 'sorted-list'].map(queue => figureOf('keep-alive', queue, 'requestsPerSecond'))
      const costs = keepAlive.queues.map(queue => figureOf('keep-alive', queue, 'cpuMicrosPerRequest'))
      const cost = costs[keepAlive.queues.indexOf('unsorted-array')]
      const cheapest = lowest(costs)
      return {
        measured: `${percent(array)} against ${percent(list)}; CPU per request ${show(cost, 'µs')}, the cheapest ${show(cheapest, 'µs')}; ` +
          `${showRatio(rate, listRate)} its requests per second`,
        holds: allHold([isAbove(list, array, 3), isAbove(cheapest, cost, 1 / AMONG_THE_CHEAPEST), isAbove(rate, listRate)])
      }
    }
  },
  {
    id: 'A3',
    claim: 'The binary heap lies between array and sorted list, much nearer the array',
    documented: '4.4 %',
    cells: [ofArrayAndHeap, sharesOf(['sorted-list'])],
    open: [ofArrayAndHeap],
    judge (figureOf) {
      const [array, heap, list] = ['unsorted-array', 'binary-heap', 'sorted-list'].map(queue => figureOf('keep-alive', queue, 'queueShare'))
      // Nearer by half: list - heap > 2 * (heap - array), without differences that may be negative.
      const isMuchNearer = isAbove(sum(list, times(2, array)), heap, 3)
      return {
        measured: `array ${percent(array)}, heap ${percent(heap)}, ${showRatio(heap, array)}; sorted list ${percent(list)}`,
        holds: allHold([isAbove(heap, array), isAbove(list, heap), isMuchNearer])
      }
    }
  },
  {
    id: 'A4',
    claim: 'Expiry from the unsorted array costs in proportion to the pending timers',
    documented: '24.6 % of ticks, and 15.4 % below it',
    cells: [staggered],
    judge (figureOf, { preset }) {
      const array = growthOf(figureOf, preset, 'unsorted-array', 'expireNsPerTimer')
      return { measured: `cost per timer ~ ${showGrowth(array)}`, holds: allHold([isOver(array, LINEAR.from), isUnder(array, LINEAR.to)]) }
    }
  },
  {
    id: 'A5',
    claim: 'Expiry from the binary heap costs log n, where that from the unsorted array costs n',
    documented: '2.1 %',
    cells: [staggered, staggeredWork],
    judge (figureOf, { preset }) {
      const [heap, array] = ['binary-heap', 'unsorted-array'].map(queue => growthOf(figureOf, preset, queue, 'expireNsPerTimer'))
      const work = growthOf(figureOf, preset, 'binary-heap', 'workPerOp')
      return {
        measured: `cost per timer: heap ~ ${showGrowth(heap)}, its work ~ n ** ${round(work.median)}, array ~ ${showGrowth(array)}`,
        // Without an array that grows, a flat heap would only show that growth cannot be seen.
        holds: allHold([isUnder(work, LOGARITHMIC.to), isUnder(heap, LINEAR.from), isOver(array, LINEAR.from)])
      }
    }
  },
  {
    id: 'A6',
    claim: 'When every request times out, the unsorted array costs more CPU per fired timeout than the heap',
    documented: '4.1 % + 3.1 %',
    cells: [timeouts],
    judge: arrayCostsMoreThanHeap('timeouts', 'queueMicrosPerTimeout', "the queue's CPU per fired timeout")
  },
  {
    id: 'A7',
    claim: 'When every request times out, the heap takes only a small share of the CPU, and a smaller one than the unsorted array',
    documented: '2.1 %',
    cells: [timeouts],
    judge (figureOf) {
      const [array, heap] = ['unsorted-array', 'binary-heap'].map(queue => figureOf('timeouts', queue, 'queueShare'))
      return {
        measured: `heap ${percent(heap)} of busy CPU, array ${percent(array)}`,
        holds: allHold([isAbove(array, heap), isAbove(exactly(SMALL_SHARE), heap)])
      }
    }
  },
  {
    id: 'A8',
    claim: 'When one request in ten times out, the unsorted array still costs more CPU per request than the heap',
    documented: 'still a significant contributor',
    cells: [oneInTen],
    judge: arrayCostsMoreThanHeap('timeouts-one-in-ten', 'queueMicrosPerRequest', "the queue's CPU per request")
  },
  {
    id: 'A9',
    claim: "At 10 000 connections the heap's share is still a fraction of the sorted list's",
    documented: '3.4 % + 2.9 %',
    cells: [manyConnections],
    judge (figureOf) {
      const [heap, list] = ['binary-heap', 'sorted-list'].map(queue => figureOf('keep-alive', queue, 'queueShare', { connections: 10_000 }))
      return { measured: `heap ${percent(heap)}, sorted list ${percent(list)}`, holds: isAbove(list, heap, 2) }
    }
  },
  {
    id: 'A10',
    claim: 'A timer wheel is better than the heap (the open question of the document)',
    documented: 'not implemented: "could be better", "could be difficult to tune"',
    cells: [keepAlive, ofWheelAndHeap, staggered],
    open: [ofWheelAndHeap],
    judge (figureOf, { preset }) {
      const size = largestSize(preset)
      const queues = ['hierarchical-wheel', 'binary-heap']
      const [wheel, heap] = queues.map(queue => figureOf('keep-alive', queue, 'queueShare'))
      const [wheelCpu, heapCpu] = queues.map(queue => figureOf('keep-alive', queue, 'cpuMicrosPerRequest'))
      const [wheelExpiry, heapExpiry] = queues.map(queue => figureOf('staggered-expiry', queue, 'expireNsPerTimer', { size }))
      return {
        measured: `share ${percent(wheel)} against the heap's ${percent(heap)}, ${showRatio(wheel, heap)}; CPU per request ${show(wheelCpu, 'µs')} against ${show(heapCpu, 'µs')}; ` +
          `expiry ${show(wheelExpiry, 'ns')} against ${show(heapExpiry, 'ns')}, ${showRatio(wheelExpiry, heapExpiry)}`,
        holds: allHold([isAbove(heap, wheel), isAbove(heapExpiry, wheelExpiry)])
      }
    }
  }
]
