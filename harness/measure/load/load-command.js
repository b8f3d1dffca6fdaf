/**
 * Load by a user's command: a load generator on another machine, or a client of another protocol. Its output is read as
 * wrk's.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgsStringToArgv } from 'string-argv'
import { SampleError, UsageError } from '../../model/errors.js'
import { loadUntil, runGenerator } from './run-generator.js'
import { parseWrkOutput, SUMMARY_SCRIPT } from './wrk.js'
/** @import { Load, LoadResult } from './wrk.js' */

/** Extra time for a client that opens its connections first. */
const OVERTIME_SECONDS = 1
const MICROS = { us: 1, ms: 1e3, s: 1e6, m: 6e7, h: 3.6e9 }
/** Lines of wrk's text; the maximum is the third figure of its row. */
const LATENCIES = {
  p50: /^\s*50(?:\.\d+)?%\s+(\d+(?:\.\d+)?)(us|ms|s|m|h)\b/m,
  p90: /^\s*90(?:\.\d+)?%\s+(\d+(?:\.\d+)?)(us|ms|s|m|h)\b/m,
  p99: /^\s*99(?:\.\d+)?%\s+(\d+(?:\.\d+)?)(us|ms|s|m|h)\b/m,
  max: /^\s*Latency\s+\S+\s+\S+\s+(\d+(?:\.\d+)?)(us|ms|s|m|h)\b/m
}
const PLACEHOLDERS = ['url', 'port', 'connections', 'threads', 'seconds', 'script']

/** Words that only a shell understands: pipes, redirections, and variables before the program. */
const SHELL_WORD = /^(\|\|?|&&?|;|\d?>{1,2}(&\d|[^&]*)|<.*)$|^.+;$|^\$\(|`/
const ASSIGNMENT = /^[A-Za-z_]\w*=/

/**
 * No shell reads the command: quotes keep an argument together, and nothing else has a meaning. With ssh, a shell reads
 * it on the other machine.
 *
 * @type {(text: string) => string[]}
 * @throws {UsageError}
 */
export function splitLoadCommand (text) {
  const unknown = [...text.matchAll(/\{(\w*)\}/g)].map(([, name]) => name).find(name => !PLACEHOLDERS.includes(name))
  if (unknown !== undefined) {
    throw new UsageError(
      `--load-command has no {${unknown}} (there are ${PLACEHOLDERS.map(name => `{${name}}`).join(', ')})`
    )
  }
  if (!/\{(url|port)\}/.test(text)) {
    throw new UsageError(`--load-command must say {url} where the address of the server belongs, got "${text}"`)
  }
  const words = parseArgsStringToArgv(text)
  const shell = ASSIGNMENT.test(words[0]) ? words[0] : words.find(word => SHELL_WORD.test(word))
  if (shell !== undefined && path.basename(words[0]) !== 'ssh') {
    throw new UsageError(
      `--load-command is started without a shell, which "${shell}" needs (put the command into a script, or use ` +
        'sh -c "...")'
    )
  }
  return words
}

/**
 * @param {string[]} command
 * @throws {UsageError} when there is no such program
 */
export function assertLoadCommand ([program]) {
  const folders = program.includes('/') ? [''] : (process.env.PATH ?? '').split(path.delimiter)
  if (folders.some(folder => existsSync(path.resolve(folder, program)))) return
  throw new UsageError(`--load-command: there is no program ${program} (install it, or name its path)`)
}

/**
 * @param {string[]} command  Command with placeholders in braces: {url}, {port}, {connections}, {threads}, {seconds},
 *   and {script}, the path of the script that makes wrk print exact figures, if the load generator's machine has the
 *   file.
 * @param {{needsFigures: boolean}} [options]  A command that needs no figures may print anything, and is ended when its
 *   time is up.
 * @returns {(load: Load) => Promise<LoadResult>}
 */
export function loadWithCommand (command, { needsFigures } = { needsFigures: true }) {
  return async ({ url, connections, threads, seconds, requests = [], pauseMs = 0, pin, signal }) => {
    if (requests.length > 0 || pauseMs > 0) {
      throw new SampleError(
        'load',
        'this scenario needs special requests, which --load-command cannot make: leave it out'
      )
    }
    /** @type {Record<string, string | number>} */
    const values = {
      url,
      port: new URL(url).port,
      connections,
      threads: Math.min(threads, connections),
      seconds,
      script: SUMMARY_SCRIPT
    }
    const filled = command.map(argument => argument.replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name])))
    if (!needsFigures) return loadFreely([...pin, ...filled], seconds, signal)
    const stdout = await runGenerator('--load-command', [...pin, ...filled], signal)
    return /^\{/m.test(stdout) ? parseWrkOutput(stdout) : parseText(stdout)
  }
}

/**
 * @param {string[]} command
 * @param {number} seconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<LoadResult>} figures are missing where none are printed
 */
async function loadFreely (command, seconds, signal) {
  const over = AbortSignal.timeout(1000 * (seconds + OVERTIME_SECONDS))
  const stdout = await loadUntil(over, signal, end => runGenerator('--load-command', command, end))
  if (stdout && /requests in/.test(stdout)) return parseText(stdout)
  return { requests: 0, seconds, errors: {}, latencyMs: {}, operations: {} }
}

/**
 * Reads wrk's text for people, which has no percentile beyond the 99th, and none at all without --latency.
 *
 * @type {(text: string) => LoadResult}
 * @throws {SampleError} when it holds no figures
 */
function parseText (text) {
  const total = /^\s*(\d+) requests in (\d+(?:\.\d+)?)(us|ms|s|m|h)\b/m.exec(text)
  if (total === null) {
    throw new SampleError('load', `--load-command printed no figures as wrk prints them: ${text.trim().slice(0, 200)}`)
  }
  const [, requests, time, unit] = total
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text) ?? []
  const [connect = 0, read = 0, write = 0, timeout = 0] = errors.slice(1).map(Number)
  const status = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0)
  return {
    requests: Number(requests),
    seconds: microsOf(time, unit) / 1e6,
    errors: { connect, read, write, timeout, status },
    latencyMs: Object.fromEntries(
      Object.entries(LATENCIES).flatMap(([name, pattern]) => {
        const [, value, unit] = pattern.exec(text) ?? []
        return value === undefined ? [] : [[name, microsOf(value, unit) / 1000]]
      })
    ),
    operations: {}
  }
}

/** @type {(value: string, unit: string) => number} */
const microsOf = (value, unit) => Number(value) * MICROS[/** @type {keyof typeof MICROS} */ (unit)]
