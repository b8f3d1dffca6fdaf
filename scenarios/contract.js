/**
 * Types of a scenario. A scenario describes a workload; the harness runs it. docs/reference/workloads.md shows how to
 * write one.
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
 * @property {'micro' | 'http' | 'code'} kind  A queue in virtual time; a server on a queue; a workload without a queue.
 * @property {string} source  The document, pull request or program that it reproduces.
 * @property {Record<string, Parameter>} parameters
 * @property {{quick: Record<string, number[]>, documented: Record<string, number[]>, ci: Record<string, number[]>}}
 *   presets  Values by preset; every combination is a cell. In a user's file, missing presets are the same as quick.
 *
 * @typedef {object} Phase  One timed part of a micro workload. The phases of a cycle run in turn and are timed
 *   separately.
 * @property {string} metric  Metric of the phase, in ns per operation: one of harness/model/metrics.js, or a name like
 *   touchNsPerOp.
 * @property {number} operations  Operations that one call of run() executes.
 * @property {() => void} run  Allocates nothing, draws no random number.
 *
 * @typedef {object} Outcome  Firings so far. Samples are checked by them.
 * @property {number} fired  Expired timers.
 * @property {number} checksum  Sum of a hash of (timer, time) over all fired timers, unsigned 32 bit: independent of
 *   the order within one advance.
 * @property {number} [spuriousWakeups]  Advances that fired nothing, in workloads that wake the queue only when the
 *   queue asks.
 *
 * @typedef {{phases: Phase[], outcome: Outcome}} Workload  A filled queue; all random numbers are drawn before the
 *   clock starts.
 *
 * @typedef {object} Trace  Operations of a recorded program, one per index.
 * @property {Uint8Array} kinds  0 start, 1 refresh, 2 cancel, 3 fire.
 * @property {Float64Array} times  Milliseconds since the first operation.
 * @property {Int32Array} timers  Numbers from 0 on.
 * @property {Float64Array} durations  Milliseconds of starts.
 * @property {number} timerCount
 *
 * @typedef {(queue: any, params: Params, random: (limit: number) => number, trace?: Trace) => Workload} CreateWorkload
 *
 * @typedef {object} MicroParts
 * @property {CreateWorkload} createWorkload  `random(limit)` draws an integer from 0 to limit - 1 from the run's seed.
 * @property {boolean} [countsOnly]  Work and memory are counted, and nothing is timed.
 * @property {boolean} [needsTrace]  createWorkload needs `trace`.
 *
 * @typedef {ScenarioMeta & MicroParts} MicroScenario
 *
 * @typedef {object} CodePhase  One timed part of a workload without a queue.
 * @property {string} metric  nsPerOp; with several phases, a separate name each, like touchNsPerOp.
 * @property {number} operations  Operations that one call of run() executes.
 * @property {() => unknown} run  A promise is awaited; the CPU time until then counts.
 *
 * @typedef {{phases: CodePhase[], outcome?: {checksum: number}}} CodeWorkload  `outcome`: the same for all
 *   alternatives of a seed; read after the first cycles.
 *
 * @typedef {object} CodeParts
 * @property {(...parts: any[]) => CodeWorkload | Promise<CodeWorkload>} createWorkload  Called with (params, random),
 *   or with (alternative, params, random), where the alternative is its module. `random(limit)` draws as in MicroParts.
 * @property {Record<string, string | URL>} [alternatives]  Modules that are compared, by name: './file.js' or a URL.
 * @property {string} [control]  The alternative that others are compared with. Default: the first.
 *
 * @typedef {ScenarioMeta & CodeParts} CodeScenario
 *
 * @typedef {(handler: (request: any, response: any) => void) => any} CreateServer  createServer of node:http, which
 *   also counts requests.
 *
 * @typedef {object} Disk  Access to files, in place of an import.
 * @property {typeof import('node:fs')} fs
 * @property {string} directory  Folder of the scenario's `files`; deleted after the sample.
 *
 * @typedef {{method: string, path: string, body?: string}} PlannedRequest  The path begins with / and holds no spaces.
 *
 * @typedef {object} Aftermath  The state when the load is over and all connections are closed.
 * @property {(name: string) => string} read  A file's content.
 * @property {Record<string, number>} received  Requests that reached the server since the start, by method.
 * @property {Record<string, number>} answered  Requests that the server answered with status 200, by method.
 *
 * @typedef {object} HttpParts  A server, and its needs. All functions are called where the server runs, and their
 *   results are sent as data.
 * @property {(createServer: CreateServer, params: Params, disk: Disk) => any} createServer  Returns a server that does
 *   not listen yet.
 * @property {boolean} [coldStart]  Measured from the first request on, without a warm-up.
 * @property {boolean} [breaksConnections]  Timeouts destroy connections on purpose, which the client sees as errors.
 * @property {(params: Params) => number} [idleConnections]  Connections in addition to those of the load. Each gets
 *   one answer and is then silent.
 * @property {(params: Params) => number} [pauseMs]  Pause of each connection of the load before a request.
 * @property {(params: Params) => PlannedRequest[]} [requests]  Requests that each connection of the load repeats,
 *   measured by method. Default: GET /.
 * @property {(params: Params) => number} [workers]  Processes of the server, a cluster.
 * @property {boolean} [usesAllCores]  The server is not pinned to one core, and not measured in heats. So is a cluster.
 * @property {(params: Params) => Record<string, string>} [files]  Content by name, written before the server starts.
 * @property {(aftermath: Aftermath, params: Params) => string | null} [findFault]  Returns a fault of the server, by
 *   which the sample fails.
 *
 * @typedef {ScenarioMeta & HttpParts} HttpScenario
 */

export {}
