/** Checks of options: a mistake in one is an error that names it, not a timeout that never comes. */

/** Stands for the least of milliseconds that may be any number above 0. */
export const ABOVE_ZERO = Number.MIN_VALUE

/**
 * @param {string} of  The function that takes the options.
 * @param {unknown} options
 * @param {string[]} known
 */
export function checkOptions (of, options, known) {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`the options of ${of} must be an object, got ${shown(options)}`)
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(`${of} has no option "${name}": its options are ${known.join(', ')}`)
    }
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {string} type  Its type, as typeof calls it.
 */
export function checkType (name, value, type) {
  // eslint-disable-next-line valid-typeof
  if (typeof value !== type) throw new TypeError(`${name} must be a ${type}, got ${shown(value)}`)
}

/**
 * @param {string} name
 * @param {unknown} ms
 * @param {number} least
 * @param {number} most
 * @returns {number}
 */
export function checkedMs (name, ms, least, most) {
  if (typeof ms === 'number' && ms >= least && ms <= most) return ms
  throw new RangeError(
    `${name} must be milliseconds from ${least === ABOVE_ZERO ? 'above 0' : least} to ${most}, got ${shown(ms)}`
  )
}

/** @param {unknown} value */
export function shown (value) {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' && value !== null ? Object.prototype.toString.call(value) : String(value)
}
