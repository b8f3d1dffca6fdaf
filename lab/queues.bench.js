/**
 * The usual queues on the usual micro scenarios, as a benchmark file of tinybench.
 *
 *     node lab/queues.bench.js              one process, one queue after the other
 *     timerq run ./lab/queues.bench.js      the same file in heats: a process for each queue, in turns
 */
import { Bench } from 'tinybench'
import { CONTROL, DEFAULT_QUEUES, SKETCHED_SCENARIOS } from '../bin/presets.js'
import { addQueues } from '../harness/subject/micro/bench-queues.js'
import { queues } from '../queues/index.js'

const SIZE = 1000

// Tasks are compared with the first one. Node's own timers need a server.
const names = [CONTROL.micro, ...DEFAULT_QUEUES.filter(name => !Object.values(CONTROL).includes(name))]
const chosen = names.flatMap(name => queues.find(queue => queue.name === name) ?? [])
// In a heat, Math.random draws the same for all.
const seed = Math.floor(Math.random() * 2 ** 31)

for (const name of SKETCHED_SCENARIOS) {
  const scenarioUrl = new URL(`../scenarios/${name}.js`, import.meta.url).href
  const bench = new Bench({ name, time: 150, warmupTime: 70 })
  await addQueues(bench, { scenarioUrl, params: { size: SIZE }, queues: chosen, seed })
  await bench.run()
  console.log(name)
  console.table(bench.table())
}
