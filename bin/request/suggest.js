/** What somebody may have meant by a name that is not there. */
import leven from 'leven'
import { enumerate } from '../../harness/model/numbers.js'

/** More of them do not help: then the list of all names does. */
const MOST_SUGGESTIONS = 5

/**
 * @param {string} typed
 * @param {string[]} names
 * @param {string} [prefix]  Of all names, as they are typed.
 * @returns {string} to put behind an error: `, did you mean run?`; nothing where no name is near
 */
export function didYouMean (typed, names, prefix = '') {
  const distances = names.map(name => distanceOf(typed.toLowerCase(), name))
  const shortest = Math.min(...distances)
  const nearest = names.filter((_, i) => distances[i] === shortest && shortest !== Infinity)
  return nearest.length === 0 ? '' : `, did you mean ${enumerate(nearest.slice(0, MOST_SUGGESTIONS).map(name => prefix + name), 'or')}?`
}

/**
 * The start of a name and a word of it are nearest, then what differs in few letters, then abbreviations: dl for
 * duration-lists.
 *
 * @param {string} typed
 * @param {string} name
 * @returns {number} Infinity where nobody can have meant it
 */
function distanceOf (typed, name) {
  const words = name.split('-')
  if (typed === '') return Infinity
  if (name.startsWith(typed) || words.includes(typed)) return 0
  const differing = Math.min(lettersBetween(typed, name), wordsBetween(typed.split('-'), words))
  const slips = Math.max(1, Math.floor(typed.length / 3))
  if (typed.length > 1 && differing <= slips) return differing
  return typed.length > 1 && abbreviates(typed, name) ? slips + 1 : Infinity
}

/**
 * Letters that are swapped count as one slip.
 *
 * @param {string} typed
 * @param {string} name
 */
function lettersBetween (typed, name) {
  const sorted = (/** @type {string} */ word) => [...word].sort().join('')
  return sorted(typed) === sorted(name) ? 1 : leven(typed, name)
}

/**
 * In any order: wheel-lazy is near lazy-wheel.
 *
 * @param {string[]} typed
 * @param {string[]} words
 */
function wordsBetween (typed, words) {
  return typed.reduce((sum, word) => sum + Math.min(...words.map(other => word === other ? 0 : lettersBetween(word, other))), 0)
}

/**
 * The same first letter, and all others in their order.
 *
 * @param {string} typed
 * @param {string} name
 */
function abbreviates (typed, name) {
  let at = -1
  return typed[0] === name[0] && [...typed].every(letter => (at = name.indexOf(letter, at + 1)) !== -1)
}
