/**
 * What the answers of measuring processes must look like. An answer that does not is worth nothing, and neither is the sample:
 * NaN, a negative time, or a field more than there should be.
 */
import { SampleError } from '../model/errors.js'

/**
 * @typedef {(value: any) => boolean} Check
 * @typedef {{[field: string]: Check | Shape}} Shape  A field whose name ends in ? may be missing.
 */

/** @type {Check} */
const isCount = value => Number.isSafeInteger(value) && value >= 0
/** @type {Check} */
const isFinite = value => Number.isFinite(value)
/** @type {Check} */
const isAmount = value => Number.isFinite(value) && value >= 0
/** @type {Check} */
const isPositive = value => Number.isFinite(value) && value > 0
/** @type {Check} */
const isFlag = value => typeof value === 'boolean'
/** @type {Check} */
const isPort = value => isCount(value) && value > 0 && value < 2 ** 16
/** @type {(isMember: Check) => Check} */
const recordOf = isMember => value => typeof value === 'object' && value !== null && Object.values(value).every(isMember)
/** @type {(shape: Shape) => Check} */
const fits = shape => value => findMisfit(value, shape) === null

/** @type {Shape} */
export const fired = { fired: isCount, checksum: isCount, pending: isCount, 'spuriousWakeups?': isCount }
/** @type {Shape} */
export const prepared = { outcome: fired, isWarm: isFlag }
/** @type {Shape} */
export const turn = { cpuMs: isPositive, operations: isPositive, phases: recordOf(isAmount) }
/** @type {Shape} */
export const drained = { pending: isCount, fired: isCount, left: isCount }
/** @type {Shape} */
export const counted = { workPerOp: isAmount }
export const longestAdvance = { longestAdvanceWork: isAmount }
/** A heap may have become smaller while it was filled. @type {Shape} */
export const weighed = { 'bytesPerTimer?': isFinite }
/** Nothing may have expired. @type {Shape} */
export const late = { 'virtualLatenessMeanMs?': isAmount, 'virtualLatenessP50Ms?': isAmount, 'virtualLatenessP99Ms?': isAmount }
/** @type {Shape} */
export const tails = { metrics: recordOf(isAmount) }
/** @type {Shape} */
export const listening = { port: isPort }
/** @type {Shape} */
export const slice = { requests: isCount, cpuMicros: isAmount }
/** @type {Shape} */
export const settled = { pending: isCount, received: recordOf(isCount), answered: recordOf(isCount) }
/** @type {Shape} */
export const serverWork = { blocks: isCount }

/** @type {Check} */
const isText = value => typeof value === 'string'
/** @type {Shape} */
export const loaded = { faults: value => Array.isArray(value) && value.every(isText) }
/** @type {Shape} */
export const checked = {
  broken: value => value instanceof Map && [...value].flat().every(isText),
  'sequences?': { tried: isCount, planned: isCount, largest: { tried: isCount, planned: isCount } }
}

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
/** @type {Shape} */
export const window = {
  windowMs: isPositive,
  requests: isCount,
  connectedPeak: isCount,
  userMicros: isAmount,
  systemMicros: isAmount,
  eventLoopUtilization: isAmount,
  collections: recordOf(fits({ count: isCount, pauseMs: isAmount, longestMs: isAmount })),
  rssBytes: isPositive,
  timers: value => value === null || fits(timers)(value)
}

/**
 * @template T
 * @param {T} value  An answer.
 * @param {Shape} shape
 * @returns {T}
 * @throws {SampleError} when it has another shape
 */
export function assertShape (value, shape) {
  const misfit = findMisfit(value, shape)
  if (misfit !== null) throw new SampleError('wrong', `its process gave an answer that cannot be: ${misfit}`)
  return value
}

/**
 * @param {any} value
 * @param {Shape} shape
 * @returns {string | null}
 */
function findMisfit (value, shape) {
  if (typeof value !== 'object' || value === null) return show(value)
  const fields = Object.entries(shape).map(([name, check]) => ({ name: name.replace('?', ''), check, isOptional: name.endsWith('?') }))
  const unknown = Object.keys(value).find(key => !fields.some(({ name }) => name === key))
  if (unknown !== undefined) return `${unknown} is ${show(value[unknown])}, which nobody asked for`
  for (const { name, check, isOptional } of fields) {
    if (isOptional && !(name in value)) continue
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
