/**
 * Moves the ticks of inlined functions to separate nodes, by their line numbers (see line-numbers.js).
 *
 * V8 records how many ticks of a function were in an inlined function, but not which samples. Samples are spread
 * evenly.
 */

/** @import { FunctionLines, NumberedModule } from '../subject/recorder.js' */
/** @import { RawNode, RawProfile } from './cpu-profile.js' */

/**
 * @typedef {{line: number, ticks: number}} Position
 *
 * @typedef {{module: NumberedModule, function: FunctionLines}} Location
 *
 * @typedef {{id: number, ticks: number}} Portion Samples of a node that belong to the node itself or to an inlined
 *   function.
 */

/**
 * @param {RawProfile} raw
 * @param {NumberedModule[]} modules  Empty if V8 names inlined functions itself.
 * @returns {RawProfile} with the lines numbered as in the files
 */
export function restoreInlined (raw, modules) {
  let id = Math.max(...raw.nodes.map(node => node.id))
  /** @type {Map<number, Portion[]>} */
  const portionsOf = new Map()
  const nodes = raw.nodes.flatMap(node => {
    const [self, ...inlined] = splitPositions(node, modules)
    const callees = inlined.map(({ location, positions }) => createNode(++id, location, positions, node))
    const hitCount = (node.hitCount ?? 0) - sumTicks(inlined.flatMap(({ positions }) => positions))
    portionsOf.set(node.id, [
      { id: node.id, ticks: hitCount },
      ...callees.map(({ id, hitCount }) => ({ id, ticks: hitCount }))
    ])
    const children = [...(node.children ?? []), ...callees.map(({ id }) => id)]
    return [{ ...node, hitCount, children, positionTicks: self.positions }, ...callees]
  })
  return {
    ...raw,
    nodes: nodes.map(node => renumber(node, modules)),
    samples: raw.samples && shareOut(raw.samples, portionsOf)
  }
}

/**
 * Positions of a node's ticks: first in the node's function, then in each inlined function.
 *
 * @param {RawNode} node
 * @param {NumberedModule[]} modules
 * @returns {[{positions: Position[]}, ...{location: Location, positions: Position[]}[]]}
 */
function splitPositions ({ callFrame, positionTicks = [] }, modules) {
  const self = { location: locate(modules, callFrame.lineNumber + 1), positions: /** @type {Position[]} */ ([]) }
  /** @type {Map<FunctionLines, {location: Location, positions: Position[]}>} */
  const inlined = new Map()
  for (const position of positionTicks) {
    const location = locate(modules, position.line)
    // Node's modules are not renumbered, and functions that share a line cannot be distinguished.
    if (
      location === null ||
      (location.module === self.location?.module && location.function.line === self.location.function.line)
    ) {
      self.positions.push(position)
      continue
    }
    const known = inlined.get(location.function)
    if (known) known.positions.push(position)
    else inlined.set(location.function, { location, positions: [position] })
  }
  return [self, ...inlined.values()]
}

/**
 * Innermost function around a line.
 *
 * @type {(modules: NumberedModule[], numberedLine: number) => Location | null}
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
 * @type {(id: number, location: Location, positionTicks: Position[], caller: RawNode) => RawNode & {hitCount: number}}
 */
function createNode (id, { module, function: { name, line } }, positionTicks, caller) {
  const callFrame = {
    ...caller.callFrame,
    functionName: name,
    url: module.url,
    lineNumber: module.firstLine + line - 2,
    columnNumber: 0
  }
  return { id, callFrame, hitCount: sumTicks(positionTicks), children: [], positionTicks }
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

/** @type {(samples: number[], portionsOf: Map<number, Portion[]>) => number[]} */
function shareOut (samples, portionsOf) {
  const turns = new Map([...portionsOf].map(([id, portions]) => [id, takeTurns(portions)]))
  return samples.map(id => turns.get(id)?.next().value ?? id)
}

/**
 * Repeats each id by its ticks, evenly spread.
 *
 * @param {Portion[]} portions
 */
function takeTurns (portions) {
  const turns = portions.flatMap(({ id, ticks }) =>
    Array.from({ length: ticks }, (_, i) => ({ id, at: (i + 0.5) / ticks }))
  )
  return turns
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id)
    .values()
}

/** @param {Position[]} positions */
const sumTicks = positions => positions.reduce((sum, { ticks }) => sum + ticks, 0)
