#!/usr/bin/env node
/**
 * `npm run recorder-overhead`: the CPU per request that `timerq record` costs a server. Pairs of fresh servers, one
 * with the recorder and one without, in turn, under wrk.
 *
 *     node lab/recorder-overhead.js [--scenario keep-alive] [--connections 50] [--pairs 12] [--seconds 2]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { median } from 'simple-statistics'
import { withServer } from '../harness/measure/http/running-server.js'
import { assertRequests } from '../harness/measure/http/settle.js'
import { choosePins } from '../harness/processes/pinning.js'
import { pseudoMedian } from '../harness/judge/statistics/pseudo-median.js'
import { scenarios } from '../scenarios/index.js'
import { pickByName } from '../bin/request/catalogue.js'
import { integer } from '../bin/request/values.js'

const HOOK = new URL('../harness/trace/subject/hook.js', import.meta.url)
const WARMUP_MS = 700

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'keep-alive' },
    connections: { type: 'string', default: '50' },
    pairs: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '2' }
  }
})
const pairs = integer('--pairs', values.pairs, 1)
const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-recorder-'))
const task = {
  queueUrl: null,
  scenarioUrl: pickByName('scenario', scenarios, values.scenario).url,
  coldStart: false,
  params: {
    connections: integer('--connections', values.connections, 1),
    threads: 1,
    seconds: integer('--seconds', values.seconds, 1)
  },
  port: 0,
  load: /** @type {const} */ ('wrk'),
  warmupMs: WARMUP_MS
}
const runtime = {
  name: process.version,
  path: process.execPath,
  flags: [],
  env: { TIMERQ_TRACE: path.join(folder, 'server.trace') }
}
const pins = choosePins()

/** @param {string[]} flags */
function cpuMicrosPerRequest (flags) {
  return withServer(task, { runtime, flags, pins }, async ({ ask, load }) => {
    await ask({ type: 'open' })
    await load(task.params.seconds)
    const window = await ask({ type: 'close' })
    assertRequests(window)
    return (window.userMicros + window.systemMicros) / window.requests
  })
}

/** @type {number[]} */
const without = []
/** @type {number[]} */
const recorded = []
try {
  for (let pair = 0; pair < pairs; pair++) {
    const recorderFirst = pair % 2 === 1
    if (recorderFirst) recorded.push(await cpuMicrosPerRequest(['--import', HOOK.href]))
    without.push(await cpuMicrosPerRequest([]))
    if (!recorderFirst) recorded.push(await cpuMicrosPerRequest(['--import', HOOK.href]))
  }
} finally {
  rmSync(folder, { recursive: true })
}

const { estimate, low, high, coverage } = pseudoMedian(recorded.map((value, pair) => Math.log(value / without[pair])))
const percent = (/** @type {number} */ logRatio) => `${(Math.expm1(logRatio) * 100).toFixed(1)} %`
const [plain, slowed] = [without, recorded].map(micros => median(micros).toFixed(2))
const sure = `coverage ${(coverage * 100).toFixed(0)} %`
process.stdout.write(
  `${values.scenario}, ${values.connections} connections, ${pins.note}\n` +
    `CPU per request without the recorder ${plain} µs, with it ${slowed} µs (medians of ${pairs})\n` +
    `extra CPU per request: ${percent(estimate)} (${percent(low)} to ${percent(high)}, ${sure})\n`
)
