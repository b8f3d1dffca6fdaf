/** Every command of timerq, in the order in which help shows them. */
import * as check from './check.js'
import * as compare from './compare.js'
import * as gate from './gate.js'
import * as history from './history.js'
import * as list from './list.js'
import * as merge from './merge.js'
import * as newQueue from './new.js'
import * as profile from './profile.js'
import * as recommend from './recommend.js'
import * as record from './record.js'
import * as report from './report.js'
import * as reproduce from './reproduce.js'
import * as run from './run.js'

/**
 * @typedef {object} Command
 * @property {string} command
 * @property {string} describe
 * @property {(yargs: import('yargs').Argv) => import('yargs').Argv} builder
 * @property {(argv: any) => Promise<number>} handler  Returns the exit code; `argv.streams` is where it writes.
 *
 * @type {Command[]}
 */
export const commands = [list, check, newQueue, run, profile, reproduce, record, recommend, merge, report, history, compare, gate]
