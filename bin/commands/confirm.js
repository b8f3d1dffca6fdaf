/** `timerq confirm`: measures the sides of a gate again, with other draws, and says whether both gates agree. */
import { claimDirectory, rooms } from '../../harness/index.js'
import { UsageError } from '../../harness/model/errors.js'
import { gateReports } from '../../reports/formats.js'
import { gateAnswer } from '../answers/gate.js'
import { EXIT_CODES } from '../console.js'
import { assertReportable, writeReport } from '../files.js'
import { requestAgain } from '../request/again.js'
import { handler as gate } from './gate.js'

/** @import { Console } from '../console.js' */
/** @import { Request } from '../request/request.js' */

const { agreementOf, haveSameSides, isCommitHere, judgedAgain, repositoryRoot } = await rooms.gate()
const { readStopped } = await rooms.continuation()

/**
 * Returns the exit code of the second gate, and that of an open verdict where it passes and the gates disagree.
 *
 * @type {(request: Request & {directory: string} & Record<string, any>, console: Console) => Promise<number>}
 */
export async function handler (request, console) {
  const { directory, out = claimDirectory('confirm'), seed = null, rounds, budget } = request
  const files = Object.keys(gateReports).flatMap(name => (request[name] === undefined ? [] : name))
  for (const name of files) assertReportable(request[name])
  const { run: { ended } } = readStopped(directory, 'gate')
  if (ended === null) throw new UsageError(`${directory} has not ended: start a new gate`)
  const first = judgedAgain(directory)
  const { command, receipt } = first
  if (seed === receipt?.seed) {
    throw new UsageError(`--seed must be another than that of ${directory}, got ${seed} (leave it out)`)
  }
  const { baseCommit } = receipt ?? {}
  if (baseCommit && !isCommitHere(repositoryRoot(process.cwd()), baseCommit)) {
    throw new UsageError(
      `the base of ${directory} is not in this repository: ${first.base}, commit ${baseCommit} ` +
        `(git fetch origin ${baseCommit})`
    )
  }
  const chosen = requestAgain({ directory, command }, request, {
    seed,
    out,
    // The branch of the base may have moved on.
    ...(baseCommit && { base: baseCommit }),
    ...(rounds && { rounds }),
    ...(budget && { budget })
  })
  await console.withoutResults(() => gate(chosen, console))
  const second = judgedAgain(out)
  if (!haveSameSides(first, second)) {
    const { headCommit } = receipt ?? {}
    const remedy = headCommit ? `git checkout ${headCommit}` : 'go back to it, which is in no commit'
    throw new UsageError(`the working tree is not the head that ${directory} measured (${remedy}, or start a new gate)`)
  }
  const record = { ...second, earlier: agreementOf(directory, first, second) }
  console.show(request, gateAnswer(record, { directory: out }))
  for (const name of files) writeReport(request[name], (await gateReports[name].load()).render(record, new Map()))
  return EXIT_CODES[record.verdict === 'pass' && !record.earlier.agrees ? 'inconclusive' : record.verdict]
}
