/**
 * The measured process: the one program that a host (harness/measure and others) starts to measure a queue, or code
 * without a queue, and to look at modules of a user. It answers requests until the host ends it. Servers have other
 * programs, http/server-process.js and http/worker-process.js; a user's server loads program/hook.js.
 *
 *   micro/     a queue, or code, under a workload: filled, warmed up, timed in turns
 *   count/     exact figures: basic blocks, bytes
 *   http/      a server, or a cluster, with a queue behind its sockets
 *   program/   a user's own server, with other timers under its sockets
 *   modules/   loads queues and scenarios; ../formats/subject/ loads benchmark files of other tools
 *   describe/  says what a module declares, has and loads
 *   trust/     what figures rest on: the reference model, the check that no timer fires early
 *
 * The module of a queue or a scenario may be a stranger's. It is imported here, or in another program of these folders,
 * and nowhere else; the host knows such modules by URL.
 *
 * Every import of this file counts. V8 optimises a function by the types and call targets that it has met, and lays
 * code and objects out by what was loaded before: a class for another request can make a queue slower or faster. So a
 * process measures one subject, and what few requests need is imported by such a request, before any queue is.
 *
 * A stranger's module can replace any global. Whatever a figure or a reply needs is therefore taken while timerq's own
 * modules are evaluated: clocks (processes/clock.js), the collector and heap figures (micro/, count/used-bytes.js),
 * the counters of a server's window (http/window.js), the pipe to the host (processes/answer.js).
 */
import { answer } from '../processes/answer.js'
import { callModule } from './call-module.js'
import { QueueSubject } from './micro/queue-subject.js'
/** @import { CodeSubject } from './micro/code-subject.js' */
/** @import { MicroJob } from '../measure/micro/queue-process.js' */
/** @import { TurnLengths } from './micro/turns.js' */

const queueSubject = new QueueSubject()
/** @type {CodeSubject | undefined} */
let codeSubject

answer({
  verify: (/** @type {MicroJob} */ job) => queueSubject.verify(job),
  prepare: (/** @type {MicroJob & {warmupMs: number}} */ job) => queueSubject.prepare(job),
  prepareCode: async (/** @type {MicroJob & {warmupMs: number}} */ job) => {
    const { CodeSubject } = await import('./micro/code-subject.js')
    codeSubject = new CodeSubject()
    return codeSubject.prepare(job)
  },
  turn: (/** @type {TurnLengths} */ lengths) => (codeSubject ?? queueSubject).turn(lengths),
  finish: (/** @type {TurnLengths} */ lengths) => /** @type {CodeSubject} */ (codeSubject).finish(lengths),
  drain: () => queueSubject.drain(),
  call: (/** @type {Parameters<typeof callModule>[0]} */ message) => callModule(message, queueSubject)
})
