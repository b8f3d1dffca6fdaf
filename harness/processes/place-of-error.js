/** Finds the place where a module that cannot be loaded goes wrong: file:line:column. */
import { execFile } from 'node:child_process'
import { frameIn, withPath } from './answer.js'

/** Limit for parsing the module and its imports once more. */
const LIMIT_MS = 5000
/** Node's lines before a message: place, line of source, and marks below the column. */
const MARKED = /^(file:\S+?:\d+)\n.*\n([ \t]*)\^/m
const HOOKS = new URL('../formats/subject/hooks.js', import.meta.url).href

/**
 * @param {Error} error
 * @param {string} url
 * @returns {Promise<string | null>} null where no place is known
 */
export async function placeOfError (error, url) {
  const stack = String(error.stack)
  const place =
    markedIn(stack) ?? frameIn(stack) ?? (error instanceof SyntaxError ? markedIn(await uncaught(url)) : null)
  return place === null ? null : withPath(place)
}

/** @param {string} text */
function markedIn (text) {
  const [, place, indent] = MARKED.exec(text) ?? []
  return place === undefined ? null : `${place}:${indent.length + 1}`
}

/**
 * Node tells the place of a syntax error only where nothing catches the error. Nothing of the module runs.
 *
 * @type {(url: string) => Promise<string>}
 */
function uncaught (url) {
  const [hooks, module] = [HOOKS, url].map(text => JSON.stringify(text))
  const source = `await (await import(${hooks})).answerImports(); await import(${module})`
  const program = ['--input-type=module', '--eval', source]
  return new Promise(resolve => {
    execFile(process.execPath, program, { timeout: LIMIT_MS, killSignal: 'SIGKILL' }, (_error, _stdout, stderr) =>
      resolve(stderr)
    )
  })
}
