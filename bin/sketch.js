/** `timerq run --sketch`: what tinybench says of the queues, in five seconds. */
import { rooms } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { kinds } from '../harness/model/kinds.js'
import { enumerate } from '../harness/model/numbers.js'
import { sketchDocument } from '../reports/documents/sketch.js'
import { renderTerminal } from '../reports/render/terminal.js'
import { planRun } from './plans/run.js'
import { SKETCHED_SCENARIOS } from './presets.js'
import { resolveScenarios } from './request/catalogue.js'

/** @import { Console } from './console.js' */
/** @import { Request } from './request/request.js' */

/** lab/notebook/lessons.md */
const LIMITS = `One process, one order: on a busy machine, a ratio differed by 32 % between ten
sketches and by 4 % between ten runs, and no margin says so. "timerq run" takes
turns, in fresh processes.
`

/** @type {(request: Request & {profile?: boolean}, console: Console) => Promise<number>} */
export async function showSketch (request, console) {
  const { resume, out, rounds, until, budget, shard, profile, json } = request
  const measured = Object.entries({ resume, out, rounds, until, budget, shard, profile, json })
  const [named] = measured.find(([, value]) => value !== undefined) ?? []
  if (named) {
    throw new UsageError(`--sketch stores nothing and gives no verdict: it takes no --${named} (leave one of them out)`)
  }
  const { scenario = resolveScenarios(SKETCHED_SCENARIOS) } = request
  const plan = await planRun({ ...request, scenario })
  const others = plan.scenarios.filter(({ kind, steps }) => !kinds[kind].needsQueue || !steps.includes('heat'))
  if (others.length > 0) {
    throw new UsageError(
      `--sketch times micro scenarios, got ${enumerate(others.map(({ name }) => name))} (leave --sketch out)`
    )
  }
  if (plan.runtimes.length > 1) {
    throw new UsageError(`--sketch runs in one process of one Node, got ${plan.runtimes.length} (name one --runtime)`)
  }
  const { sketch } = await rooms.sketch()
  for await (const sketched of sketch(plan, console.interruptible())) {
    console.print(`${renderTerminal(sketchDocument(sketched), console.style)}\n`)
  }
  console.print(LIMITS)
  return 0
}
