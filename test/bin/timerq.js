/** Runs timerq as a program. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { main } from '../../bin/main.js'
import { temporaryFolder } from '../harness/temporary-folder.js'

export const TIMERQ = fileURLToPath(new URL('../../bin/timerq.js', import.meta.url))

/**
 * Words of a command line. A value is a word, perhaps with spaces, or a list of words.
 *
 * @param {TemplateStringsArray} texts
 * @param {...(string | string[])} values
 */
export const words = (texts, ...values) => texts.flatMap((text, i) => [split(text), values[i] ?? []].flat())

/** @param {string} text */
const split = text => text.split(/\s+/).filter(Boolean)

/**
 * Properties of objects: of one name their values, of several names a tuple of each object.
 *
 * @param {any[]} rows
 * @param {...string} names
 */
export const pick = (rows, ...names) =>
  rows.map(row => (names.length === 1 ? row[names[0]] : names.map(name => row[name])))

/** How a command ended. */
class Ended {
  /**
   * @param {number} code
   * @param {string} stdout
   * @param {string} stderr
   */
  constructor (code, stdout, stderr) {
    this.code = code
    this.stdout = stdout
    this.stderr = stderr
  }

  /** The object that it printed. */
  get json () {
    return JSON.parse(this.stdout || assert.fail(this.stderr))
  }
}

/**
 * The real command line in a separate process.
 *
 * @param {string | string[]} args  Words, or a text without spaces in its words.
 * @param {import('node:child_process').ExecFileOptions} [options]
 * @returns {Promise<Ended>}
 */
export function timerq (args, options = {}) {
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [TIMERQ, ...(typeof args === 'string' ? split(args) : args)],
      { maxBuffer: 1 << 26, encoding: 'utf8', ...options },
      (error, stdout, stderr) => {
        resolve(new Ended(error ? Number(error.code) : 0, String(stdout), String(stderr)))
      }
    )
  })
}

/** A machine may be too busy to load all servers of a heat at the same time. */
const ATTEMPTS = 3
const TOO_BUSY = /there was no time under the loads of all/

/**
 * Where the machine has no time for a heat of servers, timerq says so, and they are measured again.
 *
 * @type {<T extends {stderr: string}>(measure: (attempt: number) => Promise<T>) => Promise<T>}
 */
export const untilThereIsTime = measure => measureWhile(({ stderr }) => TOO_BUSY.test(stderr), measure)

/**
 * Measures again while the machine has spoilt the result, for example moved the control of a gate.
 *
 * @template T
 * @param {(ended: T) => boolean} isSpoilt
 * @param {(attempt: number) => Promise<T>} measure
 */
export async function measureWhile (isSpoilt, measure) {
  for (let attempt = 1; ; attempt++) {
    const ended = await measure(attempt)
    if (attempt === ATTEMPTS || !isSpoilt(ended)) return ended
  }
}

/**
 * Runs `timerq run` with servers.
 *
 * @param {import('node:test').TestContext} t
 * @param {string[]} args  Without --out.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function runServers (t, args, env = process.env) {
  return untilThereIsTime(async () => {
    const out = path.join(temporaryFolder(t), 'results')
    return Object.assign(await timerq(words`run ${args} --out ${out}`, { env }), { out })
  })
}

/**
 * The same command line in this process, where a separate process would test nothing more: Node and the modules of
 * the command need not start again. One at a time, for they share a working directory and an environment.
 *
 * @param {string | string[]} args  Words, or a text without spaces in its words.
 * @param {{cwd?: string, env?: Record<string, string>}} [options]  `env`: variables that are added.
 * @returns {Promise<Ended>}
 */
export async function timerqHere (args, { cwd = process.cwd(), env = {} } = {}) {
  const [stdout, stderr] = [capture(), capture()]
  const before = process.cwd()
  const own = process.env
  process.chdir(cwd)
  process.env = { ...own, ...env }
  try {
    const words = typeof args === 'string' ? split(args) : args
    const code = await main(words, { stdout: stdout.stream, stderr: stderr.stream })
    return new Ended(code, stdout.text(), stderr.text())
  } finally {
    process.chdir(before)
    process.env = own
  }
}

/**
 * A stream that keeps its text.
 *
 * @param {object} [options]  Properties of a terminal.
 * @returns {{stream: any, text: () => string}}
 */
export function capture (options) {
  let text = ''
  const stream = new Writable({
    write (chunk, _encoding, done) {
      text += chunk
      done()
    }
  })
  return { stream: Object.assign(stream, options), text: () => text }
}
