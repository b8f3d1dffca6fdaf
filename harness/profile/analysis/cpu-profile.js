/**
 * V8's sampling profile as a tree. The reader checks all that later steps rely on.
 *
 * The format is Profiler.Profile of the DevTools protocol: a flat list of nodes. A node is a function as called on one
 * path from the root, with the number of its ticks.
 */
import { sum } from 'simple-statistics'
import { UsageError } from '../../model/errors.js'
import { groupBy } from '../../model/group-by.js'
import { readInput } from '../../store/input.js'
import { checkWith, parseJson } from '../../store/json.js'

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
 * @property {number} ticks  Ticks in the function itself.
 * @property {number} time  Share of the profile's time, 0 to 1, in the function itself. Ticks do not measure time
 *   evenly: while the process sleeps, they are rarer.
 * @property {Frame | null} caller
 * @property {Frame[]} callees
 *
 * @typedef {{root: Frame, frames: Frame[], ticks: number}} CpuProfile
 */

/** V8 records 255 callers at most. A walk recurses. */
const DEEPEST = 1000

const checkShape = checkWith('cpu-profile')

/**
 * @param {string} file  A .cpuprofile.
 * @returns {RawProfile}
 * @throws {UsageError} when the file cannot be read, is truncated, or is no profile
 */
export const readCpuProfile = file => parseCpuProfile(readInput(file, 'profile').toString(), file)

/**
 * @param {string} text
 * @param {string} where
 * @returns {RawProfile}
 * @throws {UsageError} when the text is empty, truncated, or no profile
 */
export function parseCpuProfile (text, where) {
  const damaged = `${where} is no CPU profile, or a damaged one`
  const raw = /** @type {RawProfile} */ (checkShape(parseJson(text, damaged), damaged))
  const fault = findFault(raw)
  if (fault !== null) throw new UsageError(`${damaged}: ${fault}`)
  if (ticksOf(raw) === 0) {
    throw new UsageError(`${where} is an empty CPU profile: no tick was recorded; profile for longer`)
  }
  return raw
}

/** @type {(raw: RawProfile) => string | null} */
function findFault ({ nodes, samples = [], timeDeltas = [] }) {
  const calleesOf = new Map(nodes.map(({ id, children = [] }) => [id, children]))
  const unknown = samples.find(id => !calleesOf.has(id))
  if (unknown !== undefined) return `a sample is of node ${unknown}, which is missing`
  if (timeDeltas.length > 0 && timeDeltas.length !== samples.length) {
    return `it has ${samples.length} samples, but ${timeDeltas.length} time deltas`
  }
  const reached = new Set()
  let level = nodes.slice(0, 1).map(({ id }) => id)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === DEEPEST) return `calls are nested more than ${DEEPEST} deep`
    for (const id of level) {
      if (!calleesOf.has(id)) return `node ${id} is missing`
      if (reached.has(id)) return `node ${id} has two callers`
      reached.add(id)
    }
    level = level.flatMap(id => calleesOf.get(id) ?? [])
  }
  const lost = nodes.length - reached.size
  return lost === 0 ? null : `${lost} of its nodes are not called from the root, or twice there`
}

/** @param {RawProfile} raw */
const ticksOf = ({ nodes, samples = [] }) => sum(nodes.map(({ hitCount = 0 }) => hitCount)) || samples.length

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
  const ticks = sum(frames.map(({ ticks }) => ticks))
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
  const samplesOf = groupBy(samples, id => id)
  const hitsOf = new Map(nodes.map(({ id, hitCount = Infinity }) => [id, hitCount]))
  /** @type {Map<number, number>} */
  const seen = new Map()
  return id => {
    const all = samplesOf.get(id)?.length ?? 0
    const hits = Math.min(hitsOf.get(id) ?? 0, all)
    const before = seen.get(id) ?? 0
    seen.set(id, before + 1)
    return Math.floor(((before + 1) * hits) / all) > Math.floor((before * hits) / all)
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

/** @type {(frame: {name: string, url: string, line: number}) => string}  The same for all frames of a function. */
export const functionKey = ({ name, url, line }) => `${name} ${line} ${url}`

/** Functions that wait for a child process. V8 takes the wait for work. */
const WAITING = ['spawnSync node:internal/child_process', 'wait ']

/** @param {{name: string, url: string}} frame */
export const isIdle = ({ name, url }) => (url === '' && name === '(idle)') || WAITING.includes(`${name} ${url}`)

/** @param {{name: string, url: string}} frame */
export const isCollector = ({ name, url }) => url === '' && name === '(garbage collector)'

/** @type {(profile: CpuProfile, matches: (frame: Frame) => boolean) => number} */
export const countTicks = ({ frames }, matches) => sum(frames.filter(matches).map(({ ticks }) => ticks))

/** @type {(profile: CpuProfile, matches: (frame: Frame) => boolean) => number} */
export const sumTime = ({ frames }, matches) => sum(frames.filter(matches).map(({ time }) => time))
