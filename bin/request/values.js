/** Checks of option values: from the text that the user typed to a typed value. */
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { UsageError } from '../../harness/model/errors.js'
import { enumerate } from '../../harness/model/numbers.js'
import { didYouMean } from './suggest.js'

/** @import { Expected } from '../../harness/gate/wanted.js' */
/** @import { Rules } from '../../harness/judge/records.js' */

/**
 * @template Typed, [Typing=string]
 *
 * @callback Check
 * @param {string} option  Name for messages.
 * @param {Typing} value  Text, or a text for each time that a list was given.
 * @returns {Typed}
 */

/** @typedef {number | string} Budget  Time to spend: seconds, or a text with a unit ('20s', '5m', '1h'). */

/** Number of possible seeds, which have 32 bits. */
export const SEEDS = 2 ** 32
/** Between items, and not within the braces of a pattern. */
export const COMMA = /,(?![^{]*\})/
const UNIT_SECONDS = { s: 1, m: 60, h: 3600 }

/** @type {(option: string, rule: string, value: unknown, remedy: string) => UsageError} */
const refusal = (option, rule, value, remedy) => new UsageError(`${option} must ${rule}, got "${value}" (${remedy})`)

/**
 * A check of texts that match a pattern.
 *
 * @template T
 * @param {RegExp} pattern
 * @param {(parts: string[]) => T | false} read  Value of the parts of a match; false: refused, too.
 * @param {string} rule
 * @param {string} remedy
 * @returns {Check<T, any>}
 */
const matching = (pattern, read, rule, remedy) => (option, value) => {
  const parts = pattern.exec(String(value))
  const typed = parts !== null && read(parts)
  if (typed === false) throw refusal(option, rule, value, remedy)
  return typed
}

/** @type {(option: string, value: string, minimum: number, maximum?: number) => number} */
export function integer (option, value, minimum, maximum = Number.MAX_SAFE_INTEGER) {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number
  const thousands = /^(\d+)k$/i.exec(value)
  throw new UsageError(
    `${option} must be ${integerFrom(minimum, maximum)}, got "${value}"${thousands ? ` (try ${thousands[1]}000)` : ''}`
  )
}

/**
 * @param {number} minimum
 * @param {number} maximum
 */
function integerFrom (minimum, maximum) {
  if (maximum < Number.MAX_SAFE_INTEGER) return `an integer from ${minimum} to ${maximum}`
  return minimum === 1 ? 'a positive integer' : `an integer of at least ${minimum}`
}

/** @type {Check<string[], string | string[]>} Items, which commas separate. */
export function list (option, value) {
  const text = String(value)
  const items = existsSync(text) ? [text] : text.split(COMMA).map(item => item.trim())
  if (items.includes('')) throw new UsageError(`${option} has an empty item: ${JSON.stringify(text)}`)
  return items
}

/** @type {Check<string>} A regular expression. */
export function pattern (option, value) {
  try {
    return new RegExp(value).source
  } catch (error) {
    throw new UsageError(`${option} must be a regular expression: ${/** @type {Error} */ (error).message}`)
  }
}

/** @type {Check<number[], string[]>} */
export const counts = (option, items) =>
  distinct(
    option,
    items.map(item => integer(option, item, 1))
  )

/** @type {Check<Record<string, number[]>, string[]>} Each text is name=value,value... */
export function sweeps (option, texts) {
  const entries = texts.map(text => {
    const [, name, values] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
    if (name === undefined) throw refusal(option, 'be name=value,value...', text, 'try connections=100,400')
    const label = `${option} ${name}`
    return {
      name,
      numbers: distinct(
        label,
        list(label, values).map(value => integer(label, value, 0))
      )
    }
  })
  distinct(
    option,
    entries.map(({ name }) => name)
  )
  return Object.fromEntries(entries.map(({ name, numbers }) => [name, numbers]))
}

/**
 * @template T
 * @param {string} option
 * @param {T[]} items
 */
function distinct (option, items) {
  const twice = items.find((item, i) => items.indexOf(item) !== i)
  if (twice === undefined) return items
  throw new UsageError(`${option} must not repeat a value, got ${twice} twice (leave one out)`)
}

/** Seconds, from a number or a text with a unit. */
export const seconds = matching(
  /^(\d+(?:\.\d+)?)([smh])?$/,
  ([, number, unit = 's']) => Number(number) > 0 && Number(number) * UNIT_SECONDS[/** @type {'s'} */ (unit)],
  'be a time longer than 0',
  'try 5m or 300s'
)

/**
 * A fraction of 1.
 *
 * @param {(percent: number) => boolean} isAllowed
 */
const percentage = isAllowed =>
  matching(
    /^(\d+(?:\.\d+)?)\s*%?$/,
    ([, number]) => isAllowed(Number(number)) && Number(number) / 100,
    'be a percentage between 0 and 100',
    'try 3%'
  )

export const precision = percentage(percent => percent > 0 && percent < 100)
const gainFrom = percentage(percent => percent < 100)

/** Chance of one false alarm in all rows together. */
const ALPHA = 0.05
/** Slowdown that must be ruled out, in times of the one that is tolerated. */
const MARGIN_OF_FLOOR = 2.5

/** @type {(margin: number) => Rules} */
export const rulesWithin = margin => ({ floor: margin / MARGIN_OF_FLOOR, margin, alpha: ALPHA })

const CHANGES = /** @type {const} */ (['faster', 'level', 'not-slower'])

/** @type {Check<Expected[], string[]>} Each text is faster, faster=5%, level or not-slower, with or without :rows. */
export function expectations (option, items) {
  return items.map(item => {
    const [, word, floor, rows] = /^([^=:]+)(?:=([^:]+))?(?::(.+))?$/.exec(item) ?? []
    const change = CHANGES.find(change => change === word)
    if (!change || (floor !== undefined && change !== 'faster')) {
      throw refusal(
        option,
        'be faster, faster=5%, level or not-slower',
        item,
        'rows are named after a colon: faster:parse*'
      )
    }
    return {
      change,
      ...(floor !== undefined && { floor: gainFrom(`${option} faster`, floor) }),
      ...(rows !== undefined && { rows })
    }
  })
}

/** @type {Check<string>} */
export function address (option, value) {
  if (isIP(value) !== 0) return value
  throw refusal(option, 'be an IP address of this machine', value, 'a name for it belongs to --load-command')
}

/** @type {Check<string>} */
export function urlPath (option, value) {
  if (/^\/\S*$/.test(value)) return value
  throw refusal(option, 'begin with a slash', value, `try ${`/${value}`.replace(/\s/g, '%20')}`)
}

export const shard = matching(
  /^(\d+)\/(\d+)$/,
  ([, i, n]) => Number(i) >= 1 && Number(i) <= Number(n) && { index: Number(i), count: Number(n) },
  'be i/n with i from 1 to n',
  'try 1/3'
)

/** @type {(choices: string[]) => Check<string>} */
export const oneOf = choices => (option, value) => {
  if (choices.includes(value)) return value
  throw new UsageError(`${option} must be ${enumerate(choices, 'or')}, got "${value}"${didYouMean(value, choices)}`)
}
