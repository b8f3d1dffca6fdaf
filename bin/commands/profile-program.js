import path from 'node:path'
import { makeFolder } from '../../harness/store/make-folder.js'
import { MeasurementError, UsageError } from '../../harness/model/errors.js'
import { readProgramProfiles } from '../../harness/profile/program/shares.js'
import { runHooked } from '../../harness/processes/program/run.js'
import { runId } from '../../harness/run/run.js'
import { renderHeavyProfile } from '../../reports/documents/heavy-profile.js'
import { programProfileDocument } from '../../reports/documents/program-profile.js'
import { renderFlameGraph } from '../../reports/render/flame-graph/page.js'
import { writeReport } from '../files.js'

const HOOK = new URL('../../harness/profile/program/hook.js', import.meta.url)

/**
 * `timerq profile -- node app.js`: how much of a program's CPU its timers take.
 *
 * @param {string[]} command
 * @param {import('./profile.js').ProfileRequest} request
 * @param {import('../console.js').Console} console
 * @returns {Promise<number>} the program's own exit code
 */
export async function profileProgram (command, request, console) {
  const { seconds, out = path.join('results', `profile-${runId(new Date())}`) } = request
  const folder = path.resolve(out)
  try {
    makeFolder(folder)
  } catch (error) {
    throw new UsageError(`${out} cannot be written: ${/** @type {Error} */ (error).message}; choose another with --out`)
  }
  const env = { TIMERQ_PROFILE: folder, ...(seconds && { TIMERQ_PROFILE_SECONDS: String(seconds) }) }
  const code = await runHooked(command, { hook: HOOK, env })
  const processes = readProgramProfiles(folder)
  if (processes.length === 0) throw new MeasurementError(`${command.join(' ')} left no profile: it is no program of Node, or was killed before it could write one`)
  for (const { name, program, ticks, heavy, tree } of processes) {
    const title = `CPU of ${program.join(' ')}`
    writeReport(path.join(folder, `${name}.heavy.txt`), renderHeavyProfile(heavy, { title, ticks, idleTicks: 0 }))
    writeReport(path.join(folder, `${name}.flame.html`), renderFlameGraph(tree, { title, about: `${ticks} ticks. Widths are shares of the CPU that the program used; timers are red.` }))
  }
  const value = { format: 'timerq-program-profile/1', processes: processes.map(({ heavy, tree, ...figures }) => figures) }
  console.show(request, { document: () => programProfileDocument(processes, command), value })
  console.note(`\nprofiles: ${out}`)
  return code
}
