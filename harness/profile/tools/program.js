/**
 * Tools that start the server themselves. Runs the tool, puts load on its server, and ends the server, after which the
 * tool writes its report.
 */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SampleError, UsageError } from '../../model/errors.js'
import { lookUp } from '../../measure/look-up.js'
import { loadOf, SERVER, withFolder } from '../../measure/http/running-server.js'
import { generatorOf, urlOf } from '../../measure/load/load-generator.js'
import { within } from '../../processes/limits.js'
import { start as startProcess, supervise } from '../../processes/processes.js'
import { assertShape, listeningAlone } from '../../processes/shapes.js'
/** @import { Needs } from '../../subject/http/needs.js' */
/** @import { ToolContext } from './index.js' */

/** Tools start a program slowly and write their report much more slowly. */
const START_LIMIT_MS = 30_000
const END_LIMIT_MS = 120_000
const POLL_MS = 50

/**
 * @template T
 *
 * @typedef {object} ToolRun
 * @property {(program: string[], folder: string) => string[]} wrap Returns the command that runs the program under the
 *   tool. The tool may write to the folder.
 * @property {(folder: string) => Promise<T>} harvest  Called before the folder is removed.
 * @property {string[]} [nodeFlags]
 * @property {(pid: number) => void} [cleanUp]  Removes the server's files outside of the folder, even after a failure.
 */

/**
 * @template T
 * @param {ToolContext} context
 * @param {ToolRun<T>} toolRun
 * @returns {Promise<T>}
 * @throws {SampleError} when the tool fails or does not end in time, or the server ends under load
 */
export function runUnderLoad (context, toolRun) {
  return withFolder(directory => runInFolder({ ...context, directory }, toolRun))
}

/**
 * @template T
 * @param {ToolContext & {directory: string}} context
 * @param {ToolRun<T>} toolRun
 * @returns {Promise<T>}
 */
async function runInFolder (
  { plan, cell, pins, signal, directory },
  { wrap, harvest, nodeFlags = [], cleanUp = () => {} }
) {
  const { httpTask, runtime } = lookUp(plan, cell)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'timerq-tool-'))
  const readyFile = path.join(folder, 'ready.json')
  const task = JSON.stringify({ ...httpTask, directory, readyFile })
  const program = [runtime.path, ...runtime.flags, ...nodeFlags, fileURLToPath(SERVER), task]
  const tool = start([...pins.subject, ...wrap(program, folder)], folder)
  try {
    const { refusal, ...reply } = await tool.writes(readyFile)
    if (refusal !== undefined) throw new SampleError('crash', String(refusal))
    const { port, pid, needs } = assertShape(reply, listeningAlone)
    return await useServer(port, pid, needs).finally(() => cleanUp(pid))
  } finally {
    tool.kill()
    rmSync(folder, { recursive: true, force: true })
  }

  /**
   * @param {number} port
   * @param {number} pid
   * @param {Needs} needs
   */
  async function useServer (port, pid, needs) {
    const generate = generatorOf(httpTask)
    const target = {
      ...loadOf(needs, httpTask.params),
      url: urlOf(httpTask, port),
      seconds: httpTask.params.seconds,
      pin: pins.load
    }
    await tool.during(over => generate({ ...target, signal: signal ? AbortSignal.any([signal, over]) : over }))
    tool.interrupt(pid)
    await tool.ends()
    return harvest(folder)
  }
}

/**
 * @param {string[]} command
 * @param {string} cwd
 * @throws {SampleError} when the tool fails or takes too long
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
 * Copies a file of a tool into the results. Some tools write no file and still end with exit code 0.
 *
 * @param {string} file
 * @param {ToolContext} context
 * @param {string} ending
 * @returns {string} name of the copy
 * @throws {SampleError} when the file is missing or empty
 */
export function copyReport (file, { folder, fileName }, ending) {
  if (!existsSync(file) || statSync(file).size === 0) throw new SampleError('crash', 'ended well but wrote no report')
  copyFileSync(file, path.join(folder, fileName + ending))
  return fileName + ending
}

/**
 * Finds the program of a package that is installed beside timerq or in the current directory.
 *
 * @param {string} name
 * @param {string} entry  File of the command.
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
  throw new UsageError(`${name} is not installed, and is no dependency of timerq (try: npm install ${name}@${version})`)
}

/**
 * @param {string[]} command
 * @param {string} cwd
 */
function start (command, cwd) {
  // Without NO_INSIGHT, clinic asks questions and may do nothing at all.
  const tool = startProcess(command, {
    cwd,
    env: { ...process.env, NO_INSIGHT: '1' },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const { ended, lastWords } = supervise(tool)

  return {
    /**
     * @param {string} file  Of JSON.
     * @returns {Promise<any>} an object
     */
    async writes (file) {
      const last = () => readReply(file) ?? endsTooEarly('ended without a server')
      return within(START_LIMIT_MS, 'started no server', signal =>
        Promise.race([waitForReply(file, signal), ended.then(last)])
      )
    },

    /** @param {(over: AbortSignal) => Promise<unknown>} work  Stops at the signal, when the tool ends. */
    async during (work) {
      const over = new AbortController()
      try {
        await Promise.race([work(over.signal), endsTooEarly('ended under load')])
      } finally {
        over.abort()
      }
    },

    /** @param {number} pid  Of the server. The tool would not pass the signal on. */
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
        // The tool has ended.
      }
    }
  }

  /** @type {(failure: string) => Promise<never>} */
  async function endsTooEarly (failure) {
    const { ok, ending } = await ended
    throw new SampleError('crash', ok ? `${failure}${lastWords()}` : ending)
  }
}

/**
 * Resolves to the server's reply as soon as it is there.
 *
 * @type {(file: string, signal: AbortSignal) => Promise<any>}
 */
async function waitForReply (file, signal) {
  while (!signal.aborted) {
    const reply = readReply(file)
    if (reply) return reply
    await sleep(POLL_MS)
  }
}

/**
 * @param {string} file
 * @returns {any} null where there is none yet
 * @throws {SampleError} when it is no object
 */
function readReply (file) {
  if (!existsSync(file)) return null
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new SampleError('wrong', `its process sent an invalid reply: ${/** @type {Error} */ (error).message}`)
  }
}
