/**
 * A real run, and all processes that belong to it: whatever it starts has its folder, or one in it, as working
 * directory.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isWithin } from '../../harness/gate/sides.js'
import { readResults } from '../../harness/store/results.js'
import { TIMERQ, words } from '../bin/timerq.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { skipUnless } from '../needs.js'

const TWO_QUEUES = words`run --queue binary-heap,duration-lists --preset ci --size 20 --seed 1`
/** Two queues, in virtual time and behind a server: as little as makes all kinds of processes. */
export const SMALL_RUN = words`
  ${TWO_QUEUES} --scenario refresh-one-duration,keep-alive --sweep connections=5 --rounds 1`
/**
 * The same with few requests: a load without pauses takes two cores while it lasts. Nothing is counted behind these
 * servers.
 */
export const QUIET_RUN = words`${TWO_QUEUES} --scenario refresh-one-duration,idle-sockets --sweep idle=0 --rounds 1`
/** The same without servers, in the two rounds of the preset. */
export const MICRO_RUN = words`${TWO_QUEUES} --scenario refresh-one-duration`

/** The same in six rounds: long enough to be held in the middle. */
export const LONG_RUN = [...MICRO_RUN, '--rounds', '6']

/** Two rounds of a queue file of a project (see bin/project.js) in one cell. */
export const SMALL_GATE = words`
  gate --base main --queue ./src/heap.js --scenario refresh-one-duration --size 20 --rounds 2 --seed 1`

/** What ends by itself has ended by then, however busy the machine is. */
const PATIENCE_MS = 120_000
const POLL_MS = 20

/**
 * Command lines of processes: one that is timed in a heat, and any that measures in virtual time, told by the flags of
 * its layout or its work.
 */
export const IN_HEAT = /--hash-seed=\d{2,}.*subject\/process\.js/
export const MEASURING = /--(hash-seed|no-opt|single-threaded).*subject\/process\.js/
export const COUNTING = /--no-opt.*subject\/process\.js/
const HOLD = new URL('./hold.js', import.meta.url)

/**
 * @typedef {{pid: number, command: string}} Process
 *
 * @typedef {object} Hold  When a run is to stand still.
 * @property {RegExp} at  Command line of the process that starts then.
 * @property {number} [nth]  Of the processes with such a command line; the first by default.
 * @property {number} [after]  So many samples that are kept.
 */

export class WatchedRun {
  /** Where it runs. */
  folder
  /** The results directory. */
  out
  stdout = ''
  stderr = ''
  #child
  #ended
  #held

  /**
   * @param {import('node:test').TestContext} t
   * @param {string[]} args  Of timerq, without --out.
   * @param {{folder?: string, out?: string, env?: NodeJS.ProcessEnv, prefix?: string[], hold?: Hold}} [options]
   *   `prefix`: a command that runs the one that follows.
   */
  constructor (t, args, { folder = temporaryFolder(t), out = 'results', env = process.env, prefix = [], hold } = {}) {
    this.folder = realpathSync(folder)
    this.out = path.resolve(this.folder, out)
    const holding = temporaryFolder(t)
    this.#held = path.join(holding, 'held.json')
    const takesOut = !args.includes('--resume')
    const [command, ...rest] = [...prefix, process.execPath, TIMERQ, ...args, ...(takesOut ? ['--out', out] : [])]
    const own = hold ? { ...env, ...holdingEnv(hold, path.join(this.out, 'samples.jsonl'), holding) } : env
    this.#child = spawn(command, rest, { cwd: this.folder, env: own, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child.stdout.setEncoding('utf8').on('data', text => {
      this.stdout += text
    })
    this.#child.stderr.setEncoding('utf8').on('data', text => {
      this.stderr += text
    })
    this.#ended = once(this.#child, 'close').then(([code, signal]) => signal ?? code)
    t.after(() => this.processes().forEach(({ pid }) => kill(pid, 'SIGKILL')))
  }

  get pid () {
    return /** @type {number} */ (this.#child.pid)
  }

  /** @returns {Promise<number | string>} the exit code, or the signal that ended it */
  async end () {
    return this.#ended
  }

  get hasEnded () {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** @returns {Process[]} the runner's own first, if it still runs */
  processes () {
    return processesIn(this.folder).sort((one, other) => Number(other.pid === this.pid) - Number(one.pid === this.pid))
  }

  /**
   * @template T
   * @param {() => T | Promise<T>} find
   * @returns {Promise<NonNullable<T> | null>} null when the run ended before
   */
  async until (find) {
    while (true) {
      const found = await find()
      if (found) return found
      if (this.hasEnded) return null
      await sleep(POLL_MS)
    }
  }

  /**
   * Waits until it stands still.
   *
   * @returns {Promise<number>} the process that has just started
   */
  async held () {
    assert.ok(await this.until(() => existsSync(this.#held)), `it ended before: ${this.stderr}`)
    return JSON.parse(readFileSync(this.#held, 'utf8')).starting
  }

  /** Lets it go on. */
  release () {
    kill(JSON.parse(readFileSync(this.#held, 'utf8')).stopped, 'SIGCONT')
  }

  samples () {
    return [...readResults(this.out).samples]
  }

  plan () {
    return readResults(this.out).run.plan
  }
}

/**
 * @param {Hold} hold
 * @param {string} samples
 * @param {string} folder
 */
function holdingEnv ({ at, nth = 1, after = 0 }, samples, folder) {
  return {
    NODE_OPTIONS: `--import=${HOLD}`,
    TIMERQ_TEST_HOLD: JSON.stringify({ at: at.source, nth, after, samples, folder })
  }
}

/** @param {string} folder */
export function processesIn (folder) {
  if (skip) return []
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        if (!isWithin(folder, readlinkSync(`/proc/${pid}/cwd`))) return []
        return [
          { pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() }
        ]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>} commands of processes that do not end by themselves
 */
export async function orphansIn (folder) {
  const end = performance.now() + PATIENCE_MS
  while (processesIn(folder).length > 0 && performance.now() < end) await sleep(POLL_MS)
  return processesIn(folder).map(({ command }) => command)
}

/** For a test's `skip`: it must see the processes of other programs. */
export const skip = skipUnless(existsSync('/proc/self/cwd'), 'needs /proc, to see other processes (Linux has it)')

/**
 * For a test's `skip`: what needs a permission, mostly that of root. Unlike a missing program it cannot be installed,
 * and in most containers of a CI it cannot be had: there, too, the test is skipped.
 *
 * @param {string} what
 * @param {string[]} command  Harmless, and needs the same permission.
 * @returns {string | false}
 */
export function unlessPermitted (what, [program, ...args]) {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return false
  } catch {
    return `not permitted here: ${what}`
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function kill (pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * Failures that are not due to the machine being busy.
 *
 * @param {import('../../harness/store/results.js').Sample[]} samples
 */
export function faultsOf (samples) {
  return samples.flatMap(({ kind, failure }) =>
    failure && !/ms to start: there was no time/.test(failure.message) ? [`${kind}: ${failure.message}`] : []
  )
}

/**
 * Waits until a run has ended and kept samples, without a fault: its exit code is 0, unless the machine was too busy.
 *
 * @param {WatchedRun} run
 */
export async function assertFaultless (run) {
  const code = await run.end()
  const samples = run.samples()
  assert.deepEqual(faultsOf(samples), [], run.stderr)
  assert.ok(samples.length > 0, run.stderr)
  assert.ok(code === 0 || (code === 4 && samples.some(({ failure }) => failure)), `exit ${code}: ${run.stderr}`)
}

/**
 * What a sample is of: two runs of one plan have the same.
 *
 * @param {import('../../harness/store/results.js').Sample[]} samples
 */
export const placesOf = samples =>
  samples.map(({ cell, kind, round, heat }) => [kind, heat ?? round, cell].join(' | ')).sort()
