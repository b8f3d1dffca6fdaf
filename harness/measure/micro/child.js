/** The measuring process of micro scenarios: a table of requests. Queue and scenario are loaded when a request names them. */
import { answer } from '../../processes/answer.js'
import { Subject } from './subject.js'
/** @import { MicroTask } from './queue-process.js' */

const subject = new Subject()
const counts = () => import('./counts.js')

answer({
  verify: task => subject.verify(task),
  prepare: task => subject.prepare(task),
  turn: lengths => subject.turn(lengths),
  drain: () => subject.drain(),
  count: async (/** @type {MicroTask} */ task) => (await counts()).count(task),
  countLongestAdvance: async (/** @type {MicroTask} */ task) => (await counts()).countLongestAdvance(task),
  weigh: async (/** @type {MicroTask} */ task) => (await counts()).weigh(task),
  recordLateness: async (/** @type {MicroTask} */ task) => (await counts()).recordLateness(task),
  timeCalls: async (/** @type {MicroTask & {budgetMs: number}} */ task) => (await import('./call-times.js')).timeCalls(task)
})
