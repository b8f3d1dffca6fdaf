/**
 * @param {unknown} value
 * @returns {value is PromiseLike<unknown>}
 */
export const isPromise = value => typeof (/** @type {any} */ (value)?.then) === 'function'
