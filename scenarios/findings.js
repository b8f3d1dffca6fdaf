/**
 * What the source documents found, each as cells to measure and a judgement that can fail.
 *
 * @typedef {object} Figure
 * @property {number} median
 * @property {number} low
 * @property {number} high
 *
 * @typedef {'quick' | 'documented'} Preset
 *
 * @typedef {object} CellsOf  All queues of a finding on one scenario, with every combination of the parameters.
 * @property {string} scenario
 * @property {string[]} queues
 * @property {Record<Preset, Record<string, number[]>>} params  Others are the scenario's own for the preset.
 * @property {boolean} [profiled]  Also under a CPU profiler, for queueShare.
 * @property {string} [nodeFlags]
 *
 * @typedef {(scenario: string, queue: string, metric: string, where?: Record<string, number | string>) => Figure} Look
 *   Throws where there is no such figure. `where`: parameters; `runtime` is part of the runtime's name.
 *
 * @typedef {object} Finding
 * @property {string} id
 * @property {string} claim
 * @property {string} documented
 * @property {CellsOf[]} cells
 * @property {(look: Look, run: {preset: Preset, cores: number}) => {measured: string, holds: boolean | null}} judge
 */

const WIKI_QUEUES = ['node', 'sorted-list', 'unsorted-array', 'binary-heap', 'duration-lists', 'hierarchical-wheel']

/**
 * @param {Record<string, number[]>} params
 * @returns {CellsOf['params']} the same in both presets
 */
const always = params => ({ quick: params, documented: params })

/** @param {number} value */
const round = value => Number(value.toPrecision(3))
/** @param {Figure} figure */
const percent = ({ median }) => `${round(100 * median)} %`

/**
 * @param {Figure} figure
 * @param {string} unit
 */
const show = ({ median, low, high }, unit) => `${round(median)} (${round(low)}–${round(high)}) ${unit}`

/**
 * Whether one figure lies above another: null when their intervals overlap, so that it cannot be told.
 *
 * @param {Figure} one
 * @param {Figure} other
 */
function isAbove (one, other) {
  if (one.low > other.high) return true
  return one.high < other.low ? false : null
}

/**
 * The exponent e of cost ~ size ** e between the two sizes of staggered-expiry.
 *
 * @param {Look} look
 * @param {Preset} preset
 * @param {string} queue
 * @param {string} metric
 */
function growth (look, preset, queue, metric) {
  const sizes = staggered.params[preset].size
  const [small, large] = sizes.map(size => look('staggered-expiry', queue, metric, { size }).median)
  return Math.log(large / small) / Math.log(sizes[1] / sizes[0])
}

/**
 * @param {string} scenario
 * @param {string} metric
 * @param {string} title
 * @returns {Finding['judge']} dearer with the unsorted array than with the heap
 */
const arrayAboveHeap = (scenario, metric, title) => look => {
  const [array, heap] = ['unsorted-array', 'binary-heap'].map(queue => look(scenario, queue, metric))
  return { measured: `${title}: array ${show(array, 'µs')}, heap ${show(heap, 'µs')}`, holds: isAbove(array, heap) }
}

/**
 * @param {(boolean | null)[]} verdicts
 * @returns {boolean | null} true when all are, false when one is, null when it cannot be told
 */
const allHold = verdicts => verdicts.includes(false) ? false : verdicts.includes(null) ? null : true

/** neqo's, and those of the hashed wheels here. */
const SLOTS = 16_384
/** A prediction may be off by a quarter, and what is among the cheapest dearer than the cheapest. */
const SLACK = 1.25

/**
 * Whether a prediction was right: null when it may have been, within the intervals.
 *
 * @param {Figure} one
 * @param {Figure} other
 */
function isNear (one, other) {
  if (one.median < SLACK * other.median && other.median < SLACK * one.median) return true
  return one.low > SLACK * other.high || other.low > SLACK * one.high ? false : null
}

/**
 * @param {Figure} one
 * @param {Figure} other
 * @returns {Figure}
 */
const product = (one, other) => ({ median: one.median * other.median, low: one.low * other.low, high: one.high * other.high })

/**
 * @param {Figure} one
 * @param {Figure} other
 * @returns {Figure}
 */
const quotient = (one, other) => ({ median: one.median / other.median, low: one.low / other.high, high: one.high / other.low })

/**
 * @param {Figure} one
 * @param {Figure} other
 * @returns {Figure}
 */
const difference = (one, other) => ({ median: one.median - other.median, low: one.low - other.high, high: one.high - other.low })

/** @param {number} value */
const exactly = value => ({ median: value, low: value, high: value })

/**
 * @param {number} factor
 * @param {Figure} figure
 */
const times = (factor, figure) => product(exactly(factor), figure)

/** @param {Figure[]} figures */
const lowest = figures => figures.reduce((one, other) => other.median < one.median ? other : one)

/** @type {CellsOf} */
const keepAlive = { scenario: 'keep-alive', queues: WIKI_QUEUES, params: always({}), profiled: true }
/** @type {CellsOf} */
const manyConnections = { scenario: 'keep-alive', queues: ['sorted-list', 'binary-heap'], params: { quick: { connections: [10_000], seconds: [3] }, documented: { connections: [10_000] } }, profiled: true }
/** @type {CellsOf} */
const staggered = { scenario: 'staggered-expiry', queues: ['unsorted-array', 'binary-heap', 'sorted-list', 'hierarchical-wheel', 'duration-lists', 'unordered-list'], params: { quick: { size: [1000, 10_000] }, documented: { size: [10_000, 100_000] } } }
/** @type {CellsOf} */
const timeouts = { scenario: 'timeouts', queues: ['unsorted-array', 'binary-heap'], params: always({}) }
/** @type {CellsOf} */
const oneInTen = { scenario: 'timeouts-one-in-ten', queues: ['unsorted-array', 'binary-heap'], params: always({}) }
/** @type {CellsOf} */
const poll = { scenario: 'one-timer-poll', queues: ['hashed-wheel', 'hashed-wheel-bounded', 'hierarchical-wheel', 'ordered-map', 'single-wakeup'], params: always({ size: [1] }) }
/** @type {CellsOf} */
const pollMany = { scenario: 'one-timer-poll', queues: ['hierarchical-wheel'], params: { quick: { size: [100_000] }, documented: { size: [1_000_000] } } }
/** @type {CellsOf} */
const drainSmall = { scenario: 'drain-small', queues: ['hashed-wheel', 'hashed-wheel-bounded'], params: always({ size: [100] }) }
/** @type {CellsOf} */
const drainEmpty = { scenario: 'drain-empty', queues: ['hashed-wheel', 'hashed-wheel-bounded'], params: always({ pause: [4] }) }
/** @type {CellsOf} */
const fewAndMany = { scenario: 'mixed', queues: ['single-wakeup', 'binary-heap', 'ordered-map', 'hierarchical-wheel'], params: always({ size: [10, 100, 1000, 10_000], expiring: [10], decades: [2] }) }
/** @type {CellsOf} */
const semiSpaces = { scenario: 'garbage', queues: ['node'], params: always({}), nodeFlags: '--max-semi-space-size=16,64,128,256' }
/** @type {CellsOf} */
const distinctCancelled = { scenario: 'distinct-durations-cancelled', queues: ['duration-lists', 'unordered-list', 'binary-heap'], params: { quick: { size: [10_000] }, documented: { size: [100_000] } } }
/** @type {CellsOf} */
const deepCascades = { scenario: 'far-future-cascade', queues: ['hierarchical-wheel', 'binary-heap'], params: always({ size: [10_000] }) }
/** @type {CellsOf} */
const cancelManyMore = { scenario: 'start-cancel', queues: ['ordered-map', 'hierarchical-wheel'], params: always({ size: [4000, 1_000_000] }) }
/** @type {CellsOf} */
const millionTimers = { scenario: 'million-timers', queues: ['binary-heap'], params: always({}) }

/** The document's clients; `split` 0 makes the most work, 2 the least. */
const CLIENTS = 32
const SPLITS = [0, 1, 2]
const WORKERS = [1, 2, 4]
/** @type {CellsOf} */
const asynchronously = { scenario: 'files-async', queues: ['node'], params: always({ connections: [CLIENTS], split: SPLITS }) }
/** @type {CellsOf} */
const synchronously = { scenario: 'files-cluster', queues: ['node'], params: always({ workers: [1], connections: [CLIENTS], split: SPLITS }) }
/** @type {CellsOf} */
const inCluster = { scenario: 'files-cluster', queues: ['node'], params: always({ workers: WORKERS.slice(1), connections: [CLIENTS], split: [0, 1] }) }
/** @type {CellsOf} */
const oneClient = { scenario: 'files-cluster', queues: ['node'], params: always({ workers: [2], connections: [1], split: [0] }) }

/** @type {Finding[]} */
export const findings = [
  {
    id: 'A1',
    claim: 'The sorted list takes the largest share of all queues, and clearly more CPU per request than Node today',
    documented: '34.4 % of ticks, and 14.1 % below it',
    cells: [keepAlive],
    judge (look) {
      const share = look('keep-alive', 'sorted-list', 'queueShare')
      const others = keepAlive.queues.filter(queue => !['node', 'sorted-list'].includes(queue)).map(queue => look('keep-alive', queue, 'queueShare'))
      const [list, node] = ['sorted-list', 'node'].map(queue => look('keep-alive', queue, 'cpuMicrosPerRequest'))
      return {
        measured: `${percent(share)} of busy CPU; CPU per request ${show(list, 'µs')}, node ${show(node, 'µs')}`,
        holds: allHold([...others.map(other => isAbove(share, other)), isAbove(list, node)])
      }
    }
  },
  {
    id: 'A2',
    claim: "The unsorted array takes a small fraction of the sorted list's share, is among the cheapest per request, and requests per second rise",
    documented: '2.6 %',
    cells: [keepAlive],
    judge (look) {
      const [array, list] = ['unsorted-array', 'sorted-list'].map(queue => look('keep-alive', queue, 'queueShare'))
      const [rate, listRate] = ['unsorted-array', 'sorted-list'].map(queue => look('keep-alive', queue, 'requestsPerSecond'))
      const cost = look('keep-alive', 'unsorted-array', 'cpuMicrosPerRequest')
      const cheapest = lowest(keepAlive.queues.map(queue => look('keep-alive', queue, 'cpuMicrosPerRequest')))
      return {
        measured: `${percent(array)} against ${percent(list)}; CPU per request ${show(cost, 'µs')}, the cheapest ${show(cheapest, 'µs')}; ` +
          `${show(rate, '1/s')} against ${show(listRate, '1/s')}`,
        holds: allHold([isAbove(list, times(3, array)), isAbove(times(SLACK, cheapest), cost), isAbove(rate, listRate)])
      }
    }
  },
  {
    id: 'A3',
    claim: 'The binary heap lies between array and sorted list, much nearer the array',
    documented: '4.4 %',
    cells: [keepAlive],
    judge (look) {
      const [array, heap, list] = ['unsorted-array', 'binary-heap', 'sorted-list'].map(queue => look('keep-alive', queue, 'queueShare'))
      const isMuchNearer = isAbove(difference(list, heap), times(2, difference(heap, array)))
      return {
        measured: `array ${percent(array)}, heap ${percent(heap)}, sorted list ${percent(list)}`,
        holds: allHold([isAbove(heap, array), isAbove(list, heap), isMuchNearer])
      }
    }
  },
  {
    id: 'A4',
    claim: 'Expiry from the unsorted array costs in proportion to the pending timers',
    documented: '24.6 % of ticks, and 15.4 % below it',
    cells: [staggered],
    judge (look, { preset }) {
      const exponent = growth(look, preset, 'unsorted-array', 'expireNsPerTimer')
      return { measured: `cost per timer ~ n ** ${round(exponent)}`, holds: exponent > 0.7 && exponent < 1.3 }
    }
  },
  {
    id: 'A5',
    claim: 'Expiry from the binary heap costs log n',
    documented: '2.1 %',
    cells: [staggered],
    judge (look, { preset }) {
      const exponent = growth(look, preset, 'binary-heap', 'expireNsPerTimer')
      return { measured: `cost per timer ~ n ** ${round(exponent)}`, holds: exponent < 0.35 }
    }
  },
  {
    id: 'A6',
    claim: 'When every request times out, the unsorted array costs more CPU per fired timeout than the heap',
    documented: '4.1 % + 3.1 %',
    cells: [timeouts],
    judge: arrayAboveHeap('timeouts', 'cpuMicrosPerTimeout', 'CPU per fired timeout')
  },
  {
    id: 'A7',
    claim: 'When every request times out, the heap costs less CPU per fired timeout than the unsorted array',
    documented: '2.1 %',
    cells: [timeouts],
    judge: arrayAboveHeap('timeouts', 'cpuMicrosPerTimeout', 'CPU per fired timeout')
  },
  {
    id: 'A8',
    claim: 'When one request in ten times out, the unsorted array still costs more CPU per request than the heap',
    documented: 'still a significant contributor',
    cells: [oneInTen],
    judge: arrayAboveHeap('timeouts-one-in-ten', 'cpuMicrosPerRequest', 'CPU per request')
  },
  {
    id: 'A9',
    claim: "At 10 000 connections the heap's share is still a fraction of the sorted list's",
    documented: '3.4 % + 2.9 %',
    cells: [manyConnections],
    judge (look) {
      const [heap, list] = ['binary-heap', 'sorted-list'].map(queue => look('keep-alive', queue, 'queueShare', { connections: 10_000 }))
      return { measured: `heap ${percent(heap)}, sorted list ${percent(list)}`, holds: isAbove(list, times(2, heap)) }
    }
  },
  {
    id: 'A10',
    claim: 'Would a timer wheel be better than the heap? The open question of the document',
    documented: 'not implemented: "could be better", "could be difficult to tune"',
    cells: [keepAlive, staggered],
    judge (look, { preset }) {
      const size = Math.max(...staggered.params[preset].size)
      const [wheel, heap] = ['hierarchical-wheel', 'binary-heap'].map(queue => look('keep-alive', queue, 'queueShare'))
      const [wheelCpu, heapCpu] = ['hierarchical-wheel', 'binary-heap'].map(queue => look('keep-alive', queue, 'cpuMicrosPerRequest'))
      const [wheelExpiry, heapExpiry] = ['hierarchical-wheel', 'binary-heap'].map(queue => look('staggered-expiry', queue, 'expireNsPerTimer', { size }))
      return {
        measured: `share ${percent(wheel)} against the heap's ${percent(heap)}; CPU per request ${show(wheelCpu, 'µs')} against ${show(heapCpu, 'µs')}; expiry ${show(wheelExpiry, 'ns')} against ${show(heapExpiry, 'ns')}`,
        holds: allHold([isAbove(heap, wheel), isAbove(heapExpiry, wheelExpiry)])
      }
    }
  },
  {
    id: 'B1',
    claim: 'Polling a hashed wheel with one timer costs a look into each of its slots',
    documented: '5 to 10 µs a call, up to 33 % of CPU',
    cells: [poll],
    judge (look) {
      const [hashed, hierarchical] = ['hashed-wheel', 'hierarchical-wheel'].map(queue => look('one-timer-poll', queue, 'advanceNsPerCall', { size: 1 }))
      const perSlot = times(1 / SLOTS, hashed)
      return {
        measured: `${show(hashed, 'ns')}, ${show(perSlot, 'ns')} a slot; hierarchical wheel ${show(hierarchical, 'ns')}`,
        // A look at one place in memory, on any machine; a wheel that looks into one slot takes a thousandth of it.
        holds: allHold([isAbove(perSlot, exactly(0.1)), isAbove(exactly(10), perSlot)])
      }
    }
  },
  {
    id: 'B2',
    claim: 'Visiting only the slots between cursor and now is clearly cheaper',
    documented: '2.8 % of CPU; empty drain 40.6 -> 25.8 µs',
    cells: [poll, drainEmpty],
    judge (look) {
      const [all, bounded] = ['hashed-wheel', 'hashed-wheel-bounded'].map(queue => look('one-timer-poll', queue, 'advanceNsPerCall', { size: 1 }))
      const [allEmpty, boundedEmpty] = ['hashed-wheel', 'hashed-wheel-bounded'].map(queue => look('drain-empty', queue, 'nsPerOp'))
      return {
        measured: `poll ${show(all, 'ns')} -> ${show(bounded, 'ns')}; empty drain ${show(allEmpty, 'ns')} -> ${show(boundedEmpty, 'ns')}`,
        holds: allHold([isAbove(all, bounded), isAbove(allEmpty, boundedEmpty)])
      }
    }
  },
  {
    id: 'B3',
    claim: 'Asking for the next expiry and looking for due timers are measured apart',
    documented: 'next_time 4.77 %, take_next 18.86 %',
    cells: [poll],
    judge (look) {
      const [ask, take] = ['nextExpiryNsPerCall', 'advanceNsPerCall'].map(metric => look('one-timer-poll', 'hashed-wheel', metric, { size: 1 }))
      return { measured: `next expiry ${show(ask, 'ns')}, advance ${show(take, 'ns')}`, holds: isAbove(take, ask) }
    }
  },
  {
    id: 'B4',
    claim: 'The optimisation of B2 is a loss where few timers are drained quickly',
    documented: '+81.6 % (702 ns), on a wheel of 100 slots',
    cells: [drainSmall],
    judge (look) {
      const [all, bounded] = ['hashed-wheel', 'hashed-wheel-bounded'].map(queue => look('drain-small', queue, 'expireNsPerTimer'))
      // Where there are so many slots, some can always be spared: no loss would be found.
      throw new Error(`the document's wheel had 100 slots, these have 16 384 (all looked into: ${show(all, 'ns')} a timer, some: ${show(bounded, 'ns')})`)
    }
  },
  {
    id: 'B5',
    claim: 'A hierarchical wheel is polled in O(1), with one timer and with very many',
    documented: 'suggested, not built',
    cells: [poll, pollMany],
    judge (look, { preset }) {
      const sizes = [1, ...pollMany.params[preset].size]
      const [one, many] = sizes.map(size => look('one-timer-poll', 'hierarchical-wheel', 'advanceNsPerCall', { size }))
      return { measured: `${show(one, 'ns')} with one timer, ${show(many, 'ns')} with ${sizes[1]}`, holds: isAbove(times(10, one), many) }
    }
  },
  {
    id: 'B6',
    claim: 'An ordered map would serve too: polling it costs a tenth of what the hashed wheel costs, or less',
    documented: 'suggested, not built',
    cells: [poll, fewAndMany],
    judge (look) {
      const [map, hashed] = ['ordered-map', 'hashed-wheel'].map(queue => look('one-timer-poll', queue, 'advanceNsPerCall', { size: 1 }))
      const [mixedMap, mixedWheel] = ['ordered-map', 'hierarchical-wheel'].map(queue => look('mixed', queue, 'nsPerOp', { size: 10_000 }))
      return {
        measured: `poll ${show(map, 'ns')}, hashed wheel ${show(hashed, 'ns')}; mixed, 10 000 timers ${show(mixedMap, 'ns')}, hierarchical wheel ${show(mixedWheel, 'ns')}`,
        holds: isAbove(hashed, times(10, map))
      }
    }
  },
  {
    id: 'B7',
    claim: 'One stored wake-up and a scan is the best with few timers, and loses as they grow',
    documented: 'merged',
    cells: [fewAndMany],
    judge (look, { preset }) {
      const { size: sizes } = fewAndMany.params[preset]
      const others = fewAndMany.queues.filter(queue => queue !== 'single-wakeup')
      const figures = sizes.map(size => {
        const [single, ...rest] = ['single-wakeup', ...others].map(queue => look('mixed', queue, 'nsPerOp', { size }))
        return { size, single, best: lowest(rest) }
      })
      const lost = figures.find(({ single, best }) => best.median < single.median)
      const [few, many] = [figures[0], figures[figures.length - 1]]
      return {
        measured: figures.map(({ size, single, best }) => `${size}: ${show(single, 'ns')}, the best other ${show(best, 'ns')}`).join('; ') +
          (lost === undefined ? '' : `; crossover below ${lost.size}`),
        holds: allHold([isAbove(few.best, few.single), isAbove(many.single, many.best)])
      }
    }
  },
  {
    id: 'C1',
    claim: 'Asynchronous file access is slower than synchronous in practically all cases, one process each',
    documented: 'slower',
    cells: [asynchronously, synchronously],
    judge (look) {
      const cases = SPLITS.map(split => ['files-cluster', 'files-async'].map(scenario =>
        look(scenario, 'node', 'requestsPerSecond', { connections: CLIENTS, split, ...(scenario === 'files-cluster' ? { workers: 1 } : {}) })))
      const slower = cases.map(([sync, async]) => isAbove(sync, async))
      return {
        measured: cases.map(([sync, async], index) => `split ${SPLITS[index]}: ${show(async, '1/s')} against ${show(sync, '1/s')}`).join('; '),
        // Practically all: one may be too close to be told.
        holds: slower.includes(false) ? false : slower.filter(Boolean).length >= 2 || null
      }
    }
  },
  {
    id: 'C2',
    claim: 'A cluster of processes speeds synchronous access up to the cores there are',
    documented: 'close to 10x with 4 processes',
    cells: [synchronously, inCluster],
    judge (look, { cores }) {
      const rates = WORKERS.map(workers => look('files-cluster', 'node', 'requestsPerSecond', { workers, connections: CLIENTS, split: 0 }))
      const steps = WORKERS.slice(1).filter(workers => workers <= cores)
      if (steps.length === 0) throw new Error('there is one core')
      return {
        measured: WORKERS.map((workers, index) => `${workers}: ${show(rates[index], '1/s')}`).join(', ') +
          `; ${round(rates[steps.length].median / rates[0].median)} times with ${steps.at(-1)} of ${cores} cores`,
        holds: allHold(steps.map((_, index) => isAbove(rates[index + 1], rates[index])))
      }
    }
  },
  {
    id: 'C3',
    claim: 'Latencies fall with it',
    documented: 'average about 1/10, worst about half',
    cells: [asynchronously, inCluster],
    judge (look) {
      const compare = (/** @type {string} */ metric) => [
        look('files-async', 'node', metric, { connections: CLIENTS, split: 1 }),
        look('files-cluster', 'node', metric, { workers: 2, connections: CLIENTS, split: 1 })
      ]
      const medians = ['getLatencyP50Ms', 'postLatencyP50Ms'].map(compare)
      const tails = ['getLatencyP99Ms', 'postLatencyP99Ms'].map(compare)
      const list = (/** @type {Figure[][]} */ [gets, posts]) =>
        `GET ${gets.map(({ median }) => round(median)).join(' -> ')}, POST ${posts.map(({ median }) => round(median)).join(' -> ')} ms`
      return {
        measured: `asynchronous -> 2 processes: median ${list(medians)}; 99th percentile ${list(tails)}`,
        holds: allHold(medians.map(([async, cluster]) => isAbove(async, cluster)))
      }
    }
  },
  {
    id: 'C4',
    claim: "Little's law predicts the processes needed, from the time that one of them takes for a request",
    documented: 'arrival rate x time per request',
    cells: [synchronously, inCluster, oneClient],
    judge (look) {
      const micros = look('files-cluster', 'node', 'busyMicrosPerRequest', { workers: 1, connections: CLIENTS, split: 0 })
      const seconds = times(1e-6, micros)
      const cases = [1, CLIENTS].map(connections => {
        const figure = (/** @type {string} */ metric) => look('files-cluster', 'node', metric, { workers: 2, connections, split: 0 })
        const rate = figure('requestsPerSecond')
        return { rate, predicted: product(rate, seconds), busy: figure('busyProcesses') }
      })
      return {
        measured: cases.map(({ rate, predicted, busy }) =>
          `${round(rate.median)}/s x ${round(micros.median / 1000)} ms = ${round(predicted.median)} processes, ` +
          `${round(busy.median)} of 2 were busy`).join('; '),
        holds: allHold(cases.map(({ predicted, busy }) => isNear(predicted, busy)))
      }
    }
  },
  {
    id: 'D1',
    claim: 'Scavenges fall about in proportion to the size of the semi-space',
    documented: '16 -> 64 MB: about 1000 -> 294 in 3 minutes',
    cells: [semiSpaces],
    judge (look) {
      const [small, large] = ['=16', '=64'].map(runtime => look('garbage', 'node', 'scavenges', { runtime }))
      return {
        measured: `${round(small.median)} -> ${round(large.median)} scavenges, ${round(small.median / large.median)} times fewer`,
        holds: allHold([isAbove(small, times(2, large)), isAbove(times(8, large), small)])
      }
    }
  },
  {
    id: 'D2',
    claim: 'A larger semi-space costs less CPU, and beyond some size there is no further gain',
    documented: '128 MB: 145, twice as long each; 256 MB: 72, 150 ms each',
    cells: [semiSpaces],
    judge (look) {
      const sizes = [16, 64, 128, 256]
      const costs = sizes.map(size => look('garbage', 'node', 'cpuMicrosPerRequest', { runtime: `=${size}` }))
      const best = lowest(costs)
      // The smallest that cannot be told from the best is the one to recommend.
      const recommended = sizes[costs.findIndex(cost => isAbove(cost, best) !== true)]
      return {
        measured: sizes.map((size, index) => `${size} MB ${show(costs[index], 'µs')}`).join(', ') + `; recommended ${recommended} MB`,
        holds: allHold([isAbove(costs[0], lowest(costs.slice(1))), isAbove(costs[2], costs[3]) !== true])
      }
    }
  },
  {
    id: 'E1',
    claim: 'A sorted list starts a timer in O(n), a hierarchical wheel in O(1)',
    documented: 'Varghese and Lauck 1987',
    cells: [staggered],
    judge (look, { preset }) {
      const [list, wheel] = ['sorted-list', 'hierarchical-wheel'].map(queue => growth(look, preset, queue, 'startNsPerTimer'))
      return { measured: `list ~ n ** ${round(list)}, wheel ~ n ** ${round(wheel)}`, holds: list > 0.7 && wheel < 0.3 }
    }
  },
  {
    id: 'E2',
    claim: 'Lists per duration make distinct durations that expire much cheaper than the unordered list',
    documented: 'unrefTimeout 40-79 % of CPU -> gone (node pull request 4007)',
    cells: [staggered],
    judge (look, { preset }) {
      const size = Math.max(...staggered.params[preset].size)
      const [list, lists] = ['unordered-list', 'duration-lists'].map(queue => look('staggered-expiry', queue, 'expireNsPerTimer', { size }))
      return { measured: `${show(list, 'ns')} -> ${show(lists, 'ns')}`, holds: isAbove(list, lists) }
    }
  },
  {
    id: 'E3',
    claim: 'Lists per duration make distinct durations that are cancelled much dearer',
    documented: 'CPU 2.6 -> 19.0 s (node pull request 4007)',
    cells: [distinctCancelled],
    judge (look) {
      const [list, lists] = ['unordered-list', 'duration-lists'].map(queue => look('distinct-durations-cancelled', queue, 'nsPerOp'))
      return { measured: `${show(list, 'ns')} -> ${show(lists, 'ns')}`, holds: isAbove(lists, times(2, list)) }
    }
  },
  {
    id: 'E4',
    claim: 'Deep cascades can make a hierarchical wheel lose to a heap',
    documented: 'wahern/timeout, issue 18',
    cells: [deepCascades],
    judge (look) {
      const [wheel, heap] = ['hierarchical-wheel', 'binary-heap'].map(queue => look('far-future-cascade', queue, 'expireNsPerTimer'))
      return { measured: `wheel ${show(wheel, 'ns')}, heap ${show(heap, 'ns')}`, holds: isAbove(wheel, heap) }
    }
  },
  {
    id: 'E5',
    claim: 'From 4000 to 1 000 000 timers, cancelling grows dearer in an ordered map than in a wheel',
    documented: 'map 46 -> 172 ns, wheel 21 -> 22 ns (glommio 44)',
    cells: [cancelManyMore],
    judge (look) {
      const [map, wheel] = ['ordered-map', 'hierarchical-wheel'].map(queue =>
        [4000, 1_000_000].map(size => look('start-cancel', queue, 'nsPerOp', { size })))
      return {
        measured: `map ${show(map[0], 'ns')} -> ${show(map[1], 'ns')}, wheel ${show(wheel[0], 'ns')} -> ${show(wheel[1], 'ns')}, with the restart`,
        holds: isAbove(quotient(map[1], map[0]), quotient(wheel[1], wheel[0]))
      }
    }
  },
  {
    id: 'E6',
    claim: 'Of very many timers in a heap, expiring costs much more than starting',
    documented: 'a million: start 0.85 s, dispatch 9.15 s (libuv)',
    cells: [millionTimers],
    judge (look) {
      const [start, expire] = ['startNsPerTimer', 'expireNsPerTimer'].map(metric => look('million-timers', 'binary-heap', metric))
      return { measured: `start ${show(start, 'ns')}, expire ${show(expire, 'ns')} a timer`, holds: isAbove(expire, times(2, start)) }
    }
  }
]
