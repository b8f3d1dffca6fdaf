/** Requests to a measuring process and its replies. The other side is answer.js, or the hook in a user's program. */
import { SampleError } from '../model/errors.js'
import { READY } from './answer.js'

/** @typedef {{type: string, [option: string]: unknown}} Request */

export class Channel {
  #send
  #author
  #requests = 0
  /** @type {Map<number, {resolve: (reply: any) => void, reject: (error: unknown) => void}>} */
  #waiting = new Map()
  /** @type {SampleError | undefined} */
  #fault
  /** Resolves when the process hears requests. Node loses requests that a cluster's worker gets earlier. */
  ready = new Promise(resolve => this.#waiting.set(READY, { resolve, reject: resolve }))

  /**
   * @param {(request: Request & {id: number}) => void} send
   * @param {string} [author]  Author of replies that the process did not owe.
   */
  constructor (send, author = 'the queue') {
    this.#send = send
    this.#author = author
  }

  /**
   * @param {Request} request
   * @returns {Promise<any>} an object
   * @throws {SampleError} when the process reports an error, or its reply is no object
   */
  async ask (request) {
    if (this.#fault) throw this.#fault
    const id = ++this.#requests
    const { error, isWrong, isRefused, value } = await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#send({ ...request, id })
    })
    if (error !== undefined) {
      throw new SampleError(isWrong ? 'wrong' : 'crash', error, isRefused ? 'refused' : undefined)
    }
    if (typeof value !== 'object' || value === null) {
      throw new SampleError('wrong', `its process sent an invalid reply: ${value}`)
    }
    return value
  }

  /** @param {any} reply  Perhaps written by the queue. */
  receive (reply) {
    const waiting = this.#waiting.get(reply?.id)
    if (waiting) {
      this.#waiting.delete(reply.id)
      waiting.resolve(reply)
    } else {
      const forged = `${this.#author} wrote to the harness's own channel, so its results are discarded`
      this.#fault = new SampleError('wrong', forged)
      for (const { reject } of this.#waiting.values()) reject(this.#fault)
    }
  }
}
