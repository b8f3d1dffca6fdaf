/**
 * `node lab/sketches.js`: how far a ratio to the control wanders between ten sketches, between ten runs of
 * lab/queues.bench.js, and between ten runs of the same queues. A row wanders by its largest ratio over its smallest.
 */
import { loadavg } from 'node:os'
import { median } from 'simple-statistics'
import { run } from '../bin/index.js'
import { planRun } from '../bin/plans/run.js'
import { CONTROL, MICRO_SCENARIOS } from '../bin/presets.js'
import { resolveScenarios } from '../bin/request/catalogue.js'
import { rooms } from '../harness/index.js'

const TIMES = 10
const { sketch } = await rooms.sketch()

/** @type {(row: string, ratio?: number) => void} */
let see = () => {}

async function sketchOnce () {
  const plan = await planRun({ scenario: resolveScenarios(MICRO_SCENARIOS), size: [1000] })
  for await (const { place, rows } of sketch(plan)) {
    const control = rows.find(({ queue }) => queue === CONTROL.micro)
    for (const { queue, nsPerOp } of rows) see(`${place.scenario} ${queue}`, nsPerOp / Number(control?.nsPerOp))
  }
}

/** @param {Parameters<typeof run>[0]} options */
async function runOnce (options) {
  const { cells } = await run({ ...options, rounds: 3 })
  for (const { scenario, queue, metrics } of cells) see(`${scenario} ${queue}`, metrics.nsPerOp.ratio?.median)
}

for (const [way, measure] of Object.entries({
  'timerq run --sketch': sketchOnce,
  'timerq run ./lab/queues.bench.js': () => runOnce({ scenarios: ['./lab/queues.bench.js'] }),
  'timerq run': () => runOnce({ scenarios: MICRO_SCENARIOS, parameters: { size: [1000] } })
})) {
  /** @type {Record<string, number[]>} */
  const ratios = {}
  see = (row, ratio = 1) => (ratios[row] ??= []).push(ratio)
  for (let time = 0; time < TIMES; time++) await measure()
  const wandered = Object.entries(ratios)
    .map(([row, all]) => ({ row, by: Math.max(...all) / Math.min(...all) }))
    .filter(({ by }) => by > 1)
  console.log(way, median(wandered.map(({ by }) => by)), 'load average', loadavg()[0])
  console.table(wandered)
}
