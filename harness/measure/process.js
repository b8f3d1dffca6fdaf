/** The measuring process: one program for every request that needs a queue and no server (see http/server.js). */
import { answer } from '../processes/answer.js'
import { Subject } from './micro/subject.js'
/** @import { MicroTask } from './micro/queue-process.js' */

const subject = new Subject()

/** Modules that few samples need, by request. The first request loads its module, before any queue is loaded. */
const MODULES = {
  count: './micro/counts.js',
  countLongestAdvance: './micro/counts.js',
  weigh: './micro/counts.js',
  recordLateness: './micro/counts.js',
  timeCalls: './micro/call-times.js',
  declare: './modules/requests.js',
  modules: './modules/requests.js'
}

answer({
  verify: (/** @type {MicroTask} */ task) => subject.verify(task),
  prepare: (/** @type {MicroTask & {warmupMs: number}} */ task) => subject.prepare(task),
  turn: (/** @type {{leadMs: number, turnMs: number}} */ lengths) => subject.turn(lengths),
  drain: () => subject.drain(),
  ...Object.fromEntries(Object.entries(MODULES).map(([type, module]) =>
    [type, async (/** @type {object} */ message) => (await import(module))[type](message)]))
})
