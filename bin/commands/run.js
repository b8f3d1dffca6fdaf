/** `timerq run`: measures queues on scenarios, and shows how they compare. */
import { startRun } from '../../harness/index.js'
import { MeasurementError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { continueMeasuring, measuring } from '../measuring.js'
import { planRun } from '../plans/run.js'
import { CONTROL, DEFAULT_QUEUES } from '../presets.js'
import { finish } from '../run-results.js'

/** @import { Plan } from '../../harness/plan/plan.js' */
/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & {profile?: boolean, sketch?: boolean}} RunRequest */

/** @type {(request: RunRequest, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const { resume, sketch } = request
  if (sketch) return (await import('../sketch.js')).showSketch(request, console)
  const measurement = await measuring(request, console)
  const results = await (resume === undefined
    ? start(await planRun(request, measurement), request, measurement, console)
    : continueMeasuring(request, measurement, planRun))
  await finish(results, request, measurement, console)
  assertRead(results.run.plan.of.benchmarks?.faults)
  return 0
}

/**
 * Says what may surprise before the first sample, but not where the harness refuses the plan: refusals have one line.
 *
 * @type {(plan: Plan, request: RunRequest, measurement: Measurement, console: Console) => Promise<Results>}
 */
function start (plan, request, measurement, console) {
  const notes = [...surprisesOf(request, plan), ...(plan.of.benchmarks?.leftOut ?? [])]
  return startRun(plan, {
    ...measurement,
    onProgress: progress => {
      for (const note of notes.splice(0)) console.note(note)
      measurement.onProgress(progress)
    }
  })
}

/** @type {(request: RunRequest, plan: Plan) => string[]} */
function surprisesOf ({ queue, runtime = [] }, { queues }) {
  if (queue?.length === 1 && queues.length === 1 && runtime.length <= 1) {
    const [{ name, spec }] = queue
    const partners = [CONTROL.micro, ...DEFAULT_QUEUES.toReversed()]
    const partner = partners.find(partner => ![name, CONTROL.http].includes(partner))
    return [
      `${name} is measured alone, with nothing to compare it with ` +
        `(to add a queue: Ctrl-C, then --queue ${spec},${partner})`
    ]
  }
  const added = queue ? queues.map(({ name }) => name).filter(name => !queue.some(chosen => chosen.name === name)) : []
  return added.length > 0
    ? [`compared with ${enumerate(added)}, the control${added.length > 1 ? 's' : ''}: Node's own design`]
    : []
}

/**
 * @param {string[]} [faults]
 * @throws {MeasurementError} when a file could not be read to its end: tasks may be missing
 */
function assertRead ([fault, ...others] = []) {
  if (fault === undefined) return
  throw new MeasurementError(others.length === 0 ? fault : `${fault} (files with errors: ${1 + others.length})`)
}
