/** Good inputs, to be damaged: small ones of each kind that timerq reads. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { captureEnvironment } from '../../harness/processes/environment.js'
import { unlock } from '../../harness/store/lock.js'
import { createResults } from '../../harness/store/results.js'
import { aPlan } from '../harness/a-run.js'
import { gatePlan, samplesOf } from '../harness/gate/gate-fixture.js'

/**
 * @typedef {import('../../harness/store/results.js').Sample} Sample
 *
 * @typedef {import('../../harness/plan/plan.js').Plan} Plan
 */

const QUEUES = ['sorted-list', 'binary-heap']

/**
 * @param {{kind: 'micro' | 'http', scenario: string, values: Record<string, number[]>, rounds?: number}} measured
 * @returns {Plan}
 */
export function planOf ({ kind, scenario, values, rounds = 3 }) {
  const complexity = { insert: 'O(n)', cancel: 'O(1)', reschedule: 'O(n)', nextExpiry: 'O(1)', advance: 'O(k)' }
  return aPlan({
    settings: {
      preset: 'quick',
      windows: 1,
      micro: { warmupMs: 1, leadMs: 1, turnMs: 1, turns: 4, limitMs: 1, exactLimitMs: 1, tailMs: 0 },
      httpWarmupMs: 1,
      httpHeat: { seconds: 1, sliceMs: 100 },
      control: { micro: 'sorted-list', http: 'sorted-list' }
    },
    end: { rounds },
    of: kind === 'http' ? { load: { generator: 'wrk', port: 0 } } : {},
    queues: QUEUES.map(name => ({
      name,
      origin: 'own',
      url: `file:///queues/${name}.js`,
      meta: { name, title: 'A queue', complexity, order: 'fifo', accuracy: 'exact', source: 'a book' }
    })),
    scenario: {
      name: scenario,
      kind,
      ...{ title: 'timers', source: 'a page', steps: ['heat', 'alone', 'count'] },
      url: `file:///scenarios/${scenario}.js`,
      sha256: '0',
      values
    },
    runtimes: [{ name: 'v20.0.0', path: 'node', flags: [] }]
  })
}

/**
 * @param {string} directory
 * @param {Plan} plan
 * @param {Sample[]} samples
 */
export function writeResults (directory, plan, samples) {
  const store = createResults(directory, {
    command: ['timerq', 'run'],
    started: '2026-01-01T00:00:00.000Z',
    ended: '2026-01-01T00:05:00.000Z',
    environment: captureEnvironment({ pinning: 'none', loadGenerator: 'none' }),
    plan
  })
  store.append(samples)
  unlock(directory)
}

/**
 * @param {Plan['cells'][0]} cell
 * @param {Partial<Sample>} rest
 * @returns {Sample}
 */
export function sampleOf ({ id, ...place }, rest) {
  return {
    cell: id,
    round: 0,
    kind: 'heat',
    ...place,
    started: '2026-01-01T00:00:01.000Z',
    seconds: 0.2,
    metrics: {},
    warnings: [],
    ...rest
  }
}

/**
 * A run of two queues: heats, and counts.
 *
 * @param {string} directory
 * @param {{day?: string, work?: number, rounds?: number}} [options] `work`: of binary-heap, in blocks; sorted-list
 *   takes 10.
 */
export function countedRun (directory, { day = '01', work = 10, rounds = 3 } = {}) {
  const plan = planOf({ kind: 'micro', scenario: 'refresh', values: { size: [10, 100] }, rounds })
  const started = `2026-01-${day}T00:00:01.000Z`
  const samples = plan.cells.flatMap((cell, i) => {
    const ns = 10 + i
    return [
      ...Array.from({ length: rounds }, (_, round) =>
        sampleOf(cell, {
          round,
          started,
          heat: `refresh size=${cell.params.size} * round ${round}`,
          heatSize: QUEUES.length,
          metrics: { nsPerOp: ns + round / 10, windowNsPerOp: ns },
          slices: { nsPerOp: [ns, ns + 0.1, null, ns + 0.2] }
        })
      ),
      sampleOf(cell, {
        kind: 'count',
        started,
        metrics: { workPerOp: cell.queue === 'binary-heap' ? work : 10, bytesPerTimer: 64 }
      })
    ]
  })
  writeResults(
    directory,
    plan,
    samples.sort((a, b) => a.round - b.round || (a.heat ?? '').localeCompare(b.heat ?? ''))
  )
}

/** A profile as V8 writes it: a root that calls a handler, which calls the queue. */
export const cpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)', ''), hitCount: 0, children: [2, 4] },
    { id: 2, callFrame: frame('onRequest', 'file:///app.js', 3), hitCount: 3, children: [3] },
    {
      id: 3,
      callFrame: frame('insert', 'file:///queues/sorted-list.js', 20),
      hitCount: 5,
      positionTicks: [{ line: 21, ticks: 5 }]
    },
    { id: 4, callFrame: frame('(idle)', ''), hitCount: 2 }
  ],
  startTime: 0,
  endTime: 1000,
  samples: [2, 3, 3, 4, 3, 2, 3, 3, 2, 4],
  timeDeltas: [0, 100, 100, 100, 100, 100, 100, 100, 100, 100]
}

/**
 * @param {string} functionName
 * @param {string} url
 * @param {number} lineNumber
 */
function frame (functionName, url, lineNumber = -1) {
  return { functionName, scriptId: '1', url, lineNumber, columnNumber: 0 }
}

/**
 * CPU profiles of two servers.
 *
 * @param {string} directory
 * @returns {string} the profile of binary-heap
 */
export function profiledRun (directory) {
  const plan = planOf({ kind: 'http', scenario: 'keep-alive', values: { connections: [20], seconds: [1] } })
  const share = { self: 0.1, inclusive: 0.2 }
  const files = plan.cells.map(({ queue }) => `${queue}.cpuprofile`)
  writeResults(
    directory,
    plan,
    plan.cells.map((cell, i) =>
      sampleOf(cell, {
        kind: 'profile',
        metrics: { queueShare: 0.2, fidelityError: -0.01 },
        details: {
          tool: 'cpu',
          files: [files[i]],
          shares: { queue: share, timers: share, collector: 0.01, idle: 0.1, idleByProfile: 0.1 },
          fidelity: { known: 0.3, profiled: 0.31, error: -0.01 },
          window: { windowMicros: 1000, cpuMicros: 900, runningShare: 1 },
          requests: 100
        }
      })
    )
  )
  mkdirSync(path.join(directory, 'profiles'))
  for (const file of files) writeFileSync(path.join(directory, 'profiles', file), JSON.stringify(cpuProfile))
  return path.join(directory, 'profiles', files[1])
}

/** Output of wrk's scripts: the summary, and the operations by method. */
export const wrkOutput =
  [
    'Running 1s test @ http://127.0.0.1:1/',
    '{"requests":1000,"micros":1000000,"bytes":1,"errors":{"connect":0,"read":1,"write":0,"status":2,' +
      '"timeout":0},"latencyMicros":{"p50":1000,"p90":2000,"p99":3000,"p999":4000,"max":5000}}',
    '{"operations":{"GET":{"requests":900,"latencyMicros":{"p50":100,"p90":200,"p99":300,"p999":400,' +
      '"max":500}}},"micros":1100000}'
  ].join('\n') + '\n'

/** Output of autocannon-program.js. */
export const autocannonOutput = JSON.stringify({
  result: {
    requests: { total: 1000 },
    duration: 1.1,
    errors: 3,
    timeouts: 2,
    non2xx: 3,
    latency: { p50: 1, p90: 2, p99: 3, p99_9: 4, max: 5 }
  },
  operations: {}
})

/**
 * A gate that has ended: its head is 1.5 times as slow as its base.
 *
 * @param {string} directory
 */
export function endedGate (directory) {
  const plan = gatePlan({ queues: ['heap'], scenario: { url: 'file:///refresh.js' } })
  mkdirSync(path.dirname(directory), { recursive: true })
  writeResults(directory, plan, samplesOf(plan, { slowdown: 1.5 }))
}
