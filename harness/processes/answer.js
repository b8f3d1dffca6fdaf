/**
 * The measured process's side of channel.js: answers each request with the result of its handler.
 *
 * The channel is a pipe, and not Node's own: code under test finds no process.send, as when Node starts a file, so its
 * messages to a process manager or a parent go nowhere. Only the workers of a cluster have Node's channel, as they
 * always do.
 *
 * All that a reply needs is taken before a queue's module is loaded, so a queue that wraps a socket's methods changes
 * no reply.
 */
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { SampleError, UsageError } from '../model/errors.js'
import { connectLines, STRUCTURED } from './lines.js'

/** File descriptor of the pipe. */
export const PIPE = 3

/** The id of the first reply: the process hears requests from then on. */
export const READY = 0

/** Remedy for a server that finds its port taken. */
export const PORT_TAKEN = 'several processes load the file at once, and each needs a port of its own: ask for port 0'

/** Errors of a queue are cut at this length. */
const LONGEST_MESSAGE = 500

const { apply } = Reflect
const { slice } = String.prototype
const { exec } = RegExp.prototype
const HARNESS = new URL('../', import.meta.url).pathname.replace(/^\/(?=[A-Z]:)/i, '')
/** Files of timerq, which calls a user's file or is called by it, and of those that load one. */
const OTHERS = `${HARNESS.replace(/[^\w/]/g, '\\$&')}|.*/node_modules/(?:vite|tsx)/`
/** The innermost call in any other file. */
const FRAME = new RegExp(
  `^ {4}at (?:.*\\(|async )?((?:file:///(?=[A-Z]:)|file://)?(?!${OTHERS})` +
    '(?:/|[A-Z]:[\\\\/])[^()\\n]*:\\d+:\\d+)\\)?$',
  'im'
)

/**
 * @param {Record<string, (message: any) => Promise<object> | object>} handlers  Handlers by the request's `type`.
 */
export function answer (handlers) {
  const send = connect(async ({ id, type, ...message }) => {
    try {
      send({ id, value: await handlers[type](message) })
    } catch (error) {
      const isWrong = error instanceof SampleError && error.kind === 'wrong'
      send({ id, error: messageOf(error), isWrong, isRefused: error instanceof UsageError })
    }
  })
  // Thrown by a server at the top of a file, for example, before the process ends.
  process.on('uncaughtExceptionMonitor', (/** @type {any} */ error) => {
    if (error?.code === 'EADDRINUSE') error.stack = `${error.stack?.split('\n')[0]}; ${PORT_TAKEN}`
  })
  send({ id: READY })
}

/**
 * @param {(request: any) => void} receive
 * @returns {(reply: object) => void}
 */
function connect (receive) {
  const end = () => process.exit()
  if (process.send) {
    process.on('message', receive).once('disconnect', end)
    return process.send.bind(process)
  }
  pipe = new net.Socket({ fd: PIPE }).once('close', end)
  return connectLines(pipe, receive, undefined, STRUCTURED)
}

/** @type {net.Socket | undefined} */
let pipe

/** @param {boolean} isHeld  Whether the host's requests keep the process alive, which they do unless told. */
export function holdProcess (isHeld) {
  if (isHeld) pipe?.ref()
  else pipe?.unref()
}

/** @param {unknown} error  Thrown by a queue, so perhaps not even an error. */
function messageOf (error) {
  try {
    return apply(slice, `${/** @type {any} */ (error)?.message ?? error}`, [0, LONGEST_MESSAGE]) + placeOf(error)
  } catch {
    return 'the queue threw a value that cannot be read'
  }
}

/**
 * The place in a user's file where an error was thrown, in brackets.
 *
 * @param {any} error
 * @returns {string} empty where none is known, and for timerq's own errors
 */
export function placeOf (error) {
  if (error instanceof SampleError || error instanceof UsageError) return ''
  const place = frameIn(`${error?.stack}`)
  return place ? ` (at ${withPath(place)})` : ''
}

/**
 * @param {string} stack
 * @returns {string | undefined} file or URL, line and column of the innermost call that is a user's
 */
export const frameIn = stack => apply(exec, FRAME, [stack])?.[1]

/** @param {string} place  File or URL, line and column. */
export const withPath = place => place.replace(/^file:.*?(?=:\d+:\d+$)/, file => fileURLToPath(file))
