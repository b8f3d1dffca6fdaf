/**
 * Loaded before a file of Node's benchmarks that is the main program of its process: runs `main` once, for the
 * configuration that once.js has chosen, and replies with its CPU time. That is the time of all threads of this
 * process, and of no other: neither of the load generator nor of a cluster's workers.
 */
import cluster from 'node:cluster'
import { writeSync } from 'node:fs'
import Module from 'node:module'
import { cpuMs } from '../../../processes/clock.js'
import { answerCommon } from './answer.js'

/** File descriptor of the reply. */
const REPLY = 3
/** Seconds of load, an integer: the shortest that wrk takes. */
const LOAD_SECONDS = 1

const { TIMERQ_CONFIG: config } = process.env
// A worker of a cluster would lose messages that arrive before this module is loaded.
process.execArgv.splice(process.execArgv.lastIndexOf('--import'), 2)
const { _load: load } = /** @type {any} */ (Module)

Object.assign(Module, {
  _load: (/** @type {string} */ request, /** @type {any[]} */ ...rest) => {
    const loaded = load(request, ...rest)
    return answerCommon(request, loaded, main => createBenchmark(main, loaded.Benchmark))
  }
})

/** @type {(main: (config: object) => unknown, Benchmark: any) => object} */
function createBenchmark (main, Benchmark) {
  let startMs = NaN
  const bench = {
    config: JSON.parse(String(config)),
    extra_options: {},
    start () {
      startMs = cpuMs()
    },
    end (/** @type {number} */ operations) {
      const ms = cpuMs() - startMs
      if (Number.isNaN(ms)) throw new Error('the timer was ended before it was started')
      writeSync(REPLY, JSON.stringify({ operations, ms }))
    },
    http (/** @type {object} */ options, /** @type {() => void} */ done) {
      if (Object.keys(cluster.workers ?? {}).length > 0) {
        throw new Error('its workers answer the requests, and timerq measures the process of the file')
      }
      bench.start()
      // It starts the load generator, and reports.
      Benchmark.prototype.http.call(bench, { ...options, duration: LOAD_SECONDS }, done)
    },
    /** @type {(rate: number, elapsed: bigint) => void} */
    report: (rate, elapsed) => bench.end(Math.round((rate * Number(elapsed)) / 1e9))
  }
  process.nextTick(() => main(bench.config))
  return bench
}
