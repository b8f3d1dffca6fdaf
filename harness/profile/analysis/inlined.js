/**
 * Moves the ticks of inlined functions to nodes of their own, by their line numbers (see line-numbers.js).
 *
 * It is known how many of a function's ticks were in an inlined one, but not which of its samples: they are spread evenly.
 */

/**
 * @typedef {import('./cpu-profile.js').RawProfile} RawProfile
 * @typedef {import('./cpu-profile.js').RawNode} RawNode
 * @typedef {import('../server/recorder.js').NumberedModule} NumberedModule
 * @typedef {import('../server/recorder.js').FunctionLines} FunctionLines
 *
 * @typedef {{line: number, ticks: number}} Position
 * @typedef {{module: NumberedModule, function: FunctionLines}} Place
 * @typedef {{id: number, ticks: number}} Portion  Of the samples of a node, for itself or a function inlined into it.
 */

/**
 * @param {RawProfile} raw
 * @param {NumberedModule[]} modules  None where V8 names inlined functions itself.
 * @returns {RawProfile} with the lines numbered as in the files
 */
export function restoreInlined (raw, modules) {
  let id = Math.max(...raw.nodes.map(node => node.id))
  /** @type {Map<number, Portion[]>} */
  const portionsOf = new Map()
  const nodes = raw.nodes.flatMap(node => {
    const [own, ...inlined] = splitPositions(node, modules)
    const callees = inlined.map(({ place, positions }) => createNode(++id, place, positions, node))
    const hitCount = (node.hitCount ?? 0) - sumTicks(inlined.flatMap(({ positions }) => positions))
    portionsOf.set(node.id, [{ id: node.id, ticks: hitCount }, ...callees.map(({ id, hitCount }) => ({ id, ticks: hitCount }))])
    const children = [...node.children ?? [], ...callees.map(({ id }) => id)]
    return [{ ...node, hitCount, children, positionTicks: own.positions }, ...callees]
  })
  return {
    ...raw,
    nodes: nodes.map(node => renumber(node, modules)),
    samples: raw.samples && shareOut(raw.samples, portionsOf)
  }
}

/**
 * The positions of a node's ticks, its own first, then those of each function inlined into it.
 *
 * @param {RawNode} node
 * @param {NumberedModule[]} modules
 * @returns {[{positions: Position[]}, ...{place: Place, positions: Position[]}[]]}
 */
function splitPositions ({ callFrame, positionTicks = [] }, modules) {
  const own = { place: findPlace(modules, callFrame.lineNumber + 1), positions: /** @type {Position[]} */ ([]) }
  /** @type {Map<FunctionLines, {place: Place, positions: Position[]}>} */
  const inlined = new Map()
  for (const position of positionTicks) {
    const place = findPlace(modules, position.line)
    // Node's own modules are not renumbered, and functions that share a line cannot be distinguished.
    const isOwn = place === null || (place.module === own.place?.module && place.function.line === own.place.function.line)
    if (isOwn) {
      own.positions.push(position)
      continue
    }
    const found = inlined.get(place.function)
    if (found) found.positions.push(position)
    else inlined.set(place.function, { place, positions: [position] })
  }
  return [own, ...inlined.values()]
}

/**
 * Finds the innermost function around a line.
 *
 * @param {NumberedModule[]} modules
 * @param {number} numberedLine
 * @returns {Place | null}
 */
function findPlace (modules, numberedLine) {
  const module = findModule(modules, numberedLine)
  if (!module) return null
  const line = numberedLine - module.firstLine + 1
  const around = module.functions.filter(each => each.line <= line && line <= each.endLine)
  const height = (/** @type {FunctionLines} */ each) => each.endLine - each.line
  return { module, function: around.reduce((inner, each) => height(each) <= height(inner) ? each : inner) }
}

/**
 * @param {NumberedModule[]} modules
 * @param {number} numberedLine
 */
function findModule (modules, numberedLine) {
  return modules.find(({ firstLine, functions: [whole] }) => numberedLine >= firstLine && numberedLine < firstLine + whole.endLine)
}

/**
 * @param {number} id
 * @param {Place} place
 * @param {Position[]} positionTicks
 * @param {RawNode} caller
 */
function createNode (id, { module, function: { name, line } }, positionTicks, caller) {
  const callFrame = { ...caller.callFrame, functionName: name, url: module.url, lineNumber: module.firstLine + line - 2, columnNumber: 0 }
  return { id, callFrame, hitCount: sumTicks(positionTicks), children: [], positionTicks }
}

/**
 * @param {RawNode} node
 * @param {NumberedModule[]} modules
 * @returns {RawNode}
 */
function renumber (node, modules) {
  const move = (/** @type {number} */ line) => line - (findModule(modules, line)?.firstLine ?? 1) + 1
  const { callFrame, positionTicks = [] } = node
  return {
    ...node,
    callFrame: { ...callFrame, lineNumber: move(callFrame.lineNumber + 1) - 1 },
    positionTicks: positionTicks.map(({ line, ticks }) => ({ line: move(line), ticks }))
  }
}

/**
 * @param {number[]} samples
 * @param {Map<number, Portion[]>} portionsOf
 */
function shareOut (samples, portionsOf) {
  const turns = new Map([...portionsOf].map(([id, portions]) => [id, takeTurns(portions)]))
  return samples.map(id => turns.get(id)?.next().value ?? id)
}

/**
 * Each id as often as it has ticks, evenly spread.
 *
 * @param {Portion[]} portions
 */
function takeTurns (portions) {
  const turns = portions.flatMap(({ id, ticks }) => Array.from({ length: ticks }, (_, i) => ({ id, at: (i + 0.5) / ticks })))
  return turns.sort((a, b) => a.at - b.at).map(({ id }) => id).values()
}

/** @param {Position[]} positions */
function sumTicks (positions) {
  return positions.reduce((sum, { ticks }) => sum + ticks, 0)
}
