/**
 * Shapes of the replies that become figures. A sample whose process sends another reply is lost: NaN, a negative time,
 * an unknown field.
 */
import { SampleError } from '../model/errors.js'

/**
 * @typedef {(value: any) => boolean} Check
 *
 * @typedef {{[field: string]: Check | Shape}} Shape  A field whose name ends in ? is optional.
 */

/** @type {Check} */
const isInteger = value => Number.isSafeInteger(value)
/** @type {Check} */
export const isCount = value => Number.isSafeInteger(value) && value >= 0
/** @type {Check} */
export const isPositiveCount = value => isCount(value) && value > 0
/** @type {Check} */
export const isAmount = value => Number.isFinite(value) && value >= 0
/** @type {Check} */
const isPositive = value => Number.isFinite(value) && value > 0
/** @type {Check} */
const isFlag = value => typeof value === 'boolean'
/** @type {Check} */
const isObject = value => typeof value === 'object' && value !== null
/** @type {Check} */
export const isText = value => typeof value === 'string'
/** @type {Check} */
const isPort = value => isPositiveCount(value) && value < 65_536
/** @type {(isMember: Check) => Check} */
export const listOf = isMember => value => Array.isArray(value) && value.every(isMember)
/** @type {(pattern: RegExp) => Check} */
const matches = pattern => value => isText(value) && pattern.test(value)
const isTextList = listOf(isText)
/** @type {Check} */
const isTextMap = value => value instanceof Map && isTextList([...value].flat())
/** @type {(isMember: Check) => Check} */
export const recordOf = isMember => value => isObject(value) && Object.values(value).every(isMember)
/** @type {(shape: Shape) => Check} */
export const fits = shape => value => findMisfit(value, shape) === null
/** @type {(check: Check) => Check} */
const orNull = check => value => value === null || check(value)

export const fired = { fired: isCount, checksum: isInteger, pending: isCount, 'spuriousWakeups?': isCount }
export const prepared = { outcome: fired, isWarm: isFlag }
export const turn = {
  'interrupted?': isAmount,
  cpuMs: isPositive,
  operations: isPositive,
  phases: recordOf(isAmount),
  betweenMs: isAmount
}
export const finished = {
  'nothing?': fits(turn),
  checksum: isInteger,
  loadMs: isAmount,
  usedMs: isAmount,
  late: isCount
}
export const drained = { pending: isCount, fired: isCount, left: isCount }
export const sketched = {
  rows: listOf(
    fits({ queue: isText, opsPerSecond: isAmount, margin: isAmount, nsPerOp: isAmount, samples: isPositiveCount })
  )
}
export const loaded = { faults: isTextList }
export const checked = {
  broken: isTextMap,
  'sequences?': { tried: isCount, planned: isCount, largest: { tried: isCount, planned: isCount } }
}

/** Load generators get a request as an argument: "METHOD path body". */
const planned = { method: matches(/^[\w-]+$/), path: matches(/^\/[^\s\p{Cc}]*$/u), 'body?': matches(/^[^\0]*$/) }
/**
 * Needs of a server: see http/needs.js.
 *
 * @type {Record<string, Check>}
 */
export const serverNeeds = {
  'requests?': listOf(fits(planned)),
  'pauseMs?': isAmount,
  'idleConnections?': isCount,
  'workers?': isPositiveCount,
  coldStart: isFlag,
  breaksConnections: isFlag
}
export const listening = { port: isPort, needs: serverNeeds }
/** Reply of a server under a tool, without a channel. */
export const listeningAlone = { ...listening, pid: isPositiveCount }
/** Reply of a user's program: whether it speaks TLS, the port that it asked for, its Node, and its servers. */
export const programListening = { port: isPort, isTls: isFlag, asked: isCount, version: isText, servers: isCount }
/** A server of a user's program that began to listen, on the port or Unix socket that it `asked` for. */
export const announcement = {
  announced: {
    number: isCount,
    pid: isPositiveCount,
    version: isText,
    role: matches(/^(process|cluster|thread)$/),
    asked: (/** @type {any} */ value) => isText(value) || isCount(value),
    port: isPort,
    isTls: isFlag,
    isHttp2: isFlag
  }
}
export const slice = { requests: isCount, cpuMicros: isAmount, ms: isAmount, 'accepted?': isCount }
export const settled = { pending: isCount, fault: orNull(isText) }
const collected = { count: isCount, pauseMs: isAmount, longestMs: isAmount }
const timers = {
  started: isCount,
  refreshed: isCount,
  cancelled: isCount,
  fired: isCount,
  spuriousWakeups: isCount,
  pendingPeak: isCount,
  latenessP50Ms: isAmount,
  latenessP99Ms: isAmount,
  latenessMaxMs: isAmount
}
export const window = {
  windowMs: isPositive,
  requests: isCount,
  connectedPeak: isCount,
  userMicros: isAmount,
  systemMicros: isAmount,
  eventLoopUtilization: isAmount,
  collections: recordOf(fits(collected)),
  rssBytes: isPositive,
  timers: orNull(fits(timers)),
  // Only a user's program: answers other than 2xx by status, and idle timers that its sockets have started.
  'statuses?': recordOf(isCount),
  'idleTimers?': isCount
}

/**
 * @template T
 * @param {T} reply
 * @param {Shape} shape
 * @returns {T}
 * @throws {SampleError} when the reply has another shape
 */
export function assertShape (reply, shape) {
  const misfit = findMisfit(reply, shape)
  if (misfit !== null) throw new SampleError('wrong', `its process sent an invalid reply: ${misfit}`)
  return reply
}

/** @type {(value: any, shape: Shape) => string | null} */
function findMisfit (value, shape) {
  if (!isObject(value)) return show(value)
  const unexpected = Object.keys(value).find(key => !(key in shape) && !(`${key}?` in shape))
  if (unexpected !== undefined) return `unexpected field ${unexpected} (${show(value[unexpected])})`
  for (const [field, check] of Object.entries(shape)) {
    const name = field.replace('?', '')
    if (name !== field && !(name in value)) continue
    if (typeof check !== 'function') {
      const misfit = findMisfit(value[name], check)
      if (misfit !== null) return `${name}: ${misfit}`
    } else if (!check(value[name])) {
      return `${name} is ${show(value[name])}`
    }
  }
  return null
}

/** @param {unknown} value */
function show (value) {
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 100)
}
