/**
 * A user's program with a hook in every Node process that it starts. NODE_OPTIONS carries the hook, so a process misses
 * it where a script sets NODE_OPTIONS itself or clears the environment. A process that has the hook says so in a file
 * (subject/program/presence.js); processes of Node without it are found in /proc, which only Linux has.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, fstatSync, readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { enumerate } from '../model/numbers.js'
import { openFarewell } from './farewell.js'
import { numbersIn, placeInTree, readIfThere } from './proc-stat.js'
import { FAREWELL_MS } from './processes.js'
import { signalProcess } from './signal.js'
import { endRest, endTree, hasSignals, signalTree, startable } from './system.js'

/**
 * @typedef {object} Hooked  A process that has the hook.
 * @property {number} pid
 * @property {string} name  Name of its script.
 * @property {boolean} hasEnded  Whether the process ended by itself, rather than being killed.
 * @property {number} workers  Worker threads that it started.
 * @property {boolean} isBlind  Whether the process started a Node process without the hook.
 * @property {number[]} [portsAsked]  Ports that the process has connected to.
 *
 * @typedef {object} Unhooked  A process of Node without the hook.
 * @property {number} pid
 * @property {string} name
 * @property {string | undefined} options  Value of its NODE_OPTIONS.
 * @property {number[]} ancestors
 *
 * @typedef {object} Attended
 * @property {Hooked[]} hooked
 * @property {Unhooked[]} unhooked
 * @property {boolean} isExpected  Whether a process was seen that starts with the hook.
 *
 * @typedef {object} HookedRun
 * @property {URL} hook
 * @property {URL} [first]  CommonJS that loads the hook before what the program itself requires first.
 * @property {Record<string, string>} env
 * @property {string} present  File in which processes say that they have the hook; it must not exist.
 * @property {number} [seconds]  The program is ended this long after its first process had the hook, or somewhat
 *   later if none has it.
 * @property {'inherit' | number} [stdout]
 * @property {() => void} onStart
 * @property {boolean} [isAsked]  Whether its processes are asked to end over a channel, instead of being signalled.
 */

const LOOK_EVERY_MS = 50
const POLL_MS = 20
/** Ctrl-C, a polite kill, a closed terminal, and Ctrl-\. The program's group is not this process's. */
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])
/** A shell adds this to the number of the signal that ended a program. */
const SIGNALLED = 128
/** Names in a message. */
const MOST_NAMED = 3

/** Finds out which processes of a program have the hook. */
export class Attendance {
  #hook
  #file
  #mark
  /** @type {Map<number, Unhooked>} */
  #unhooked = new Map()
  #isExpected = false

  /**
   * @param {URL} hook
   * @param {string} file  File in which processes say that they have it.
   */
  constructor (hook, file) {
    this.#hook = hook.href
    this.#file = file
    this.#mark = `TIMERQ_PRESENT=${file}\0`
  }

  /**
   * Environment that loads the hook into every Node process of a program.
   *
   * @param {Record<string, string>} env
   * @param {URL} [first]  See HookedRun.
   * @returns {NodeJS.ProcessEnv}
   */
  environment (env, first) {
    // Node requires what NODE_OPTIONS names before what the command line names.
    const required = first && `--require ${JSON.stringify(fileURLToPath(first))}`
    const options = [required, process.env.NODE_OPTIONS, `--import ${this.#hook}`].filter(Boolean).join(' ')
    return { ...process.env, NODE_OPTIONS: options, TIMERQ_PRESENT: this.#file, ...env }
  }

  /**
   * Processes of the program that are alive: on Linux its group and all that have its environment, elsewhere those that
   * have the hook.
   *
   * @param {number} group
   * @returns {{pid: number, isStray: boolean}[]} `isStray`: it has left the group
   */
  alive (group) {
    if (process.platform !== 'linux') {
      const hooked = this.read().hooked.filter(({ pid, hasEnded }) => !hasEnded && signalProcess(pid, 0))
      return hooked.map(({ pid }) => ({ pid, isStray: pid !== group }))
    }
    return numbersIn('/proc').flatMap(pid => {
      const place = placeInTree(pid)
      if (!place || place.state === 'Z') return []
      const isStray = place.group !== group
      return isStray && !readIfThere(`/proc/${pid}/environ`)?.includes(this.#mark) ? [] : [{ pid, isStray }]
    })
  }

  /**
   * Signals the processes of the program that have left its group.
   *
   * @param {number} group
   * @param {NodeJS.Signals} signal
   */
  signalStrays (group, signal) {
    for (const { pid, isStray } of this.alive(group)) if (isStray) signalProcess(pid, signal)
  }

  /**
   * Names a process that the program has left running in a group of its own.
   *
   * @param {number} group
   */
  describeStrays (group) {
    const stray = this.alive(group).find(({ isStray }) => isStray)
    if (!stray) return undefined
    const words = (readIfThere(`/proc/${stray.pid}/cmdline`) ?? '').split('\0').filter(Boolean).join(' ')
    return `it started pid ${stray.pid}, which goes on: start that one${words && ` (${words})`}`
  }

  /**
   * Looks for processes of Node that were started without the hook.
   *
   * @param {number} root  The program's own process.
   */
  look (root) {
    for (const [pid, ancestors] of familyOf(root)) {
      if (this.#unhooked.has(pid)) continue
      const options = optionsOfNode(pid)
      if (options === null) continue
      if (options?.includes(this.#hook)) this.#isExpected = true
      else this.#unhooked.set(pid, { pid, name: scriptOf(pid), options, ancestors })
    }
  }

  /** @returns {Attended} */
  read () {
    const lines = (readIfThere(this.#file) ?? '').split('\n').filter(Boolean).map(line => JSON.parse(line))
    const saidBy = groupBy(lines, ({ pid }) => pid)
    const unhooked = [...this.#unhooked.values()].filter(({ pid }) => !saidBy.has(pid))
    const hooked = [...saidBy].map(([pid, said]) => ({
      ...{ hasEnded: false, workers: 0, isBlind: unhooked.some(({ ancestors }) => ancestors.includes(pid)) },
      ...Object.assign({}, ...said)
    }))
    return { hooked, unhooked, isExpected: this.#isExpected }
  }

  get isEmpty () {
    return !readIfThere(this.#file)
  }
}

/**
 * Says why the hook was not in the program; null if it was.
 *
 * @param {Attended} attended
 * @param {string} hook  Name of the hook.
 * @param {string[]} command
 */
export function describeAbsence ({ hooked, unhooked }, hook, command) {
  if (hooked.some(({ isBlind }) => !isBlind) || (hooked.length > 0 && unhooked.length === 0)) return null
  if (unhooked.length === 0) {
    return (
      `${hook} was in no process of ${command.join(' ')}: it is not a program of Node, it clears its environment, ` +
      'or Node\'s permission model forbids it'
    )
  }
  const [{ options }] = unhooked
  const only = hooked.length > 0 ? `, but only in ${namesOf(hooked)}` : ''
  const cause = options
    ? `its NODE_OPTIONS is "${options}" (let the script keep what it gets: NODE_OPTIONS="$NODE_OPTIONS ${options}")`
    : 'its environment has no NODE_OPTIONS (let what starts it pass the environment on)'
  return `${hook} was not in ${namesOf(unhooked)}${only}: ${cause}`
}

/** @param {{pid: number, name: string}[]} processes */
export function namesOf (processes) {
  const names = processes.slice(0, MOST_NAMED).map(({ pid, name }) => `${name} (pid ${pid})`)
  return enumerate([...names, ...(processes.length > MOST_NAMED ? [`${processes.length - MOST_NAMED} more`] : [])])
}

/**
 * Runs a user's program as if the user had started it, with the hook. Signals that ask this process to end are passed
 * on to all that the program has started, which may then end in its own way, but not take longer than FAREWELL_MS.
 *
 * @param {string[]} command
 * @param {HookedRun} run
 * @returns {Promise<{code: number, isOver: boolean, stray?: string, attended: Attended}>} `code`: of the program
 *   itself; `isOver`: its time was up; `stray`: names a process that went on
 * @throws {UsageError} when the program cannot be started
 */
export async function runHooked (
  command,
  { hook, first, env, present, seconds = Infinity, stdout, onStart, isAsked = !hasSignals }
) {
  const attendance = new Attendance(hook, present)
  const farewell = isAsked ? await openFarewell(`${present}.end`) : null
  const { words: [program, ...args], options } = startable(command)
  const child = spawn(program, args, {
    ...options,
    // A server that ends with its input is not to end because timerq has none.
    stdio: [hasInput() ? 'inherit' : 'pipe', stdout ?? 'inherit', 'inherit'],
    env: attendance.environment({ ...env, ...farewell?.env }, first),
    detached: hasSignals
  })
  child.once('spawn', onStart)
  // NaN: it could not be started.
  const pid = Number(child.pid)
  let isOver = false
  /** @type {NodeJS.Timeout | undefined} */
  let grace
  const endAll = async () => {
    await (child.exitCode === null && child.signalCode === null ? endTree(pid) : endRest(pid))
    attendance.signalStrays(pid, 'SIGKILL')
  }
  const end = (/** @type {NodeJS.Signals} */ signal) => {
    if (!farewell) {
      signalTree(pid, signal)
      attendance.signalStrays(pid, signal)
      // Without signals, the program shares the console, and has Ctrl-C from there.
    } else if (signal === 'SIGTERM') farewell.ask()
    grace ??= setTimeout(endAll, FAREWELL_MS)
  }
  let start = performance.now()
  let isEmpty = true
  const looking = setInterval(() => {
    attendance.look(pid)
    if (isEmpty && !attendance.isEmpty) {
      isEmpty = false
      start = performance.now()
    }
    if (isOver || performance.now() - start < 1000 * seconds + (isEmpty ? FAREWELL_MS : 0)) return
    isOver = true
    end('SIGTERM')
  }, LOOK_EVERY_MS)
  for (const signal of SIGNALS) process.on(signal, end)
  try {
    const [code, signal] = await once(child, 'exit').catch(error => {
      throw new UsageError(`${command[0]} cannot be started: ${error.message}`)
    })
    const stray = grace === undefined ? attendance.describeStrays(pid) : undefined
    if (attendance.alive(pid).length > 0) end('SIGTERM')
    const last = performance.now() + FAREWELL_MS
    while (attendance.alive(pid).length > 0 && performance.now() < last) await sleep(POLL_MS)
    await endAll()
    return {
      stray,
      code: signal ? SIGNALLED + os.constants.signals[/** @type {NodeJS.Signals} */ (signal)] : code,
      isOver,
      attended: attendance.read()
    }
  } finally {
    clearInterval(looking)
    clearTimeout(grace)
    farewell?.close()
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

/** Whether timerq's own stdin is a terminal, a pipe or a file, and not /dev/null. */
const hasInput = () => isatty(0) || !fstatSync(0).isCharacterDevice()

/**
 * A process and all that descend from it, with their ancestors.
 *
 * @param {number} root
 * @returns {Map<number, number[]>}
 */
function familyOf (root) {
  const family = new Map([[root, /** @type {number[]} */ ([])]])
  // Grows while it is read.
  for (const [pid, ancestors] of family) {
    const children = numbersIn(`/proc/${pid}/task`).flatMap(thread =>
      (readIfThere(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number)
    )
    for (const child of children) family.set(child, [...ancestors, pid])
  }
  return family
}

/**
 * NODE_OPTIONS with which a process of Node was started.
 *
 * @param {number} pid
 * @returns {string | undefined | null} null: it is no process of Node, or cannot be seen
 */
function optionsOfNode (pid) {
  try {
    const binary = readlinkSync(`/proc/${pid}/exe`)
    if (binary !== process.execPath && !/^node(js)?$/.test(path.basename(binary))) return null
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return environment.find(variable => variable.startsWith('NODE_OPTIONS='))?.slice('NODE_OPTIONS='.length)
  } catch {
    return null
  }
}

/**
 * The script of a process of Node, or else its binary.
 *
 * @param {number} pid
 */
function scriptOf (pid) {
  const [binary, ...words] = (readIfThere(`/proc/${pid}/cmdline`) ?? '').split('\0')
  const isScript = (/** @type {string} */ word) => word !== '' && existsSync(path.resolve(`/proc/${pid}/cwd`, word))
  return path.basename(words.find(isScript) ?? binary)
}
