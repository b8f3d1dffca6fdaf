/**
 * For tools that start the server themselves: runs the tool, puts load on its server, and ends the server, whereupon the
 * tool writes its report.
 */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../model/errors.js'
import { lookUp } from '../../measure/look-up.js'
import { withFiles } from '../../measure/http/files.js'
import { describeLoad } from '../../measure/http/running-server.js'
import { generatorOf, urlOf } from '../../measure/http/load-generator.js'
import { loadScenario } from '../../measure/modules/load-scenario.js'
import { within } from '../../processes/limits.js'
import { SampleError, start as startProcess, supervise } from '../../processes/processes.js'

/** Tools are slow to start a program and much slower to write their report. */
const START_LIMIT_MS = 30_000
const END_LIMIT_MS = 120_000
const POLL_MS = 50

const SERVER = fileURLToPath(new URL('../../measure/http/server.js', import.meta.url))

/**
 * @typedef {import('./index.js').ToolContext} ToolContext
 */

/**
 * @template T
 * @typedef {object} ToolRun
 * @property {(program: string[], folder: string) => string[]} wrap  Returns the command that runs the program under the tool.
 *   The tool may write to the folder.
 * @property {(folder: string) => Promise<T>} harvest  Takes what it needs from the folder before the folder is removed.
 * @property {string[]} [nodeFlags]
 * @property {(pid: number) => void} [cleanUp]  Removes what the server left outside the folder, even if it failed.
 */

/**
 * @template T
 * @param {ToolContext} context
 * @param {ToolRun<T>} toolRun
 * @returns {Promise<T>}
 * @throws {SampleError} when the tool fails or does not end in time, or the server ends under load
 */
export async function runUnderLoad (context, toolRun) {
  const { httpTask } = lookUp(context.plan, context.cell)
  const scenario = /** @type {import('../../measure/modules/load-scenario.js').HttpScenario} */ (await loadScenario(httpTask.scenarioUrl))
  if ((scenario.workers?.(httpTask.params) ?? 1) > 1) throw new SampleError('crash', 'a profile covers one process: profile a cluster with one worker')
  return withFiles(scenario.files?.(httpTask.params), directory =>
    runInFolder({ ...context, directory, load: describeLoad(scenario, httpTask.params) }, toolRun))
}

/**
 * @template T
 * @param {ToolContext & {directory: string | null, load: ReturnType<typeof describeLoad>}} context
 * @param {ToolRun<T>} toolRun
 * @returns {Promise<T>}
 */
async function runInFolder ({ plan, cell, pins, signal, directory, load }, { wrap, harvest, nodeFlags = [], cleanUp = () => {} }) {
  const { httpTask, runtime } = lookUp(plan, cell)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-tool-'))
  const readyFile = path.join(folder, 'ready.json')
  const task = JSON.stringify({ ...httpTask, directory, readyFile })
  const program = [runtime.path, ...runtime.flags, ...nodeFlags, SERVER, task]
  const tool = start([...pins.subject, ...wrap(program, folder)], folder)
  try {
    const { port, pid } = await tool.writes(readyFile)
    return await useServer(port, pid).finally(() => cleanUp(pid))
  } finally {
    tool.kill()
    rmSync(folder, { recursive: true, force: true })
  }

  /**
   * @param {number} port
   * @param {number} pid
   */
  async function useServer (port, pid) {
    const generate = generatorOf(httpTask)
    const aim = { ...load, url: urlOf(httpTask, port), seconds: httpTask.params.seconds, pin: pins.load }
    await tool.during(over => generate({ ...aim, signal: signal ? AbortSignal.any([signal, over]) : over }))
    tool.interrupt(pid)
    await tool.ends()
    return harvest(folder)
  }
}

/**
 * @param {string[]} command
 * @param {string} cwd
 * @throws {SampleError} when it fails or takes too long
 */
export async function runTool (command, cwd) {
  const tool = start(command, cwd)
  try {
    await tool.ends()
  } finally {
    tool.kill()
  }
}

/**
 * Keeps a file that a tool has written. Some tools write none and still end with exit code 0.
 *
 * @param {string} made
 * @param {ToolContext} context
 * @param {string} ending
 * @returns {string} the file's name
 * @throws {SampleError} when it is missing or empty
 */
export function keepFile (made, { folder, fileName }, ending) {
  if (!existsSync(made) || statSync(made).size === 0) throw new SampleError('crash', 'ended well but wrote no report')
  copyFileSync(made, path.join(folder, fileName + ending))
  return fileName + ending
}

/**
 * Finds the program of a package that is installed beside timerq or in the current directory.
 *
 * @param {string} name
 * @param {string} entry  Its command's file.
 * @param {string} version
 * @returns {string}
 * @throws {UsageError} when the package is not installed
 */
export function findPackage (name, entry, version) {
  for (const from of [fileURLToPath(import.meta.url), path.join(process.cwd(), 'index.js')]) {
    try {
      return createRequire(from).resolve(`${name}/${entry}`)
    } catch {}
  }
  throw new UsageError(`${name} is not installed, and timerq does not bring it along (try: npm install ${name}@${version})`)
}

/**
 * @param {string[]} command
 * @param {string} cwd
 */
function start (command, cwd) {
  // Without NO_INSIGHT, clinic asks questions and may do nothing at all.
  const tool = startProcess(command, { cwd, env: { ...process.env, NO_INSIGHT: '1' }, stdio: ['ignore', 'ignore', 'pipe'] })
  const { ended, lastWords } = supervise(tool)

  return {
    /** @param {string} file */
    async writes (file) {
      return within(START_LIMIT_MS, 'started no server', signal => Promise.race([waitForFile(file, signal), endsTooEarly('ended without a server')]))
    },

    /**
     * Waits for work that makes sense only while the tool runs.
     *
     * @param {(over: AbortSignal) => Promise<unknown>} work  Stops at the signal.
     */
    async during (work) {
      const over = new AbortController()
      try {
        await Promise.race([work(over.signal), endsTooEarly('ended under load')])
      } finally {
        over.abort()
      }
    },

    /** @param {number} pid  The server's: the tool itself would not pass the signal on. */
    interrupt (pid) {
      try {
        process.kill(pid, 'SIGINT')
      } catch {
        throw new SampleError('crash', `the server ended under load${lastWords()}`)
      }
    },

    async ends () {
      const { ok, ending } = await within(END_LIMIT_MS, 'did not end', () => ended)
      if (!ok) throw new SampleError('crash', ending)
    },

    kill () {
      try {
        if (tool.pid) process.kill(-tool.pid, 'SIGKILL')
      } catch {
        // Nothing of it is left.
      }
    }
  }

  /**
   * @param {string} failure
   * @returns {Promise<never>}
   */
  async function endsTooEarly (failure) {
    const { ok, ending } = await ended
    throw new SampleError('crash', ok ? `${failure}${lastWords()}` : ending)
  }
}

/**
 * @param {string} file
 * @param {AbortSignal} signal
 * @returns {Promise<any>} the JSON in the file, once it is there
 */
async function waitForFile (file, signal) {
  while (!signal.aborted) {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
    await sleep(POLL_MS)
  }
}
