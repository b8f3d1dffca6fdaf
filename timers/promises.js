/** The promises of node:timers/promises. Node itself makes the errors: for bad arguments, and for an abort. */
import * as native from 'node:timers/promises'
/** @import { Timeout } from './timeout.js' */

/** Taken now, in case these timers replace them. */
const { setTimeout: nativeSetTimeout, setInterval: nativeSetInterval } = native

/** @typedef {{signal?: AbortSignal, ref?: boolean}} PromiseOptions */
/**
 * @typedef {(callback: (...args: any[]) => void, after: number | undefined, args: any[] | undefined, repeats: boolean, isReferenced: boolean) => Timeout}
 *   Start
 */

/**
 * @param {Start} start
 * @param {(timer: Timeout) => void} clear
 */
export function createPromises (start, clear) {
  /**
   * @template [T=void]
   * @param {number} [delay]
   * @param {T} [value]
   * @param {PromiseOptions} [options]
   * @returns {Promise<T>}
   */
  function setTimeout (delay, value, options) {
    if (!isValid(delay, options) || options?.signal?.aborted) {
      return /** @type {Promise<any>} */ (nativeSetTimeout(delay, value, options))
    }
    const { signal, ref = true } = options ?? {}
    return new Promise((resolve, reject) => {
      if (signal === undefined) {
        start(resolve, delay, [value], false, ref)
        return
      }
      const abort = () => {
        clear(timer)
        abortError(signal).then(reject)
      }
      const timer = start(
        () => {
          signal.removeEventListener('abort', abort)
          resolve(/** @type {any} */ (value))
        },
        delay,
        undefined,
        false,
        ref
      )
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  /**
   * @template [T=void]
   * @param {number} [delay]
   * @param {T} [value]
   * @param {PromiseOptions} [options]
   * @returns {AsyncGenerator<T, void, void>}
   */
  async function * setInterval (delay, value, options) {
    if (!isValid(delay, options)) await nativeSetInterval(delay, value, options).next()
    const { signal, ref = true } = options ?? {}
    let ticks = 0
    /** @type {(() => void) | undefined} */
    let waiting
    const wake = () => {
      waiting?.()
      waiting = undefined
    }
    const timer = signal?.aborted
      ? undefined
      : start(
        () => {
          ticks++
          wake()
        },
        delay,
        undefined,
        true,
        ref
      )
    const abort = () => {
      if (timer) clear(timer)
      wake()
    }
    signal?.addEventListener('abort', abort, { once: true })
    try {
      while (!signal?.aborted) {
        if (ticks === 0) {
          await new Promise(resolve => {
            waiting = () => resolve(undefined)
          })
        }
        for (; ticks > 0; ticks--) yield /** @type {T} */ (value)
      }
      throw await abortError(signal)
    } finally {
      if (timer) clear(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  return { setTimeout, setInterval }
}

/**
 * @param {AbortSignal} signal  Aborted.
 * @returns {Promise<unknown>}
 */
function abortError (signal) {
  return nativeSetTimeout(1, undefined, { signal }).catch(error => error)
}

/**
 * @param {unknown} delay
 * @param {any} options
 */
function isValid (delay, options) {
  if (delay !== undefined && typeof delay !== 'number') return false
  if (options === undefined) return true
  if (options === null || typeof options !== 'object') return false
  const { signal, ref } = options
  return (
    (signal === undefined || (typeof signal === 'object' && signal !== null && 'aborted' in signal)) &&
    (ref === undefined || typeof ref === 'boolean')
  )
}
