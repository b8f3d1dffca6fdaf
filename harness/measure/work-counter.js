/**
 * Counts the basic blocks that a module executes: work, exact to the block, for code that nobody instrumented.
 *
 *     const counter = startWorkCounter()        // in a child started with WORK_FLAGS, the harness already loaded
 *     const { Queue } = await import(url)       // from here on, every module loaded from a file is counted
 *     fill(new Queue())
 *     counter.count()                           // blocks since the start, then starts again from zero
 *     operate()
 *     const work = counter.count()              // blocks of operate(), the same in every run
 *
 * V8's precise block coverage does the counting. It leaves out a block that ran as often as the block around it, and joins
 * neighbours that ran equally often: a branch taken 999 times in 1 000 would weigh more than one taken every time. So
 * blocks seen once are remembered, and one that is left out later counts as often as the block around it.
 *
 * Work inside built-ins (splice, Map) is not counted.
 */

import { Session } from 'node:inspector'

/** Tiers above the interpreter may inline a call or drop a counter. */
export const WORK_FLAGS = ['--no-opt', '--no-maglev', '--no-sparkplug']

/** @typedef {import('node:inspector').Profiler.CoverageRange} Range */

export function startWorkCounter () {
  const session = new Session()
  session.connect()
  const notCounted = loadedScripts(session)
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  /** @type {Map<string, Range[]>} */
  const blocksOfFunction = new Map()

  return {
    /** Basic blocks executed since the last count. */
    count () {
      let total = 0
      for (const { scriptId, url, functions } of takeCoverage(session)) {
        if (notCounted.has(scriptId) || !url.startsWith('file:')) continue
        for (const { ranges } of functions) {
          const key = `${scriptId}:${ranges[0].startOffset}`
          const blocks = withNewBlocks(blocksOfFunction.get(key) ?? [], ranges)
          blocksOfFunction.set(key, blocks)
          for (const block of blocks) total += executions(block, ranges)
        }
      }
      return total
    }
  }
}

/**
 * The debugger announces every script loaded so far when it is enabled; coverage itself reports only what has run.
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
 * What ran since the last call; V8 sets its counters back to zero. The callback is called synchronously.
 *
 * @param {Session} session
 */
function takeCoverage (session) {
  /** @type {import('node:inspector').Profiler.ScriptCoverage[]} */
  let scripts = []
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    scripts = coverage.result
  })
  return scripts
}

/**
 * @param {Range[]} blocks
 * @param {Range[]} ranges
 */
function withNewBlocks (blocks, ranges) {
  const isKnown = (/** @type {Range} */ range) =>
    blocks.some(block => block.startOffset === range.startOffset && block.endOffset === range.endOffset)
  const unknown = ranges.filter(range => !isKnown(range))
  if (unknown.length === 0) return blocks
  const all = [...blocks, ...unknown]
  return all.filter(block => !isTiled(block.startOffset, block, all))
}

/**
 * Whether other blocks fill this one from `offset` to its end without a gap: then it is only neighbours joined. A real
 * block has at least a brace or a keyword of its own.
 *
 * @param {number} offset
 * @param {Range} block
 * @param {Range[]} all
 * @returns {boolean}
 */
function isTiled (offset, block, all) {
  if (offset === block.endOffset) return true
  return all.some(tile => tile !== block && tile.startOffset === offset && tile.endOffset > offset &&
    tile.endOffset <= block.endOffset && isTiled(tile.endOffset, block, all))
}

/**
 * V8 lists the outer range before the inner ones, so the last that contains the block is the closest.
 *
 * @param {Range} block
 * @param {Range[]} ranges
 */
function executions (block, ranges) {
  const closest = ranges.findLast(range => range.startOffset <= block.startOffset && range.endOffset >= block.endOffset)
  return closest?.count ?? 0
}
