/** C: "Node.js Cluster is Faster and Easier Than Async" (2016), on servers of files. */
import { allHold, isAbove, isNear, product, ratioOf, round, show, showRatio, times } from '../figures.js'

/**
 * @typedef {import('../judge.js').CellsOf} CellsOf
 * @typedef {import('../judge.js').Claim} Claim
 * @typedef {import('../figures.js').Figure} Figure
 */

/** The document's clients. Files are split into more parts, which is more work, the lower `split` is. */
const CLIENTS = 32
const SPLITS = [0, 1, 2]
const WORKERS = [1, 2, 4]

/**
 * @param {string} scenario
 * @param {Record<string, number[]>} params
 * @param {{group: string}} together
 * @returns {CellsOf}
 */
const cellsOf = (scenario, params, together) => ({ scenario, queues: ['node'], params: { quick: params, documented: params }, alone: true, ...together })

/** The rates and times of Little's law move with the machine, so they are taken right after one another. */
const littlesLaw = { group: "Little's law" }
const oneClient = cellsOf('files-cluster', { workers: [2], connections: [1], split: [0] }, littlesLaw)
const [simplest, ...others] = SPLITS.map(split => {
  const group = `split ${split}`
  const params = { connections: [CLIENTS], split: [split] }
  return {
    asynchronously: cellsOf('files-async', params, { group }),
    synchronously: cellsOf('files-cluster', { workers: [1], ...params }, split === 0 ? littlesLaw : { group }),
    byTwo: cellsOf('files-cluster', { workers: [2], ...params }, split === 0 ? littlesLaw : { group }),
    byFour: cellsOf('files-cluster', { workers: [4], ...params }, { group })
  }
})

/** @type {Claim[]} */
export const clusterVersusAsync = [
  {
    id: 'C1',
    claim: 'Asynchronous file access is slower than synchronous in practically all cases, one process each',
    documented: 'slower',
    cells: [simplest, ...others].flatMap(({ asynchronously, synchronously }) => [asynchronously, synchronously]),
    judge (figureOf) {
      const cases = SPLITS.map(split => [
        figureOf('files-cluster', 'node', 'requestsPerSecond', { connections: CLIENTS, split, workers: 1 }),
        figureOf('files-async', 'node', 'requestsPerSecond', { connections: CLIENTS, split })
      ])
      const slower = cases.map(([sync, async]) => isAbove(sync, async))
      return {
        measured: cases.map(([sync, async], index) => `split ${SPLITS[index]}: ${show(async, '1/s')} against ${show(sync, '1/s')}, ${showRatio(sync, async)}`).join('; '),
        // Practically all: one may be too close to decide.
        holds: slower.includes(false) ? false : slower.filter(Boolean).length >= SPLITS.length - 1 || null
      }
    }
  },
  {
    id: 'C2',
    claim: 'A cluster of processes speeds synchronous access up, as far as there are cores',
    documented: 'close to 10x with 4 processes',
    cells: [simplest.synchronously, simplest.byTwo, simplest.byFour],
    judge (figureOf, { cores }) {
      const rates = WORKERS.map(workers => figureOf('files-cluster', 'node', 'requestsPerSecond', { workers, connections: CLIENTS, split: 0 }))
      const steps = WORKERS.slice(1).filter(workers => workers <= cores)
      if (steps.length === 0) throw new Error('there is only one core')
      return {
        measured: WORKERS.map((workers, index) => `${workers}: ${show(rates[index], '1/s')}`).join(', ') +
          `; ${round(ratioOf(rates[steps.length], rates[0]).median)} times with ${steps.at(-1)} of ${cores} cores`,
        holds: allHold(steps.map((_, index) => isAbove(rates[index + 1], rates[index])))
      }
    }
  },
  {
    id: 'C3',
    claim: 'Latencies fall with it',
    documented: 'average about 1/10, worst about half',
    cells: [others[0].asynchronously, others[0].byTwo],
    judge (figureOf) {
      const compare = (/** @type {string} */ metric) => [
        figureOf('files-async', 'node', metric, { connections: CLIENTS, split: 1 }),
        figureOf('files-cluster', 'node', metric, { workers: 2, connections: CLIENTS, split: 1 })
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
    claim: "Little's law predicts how many processes a rate of requests needs, from the time that a request takes at low load",
    documented: 'arrival rate x time per request',
    cells: [simplest.synchronously, simplest.byTwo, oneClient],
    judge (figureOf, { cores }) {
      // At low load: the busy time of the same window that the rate is from would make the prediction an identity.
      const micros = figureOf('files-cluster', 'node', 'busyMicrosPerRequest', { workers: 2, connections: 1, split: 0 })
      const cases = [1, 2].filter(workers => workers <= cores).map(workers => {
        const figure = (/** @type {string} */ metric) => figureOf('files-cluster', 'node', metric, { workers, connections: CLIENTS, split: 0 })
        const rate = figure('servedPerSecond')
        return { workers, rate, predicted: product(rate, times(1e-6, micros)), busy: figure('busyLoops') }
      })
      return {
        measured: cases.map(({ workers, rate, predicted, busy }) =>
          `${round(rate.median)}/s x ${round(micros.median / 1000)} ms = ${round(predicted.median)}, ${round(busy.median)} of ${workers} were busy`).join('; '),
        holds: allHold(cases.map(({ predicted, busy }) => isNear(predicted, busy)))
      }
    }
  }
]
