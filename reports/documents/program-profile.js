/** The share of a program's CPU that its timers take, and the advice that follows. */
import { formatCount, formatNumber, formatPoints, formatShare, formatSmallShare } from '../../harness/model/numbers.js'
import { answer } from '../answers/answer.js'
import { code, commandLine, createDocument, number, paragraph, section, table, warnings } from '../blocks.js'
import { renderHeaviest } from './heavy-profile.js'

/** @import { ProfiledProcess } from '../../harness/profile/program-shares.js' */
/** @import { Document } from '../blocks.js' */

/** Fewer ticks give a share within several points at best. */
const FEWEST_TICKS = 100

const HEAVIEST = 5
/** The function of known cost is no part of the program. */
const KNOWN_COST = '/harness/profile/subject/busy.js'
/** A smaller share is not worth a change of queue. */
const WORTH_A_LOOK = 0.01
/** A function of known cost with a smaller share was called too seldom to show an error. */
const KNOWN_ENOUGH = 0.003

/**
 * @param {ProfiledProcess[]} processes  The busiest first; at least one.
 * @param {string[]} command  The program, as it was started.
 * @returns {Document}
 */
export function programProfileDocument (processes, command) {
  const [main] = processes
  const heaviest = [...main.heavy.javascript, ...main.heavy.native].filter(({ url }) => !url.endsWith(KNOWN_COST))
  return createDocument(
    [
      programAnswer(main, command),
      table({
        caption: 'Timers, as a share of the CPU',
        columns: ['process', number('timers'), number('error'), number('CPU'), number('of'), number('ticks')],
        rows: processes.map(process => [
          nameOf(process),
          `${formatShare(process.timersShare)} ± ${formatShare(uncertaintyOf(process))}`,
          isErrorKnown(process) ? formatPoints(process.fidelity.error) : 'unknown',
          `${formatNumber(process.cpuSeconds)} s`,
          `${formatNumber(process.seconds)} s`,
          String(process.ticks)
        ])
      }),
      paragraph(
        "Timers: Node's own, with what they call, but without your callbacks; sockets' timers included. " +
          'Error: of the profile, for a function of known cost that ran with the program.'
      ),
      warnings(processes.flatMap(warn))
    ],
    [section(`The heaviest functions of ${nameOf(main)}`, [code(renderHeaviest(heaviest, HEAVIEST))])]
  )
}

/**
 * @param {ProfiledProcess} main
 * @param {string[]} command
 */
function programAnswer (main, command) {
  const { ticks, timersShare, cpuSeconds } = main
  if (ticks < FEWEST_TICKS) {
    return answer(`Too short to tell: ${formatCount(ticks, 'tick')}. Run it longer, or under load.`, {
      reasons: ['While a server runs, load it: npx autocannon -d 20 http://127.0.0.1:PORT'],
      next: commandLine(['timerq', 'profile', '--', ...command]).text
    })
  }
  const seconds = `${formatNumber(timersShare * cpuSeconds)} of ${formatNumber(cpuSeconds)} s`
  const text = `Timers take ${formatShare(timersShare)} of the CPU of ${nameOf(main)} (${seconds}).`
  return answer(text, { reasons: [joinShares(main), advise(main, command)] })
}

/**
 * Two commands speak of two shares.
 *
 * @param {ProfiledProcess} process
 */
function joinShares ({ timersShare, cpuSeconds, seconds }) {
  const use = cpuSeconds / seconds
  return (
    `That is ${formatSmallShare(timersShare * use)} of a core, since the program used ${formatShare(use)} of one; ` +
    'timerq recommend gives shares of a core, of the queue alone.'
  )
}

/**
 * @param {ProfiledProcess} process
 * @param {string[]} command
 */
function advise (process, command) {
  const most = process.timersShare + uncertaintyOf(process)
  return most < WORTH_A_LOOK
    ? 'No other queue would be noticed, not even a queue without any cost.'
    : `To see the savings by another queue: timerq record -- ${command.join(' ')}, then timerq recommend.`
}

/**
 * Twice the standard error of a share, by its number of ticks.
 *
 * @param {ProfiledProcess} process
 */
function uncertaintyOf ({ timersShare, ticks }) {
  const share = Math.min(1, Math.max(timersShare, 1 / ticks))
  return 2 * Math.sqrt((share * (1 - share)) / ticks)
}

/** @param {ProfiledProcess} process */
const isErrorKnown = ({ fidelity }) => fidelity.known >= KNOWN_ENOUGH

/** @param {ProfiledProcess} process */
function warn (process) {
  const known = isErrorKnown(process)
    ? process.warnings
    : ['the error of the profile is unknown: the program hardly ever returned to its event loop']
  return known.map(warning => `${nameOf(process)}: ${warning}`)
}

/** @param {ProfiledProcess} process */
const nameOf = ({ program: [script = 'node'], name }) => `${script.slice(script.lastIndexOf('/') + 1)} (${name})`
