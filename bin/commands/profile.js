/** `timerq profile`: shows where the CPU time goes, in servers with queues or in a user's program. */
import path from 'node:path'
import { rooms } from '../../harness/index.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { answer } from '../answers/profile.js'
import { writeProfiles } from '../drawings.js'
import { measuring } from '../measuring.js'
import { planProfile } from '../plans/run.js'

/** @import { Results } from '../../harness/store/results.js' */
/** @import { Console } from '../console.js' */
/** @import { Request } from '../request/request.js' */

/** @typedef {Request & {with: string[], connections?: number[]}} ProfileRequest */

const { loadTools, profilePlan, PROFILES } = await rooms.profile()

/** Options allowed with a program; they stand before the two dashes. */
const PROGRAM_OPTIONS = ['--seconds', '--out', '--json', '--verbose', '--color', '--no-color']

/** @type {(request: ProfileRequest, console: Console) => Promise<number>} */
export async function handler (request, console) {
  if (!request.program) return profileServers(request, console)
  refuseServerOptions(request)
  const { profileProgram } = await import('./profile/program.js')
  return profileProgram(request.program, request, console)
}

/** @type {(request: ProfileRequest, console: Console) => Promise<number>} */
async function profileServers (request, console) {
  const measurement = await measuring(request, console)
  const results = await profilePlan(await planProfile(request, measurement), {
    ...measurement,
    tools: await loadTools(request.with),
    onProgress: ({ cell, tool, done, total }) =>
      console.note(`${done + 1}/${total} ${tool}: ${cell.queue}, ${cell.scenario}`)
  })
  return finish(results, request, console)
}

/**
 * Rejects options that only servers use: with a program they would do nothing.
 *
 * @param {ProfileRequest} request
 */
function refuseServerOptions ({ commandLine }) {
  const option = commandLine
    .slice(0, commandLine.indexOf('--'))
    .find(word => word.startsWith('-') && !PROGRAM_OPTIONS.includes(word.split('=')[0]))
  if (option) {
    throw new UsageError(
      `${option.split('=')[0]} is for the servers of timerq, not for your own program (leave it out)`
    )
  }
}

/**
 * Shows the profiles and writes their heavy texts. Throws when a profile failed.
 *
 * @type {(results: Results, request: ProfileRequest, console: Console) => number}
 */
function finish (results, request, console) {
  const answered = answer(results)
  console.show(request, answered)
  // Written after the tables are shown: a failed write must not hide them.
  writeProfiles(results, answered)
  console.note(`\nprofiles: ${path.join(results.directory, PROFILES)}`)
  const failures = results.samples.flatMap(({ kind, queue, scenario, failure }) =>
    kind === 'profile' && failure ? [`${queue} on ${scenario}: ${failure.message}`] : []
  )
  if (failures.length === results.samples.length) throw new MeasurementError(`nothing was recorded: ${failures[0]}`)
  if (failures.length > 0) {
    const total = results.samples.length
    throw new MeasurementError(`${failures.length} of ${total} profiles failed; the first: ${failures[0]}`)
  }
  return 0
}
