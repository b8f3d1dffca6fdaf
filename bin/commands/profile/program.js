/** `timerq profile -- node app.js`: the share of a program's CPU that its timers take. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder, rooms, writing } from '../../../harness/index.js'
import { MeasurementError } from '../../../harness/model/errors.js'
import { renderHeavyProfile } from '../../../reports/documents/heavy-profile.js'
import { programProfileDocument } from '../../../reports/documents/program-profile.js'
import { writeReport } from '../../files.js'
import { directoryOf } from '../../measuring.js'

/** @import { Console } from '../../console.js' */
/** @import { ProfileRequest } from '../profile.js' */

const { describeAbsence, namesOf, runHooked } = await rooms.hooked()
const { PROFILER, readProgramProfiles } = await rooms.profile()

/**
 * Returns the program's own exit code; 0 where --seconds ended it.
 *
 * @type {(command: string[], request: ProfileRequest, console: Console) => Promise<number>}
 */
export async function profileProgram (command, request, console) {
  const { seconds } = request
  const directory = directoryOf(request)
  const folder = path.resolve(directory)
  writing(directory, () => makeFolder(folder))
  const present = path.join(folder, 'present')
  rmSync(present, { force: true })
  const { code, isOver, stray, attended } = await runHooked(command, {
    hook: PROFILER,
    env: { TIMERQ_PROFILE: folder },
    present,
    seconds,
    // The result alone is printed where a program reads it.
    stdout: request.json ? process.stderr.fd : 'inherit',
    onStart: () => console.note(describeEnd(seconds))
  }).finally(() => rmSync(present, { force: true }))
  const processes = readProgramProfiles(folder, attended.hooked)
  const killed = attended.hooked.filter(({ pid }) => processes.every(({ name }) => name !== String(pid)))
  const absence = describeAbsence(attended, 'the profiler', command)
  if (absence !== null) throw new MeasurementError(absence)
  if (processes.length === 0) {
    throw new MeasurementError(
      `${namesOf(killed)} left no profile: it was killed before it could write one, perhaps since it did not return ` +
        'to its event loop'
    )
  }
  for (const { name, program, ticks, heavy } of processes) {
    const title = `CPU of ${program.join(' ')}`
    writeReport(path.join(folder, `${name}.heavy.txt`), renderHeavyProfile(heavy, { title, ticks, idleTicks: 0 }))
  }
  const value = {
    format: 'timerq-program-profile/1',
    processes: processes.map(({ heavy, ...figures }) => figures)
  }
  console.show(request, { document: () => programProfileDocument(processes, command), value })
  const missing = [...killed, ...attended.unhooked]
  console.note(`\nprofiles: ${directory}${missing.length > 0 ? `; none of ${namesOf(missing)}` : ''}`)
  if (stray) throw new MeasurementError(`${command.join(' ')} ended: ${stray}`)
  return isOver ? 0 : code
}

/** @param {number} [seconds] */
const describeEnd = seconds =>
  seconds === undefined
    ? 'recording until the program ends (Ctrl-C ends it; --seconds 30 records that long)'
    : `recording for ${seconds} s, then the program is ended (Ctrl-C ends it earlier)`
