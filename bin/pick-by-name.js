import { closestMatch } from 'leven'
import { UsageError } from '../harness/model/errors.js'

/** Further away than this, a suggestion is no help. */
const MAX_DISTANCE = 6

/**
 * @template {{name: string}} T
 * @param {string} what  What it is that is named.
 * @param {T[]} entries
 * @param {string} name
 * @returns {T}
 * @throws {UsageError} when there is none of this name; the nearest one is suggested
 */
export function pickByName (what, entries, name) {
  const found = entries.find(entry => entry.name === name)
  if (found) return found
  const nearest = closestMatch(name, entries.map(entry => entry.name), { maxDistance: MAX_DISTANCE })
  throw new UsageError(`unknown ${what} "${name}"${nearest ? `, did you mean ${nearest}?` : ''} (timerq list shows all)`)
}
