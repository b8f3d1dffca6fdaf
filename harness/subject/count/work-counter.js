/**
 * Counts the basic blocks that a module executes: work, exact to the block, for code that was never instrumented.
 *
 *     const counter = startWorkCounter()        // in a child started with WORK_FLAGS, the harness already loaded
 *     const { Queue } = await import(url)       // every module that is loaded from a file from here on is counted
 *     fill(new Queue())
 *     counter.count()                           // blocks since the start; begins again at zero
 *     operate()
 *     const work = counter.count()              // blocks of operate(), the same in every run
 *
 * V8's precise block coverage counts. It omits a block that ran as often as the block around it, and joins neighbours
 * that ran equally often: a branch taken 999 times in 1 000 would weigh more than a branch taken every time. So every
 * block seen once is remembered, and counts as often as the block around it when it is omitted later.
 *
 * Work inside built-ins (splice, Map) is not counted.
 */
import { existsSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
/** @import { Profiler } from 'node:inspector' */
/** @typedef {Profiler.CoverageRange} Range */
/** @typedef {{name: string, file: string, line?: number, blocks: number}} CountedFunction */

/** Functions that a count names. */
const MOST_FUNCTIONS = 200
const LONGEST_NAME = 80

/**
 * @param {object} [options]
 * @param {(url: string) => boolean} [options.isCounted]  Filter of the modules loaded later; default: all files.
 */
export function startWorkCounter ({ isCounted = () => true } = {}) {
  const session = new Session()
  session.connect()
  const notCounted = loadedScripts(session)
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  /** @type {Map<string, Range[]>} */
  const blocksOfFunction = new Map()
  /**
   * Ends of scripts, as V8 ran them.
   *
   * @type {Map<string, number>}
   */
  const ends = new Map()
  /** @type {{name: string, url: string, offset: number, end: number, blocks: number}[]} */
  let counted = []

  return {
    /** @returns {number} basic blocks executed since the last count */
    count () {
      let total = 0
      counted = []
      for (const { scriptId, url, functions } of takeCoverage(session)) {
        if (notCounted.has(scriptId) || !url.startsWith('file:') || !isCounted(url)) continue
        for (const { functionName, ranges } of functions) {
          const [{ startOffset: offset, endOffset }] = ranges
          const key = `${scriptId}:${offset}`
          const end = Math.max(endOffset, ends.get(scriptId) ?? 0)
          ends.set(scriptId, end)
          const blocks = withNewBlocks(blocksOfFunction.get(key) ?? [], ranges)
          blocksOfFunction.set(key, blocks)
          let own = 0
          for (const block of blocks) own += executions(block, ranges)
          total += own
          if (own > 0) counted.push({ name: functionName || 'anonymous', url, offset, end, blocks: own })
        }
      }
      return total
    },

    /** @returns {CountedFunction[]} functions that the latest count met, those with most blocks first */
    functions () {
      return counted
        .sort((a, b) => b.blocks - a.blocks)
        .slice(0, MOST_FUNCTIONS)
        .map(({ name, url, offset, end, blocks }) => ({
          name: name.slice(0, LONGEST_NAME),
          ...placeIn(fileURLToPath(url), offset, end),
          blocks
        }))
    }
  }
}

/**
 * @param {string} file
 * @param {number} offset  Offset in the script.
 * @param {number} end  Length of the script: a loader may have changed the text of the file.
 */
function placeIn (file, offset, end) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const line = text.length === end && text.slice(0, offset).split('\n').length
  return { file: path.relative('', file).split(path.sep).join('/'), ...(line && { line }) }
}

/**
 * The debugger announces every script loaded so far when it is enabled; coverage itself reports only scripts that ran.
 *
 * @param {Session} session
 */
function loadedScripts (session) {
  /** @type {Set<string>} */
  const scripts = new Set()
  session.on('Debugger.scriptParsed', ({ params }) => scripts.add(params.scriptId))
  session.post('Debugger.enable')
  session.post('Debugger.disable')
  session.removeAllListeners('Debugger.scriptParsed')
  return scripts
}

/**
 * Takes the coverage since the last call, synchronously; V8 sets its counters back to zero.
 *
 * @param {Session} session
 */
function takeCoverage (session) {
  /** @type {Profiler.ScriptCoverage[]} */
  let scripts = []
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    scripts = coverage.result
  })
  return scripts
}

/** @type {(blocks: Range[], ranges: Range[]) => Range[]} */
function withNewBlocks (blocks, ranges) {
  const unknown = ranges.filter(
    ({ startOffset, endOffset }) =>
      !blocks.some(block => block.startOffset === startOffset && block.endOffset === endOffset)
  )
  if (unknown.length === 0) return blocks
  const all = [...blocks, ...unknown]
  return all.filter(block => !isTiled(block.startOffset, block, all))
}

/**
 * Whether other blocks fill this one from `offset` to its end without a gap: then V8 has joined neighbours. A real
 * block has at least a brace or a keyword outside of the blocks in it.
 *
 * @type {(offset: number, block: Range, all: Range[]) => boolean}
 */
function isTiled (offset, block, all) {
  if (offset === block.endOffset) return true
  return all.some(
    tile =>
      tile !== block &&
      tile.startOffset === offset &&
      tile.endOffset > offset &&
      tile.endOffset <= block.endOffset &&
      isTiled(tile.endOffset, block, all)
  )
}

/**
 * V8 lists an outer range before its inner ones, so the last range that contains the block is the closest.
 *
 * @type {(block: Range, ranges: Range[]) => number}
 */
function executions (block, ranges) {
  return (
    ranges.findLast(range => range.startOffset <= block.startOffset && range.endOffset >= block.endOffset)?.count ?? 0
  )
}
