/** Finds the place where a module that cannot be loaded goes wrong: file:line:column. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Limit for parsing the module and its imports once more. */
const LIMIT_MS = 5000
/** Node's lines before a message: place, line of source, and marks below the column. */
const MARKED = /^(file:\S+?:\d+)\n.*\n([ \t]*)\^/m
/** Calls: those that have not returned, and awaited ones. */
const FRAMES = /^ {4}at (async )?.*?((?:file:|(?<=[ (])(?:\/|[A-Z]:\\))[^\s)]+:\d+:\d+)\)?$/gm
/** The file calls these shims, or one of these loaders does. */
const OURS = new URL('../', import.meta.url).href
const LOADERS = /\/node_modules\/(vite|tsx)\//

/**
 * @param {Error} error
 * @param {string} url
 * @returns {Promise<string | null>} null where no place is known
 */
export async function placeOfError (error, url) {
  const stack = String(error.stack)
  const place =
    markedIn(stack) ?? calledFrom(stack) ?? (error instanceof SyntaxError ? markedIn(await uncaught(url)) : null)
  return place === null ? null : place.replace(/^file:.*?(?=:\d+:\d+$)/, file => fileURLToPath(file))
}

/** @param {string} stack */
function calledFrom (stack) {
  const frames = [...stack.matchAll(FRAMES)].filter(([, , place]) => !place.startsWith(OURS) && !LOADERS.test(place))
  return (frames.find(([, isAwaited]) => !isAwaited) ?? frames[0])?.[2] ?? null
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
  const [hooks, module] = [`${OURS}formats/subject/hooks.js`, url].map(text => JSON.stringify(text))
  const source = `await (await import(${hooks})).answerImports(); await import(${module})`
  const program = ['--input-type=module', '--eval', source]
  return new Promise(resolve => {
    execFile(process.execPath, program, { timeout: LIMIT_MS, killSignal: 'SIGKILL' }, (_error, _stdout, stderr) =>
      resolve(stderr)
    )
  })
}
