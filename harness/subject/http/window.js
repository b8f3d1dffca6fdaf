/** The measured window of a server: counters from `open` to `close`, which are the figures of an HTTP sample. */
import { constants, performance, PerformanceObserver } from 'node:perf_hooks'
import { cpuMicros, wallMs } from '../../processes/clock.js'
/** @import { TimerService } from './timer-service.js' */
/** @import { PerformanceEntry } from 'node:perf_hooks' */

const GC_KINDS = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakCallbacks']
])

/** Taken before a queue can replace them. */
const loopUtilization = performance.eventLoopUtilization.bind(performance)
const {
  memoryUsage: { rss },
  resourceUsage
} = process

export class Window {
  requests = 0
  /** @type {Record<string, {count: number, pauseMs: number, longestMs: number}>} */
  #collections = {}
  #observer = new PerformanceObserver(list => this.#countCollections(list.getEntries()))
  #opened = this.#read()
  /** The end of the last slice. */
  #sliced = this.#opened

  open () {
    this.requests = 0
    this.#collections = {}
    this.#observer.disconnect()
    this.#observer.observe({ entryTypes: ['gc'] })
    this.#opened = this.#sliced = this.#read()
  }

  /** @returns {{requests: number, cpuMicros: number, ms: number}} since the window opened, or since the last slice */
  slice () {
    const start = this.#sliced
    const end = (this.#sliced = this.#read())
    return {
      requests: end.requests - start.requests,
      cpuMicros: end.user + end.system - start.user - start.system,
      ms: end.time - start.time
    }
  }

  close () {
    const { time, user, system, requests } = this.#read()
    const { utilization } = loopUtilization(this.#opened.loop)
    this.#countCollections(this.#observer.takeRecords())
    return {
      windowMs: time - this.#opened.time,
      requests,
      userMicros: user - this.#opened.user,
      systemMicros: system - this.#opened.system,
      eventLoopUtilization: utilization,
      collections: this.#collections,
      rssBytes: residentBytes()
    }
  }

  #read () {
    return { time: wallMs(), requests: this.requests, loop: loopUtilization(), ...cpuMicros() }
  }

  /** @param {PerformanceEntry[]} entries */
  #countCollections (entries) {
    for (const { duration, detail } of /** @type {any[]} */ (entries)) {
      const counted = (this.#collections[GC_KINDS.get(detail.kind) ?? 'other'] ??= {
        count: 0,
        pauseMs: 0,
        longestMs: 0
      })
      counted.count++
      counted.pauseMs += duration
      counted.longestMs = Math.max(counted.longestMs, duration)
    }
  }
}

/** @param {TimerService} service */
export function countTimers ({ counts, pendingPeak, lateness }) {
  return {
    ...counts,
    pendingPeak,
    latenessP50Ms: lateness.percentile(50) / 1000,
    latenessP99Ms: lateness.percentile(99) / 1000,
    latenessMaxMs: lateness.max / 1000
  }
}

/** Now, or the peak where the present value cannot be read (Linux without /proc). */
function residentBytes () {
  try {
    return rss()
  } catch {
    return 1024 * resourceUsage().maxRSS
  }
}
