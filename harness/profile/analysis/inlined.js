/**
 * Moves the ticks of inlined functions to separate nodes, by their line numbers (see line-numbers.js).
 *
 * V8 records how many ticks of a function were in an inlined function, but not which samples. Samples are spread
 * evenly.
 */
import { sum } from 'simple-statistics'
import { groupBy } from '../../model/group-by.js'
/** @import { FunctionLines, NumberedModule } from '../subject/recorder.js' */
/** @import { RawNode, RawProfile } from './cpu-profile.js' */

/**
 * @typedef {{line: number, ticks: number}} Position
 *
 * @typedef {RawNode & {hitCount: number}} CountedNode
 */

/**
 * @param {RawProfile} raw
 * @param {NumberedModule[]} modules  Empty if V8 names inlined functions itself.
 * @returns {RawProfile} with the lines numbered as in the files
 */
export function restoreInlined (raw, modules) {
  let id = Math.max(...raw.nodes.map(node => node.id))
  /** @type {Map<number, CountedNode[]>} */
  const splitOf = new Map()
  for (const node of raw.nodes) {
    const positionsOf = groupBy(node.positionTicks ?? [], ({ line }) => inlinedAt(line, node, modules))
    const callees = [...positionsOf].flatMap(([inlined, positions]) =>
      inlined ? [createNode(++id, inlined, positions, node, modules)] : []
    )
    const self = {
      ...node,
      hitCount: (node.hitCount ?? 0) - sum(callees.map(({ hitCount }) => hitCount)),
      children: [...(node.children ?? []), ...callees.map(({ id }) => id)],
      positionTicks: positionsOf.get(null) ?? []
    }
    splitOf.set(node.id, [self, ...callees])
  }
  return {
    ...raw,
    nodes: [...splitOf.values()].flat().map(node => renumber(node, modules)),
    samples: raw.samples && shareOut(raw.samples, splitOf)
  }
}

/**
 * The function that was inlined into a node at a line; null for the node's own lines. Node's modules are not
 * renumbered, and functions that share a line cannot be distinguished.
 *
 * @type {(line: number, node: RawNode, modules: NumberedModule[]) => FunctionLines | null}
 */
function inlinedAt (line, { callFrame }, modules) {
  const location = locate(modules, line)
  const own = locate(modules, callFrame.lineNumber + 1)
  const isOwn = location?.module === own?.module && location?.function.line === own?.function.line
  return location === null || isOwn ? null : location.function
}

/**
 * Innermost function around a line.
 *
 * @param {NumberedModule[]} modules
 * @param {number} numberedLine
 * @returns {{module: NumberedModule, function: FunctionLines} | null}
 */
function locate (modules, numberedLine) {
  const module = findModule(modules, numberedLine)
  if (!module) return null
  const line = numberedLine - module.firstLine + 1
  const around = module.functions.filter(each => each.line <= line && line <= each.endLine)
  const height = (/** @type {FunctionLines} */ each) => each.endLine - each.line
  return { module, function: around.reduce((inner, each) => (height(each) <= height(inner) ? each : inner)) }
}

/** @type {(modules: NumberedModule[], numberedLine: number) => NumberedModule | undefined} */
const findModule = (modules, numberedLine) =>
  modules.find(
    ({ firstLine, functions: [whole] }) => numberedLine >= firstLine && numberedLine < firstLine + whole.endLine
  )

/**
 * @param {number} id
 * @param {FunctionLines} inlined
 * @param {Position[]} positions
 * @param {RawNode} caller
 * @param {NumberedModule[]} modules
 * @returns {CountedNode}
 */
function createNode (id, { name, line }, positions, caller, modules) {
  const { url, firstLine } = /** @type {NumberedModule} */ (findModule(modules, positions[0].line))
  const callFrame = {
    ...caller.callFrame,
    functionName: name,
    url,
    lineNumber: firstLine + line - 2,
    columnNumber: 0
  }
  return { id, callFrame, hitCount: sum(positions.map(({ ticks }) => ticks)), children: [], positionTicks: positions }
}

/** @type {(node: RawNode, modules: NumberedModule[]) => RawNode} */
function renumber (node, modules) {
  const move = (/** @type {number} */ line) => line - (findModule(modules, line)?.firstLine ?? 1) + 1
  const { callFrame, positionTicks = [] } = node
  return {
    ...node,
    callFrame: { ...callFrame, lineNumber: move(callFrame.lineNumber + 1) - 1 },
    positionTicks: positionTicks.map(({ line, ticks }) => ({ line: move(line), ticks }))
  }
}

/** @type {(samples: number[], splitOf: Map<number, CountedNode[]>) => number[]} */
function shareOut (samples, splitOf) {
  const turns = new Map([...splitOf].map(([id, split]) => [id, takeTurns(split)]))
  return samples.map(id => turns.get(id)?.next().value ?? id)
}

/**
 * Repeats each id by its ticks, evenly spread.
 *
 * @param {CountedNode[]} split
 */
function takeTurns (split) {
  const turns = split.flatMap(({ id, hitCount }) =>
    Array.from({ length: hitCount }, (_, i) => ({ id, at: (i + 0.5) / hitCount }))
  )
  return turns
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id)
    .values()
}
