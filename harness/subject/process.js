/** The measuring process: one program for every request that needs no server (see http/server-process.js). */
import { answer } from '../processes/answer.js'
import { callModule } from './call-module.js'
import { Subject } from './micro/subject.js'
/** @import { CodeSubject } from './micro/code-subject.js' */
/** @import { MicroTask } from '../measure/micro/queue-process.js' */
/** @import { TurnLengths } from './micro/turns.js' */

const subject = new Subject()
/** @type {CodeSubject | undefined} */
let code

/** Modules that few samples need, by request. The first request loads its module, before any queue is loaded. */
const MODULES = {
  count: './count/counts.js',
  countCode: './count/count-code.js',
  countLongestAdvance: './count/counts.js',
  weigh: './count/counts.js',
  recordLateness: './count/counts.js',
  timeCalls: './micro/call-times.js',
  declare: './modules/requests.js',
  describeScenario: './modules/describe-scenario.js',
  modules: './modules/requests.js'
}

answer({
  verify: (/** @type {MicroTask} */ task) => subject.verify(task),
  prepare: (/** @type {MicroTask & {warmupMs: number}} */ task) => subject.prepare(task),
  prepareCode: async (/** @type {MicroTask & {warmupMs: number}} */ task) => {
    const { CodeSubject } = await import('./micro/code-subject.js')
    code = new CodeSubject()
    return code.prepare(task)
  },
  turn: (/** @type {TurnLengths} */ lengths) => (code ?? subject).turn(lengths),
  drain: () => subject.drain(),
  call: (/** @type {Parameters<typeof callModule>[0]} */ message) => callModule(message, subject),
  ...Object.fromEntries(
    Object.entries(MODULES).map(([type, module]) => [
      type,
      async (/** @type {object} */ message) => (await import(module))[type](message)
    ])
  )
})
