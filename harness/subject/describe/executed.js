/**
 * Watches which functions run in the modules that differ from those of the other side of a gate. V8 notes the first
 * call of each function: code is optimised as always.
 */
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../../model/random.js'
import { cpuMs } from '../../processes/clock.js'
import { runOnce } from '../micro/code-subject.js'
/** @import { Debugger, Profiler } from 'node:inspector' */
/** @import { MicroJob } from '../../measure/micro/queue-process.js' */
/** @import { CodeSource } from '../modules/load.js' */

/**
 * @typedef {object} DifferentModule  A module whose file differs between the sides.
 * @property {string} file  Relative to the folder of the side.
 * @property {string} text  As V8 ran it.
 * @property {boolean} isPlain  The text of the file; else a loader has transformed it.
 * @property {[start: number, end: number][]} ran  Offsets of the functions that have run.
 *
 * @typedef {object} Touch
 * @property {string} folder  The side, with links resolved.
 * @property {string} other  The other side.
 * @property {string[]} [same]  Files that differ, and are known to make the same program.
 * @property {number} runMs  CPU time for each task, as in a heat: a function may run once in thousands of calls.
 *
 * @typedef {object} Executed
 * @property {DifferentModule[]} different
 * @property {number[]} failed  Places of the jobs that failed, or for which there was no time.
 * @property {number[]} cycleMs  CPU time of a cycle of each job, those that were run.
 * @property {string[]} made  Texts that `eval` or the like have made code of.
 * @property {boolean} isUnseen  A thread or a process was started: what runs there is not known.
 */

/** Modules of a project may be loaded later by these, or run elsewhere. */
const LATE = /(\bimport|dynamic_import__)\s*\(|\b(require|createRequire)\b/
const ELSEWHERE = /\b(worker_threads|child_process|cluster)\b|['"](node:)?fs\b/
const LOADER = /[\\/]node_modules[\\/](vite|rollup|rolldown|esbuild|tsx)[\\/]/
const OF_VITE = /[\\/]node_modules[\\/]@esbuild[\\/]/
/** V8 makes a function of the fields of a class, whose text belongs to the function around the class. */
const INITIALISER = /^<.*_initializer>$/
/** timerq's own modules. */
const TIMERQ = fileURLToPath(new URL('../../../', import.meta.url))
const STARTING = ['spawnSync', 'execSync', 'execFileSync']
const READING = ['readFile', 'readFileSync', 'open', 'openSync', 'createReadStream']
const readText = readFileSync

/** CPU time for all tasks of a file. Later tasks run in processes of their own. */
const LONGEST_MS = 30_000

/** @param {Touch} touch */
export function watchExecution ({ folder, other, same = [], runMs }) {
  /** @type {Map<string, Debugger.ScriptParsedEventDataType>} */
  const scripts = new Map()
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params))
  session.post('Debugger.enable')
  const ours = new Set(scripts.keys())
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false })
  let isUnseen = false
  const note = () => {
    isUnseen = true
  }
  // Node's own threads load modules.
  subscribe('worker_threads', (/** @type {any} */ { worker }) => {
    if (worker.constructor.name !== 'InternalWorker') note()
  })
  subscribe('child_process', (/** @type {any} */ { process }) => {
    // Its program is known once it is started. The one of Vite runs no code of the project.
    queueMicrotask(() => OF_VITE.test(process.spawnfile) || note())
  })
  /** @type {Set<string>} */
  const read = new Set()
  const [starters, fs] = ['node:child_process', 'node:fs'].map(createRequire(import.meta.url))
  onCall(starters, STARTING, note)
  for (const readers of [fs, fs.promises]) {
    // A loader reads modules to transform them.
    onCall(readers, READING, (file, caller) => !LOADER.test(caller) && isPath(file) && read.add(pathOf(file)))
  }
  syncBuiltinESMExports()

  return { runAll, mayRunMore, noteHidden, end }

  /**
   * Files that a loader has loaded. What runs of those that V8 does not know is not known.
   *
   * @param {string[]} files
   */
  function noteHidden (files) {
    const known = new Set(theirs().map(({ file }) => file))
    if (files.some(file => !known.has(file) && differs(file))) note()
  }

  /**
   * Runs each job for as long as a heat would.
   *
   * @param {CodeSource[]} sources
   * @param {MicroJob[]} jobs
   */
  async function runAll (sources, jobs) {
    /** @type {number[]} */
    const failed = []
    /** @type {number[]} */
    const cycleMs = []
    const start = cpuMs()
    for (const [i, { seed }] of jobs.entries()) {
      if (cpuMs() - start > LONGEST_MS) failed.push(i)
      else cycleMs[i] = await runFor(sources[i], seed).catch(() => failed.push(i) && 0)
    }
    return { ...end(), failed, cycleMs }
  }

  /**
   * @param {CodeSource} source
   * @param {number} seed
   * @returns {Promise<number>} CPU time of the first cycle
   */
  async function runFor (source, seed) {
    const workload = await source.create(createRandom(seed))
    const start = cpuMs()
    await runOnce(workload.phases)
    const cycleMs = cpuMs() - start
    // A slow task takes its time in few calls.
    if (cycleMs < runMs) await workload.fit?.()
    while (cpuMs() - start < runMs) await runOnce(workload.phases)
    await workload.end?.()
    return cycleMs
  }

  /** Whether calls may run or load more than the file has so far. */
  function mayRunMore () {
    return (
      isUnseen ||
      theirs().some(({ scriptId, url, file }) => {
        if (differs(file)) return true
        const text = textOf(scriptId)
        return ELSEWHERE.test(text) || (!url.includes('/node_modules/') && LATE.test(text))
      })
    )
  }

  /** @returns {Executed} */
  function end () {
    // A module that is read, and not loaded, is data.
    noteHidden([...read])
    const ran = takeCoverage(session)
    const different = theirs().flatMap(({ scriptId, file: loaded }) => {
      const file = differs(loaded)
      if (!file) return []
      const text = textOf(scriptId)
      return { file, text, isPlain: text === textIn(folder, file), ran: ran.get(scriptId) ?? [] }
    })
    const made = [...scripts.values()].filter(({ scriptId, url }) => isMade(url) && !ours.has(scriptId))
    return { different, failed: [], cycleMs: [], made: made.map(({ scriptId }) => textOf(scriptId)), isUnseen }
  }

  function theirs () {
    return [...scripts.values()].flatMap(({ scriptId, url }) => {
      const file = ours.has(scriptId) ? null : fileOf(url)
      return file === null || file.startsWith(TIMERQ) ? [] : { scriptId, url, file }
    })
  }

  /**
   * @param {string} file
   * @returns {string | null} relative to this side, with slashes, if the other side does not have the same
   */
  function differs (file) {
    const name = path.relative(folder, file)
    if (name.startsWith('..') || path.isAbsolute(name)) return null
    const differing = name.split(path.sep).join('/')
    return same.includes(differing) || textIn(folder, name) === textIn(other, name) ? null : differing
  }

  /** @param {string} scriptId */
  function textOf (scriptId) {
    let text = ''
    session.post('Debugger.getScriptSource', { scriptId }, (error, reply) => {
      text = error ? '' : reply.scriptSource
    })
    return text
  }
}

/**
 * @param {Record<string, any>} module
 * @param {string[]} names
 * @param {(first: unknown, caller: string) => void} seen  Gets the first argument of a call, and the place of the call.
 */
function onCall (module, names, seen) {
  for (const name of names) {
    const own = module[name]
    module[name] = (/** @type {unknown[]} */ ...call) => {
      const [, , caller = ''] = String(new Error().stack).split('\n')
      seen(call[0], caller)
      return own.apply(module, call)
    }
  }
}

/** @type {(file: unknown) => file is string | URL} */
const isPath = file => typeof file === 'string' || file instanceof URL

/** @param {string | URL} file */
const pathOf = file => path.resolve(file instanceof URL ? fileURLToPath(file) : file)

/** @param {string} url */
const isMade = url => fileOf(url) === null && !url.startsWith('node:')

/** @param {string} url  URL, or path, of a script. */
function fileOf (url) {
  if (url.startsWith('file:')) return fileURLToPath(url.replace(/[?#].*$/, ''))
  return path.isAbsolute(url) ? url.replace(/\?.*$/, '') : null
}

/**
 * @param {Session} session
 * @returns {Map<string, [number, number][]>} offsets of the functions that have run, by script
 */
function takeCoverage (session) {
  /** @type {Profiler.ScriptCoverage[]} */
  let scripts = []
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    scripts = coverage.result
  })
  return new Map(
    scripts.map(({ scriptId, functions }) => [
      scriptId,
      functions.flatMap(({ functionName, ranges: [{ startOffset, endOffset, count }] }) =>
        count > 0 && !INITIALISER.test(functionName) ? [([startOffset, endOffset])] : []
      )
    ])
  )
}

/**
 * @param {string} folder
 * @param {string} file
 * @returns {string | null} null where there is none
 */
function textIn (folder, file) {
  try {
    return readText(path.join(folder, file), 'utf8')
  } catch {
    return null
  }
}
