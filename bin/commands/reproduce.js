/** `timerq reproduce`: measures the findings of the source documents, and says which hold. */
import { resolveRuntime, rooms, startRun } from '../../harness/index.js'
import { queues } from '../../queues/index.js'
import { reproductionDocument } from '../../reports/documents/reproduction.js'
import { scenarios } from '../../scenarios/index.js'
import { chooseClaims, claimsIn, findingsIn } from '../findings.js'
import { continueMeasuring, measuring } from '../measuring.js'
import { measuringFindings } from '../plans/run.js'
import { REPRODUCE } from '../presets.js'
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

/** Verdicts that more rounds may settle. */
const OPEN = ['undecided', 'not measured']
const [profiler] = await loadTools(['cpu'])

/** @type {Catalogue} */
const catalogue = {
  queue: name => pickByName('queue', queues, name),
  scenario: name => pickByName('scenario', scenarios, name),
  runtime: flags => resolveRuntime(process.execPath, flags === '' ? [] : [flags])
}

/** @type {(request: ReproduceRequest, console: Console) => Promise<number>} */
export const handler = async (request, console) =>
  present(await measure(request, await measuring(request, console)), request, console)

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

/** @type {(rows: JudgedClaim[], request: ReproduceRequest, console: Console) => number} */
function present (rows, request, console) {
  console.show(request, { document: () => reproductionDocument(rows), value: { format: 'timerq-reproduce/1', rows } })
  const open = rows.filter(({ verdict }) => OPEN.includes(verdict)).map(({ id }) => id)
  if (open.length > 0) {
    console.note(
      `to settle the rest: timerq reproduce --only ${open.join(',')} --budget ${REPRODUCE.budgetSeconds.quick / 60}m`
    )
  }
  return 0
}

/** @type {(request: ReproduceRequest) => Promise<Plan>} */
const planFindings = async request => planClaims(chooseClaims(request), await measuringFindings(request), catalogue)
