/** Small integers as timers, for queues in typed arrays. The last released handle is reused first. */
export class Handles {
  /** @type {unknown[]} */
  #payloads = []
  /** @type {number[]} */
  #released = []

  /** @param {unknown} payload */
  take (payload) {
    const handle = this.#released.pop() ?? this.#payloads.length
    this.#payloads[handle] = payload
    return handle
  }

  /** @param {number} handle */
  release (handle) {
    this.#payloads[handle] = undefined
    this.#released.push(handle)
  }

  /** @param {number} handle */
  payloadOf (handle) {
    return this.#payloads[handle]
  }
}

/**
 * A longer copy of a typed array.
 *
 * @template {Float64Array | Int32Array | Uint8Array} T
 * @param {T} array
 * @param {number} length
 * @param {number} [filler]  Value of the elements beyond the copied ones.
 * @returns {T}
 */
export function lengthened (array, length, filler = 0) {
  const longer = new /** @type {new (length: number) => T} */ (array.constructor)(length)
  longer.set(array)
  longer.fill(filler, array.length)
  return longer
}
