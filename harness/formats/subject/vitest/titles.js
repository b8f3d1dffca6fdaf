/** Titles of vitest's tables of cases, filled in as vitest 4 does. */
import { formatWithOptions, inspect } from 'node:util'

/**
 * Rows of a table that is a tagged template, whose first line names its columns.
 *
 * @param {string[]} texts
 * @param {unknown[]} values
 */
export function rowsOf (texts, values) {
  const [header] = texts.join('').trim().replaceAll(' ', '').split('\n')
  const columns = header.split('|')
  return Array.from({ length: Math.floor(values.length / columns.length) }, (_, row) =>
    Object.fromEntries(columns.map((column, i) => [column, values[row * columns.length + i]]))
  )
}

const ON_ONE_LINE = { breakLength: Infinity, depth: Infinity, compact: true }
/** A value in a title is shorter than this. */
const LONGEST_VALUE = 40

/**
 * Fills in the title of a case: `%s` and the like take a value each, `$a.b` takes a field and `$1` a
 * value by its index, `%#` and `%$` count the cases.
 *
 * @type {(title: string, values: any[], index: number) => string}
 */
export function filledIn (title, values, index) {
  const numbered = title.replaceAll(/%[%#$]/g, mark => ({ '%#': `${index}`, '%$': `${index + 1}` })[mark] ?? mark)
  const most = numbered.split('%').length - 1
  let used = 0
  return numbered.replaceAll(/%[sdjifoOc%]|\$([$\w.]+)/g, (mark, /** @type {string | undefined} */ path) => {
    if (path !== undefined) return fieldOf(values, path)
    return used < most ? formatted(mark, values[used++]) : mark
  })
}

/** @type {(values: any[], path: string) => string} */
function fieldOf (values, path) {
  const [first] = values
  const isObject = typeof first === 'object' && first !== null
  const isIndex = /^\d+$/.test(path)
  if (!isObject && !isIndex) return `$${path}`
  const field = isObject ? path.split('.').reduce((value, key) => Object(value)[key], first) : undefined
  return displayed(field === undefined && isIndex ? values[Number(path)] : field)
}

/** @param {unknown} value */
function displayed (value) {
  const text = inspect(value, ON_ONE_LINE).replace(/^\[Function: /, '[Function ')
  if (text.length < LONGEST_VALUE) return text
  if (Array.isArray(value)) return `[ Array(${value.length}) ]`
  if (typeof value === 'string') return `'${value.slice(0, LONGEST_VALUE - 3)}…'`
  const keys = Object.keys(Object(value))
  return keys.length > 0 ? `{ Object (${keys.slice(0, 2).join(', ')}${keys.length > 2 ? ', ...' : ''}) }` : text
}

/** @type {(mark: string, value: any) => string} */
function formatted (mark, value) {
  const isObject = typeof value === 'object' && value !== null
  const hasText = isObject && typeof value.toString === 'function' && value.toString !== Object.prototype.toString
  if (mark === '%s' && hasText) return value.toString()
  return formatWithOptions(ON_ONE_LINE, mark === '%o' || (mark === '%s' && isObject) ? '%O' : mark, value)
}
