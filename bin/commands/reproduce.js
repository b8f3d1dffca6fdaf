/** `timerq reproduce`: measures the findings of the source documents, and says which hold. */
import { resolveRuntime, rooms, startRun } from '../../harness/index.js'
import { queues } from '../../queues/index.js'
import { scenarios } from '../../scenarios/index.js'
import { findingsAnswer } from '../answers/reproduce.js'
import { chooseClaims, claimsIn, findingsIn } from '../findings.js'
import { continueMeasuring, measuring } from '../measuring.js'
import { measuringFindings } from '../plans/run.js'
import { pickByName } from '../request/catalogue.js'

/** @import { Plan } from '../../harness/plan/plan.js' */
/** @import { Catalogue } from '../../harness/reproduce/plan-claims.js' */
/** @import { JudgedClaim } from '../../harness/reproduce/judge-claims.js' */
/** @import { Preset } from '../../scenarios/claims/claim.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & {preset: Preset, only?: string[]}} ReproduceRequest */

const { judgeClaim, measuringOf, planClaims } = await rooms.reproduce()
const { loadTools } = await rooms.profile()

const [profiler] = await loadTools(['cpu'])

/** @type {Catalogue} */
const catalogue = {
  queue: name => pickByName('queue', queues, name),
  scenario: name => pickByName('scenario', scenarios, name),
  runtime: flags => resolveRuntime(process.execPath, flags === '' ? [] : [flags])
}

/** @type {(request: ReproduceRequest, console: Console) => Promise<number>} */
export async function handler (request, console) {
  const answered = findingsAnswer(await measure(request, await measuring(request, console)))
  console.show(request, answered)
  for (const note of answered.notes) console.note(note)
  return 0
}

/** @type {(request: ReproduceRequest, measurement: Measurement) => Promise<JudgedClaim[]>} */
async function measure (request, measurement) {
  const { directory } = measurement
  const ofQuestion = (/** @type {Plan} */ plan) => measuringOf(plan, claimsIn(plan), { profiler, directory })
  if (request.resume !== undefined) {
    return findingsIn(await continueMeasuring(request, measurement, planFindings, ofQuestion))
  }
  const plan = await planFindings(request)
  if (plan.cells.length === 0) return claimsIn(plan).map(claim => judgeClaim(claim, plan, []))
  return findingsIn(await startRun(plan, { ...measurement, ...ofQuestion(plan) }))
}

/** @type {(request: ReproduceRequest) => Promise<Plan>} */
const planFindings = async request => planClaims(chooseClaims(request), await measuringFindings(request), catalogue)
