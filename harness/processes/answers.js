/** Reads the answers of a measuring process (see answer.js), and believes none that it did not ask for. */
import v8 from 'node:v8'
import { SampleError } from '../model/errors.js'

const NEWLINE = 0x0a
/** A token and a length. */
const LONGEST_HEAD = 100
/** A long CPU profile has tens of megabytes. */
const LONGEST_ANSWER = 1 << 29

const FORGED = 'it wrote to the harness in the place of its process: no figure of it can be trusted'

/** @typedef {{resolve: (value: any) => void, reject: (error: unknown) => void}} Waiting */

export class Answers {
  /** @type {Buffer[]} */
  #chunks = []
  #length = 0
  /** Until there are so many bytes, there is nothing to do. */
  #awaited = 1
  /** @type {string | undefined} */
  #token
  #head = 0
  #asked = 0
  /** @type {Map<number, Waiting>} */
  #waiting = new Map()
  /** @type {SampleError | undefined} */
  #fault
  #hear = () => {}
  /** When the process hears messages. */
  ready = new Promise((/** @type {(value: void) => void} */ resolve) => { this.#hear = resolve })

  /** @param {import('node:child_process').ChildProcess} child  Started with a pipe as its descriptor 4. */
  constructor (child) {
    // A process that could not be started has no pipes where the system has none left.
    const pipe = /** @type {import('node:stream').Readable | null | undefined} */ (child.stdio?.[4])
    pipe?.on('data', chunk => this.#take(chunk)).on('error', () => {})
    child.on('message', () => this.#fail())
  }

  /**
   * @param {(id: number) => void} ask  Sends the question with this id.
   * @param {AbortSignal} [signal]  Ends the wait.
   * @returns {Promise<any>} an object
   * @throws {SampleError} when the process reports an error, or the answer is none
   */
  async next (ask, signal) {
    signal?.throwIfAborted()
    const id = ++this.#asked
    const reply = await new Promise((resolve, reject) => {
      if (this.#fault) return reject(this.#fault)
      this.#waiting.set(id, { resolve, reject })
      signal?.addEventListener('abort', () => {
        this.#waiting.delete(id)
        reject(signal.reason)
      }, { once: true })
      ask(id)
    })
    const { error, isWrong, value } = reply
    if (error !== undefined) throw new SampleError(isWrong ? 'wrong' : 'crash', error)
    if (typeof value !== 'object' || value === null) throw new SampleError('wrong', `its process answered ${String(value)}`)
    return value
  }

  /** @param {Buffer} chunk */
  #take (chunk) {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    while (this.#length >= this.#awaited && !this.#fault && this.#read());
  }

  /** @returns {boolean} whether there was enough to read */
  #read () {
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = [bytes]
    if (this.#head > 0) return this.#readAnswer(bytes)
    const end = bytes.indexOf(NEWLINE)
    if (end === -1 || end > LONGEST_HEAD) {
      if (bytes.length > LONGEST_HEAD) this.#fail()
      this.#awaited = bytes.length + 1
      return false
    }
    const [token, length] = bytes.toString('latin1', 0, end).split(' ')
    if (this.#token === undefined) {
      this.#token = token
      this.#hear()
      this.#drop(end + 1)
    } else if (token !== this.#token || !(Number(length) <= LONGEST_ANSWER)) {
      this.#fail()
    } else {
      this.#head = end + 1
      this.#awaited = end + 1 + Number(length)
    }
    return true
  }

  /** @param {Buffer} bytes */
  #readAnswer (bytes) {
    const end = this.#awaited
    try {
      const reply = v8.deserialize(bytes.subarray(this.#head, end))
      const waiting = this.#waiting.get(reply.id)
      if (!waiting) throw new Error('nobody asked')
      waiting.resolve(reply)
      this.#waiting.delete(reply.id)
    } catch {
      this.#fail()
    }
    this.#head = 0
    this.#drop(end)
    return true
  }

  /** @param {number} end  Of what has been read. */
  #drop (end) {
    this.#chunks = [this.#chunks[0].subarray(end)]
    this.#length -= end
    this.#awaited = 1
  }

  #fail () {
    this.#fault = new SampleError('wrong', FORGED)
    for (const { reject } of this.#waiting.values()) reject(this.#fault)
  }
}
