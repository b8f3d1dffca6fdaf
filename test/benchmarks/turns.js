#!/usr/bin/env node
/**
 * `npm run turns`: finds out how long the turns of a micro heat should be. Short turns remove more noise. But after every
 * change of queues the caches hold another queue's timers, and a queue with many timers pays more for that than one with
 * few. Each choice of lead and turn is compared with the same queues alone, for a second each, one after the other.
 * Everything is interleaved round by round.
 *
 *     node test/benchmarks/turns.js [--rounds 10] [--sizes 100,10000,100000,1000000] [--scenario start-cancel]
 */
import { parseArgs } from 'node:util'
import { markdownTable } from 'markdown-table'
import { median } from 'simple-statistics'
import { SampleError } from '../../harness/processes/child.js'
import { runMicroHeat } from '../../harness/heat/micro.js'
import { choosePins } from '../../harness/processes/pinning.js'
import { scenarios } from '../../scenarios/index.js'
import { queues } from '../../queues/index.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    sizes: { type: 'string', default: '100,10000,100000,1000000' },
    scenario: { type: 'string', default: 'start-cancel' },
    queues: { type: 'string', default: 'binary-heap,quaternary-heap,hierarchical-wheel,lazy-wheel' }
  }
})
/** Compared with itself, which shows the noise, and with the others. */
const [reference, ...others] = values.queues.split(',')
/** What each choice measures of each queue in one heat. */
const MEASURED_MS = 250
const CHOICES = [
  { leadMs: 0, turnMs: 3 },
  { leadMs: 1, turnMs: 4 },
  { leadMs: 2, turnMs: 6 },
  { leadMs: 2, turnMs: 10 },
  { leadMs: 4, turnMs: 30 }
]
const runtime = { name: process.version, path: process.execPath, flags: [] }
const pin = choosePins().subject

/**
 * @param {string[]} names
 * @param {number} size
 * @param {{leadMs: number, turnMs: number}} choice
 * @param {number} seed
 * @returns {Promise<(number[] | null)[]>} of each queue, the time per operation in every slice
 */
async function slicesOf (names, size, { leadMs, turnMs }, seed) {
  const timing = { warmupMs: 100, leadMs, turnMs, turns: Math.ceil(MEASURED_MS / turnMs), limitMs: 60_000, exactLimitMs: 0, tailMs: 0 }
  const urlOf = (/** @type {{name: string, url: string}[]} */ entries, /** @type {string} */ wanted) =>
    /** @type {{url: string}} */ (entries.find(({ name }) => name === wanted)).url
  const results = await runMicroHeat(names.map(name => ({
    task: { queueUrl: urlOf(queues, name), scenarioUrl: urlOf(scenarios, values.scenario), params: { size }, seed: 1, timing },
    runtime,
    expected: null
  })), { seed, pin })
  return results.map(result => result instanceof SampleError ? null : /** @type {number[]} */ (result.slices.nsPerOp))
}

/** @param {number[]} ratios */
function describe (ratios) {
  const logs = ratios.map(Math.log)
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const deviation = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1))
  return `${Math.exp(median(logs)).toFixed(3)} (${(100 * deviation).toFixed(1)} %)`
}

const names = [reference, reference, ...others]
const rows = [['size', 'turns', `${reference} again`, ...others]]
for (const size of values.sizes.split(',').map(Number)) {
  /** @type {number[][][]} By choice and queue; the last choice is alone. */
  const ratios = [...CHOICES, null].map(() => names.map(() => []))
  for (let round = 0; round < Number(values.rounds); round++) {
    process.stderr.write(`size ${size}, round ${round + 1}\n`)
    for (const [index, choice] of CHOICES.entries()) {
      const [base, ...rest] = await slicesOf(names, size, choice, round + 1)
      rest.forEach((slices, i) => {
        if (base && slices) ratios[index][i + 1].push(median(slices.map((ns, slice) => ns / base[slice])))
      })
    }
    const alone = []
    for (const name of names) alone.push((await slicesOf([name], size, CHOICES[3], round + 1))[0])
    alone.forEach((slices, i) => {
      if (alone[0] && slices) ratios[CHOICES.length][i].push(median(slices) / median(alone[0]))
    })
  }
  ratios.forEach((ofQueues, index) => {
    const choice = CHOICES[index]
    rows.push([String(size), choice ? `${choice.turnMs} ms after ${choice.leadMs} ms` : 'alone', ...ofQueues.slice(1).map(describe)])
  })
}
process.stdout.write(markdownTable(rows, { align: ['r', 'l', ...names.slice(1).map(() => 'r')] }) + '\n')
