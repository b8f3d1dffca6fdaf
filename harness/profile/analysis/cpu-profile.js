/**
 * V8's sampling profile as a tree. The reader checks all that later steps rely on.
 *
 * The format is Profiler.Profile of the DevTools protocol: a flat list of nodes. A node is a function as called on one
 * path from the root, with the number of its ticks.
 */
import { gunzipSync } from 'node:zlib'
import { LIMITS, readInput } from '../../store/input.js'
import { checkWith } from '../../store/json.js'
import { UsageError } from '../../model/errors.js'

/**
 * @typedef {object} RawNode
 * @property {number} id
 * @property {{functionName: string, scriptId: string, url: string, lineNumber: number, columnNumber: number}} callFrame
 *   Lines and columns count from 0.
 * @property {number} [hitCount]
 * @property {number[]} [children]
 * @property {{line: number, ticks: number}[]} [positionTicks]  Lines count from 1.
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
 * @property {number} line  First line of the function, from 1; 0: unknown.
 * @property {number} ticks  In the function itself.
 * @property {number} time In the function itself, as a share of the profile's time, 0 to 1. Ticks do not measure time
 *   evenly: while the process sleeps, they are rarer.
 * @property {Frame | null} caller
 * @property {Frame[]} callees
 *
 * @typedef {{root: Frame, frames: Frame[], ticks: number}} CpuProfile
 */

const GZIP_MAGIC = 0x1f8b
/** V8 records 255 callers at most. A walk recurses. */
const DEEPEST = 1000

const checkShape = checkWith('cpu-profile')

/**
 * @param {string} file  A .cpuprofile, gzipped or not.
 * @returns {RawProfile}
 * @throws {UsageError} when the file cannot be read, is truncated, or is no profile
 */
export function readCpuProfile (file) {
  const bytes = readInput(file, 'profile')
  const isPacked = bytes.length > 1 && bytes.readUInt16BE() === GZIP_MAGIC
  return parseCpuProfile((isPacked ? unpack(bytes, file) : bytes).toString(), file)
}

/**
 * Bounded: a few bytes may unfold to gigabytes.
 *
 * @type {(bytes: Buffer, file: string) => Buffer}
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
 * @throws {UsageError} when the text is empty, truncated, or no profile
 */
export function parseCpuProfile (text, where) {
  if (text.trim() === '') throw new UsageError(`${where} is empty; record the profile again`)
  let raw
  try {
    raw = JSON.parse(text)
  } catch {
    const truncated = text.trimStart().startsWith('{')
    throw new UsageError(
      `${where} is ${truncated ? 'a truncated or damaged' : 'no'} CPU profile: it does not end as JSON; record the profile again`
    )
  }
  checkProfile(raw, where)
  return raw
}

/** @type {(raw: any, where: string) => void} */
function checkProfile (raw, where) {
  if (!Array.isArray(raw?.nodes)) {
    throw new UsageError(`${where} is no CPU profile: it has no nodes (expected a .cpuprofile of V8)`)
  }
  checkShape(raw, `${where} is a damaged CPU profile`)
  const ids = new Set(raw.nodes.map((/** @type {RawNode} */ { id }) => id))
  if (ids.size < raw.nodes.length) throw new UsageError(`${where} is a damaged CPU profile: it holds a node twice`)
  const called = new Set()
  for (const { id, callFrame, children = [] } of raw.nodes) {
    if (typeof callFrame?.functionName !== 'string' || typeof callFrame.url !== 'string') {
      throw new UsageError(`${where} is a damaged CPU profile: node ${id} names no function`)
    }
    for (const child of children) {
      if (!ids.has(child)) {
        throw new UsageError(`${where} is a damaged CPU profile: node ${id} calls node ${child}, which is missing`)
      }
      if (called.has(child) || child === raw.nodes[0].id) {
        throw new UsageError(`${where} is a damaged CPU profile: node ${child} has two callers`)
      }
      called.add(child)
    }
  }
  checkTree(raw, where)
  checkSamples(raw, ids, where)
  if (ticksOf(raw) === 0) {
    throw new UsageError(`${where} is an empty CPU profile: no tick was recorded; profile for longer`)
  }
}

/**
 * Refuses nodes that the root does not reach, such as circles, and nesting too deep for a walk.
 *
 * @param {RawProfile} raw  No node has two callers.
 * @param {string} where
 */
function checkTree ({ nodes }, where) {
  const calleesOf = new Map(nodes.map(({ id, children = [] }) => [id, children]))
  let reached = 0
  let depth = 0
  for (
    let level = nodes.slice(0, 1).map(({ id }) => id);
    level.length > 0;
    level = level.flatMap(id => calleesOf.get(id) ?? [])
  ) {
    reached += level.length
    if (++depth > DEEPEST) {
      throw new UsageError(`${where} is a damaged CPU profile: calls are nested more than ${DEEPEST} deep`)
    }
  }
  if (reached < nodes.length) {
    throw new UsageError(
      `${where} is a damaged CPU profile: ${nodes.length - reached} of its nodes are not called from the root`
    )
  }
}

/** @type {(raw: RawProfile, ids: Set<number>, where: string) => void} */
function checkSamples ({ samples = [], timeDeltas = [] }, ids, where) {
  const unknown = samples.find(id => !ids.has(id))
  if (unknown !== undefined) {
    throw new UsageError(`${where} is a damaged CPU profile: a sample is of node ${unknown}, which is missing`)
  }
  if (timeDeltas.length > 0 && timeDeltas.length !== samples.length) {
    throw new UsageError(
      `${where} is a damaged CPU profile: it has ${samples.length} samples, but ${timeDeltas.length} time deltas`
    )
  }
}

/** @param {RawProfile} raw */
const ticksOf = ({ nodes, samples = [] }) =>
  nodes.reduce((sum, { hitCount = 0 }) => sum + hitCount, 0) || samples.length

/**
 * @param {RawProfile} raw  Checked.
 * @returns {CpuProfile}
 */
export function buildTree (raw) {
  /** @type {Map<number, Frame>} */
  const frameOf = new Map(
    raw.nodes.map(({ id, callFrame, hitCount = 0 }) => [
      id,
      {
        name: callFrame.functionName || '(anonymous)',
        url: callFrame.url,
        line: (callFrame.lineNumber ?? -1) + 1,
        ticks: hitCount,
        time: 0,
        caller: null,
        callees: []
      }
    ])
  )
  const frame = (/** @type {number} */ id) => /** @type {Frame} */ (frameOf.get(id))
  for (const { id, children = [] } of raw.nodes) {
    for (const child of children) {
      frame(child).caller = frame(id)
      frame(id).callees.push(frame(child))
    }
  }
  if (raw.nodes.every(({ hitCount }) => hitCount === undefined)) {
    raw.samples?.forEach(id => {
      frame(id).ticks++
    })
  }
  const frames = [...frameOf.values()]
  const ticks = frames.reduce((sum, { ticks }) => sum + ticks, 0)
  spreadTime(raw, frame, frames, ticks)
  return { root: frames[0], frames, ticks }
}

/**
 * Charges the time from one tick to the next to the function of the first.
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
 * V8 also takes a sample at each deoptimisation, which is no tick: a function that was deoptimised a thousand times did
 * not run for a thousand ticks. V8 does not record which of a node's samples were ticks, so ticks are spread evenly.
 *
 * @param {RawNode[]} nodes
 * @param {number[]} samples
 * @returns {(id: number) => boolean} whether the next sample of a node is a tick
 */
function createTickFilter (nodes, samples) {
  const sampled = new Map(nodes.map(({ id }) => [id, { hits: 0, samples: 0, seen: 0 }]))
  const countsOf = (/** @type {number} */ id) =>
    /** @type {{hits: number, samples: number, seen: number}} */ (sampled.get(id))
  for (const id of samples) countsOf(id).samples++
  for (const { id, hitCount } of nodes) countsOf(id).hits = Math.min(hitCount ?? Infinity, countsOf(id).samples)
  return id => {
    const counts = countsOf(id)
    const ticksUntil = (/** @type {number} */ sample) => Math.floor((sample * counts.hits) / counts.samples)
    counts.seen++
    return ticksUntil(counts.seen) > ticksUntil(counts.seen - 1)
  }
}

/**
 * Frames from this frame up to the root.
 *
 * @type {(frame: Frame) => Generator<Frame>}
 */
export function * stackOf (frame) {
  for (let next = /** @type {Frame | null} */ (frame); next !== null; next = next.caller) yield next
}

/** @param {{name: string, url: string}} frame */
export const isIdle = ({ name, url }) => url === '' && name === '(idle)'

/** @param {{name: string, url: string}} frame */
export const isCollector = ({ name, url }) => url === '' && name === '(garbage collector)'

/** @type {(profile: CpuProfile, matches: (frame: Frame) => boolean) => number} */
export const countTicks = ({ frames }, matches) =>
  frames.reduce((sum, frame) => (matches(frame) ? sum + frame.ticks : sum), 0)

/** @type {(profile: CpuProfile, matches: (frame: Frame) => boolean) => number} */
export const sumTime = ({ frames }, matches) =>
  frames.reduce((sum, frame) => (matches(frame) ? sum + frame.time : sum), 0)
