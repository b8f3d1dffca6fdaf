/** Suggestions for a name that does not exist. */
import leven from 'leven'
import { enumerate } from '../../harness/model/numbers.js'

/** Beyond this number, the list of all names helps more. */
const MOST_SUGGESTIONS = 5

/**
 * End of a message: `, did you mean run?`, or nothing.
 *
 * @type {(typed: string, names: string[], prefix?: string) => string}
 */
export function didYouMean (typed, names, prefix = '') {
  const distances = names.map(name => distanceOf(typed.toLowerCase(), name))
  const shortest = Math.min(...distances)
  const nearest = names.filter((_, i) => distances[i] === shortest && shortest !== Infinity)
  return nearest.length === 0
    ? ''
    : `, did you mean ${enumerate(
        nearest.slice(0, MOST_SUGGESTIONS).map(name => prefix + name),
        'or'
      )}?`
}

/**
 * The start and a word of a name are nearest, then names that differ in few letters.
 *
 * @param {string} typed
 * @param {string} name
 */
function distanceOf (typed, name) {
  const words = name.split('-')
  if (typed.length < 2) return Infinity
  if (name.startsWith(typed) || words.includes(typed)) return 0
  const slips = Math.floor(typed.length / 3)
  const [whole, ...parts] = [name, ...words].map(part => leven(typed, part))
  return Math.min(
    whole <= Math.max(2, slips) ? whole : Infinity,
    ...parts.filter(distance => distance <= Math.max(1, slips))
  )
}
