/**
 * V8's sampling profile as a tree. The reader checks everything that later steps rely on.
 *
 * The format is Profiler.Profile of the DevTools protocol: a flat list of nodes. Each is a function as called on one path from
 * the root, with the number of ticks at which it was running.
 */
import { gunzipSync } from 'node:zlib'
import { LIMITS, readInput } from '../../store/input.js'
import { checkWith } from '../../store/json.js'
import { UsageError } from '../../model/errors.js'

/**
 * @typedef {object} RawNode
 * @property {number} id
 * @property {{functionName: string, scriptId: string, url: string, lineNumber: number, columnNumber: number}} callFrame
 *   Lines and columns count from 0 here.
 * @property {number} [hitCount]
 * @property {number[]} [children]
 * @property {{line: number, ticks: number}[]} [positionTicks]  Lines count from 1 here.
 *
 * @typedef {object} RawProfile  A .cpuprofile.
 * @property {RawNode[]} nodes  The root first.
 * @property {number} startTime
 * @property {number} endTime
 * @property {number[]} [samples]  Ids of nodes.
 * @property {number[]} [timeDeltas]
 *
 * @typedef {object} Frame  A function as called on one path.
 * @property {string} name
 * @property {string} url  Empty for V8's own code.
 * @property {number} line  Where the function starts, from 1; 0 where unknown.
 * @property {number} ticks  At which it was running itself.
 * @property {number} time  That it ran itself: a share of the profile's time, 0 to 1. Ticks do not measure it evenly, because
 *   they come less often while the process sleeps.
 * @property {Frame | null} caller
 * @property {Frame[]} callees
 *
 * @typedef {{root: Frame, frames: Frame[], ticks: number}} CpuProfile
 */

const GZIP_MAGIC = 0x1f8b
/** V8 records 255 callers at most; every step of a walk is a call. */
const DEEPEST = 1000

const checkShape = checkWith('cpu-profile')

/**
 * @param {string} file  A .cpuprofile, gzipped or not.
 * @returns {RawProfile}
 * @throws {UsageError} when it cannot be read, is truncated, or is no profile
 */
export function readCpuProfile (file) {
  const bytes = readInput(file, 'profile')
  const isPacked = bytes.length > 1 && bytes.readUInt16BE() === GZIP_MAGIC
  return parseCpuProfile((isPacked ? unpack(bytes, file) : bytes).toString(), file)
}

/**
 * A few bytes may unfold to gigabytes.
 *
 * @param {Buffer} bytes
 * @param {string} file
 */
function unpack (bytes, file) {
  try {
    return gunzipSync(bytes, { maxOutputLength: LIMITS.profile })
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * @param {string} text
 * @param {string} where
 * @returns {RawProfile}
 * @throws {UsageError} when it is empty, truncated, or no profile
 */
export function parseCpuProfile (text, where) {
  if (text.trim() === '') throw new UsageError(`${where} is empty; record the profile again`)
  let raw
  try {
    raw = JSON.parse(text)
  } catch {
    const truncated = text.trimStart().startsWith('{')
    throw new UsageError(`${where} is ${truncated ? 'a truncated or damaged' : 'no'} CPU profile: it does not end as JSON; record it again`)
  }
  checkProfile(raw, where)
  return raw
}

/**
 * @param {any} raw
 * @param {string} where
 */
function checkProfile (raw, where) {
  if (!Array.isArray(raw?.nodes)) throw new UsageError(`${where} is no CPU profile: it has no nodes (expected a .cpuprofile of V8)`)
  checkShape(raw, `${where} is a damaged CPU profile`)
  const ids = new Set(raw.nodes.map((/** @type {RawNode} */ { id }) => id))
  if (ids.size < raw.nodes.length) throw new UsageError(`${where} is a damaged CPU profile: a node is there twice`)
  const called = new Set()
  for (const { id, callFrame, children = [] } of raw.nodes) {
    if (typeof callFrame?.functionName !== 'string' || typeof callFrame.url !== 'string') {
      throw new UsageError(`${where} is a damaged CPU profile: node ${id} names no function`)
    }
    for (const child of children) {
      if (!ids.has(child)) throw new UsageError(`${where} is a damaged CPU profile: node ${id} calls node ${child}, which is missing`)
      if (called.has(child) || child === raw.nodes[0].id) throw new UsageError(`${where} is a damaged CPU profile: node ${child} has two callers`)
      called.add(child)
    }
  }
  checkTree(raw, where)
  checkSamples(raw, ids, where)
  if (ticksOf(raw) === 0) throw new UsageError(`${where} is an empty CPU profile: no tick was recorded; profile for longer`)
}

/**
 * Every node is called from the root, in so few steps that every walk ends: nodes could also call each other in a circle.
 *
 * @param {RawProfile} raw  In which no node has two callers.
 * @param {string} where
 */
function checkTree ({ nodes }, where) {
  const calleesOf = new Map(nodes.map(({ id, children = [] }) => [id, children]))
  let reached = 0
  let depth = 0
  for (let level = nodes.slice(0, 1).map(({ id }) => id); level.length > 0; level = level.flatMap(id => calleesOf.get(id) ?? [])) {
    reached += level.length
    if (++depth > DEEPEST) throw new UsageError(`${where} is a damaged CPU profile: calls are nested more than ${DEEPEST} deep`)
  }
  if (reached < nodes.length) throw new UsageError(`${where} is a damaged CPU profile: ${nodes.length - reached} of its nodes are not called from the root`)
}

/**
 * @param {RawProfile} raw
 * @param {Set<number>} ids  Of its nodes.
 * @param {string} where
 */
function checkSamples ({ samples = [], timeDeltas = [] }, ids, where) {
  const unknown = samples.find(id => !ids.has(id))
  if (unknown !== undefined) throw new UsageError(`${where} is a damaged CPU profile: a sample is of node ${unknown}, which is missing`)
  if (timeDeltas.length > 0 && timeDeltas.length !== samples.length) {
    throw new UsageError(`${where} is a damaged CPU profile: it has ${samples.length} samples, but ${timeDeltas.length} time deltas`)
  }
}

/** @param {RawProfile} raw */
const ticksOf = ({ nodes, samples = [] }) => nodes.reduce((sum, { hitCount = 0 }) => sum + hitCount, 0) || samples.length

/**
 * @param {RawProfile} raw  Checked.
 * @returns {CpuProfile}
 */
export function buildTree (raw) {
  /** @type {Map<number, Frame>} */
  const frameOf = new Map(raw.nodes.map(({ id, callFrame, hitCount = 0 }) => [id, {
    name: callFrame.functionName || '(anonymous)',
    url: callFrame.url,
    line: (callFrame.lineNumber ?? -1) + 1,
    ticks: hitCount,
    time: 0,
    caller: null,
    callees: []
  }]))
  const frame = (/** @type {number} */ id) => /** @type {Frame} */ (frameOf.get(id))
  for (const { id, children = [] } of raw.nodes) {
    for (const child of children) {
      frame(child).caller = frame(id)
      frame(id).callees.push(frame(child))
    }
  }
  if (raw.nodes.every(({ hitCount }) => hitCount === undefined)) raw.samples?.forEach(id => { frame(id).ticks++ })
  const frames = [...frameOf.values()]
  const ticks = frames.reduce((sum, { ticks }) => sum + ticks, 0)
  spreadTime(raw, frame, frames, ticks)
  return { root: frames[0], frames, ticks }
}

/**
 * A function is taken to run from its tick to the next one.
 *
 * @param {RawProfile} raw
 * @param {(id: number) => Frame} frame
 * @param {Frame[]} frames
 * @param {number} ticks
 */
function spreadTime ({ nodes, samples = [], timeDeltas = [] }, frame, frames, ticks) {
  const isTick = createTickFilter(nodes, samples)
  /** @type {Frame | null} */
  let running = null
  let total = 0
  samples.slice(0, -1).forEach((id, i) => {
    if (isTick(id)) running = frame(id)
    if (running === null) return
    const micros = timeDeltas[i + 1] ?? 0
    running.time += micros
    total += micros
  })
  for (const frame of frames) frame.time = total > 0 ? frame.time / total : frame.ticks / ticks
}

/**
 * V8 also takes a sample where it throws optimised code away. It counts as no hit: a function that lost its code a thousand
 * times did not run for a thousand ticks. Which of a node's samples were ticks is not recorded, so they are spread evenly.
 *
 * @param {RawNode[]} nodes
 * @param {number[]} samples
 * @returns {(id: number) => boolean} whether the next sample of a node is a tick
 */
function createTickFilter (nodes, samples) {
  const sampled = new Map(nodes.map(({ id }) => [id, { hits: 0, samples: 0, seen: 0 }]))
  const countsOf = (/** @type {number} */ id) => /** @type {{hits: number, samples: number, seen: number}} */ (sampled.get(id))
  for (const id of samples) countsOf(id).samples++
  for (const { id, hitCount } of nodes) countsOf(id).hits = Math.min(hitCount ?? Infinity, countsOf(id).samples)
  return id => {
    const counts = countsOf(id)
    const ticksUntil = (/** @type {number} */ sample) => Math.floor(sample * counts.hits / counts.samples)
    counts.seen++
    return ticksUntil(counts.seen) > ticksUntil(counts.seen - 1)
  }
}

/**
 * The frames from this one up to the root.
 *
 * @param {Frame} frame
 * @returns {Generator<Frame>}
 */
export function * stackOf (frame) {
  for (let at = /** @type {Frame | null} */ (frame); at !== null; at = at.caller) yield at
}

/** @param {{name: string, url: string}} frame */
export const isIdle = ({ name, url }) => url === '' && name === '(idle)'

/** @param {{name: string, url: string}} frame */
export const isCollector = ({ name, url }) => url === '' && name === '(garbage collector)'

/**
 * @param {CpuProfile} profile
 * @param {(frame: Frame) => boolean} matches
 */
export function countTicks ({ frames }, matches) {
  return frames.reduce((sum, frame) => matches(frame) ? sum + frame.ticks : sum, 0)
}

/**
 * @param {CpuProfile} profile
 * @param {(frame: Frame) => boolean} matches
 */
export function sumTime ({ frames }, matches) {
  return frames.reduce((sum, frame) => matches(frame) ? sum + frame.time : sum, 0)
}
