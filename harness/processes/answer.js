/**
 * The other end of child.js: a measuring process answers each message with the result of its handler. It ends when the
 * process that started it does.
 *
 * Questions come over Node's channel, process.on('message'); a queue may hear them. Answers go through a pipe of their own,
 * each behind a token that was drawn before the queue's module was loaded, with functions that were taken before: a queue
 * that wraps process.send, or writes to the pipe itself, does not answer in our place.
 */
import fs from 'node:fs'
import v8 from 'node:v8'
import { SampleError } from '../model/errors.js'

/** The descriptor of the pipe, as child.js and cluster.js open it. */
const ANSWERS = 4
const TOKEN_BYTES = 12
/** What an error of the queue says is cut there. */
const LONGEST_MESSAGE = 500

const { apply } = Reflect
const { writeSync } = fs
const { Serializer } = v8
const { writeHeader, writeValue, releaseBuffer } = Serializer.prototype
const { latin1Slice } = /** @type {any} */ (Buffer.prototype)
const { slice } = String.prototype

/**
 * @param {Record<string, (message: any) => Promise<object> | object>} handlers  By the message's `type`.
 */
export function answer (handlers) {
  const token = drawToken()
  process.on('message', async (/** @type {any} */ { id, type, ...message }) => {
    /** @type {{id: number, [field: string]: unknown}} */
    let reply
    try {
      reply = { id, value: await handlers[type](message) }
    } catch (error) {
      reply = { id, error: messageOf(error), isWrong: error instanceof SampleError && error.kind === 'wrong' }
    }
    const text = serialized(reply)
    write(`${token} ${text.length}\n${text}`)
  })
  process.once('disconnect', () => process.exit())
  // Whoever reads it knows that messages are heard from now on.
  write(`${token}\n`)
}

/** Not by node:crypto, which takes a tenth of the time in which a process starts. */
function drawToken () {
  const file = fs.openSync('/dev/urandom', 'r')
  const bytes = Buffer.alloc(TOKEN_BYTES)
  fs.readSync(file, bytes)
  fs.closeSync(file)
  return bytes.toString('hex')
}

/**
 * What a queue has made cannot always be sent.
 *
 * @param {{id: number, [field: string]: unknown}} reply
 */
function serialized (reply) {
  try {
    return serialize(reply)
  } catch (error) {
    return serialize({ id: reply.id, error: messageOf(error), isWrong: true })
  }
}

/**
 * With the serializer's own methods, whatever its prototype has become. It reads no inherited property of the value.
 *
 * @param {object} value
 * @returns {string} a character a byte
 */
function serialize (value) {
  const serializer = new Serializer()
  apply(writeHeader, serializer, [])
  apply(writeValue, serializer, [value])
  return apply(latin1Slice, apply(releaseBuffer, serializer, []), [])
}

/** @param {string} text */
function write (text) {
  let rest = text
  while (rest !== '') rest = apply(slice, rest, [writeSync(ANSWERS, rest, null, 'latin1')])
}

/** @param {unknown} error  Perhaps of a queue, and not even an error. */
function messageOf (error) {
  try {
    const message = `${/** @type {any} */ (error)?.message ?? error}`
    return apply(slice, message, [0, LONGEST_MESSAGE])
  } catch {
    return 'it threw something that cannot be read'
  }
}
