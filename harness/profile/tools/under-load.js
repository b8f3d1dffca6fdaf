/**
 * Tools that start the server themselves. Runs the tool, puts load on its server, and ends the server, after which the
 * tool writes its report.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadOf, withFolder } from '../../measure/http/running-server.js'
import { generatorOf, urlOf } from '../../measure/load/load-generator.js'
import { lookUp } from '../../measure/look-up.js'
import { SampleError } from '../../model/errors.js'
import { SERVER } from '../../processes/entries.js'
import { within } from '../../processes/limits.js'
import { endProcess, startProcess, supervise } from '../../processes/processes.js'
import { assertShape, listeningAlone } from '../../processes/shapes.js'
import { signalProcess } from '../../processes/signal.js'
/** @import { ToolContext } from '../tools.js' */

/** Tools start a program slowly and write their report much more slowly. */
const START_LIMIT_MS = 30_000
const END_LIMIT_MS = 120_000
const POLL_MS = 50

/**
 * @template T
 *
 * @typedef {object} ToolRun
 * @property {(program: string[], folder: string) => string[]} wrap  Returns the command that runs the program under the
 *   tool. The tool may write to the folder.
 * @property {(folder: string) => Promise<T>} harvest  Called before the folder is removed.
 */

/**
 * @template T
 * @param {ToolContext} context
 * @param {ToolRun<T>} toolRun
 * @returns {Promise<T>}
 * @throws {SampleError} when the tool fails or does not end in time, or the server ends under load
 */
export function runUnderLoad ({ plan, cell, pins, signal }, { wrap, harvest }) {
  const { httpJob, runtime } = lookUp(plan, cell)
  return withFolder(async folder => {
    const [directory, readyFile] = ['files', 'ready.json'].map(name => path.join(folder, name))
    mkdirSync(directory)
    const job = JSON.stringify({ ...httpJob, directory, readyFile })
    const program = [runtime.path, ...runtime.flags, fileURLToPath(SERVER), job]
    const tool = startTool([...pins.subject, ...wrap(program, folder)], folder)
    try {
      const { refusal, ...reply } = await tool.writes(readyFile)
      if (refusal !== undefined) throw new SampleError('crash', String(refusal))
      const { port, pid, needs } = assertShape(reply, listeningAlone)
      const { seconds } = httpJob.params
      const load = { ...loadOf(needs, httpJob.params), url: urlOf(httpJob, port), seconds, pin: pins.load }
      const generate = generatorOf(httpJob)
      await tool.during(over => generate({ ...load, signal: signal ? AbortSignal.any([signal, over]) : over }))
      tool.interrupt(pid)
      await tool.ends()
      return await harvest(folder)
    } finally {
      await tool.kill()
    }
  })
}

/**
 * @param {string[]} command
 * @param {string} cwd
 * @throws {SampleError} when the tool fails or takes too long
 */
export async function runTool (command, cwd) {
  const tool = startTool(command, cwd)
  try {
    await tool.ends()
  } finally {
    await tool.kill()
  }
}

/**
 * @param {string[]} command
 * @param {string} cwd
 */
function startTool (command, cwd) {
  // Without NO_INSIGHT, clinic asks questions and may do nothing at all.
  const tool = startProcess(command, {
    cwd,
    env: { ...process.env, NO_INSIGHT: '1' },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const { ended, lastWords } = supervise(tool)
  let hasEnded = false
  ended.then(() => {
    hasEnded = true
  })

  return {
    /**
     * Waits for a file of JSON.
     *
     * @param {string} file
     * @returns {Promise<any>} an object
     */
    writes (file) {
      return within(START_LIMIT_MS, 'started no server', async over => {
        for (;;) {
          const isLast = hasEnded
          const reply = readReply(file)
          if (reply) return reply
          if (isLast) return endsTooEarly('ended without a server')
          await sleep(POLL_MS, undefined, { signal: over })
        }
      })
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

    /** @param {number} pid  Process of the server. The tool would not pass the signal on. */
    interrupt (pid) {
      if (!signalProcess(pid, 'SIGINT')) throw new SampleError('crash', `the server ended under load${lastWords()}`)
    },

    async ends () {
      const { ok, ending } = await within(END_LIMIT_MS, 'did not end', () => ended)
      if (!ok) throw new SampleError('crash', ending)
    },

    kill: () => endProcess(tool)
  }

  /** @type {(failure: string) => Promise<never>} */
  async function endsTooEarly (failure) {
    const { ok, ending } = await ended
    throw new SampleError('crash', ok ? `${failure}${lastWords()}` : ending)
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
