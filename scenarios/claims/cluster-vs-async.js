/** Claims C: "Node.js Cluster is Faster and Easier Than Async" (2016), on servers of files. */

/** @import { CellSpec, Document } from './claim.js' */

/** Clients of the document. */
const CLIENTS = 32
/** The lower, the more parts a file is split into, and the more work. */
const SPLITS = [0, 1, 2]
/** A prediction may be off by a quarter. */
const NEAR = { above: 1 / 1.25, below: 1.25 }

/**
 * @param {string} scenario
 * @param {Record<string, number>} params
 * @param {string} label
 * @returns {CellSpec}
 */
const cell = (scenario, params, label) => ({ scenario, queue: 'node', params, label })

const splits = SPLITS.map(split => {
  const params = { connections: CLIENTS, split }
  const by = (/** @type {number} */ workers) =>
    cell('files-cluster', { workers, ...params }, `${workers} ${workers === 1 ? 'process' : 'processes'}`)
  return {
    async: cell('files-async', params, 'asynchronous'),
    one: { ...by(1), label: `synchronous, split ${split}` },
    two: by(2),
    four: by(4)
  }
})
const [split0, split1] = splits
const clusters = [{ ...split0.one, label: '1 process' }, split0.two, split0.four]
const lowLoad = cell('files-cluster', { workers: 2, connections: 1, split: 0 }, 'one client')

/** @type {Document} */
export function clusterVersusAsync ({ cores }) {
  const steps = [2, 4].filter(workers => workers <= cores).length
  return [
    {
      id: 'C1',
      claim: 'Asynchronous file access is slower than synchronous in practically all cases, one process each',
      documented: 'slower',
      holds: splits.map(({ async, one }) => ({ metric: 'requestsPerSecond', of: one, to: async, above: 1 })),
      // "Practically all" leaves room for one.
      mayBeOpen: 1
    },
    {
      id: 'C2',
      claim: 'A cluster of processes speeds synchronous access up, as far as there are cores',
      documented: 'close to 10x with 4 processes',
      holds: [0, 1].map(i => ({
        metric: 'requestsPerSecond',
        of: clusters[i + 1],
        to: clusters[i],
        ...(i < steps && { above: 1 })
      })),
      ...(steps === 0 && { excluded: 'there is only one core' })
    },
    {
      id: 'C3',
      claim: 'Latencies fall with it',
      documented: 'average about 1/10, worst about half',
      holds: ['getLatencyP50Ms', 'postLatencyP50Ms', 'getLatencyP99Ms', 'postLatencyP99Ms'].map((metric, i) => ({
        metric,
        of: split1.async,
        to: split1.two,
        ...(i < 2 && { above: 1 })
      }))
    },
    {
      id: 'C4',
      claim:
        "Little's law predicts how many processes a rate of requests needs, " +
        'from the time that a request takes at low load',
      documented: 'arrival rate x time per request',
      // Busy processes are rate x busy time per request. The prediction is right if that time does not depend on the
      // load.
      holds: clusters
        .slice(0, Math.min(2, cores))
        .map(full => ({ metric: 'busyMicrosPerRequest', of: lowLoad, to: full, ...NEAR }))
    }
  ]
}
