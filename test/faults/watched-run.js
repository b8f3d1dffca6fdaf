/** A real run, and all its processes: each has the folder of the run, or one below, as its working directory. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isWithin } from '../../harness/gate/paths.js'
import { readResults } from '../../harness/store/results.js'
import { TIMERQ, words } from '../bin/timerq.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { skipUnless } from '../needs.js'

/** Fewer timers would be weighed in many copies. */
const TWO_QUEUES = words`run --queue binary-heap,duration-lists --preset ci --size 400 --seed 1`
/** Two queues, in virtual time and behind a server: the smallest run that starts all kinds of processes. */
export const SMALL_RUN = words`
  ${TWO_QUEUES} --scenario refresh-one-duration,keep-alive --sweep connections=5 --rounds 1`
/** The same without servers, in the two rounds of the preset. */
export const MICRO_RUN = words`${TWO_QUEUES} --scenario refresh-one-duration`

/** The same in six rounds: long enough to be held in the middle. */
export const LONG_RUN = [...MICRO_RUN, '--rounds', '6']

/** Two rounds of a queue file of a project (see bin/project.js) in one cell. */
export const SMALL_GATE = words`
  gate --base main --measure all --queue ./src/heap.js --scenario refresh-one-duration --size 400 --rounds 2 --seed 1`

/** Processes that end by themselves have ended by then, however busy the machine is. */
const PATIENCE_MS = 120_000
const POLL_MS = 20

/** Command lines of processes in a heat, and of all that measure in virtual time. */
export const IN_HEAT = /--hash-seed=\d{2,}.*subject\/process\.js/
export const MEASURING = /--(hash-seed|no-opt|single-threaded).*subject\/process\.js/
const HOLD = new URL('./hold.js', import.meta.url)

/**
 * @typedef {{pid: number, command: string}} Process
 *
 * @typedef {object} Hold  Moment at which a run stands still: when a process starts.
 * @property {RegExp} at  Command line of the first such process.
 * @property {number} [after]  Fewest samples that are kept by then.
 */

export class WatchedRun {
  /** Working directory. */
  folder
  /** Results directory. */
  out
  stdout = ''
  stderr = ''
  #child
  #ended
  #held

  /**
   * @param {import('node:test').TestContext} t
   * @param {string[]} args  Arguments of timerq, without --out.
   * @param {{folder?: string, out?: string, env?: NodeJS.ProcessEnv, prefix?: string[], hold?: Hold}} [options]
   *   `prefix`: command that runs timerq.
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

  /** @returns {Promise<number | string>} the exit code, or the signal that ended the run */
  async end () {
    return this.#ended
  }

  /**
   * Waits for the end, which leaves no process and prints no stack trace.
   *
   * @param {number} code
   * @param {RegExp} [says]  On stderr.
   */
  async ends (code, says = /(?:)/) {
    assert.equal(await this.end(), code, this.stderr)
    assert.match(this.stderr, says)
    assert.doesNotMatch(this.stderr, /^\s+at /m)
    assert.deepEqual(await orphansIn(this.folder), [])
  }

  get hasEnded () {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** @returns {Process[]} the runner first, while it runs */
  processes () {
    return processesIn(this.folder).sort((one, other) => Number(other.pid === this.pid) - Number(one.pid === this.pid))
  }

  /**
   * @template T
   * @param {() => T | Promise<T>} find
   * @returns {Promise<NonNullable<T> | null>} null when the run ended first
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
   * Waits until the run stands still.
   *
   * @returns {Promise<number>} the process that has just started
   */
  async held () {
    assert.ok(await this.until(() => existsSync(this.#held)), `it ended before: ${this.stderr}`)
    return JSON.parse(readFileSync(this.#held, 'utf8')).starting
  }

  /**
   * Lets the run go on after something has been done to it.
   *
   * @param {(starting: number) => void} act  Gets the process that has just started.
   */
  async whileHeld (act) {
    act(await this.held())
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
function holdingEnv ({ at, after = 0 }, samples, folder) {
  return {
    NODE_OPTIONS: `--import=${HOLD}`,
    TIMERQ_TEST_HOLD: JSON.stringify({ at: at.source, after, samples, folder })
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
        // The process has ended.
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

/** Value of a test's `skip`: the test must see the processes of other programs. */
export const skip = skipUnless(existsSync('/proc/self/cwd'), 'needs /proc, to see other processes (Linux has it)')

/**
 * Value of a test's `skip`. A missing permission, mostly that of root, cannot be installed as a program can, so the
 * test is skipped in CI, too.
 *
 * @param {string} what
 * @param {string[]} command  Harmless command that needs the same permission.
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
    // The process has ended.
  }
}

/**
 * Failures for which a busy machine is not to blame.
 *
 * @param {import('../../harness/store/results.js').Sample[]} samples
 */
export function faultsOf (samples) {
  return samples.flatMap(({ kind, failure }) =>
    failure && !/ms to start: there was no time/.test(failure.message) ? [`${kind}: ${failure.message}`] : []
  )
}

/**
 * Waits until a run has ended and kept samples without a fault. Its exit code is 0, unless the machine was too busy.
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
 * Places of samples in the plan: two runs of one plan have the same.
 *
 * @param {import('../../harness/store/results.js').Sample[]} samples
 */
export const placesOf = samples =>
  samples.map(({ cell, kind, round, heat }) => [kind, heat ?? round, cell].join(' | ')).sort()
