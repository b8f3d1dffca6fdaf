/** `timerq gate`: has a change made code slower? The exit code is the verdict. */
import { rooms } from '../../harness/index.js'
import { FEWEST_PAIRS } from '../../harness/model/heats.js'
import { formatCount } from '../../harness/model/numbers.js'
import { gateReports } from '../../reports/formats.js'
import { filesOf, gateAnswer } from '../answers/gate.js'
import { EXIT_CODES } from '../console.js'
import { assertReportable, writeReport } from '../files.js'
import { measuring } from '../measuring.js'
import { planGate } from '../plans/gate.js'
import { retyped } from '../request/again.js'

/** @import { ComparisonRecord } from '../../harness/judge/records.js' */
/** @import { GatePlan } from '../../harness/gate/gate-plan.js' */
/** @import { Console } from '../console.js' */
/** @import { Measurement } from '../measuring.js' */
/** @import { ProgramChoices } from '../plans/program.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & ProgramChoices} GateRequest */

const { startGate, UnmeasuredGate } = await rooms.gate()

/** @type {(request: GateRequest, console: Console) => Promise<number>} */
export async function handler (request, console) {
  // The verdict can be written, or nothing is measured.
  for (const name of Object.keys(gateReports)) if (fileOf(request, name)) assertReportable(fileOf(request, name))
  const measurement = await measuring(request, console)
  return start(await planGate(request, measurement), request, measurement, console)
}

/**
 * @param {GatePlan} plan
 * @param {GateRequest} request
 * @param {Measurement} measurement
 * @param {Console} console
 * @returns {Promise<number>}
 */
async function start (plan, request, measurement, console) {
  const { directory, onNote } = measurement
  const { end: { rounds }, settings: { seed } } = plan
  // The seed makes the command repeatable.
  const command = retyped(request.commandLine, { seed: String(seed) })
  const { baseRef, baseCommit } = plan.of.gate
  if (request.base === undefined && baseCommit) {
    console.note(`compared with ${baseRef} (${baseCommit.slice(0, 7)}), as no --base is given`)
  }
  if (rounds < FEWEST_PAIRS && plan.cells.length > 0) {
    console.note(
      `${formatCount(rounds, 'round')} will leave most times undecided: ` +
        `a verdict needs ${FEWEST_PAIRS} or more (--rounds, --budget)`
    )
  }
  const { install, prepare } = request
  const setup = { install, prepare, onNote }
  const record = await startGate(plan, { ...measurement, command, setup }).catch(async error => {
    // A failure needs no more than its line.
    if (error instanceof UnmeasuredGate) await finish(error.record, request, console, { isShown: !error.cause })
    throw error
  })
  console.note(`results: ${directory}`)
  const { budgetSeconds } = plan.of.gate
  return finish(record, request, console, { directory, files: filesOf(plan), budgetSeconds })
}

/**
 * @param {ComparisonRecord} record
 * @param {GateRequest} request
 * @param {Console} console
 * @param {object} [gate]
 * @param {string} [gate.directory]  Results, unless nothing was measured.
 * @param {number} [gate.budgetSeconds]
 * @param {Map<string, string>} [gate.files]  Files of queues.
 * @param {boolean} [gate.isShown]  Whether to print the report; JSON is always printed if asked for.
 * @returns {Promise<number>} the exit code
 */
async function finish (record, request, console, gate = {}) {
  const { directory, budgetSeconds, files = new Map(), isShown = true } = gate
  const answered = gateAnswer(record, { budgetSeconds, directory })
  if (isShown || request.json) console.show(request, answered)
  for (const note of answered.notes) console.note(note)
  for (const [name, { variable = '', isFile, load }] of Object.entries(gateReports)) {
    const file = fileOf(request, name)
    const asked = request.selfCheck ? undefined : process.env[variable]
    if (!file && !asked) continue
    const text = (await load()).render(record, files)
    if (file) writeBeside(console, file, text)
    else if (isFile) writeBeside(console, String(asked), text, 'a')
    else console.annotate(text)
  }
  return EXIT_CODES[record.verdict]
}

/**
 * The file that an option names.
 *
 * @type {(request: Record<string, any>, name: string) => string}
 */
const fileOf = (request, name) => request[name]

/**
 * A file that cannot be written must not cost the verdict.
 *
 * @param {Console} console
 * @param {Parameters<typeof writeReport>} report
 */
function writeBeside (console, ...report) {
  try {
    writeReport(...report)
  } catch (error) {
    console.note(`timerq: ${/** @type {Error} */ (error).message}`)
  }
}
