/** `timerq reproduce`: measures the findings of the source documents, and says which hold. */
import { resolveRuntime, rooms } from '../../harness/index.js'
import { queues } from '../../queues/index.js'
import { scenarios } from '../../scenarios/index.js'
import { findingsAnswer } from '../answers/reproduce.js'
import { chooseClaims, claimsIn } from '../findings.js'
import { measuring } from '../measuring.js'
import { planStopped } from '../planned-again.js'
import { measuringFindings } from '../plans/run.js'
import { pickByName } from '../request/catalogue.js'

/** @import { Plan } from '../../harness/plan/plan.js' */
/** @import { Catalogue } from '../../harness/reproduce/plan-claims.js' */
/** @import { JudgedClaim } from '../../harness/reproduce/judge-claims.js' */
/** @import { Claim, Preset } from '../../scenarios/claims/claim.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & {preset: Preset, only?: string[]}} ReproduceRequest */

const { planClaims, reproduce, resumeReproduction } = await rooms.reproduce()
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
  const { resume, budget } = request
  const options = { ...measurement, profiler }
  if (resume === undefined) {
    const claims = chooseClaims(request)
    return reproduce(await planFindings(request, claims), claims, options)
  }
  const planOf = (/** @type {ReproduceRequest} */ chosen) => planFindings(chosen, chooseClaims(chosen))
  const { stopped, plan } = await planStopped(request, planOf)
  const claims = claimsIn(plan)
  const change = () => (budget === undefined ? {} : { budgetSeconds: budget })
  return resumeReproduction(stopped, plan, claims, { ...options, change })
}

/** @type {(request: ReproduceRequest, claims: Claim[]) => Promise<Plan>} */
const planFindings = async (request, claims) => planClaims(claims, await measuringFindings(request), catalogue)
