/**
 * A user's program with a hook in every Node process that it starts. NODE_OPTIONS carries the hook, so a process misses
 * it where a script sets NODE_OPTIONS itself or clears the environment. A process that has the hook says so in a file
 * (subject/program/presence.js); processes of Node without it are found in /proc, which only Linux has.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../model/errors.js'
import { groupBy } from '../model/group-by.js'
import { enumerate } from '../model/numbers.js'
import { placeInTree, readIfThere } from './proc-stat.js'
import { FAREWELL_MS, signalGroup } from './processes.js'

/**
 * @typedef {object} Hooked  A process that has the hook.
 * @property {number} pid
 * @property {string} name  Name of its script.
 * @property {boolean} hasEnded  Whether the process ended by itself, rather than being killed.
 * @property {number} workers  Worker threads that it started.
 * @property {boolean} isBlind  Whether the process started a Node process without the hook.
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
 * @property {Record<string, string>} env
 * @property {string} present  File in which processes say that they have the hook; it must not exist.
 * @property {number} [seconds]  The program is ended this long after its first process had the hook, or somewhat
 *   later if none has it.
 * @property {'inherit' | number} [stdout]
 * @property {() => void} onStart
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
  }

  /**
   * Environment that loads the hook into every Node process of a program.
   *
   * @type {(env: Record<string, string>) => NodeJS.ProcessEnv}
   */
  environment (env) {
    const options = [process.env.NODE_OPTIONS, `--import ${this.#hook}`].filter(Boolean).join(' ')
    return { ...process.env, NODE_OPTIONS: options, TIMERQ_PRESENT: this.#file, ...env }
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
 * @returns {Promise<{code: number, isOver: boolean, attended: Attended}>} `code`: of the program itself; `isOver`:
 *   its time was up
 * @throws {UsageError} when the program cannot be started
 */
export async function runHooked ([program, ...args], { hook, env, present, seconds = Infinity, stdout, onStart }) {
  const attendance = new Attendance(hook, present)
  const child = spawn(program, args, {
    stdio: ['inherit', stdout ?? 'inherit', 'inherit'],
    env: attendance.environment(env),
    detached: true
  })
  child.once('spawn', onStart)
  // NaN: it could not be started.
  const pid = Number(child.pid)
  let isOver = false
  /** @type {NodeJS.Timeout | undefined} */
  let grace
  const end = (/** @type {NodeJS.Signals} */ signal) => {
    signalGroup(pid, signal)
    grace ??= setTimeout(() => signalGroup(pid, 'SIGKILL'), FAREWELL_MS)
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
      throw new UsageError(`${program} cannot be started: ${error.message}`)
    })
    if (hasMembers(pid)) end('SIGTERM')
    const last = performance.now() + FAREWELL_MS
    while (hasMembers(pid) && performance.now() < last) await sleep(POLL_MS)
    signalGroup(pid, 'SIGKILL')
    return {
      code: signal ? SIGNALLED + os.constants.signals[/** @type {NodeJS.Signals} */ (signal)] : code,
      isOver,
      attended: attendance.read()
    }
  } finally {
    clearInterval(looking)
    clearTimeout(grace)
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

/**
 * Whether a process of a group is alive. One that has ended stays in the group until its parent has noticed, which may
 * be never.
 *
 * @param {number} group
 */
function hasMembers (group) {
  return pids().some(pid => {
    const place = placeInTree(pid)
    return place?.group === group && place.state !== 'Z'
  })
}

/**
 * A process and all that descend from it, with their ancestors.
 *
 * @param {number} root
 * @returns {Map<number, number[]>}
 */
function familyOf (root) {
  const family = new Map([[root, /** @type {number[]} */ ([])]])
  // Children have higher numbers than their parents, but for the moment when numbers begin anew.
  for (const pid of pids()) {
    const parent = placeInTree(pid)?.parent ?? 0
    const ancestors = family.get(parent)
    if (ancestors) family.set(pid, [...ancestors, parent])
  }
  return family
}

function pids () {
  try {
    return readdirSync('/proc').map(Number).filter(pid => pid > 0).sort((a, b) => a - b)
  } catch {
    return []
  }
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
