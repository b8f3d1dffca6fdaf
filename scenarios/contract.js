/**
 * What a scenario is, as types. A scenario describes a workload; the harness runs it.
 *
 * @typedef {object} Parameter
 * @property {string} title  Description, with the unit.
 * @property {number} [minimum]
 *
 * @typedef {Record<string, number>} Params  One value a parameter.
 *
 * @typedef {object} ScenarioMeta
 * @property {string} name  Kebab case, as on the command line.
 * @property {string} title  One line of plain text.
 * @property {'micro' | 'http'} kind
 * @property {string} source  The document, pull request or program that it reproduces.
 * @property {Record<string, Parameter>} parameters
 * @property {{quick: Record<string, number[]>, documented: Record<string, number[]>, ci: Record<string, number[]>}} presets
 *   The values that each preset measures, every combination of them a cell.
 *
 * @typedef {object} Phase  One timed part of a micro workload. The phases of a cycle run in turn and are timed separately.
 * @property {string} metric  The metric that it feeds, in ns per operation.
 * @property {number} operations  How many operations one call of run() executes.
 * @property {() => void} run  Allocates nothing, draws no random number.
 *
 * @typedef {object} Outcome  What has happened so far; samples are checked by it.
 * @property {number} fired  Timers that have expired.
 * @property {number} checksum  Of (timer, time) over all fired timers, unsigned 32 bit, independent of the order within one advance.
 * @property {number} [spuriousWakeups]  Advances that fired nothing, in workloads that wake the queue only when it asks.
 *
 * @typedef {{phases: Phase[], outcome: Outcome}} Workload  A filled queue; all random numbers are drawn before the clock starts.
 *
 * @typedef {object} Trace  Operations of a recorded program, one per index.
 * @property {Uint8Array} kinds  0 start, 1 refresh, 2 cancel, 3 fire.
 * @property {Float64Array} times  Milliseconds since the first one.
 * @property {Int32Array} timers  Numbers from 0 on.
 * @property {Float64Array} durations  Of starts.
 * @property {number} timerCount
 *
 * @typedef {object} Lateness  Is told by a workload what it asks for and what it gets.
 * @property {(timer: any, deadline: number) => void} wanted  The timer was started, to expire at this time if nothing could be late.
 * @property {(timer: any, now: number) => void} expired
 *
 * @typedef {object} MicroOwn
 * @property {(queue: any, params: Params, random: (limit: number) => number, trace?: Trace, lateness?: Lateness) => Workload} createWorkload
 *   `random(limit)` draws an integer from 0 to limit - 1 from the run's seed. `lateness` is given only where nothing is timed.
 * @property {boolean} [recordsLateness]  It uses `lateness`.
 * @property {boolean} [countsLongestAdvance]  It is about pauses: the work of its longest advance is counted.
 * @property {boolean} [needsTrace]  It gets the trace that the user names.
 * @typedef {ScenarioMeta & MicroOwn} MicroScenario
 *
 * @typedef {(handler: (request: any, response: any) => void) => any} CreateServer  node:http's, counting requests.
 *
 * @typedef {object} Disk  Modules that a scenario may not import itself.
 * @property {typeof import('node:fs')} fs
 * @property {string} directory  Where its `files` are; deleted after the sample.
 *
 * @typedef {{method: string, path: string, body?: string}} PlannedRequest
 *
 * @typedef {object} Aftermath  The state when the load is over and all connections are closed.
 * @property {(name: string) => string} read  A file's content.
 * @property {Record<string, number>} received  Requests that reached the server since the start, by method.
 * @property {Record<string, number>} answered  Requests that it answered with status 200.
 *
 * @typedef {object} HttpOwn  A server, and what the harness must provide for it.
 * @property {(createServer: CreateServer, params: Params, disk: Disk) => any} createServer  The server, not yet listening.
 * @property {boolean} [coldStart]  Measured from the first request on, without a warm-up.
 * @property {boolean} [breaksConnections]  Its timeouts destroy connections on purpose; the client sees them as errors.
 * @property {(params: Params) => number} [idleConnections]  Opened in addition to those of the load. Each gets one
 *   answer and is then silent.
 * @property {(params: Params) => number} [pauseMs]  How long each connection of the load waits before a request.
 * @property {(params: Params) => PlannedRequest[]} [requests]  The cycle of requests that each connection of the load
 *   repeats, measured by method. Without it: GET / again and again.
 * @property {(params: Params) => number} [workers]  The server is a cluster of this many processes.
 * @property {boolean} [usesAllCores]  The server is not pinned to one core.
 * @property {(params: Params) => Record<string, string>} [files]  Content by name, written before the server starts.
 * @property {(aftermath: Aftermath, params: Params) => string | null} [findFault]  What the server did wrong. Such a
 *   sample counts as failed.
 * @typedef {ScenarioMeta & HttpOwn} HttpScenario
 */

export {}
