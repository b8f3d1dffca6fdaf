/** Titles of vitest's tables of cases, filled in as vitest 4 does, but for the text of long and compound values. */
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
  const left = [...values]
  return title.replaceAll(/%[sdjifoOc%#$]|\$([$\w.]+)/g, (mark, /** @type {string | undefined} */ path) => {
    if (path !== undefined) return fieldOf(values, path)
    const known = { '%%': '%', '%#': `${index}`, '%$': `${index + 1}` }[mark]
    if (known !== undefined || left.length === 0) return known ?? mark
    const isObject = mark === '%o' || (mark === '%s' && typeof left[0] === 'object')
    return formatWithOptions(ON_ONE_LINE, isObject ? '%O' : mark, left.shift())
  })
}

/** @type {(values: any[], path: string) => string} */
function fieldOf (values, path) {
  const [first] = values
  const isIndex = /^\d+$/.test(path)
  if (Object(first) !== first && !isIndex) return `$${path}`
  const field = path.split('.').reduce((value, key) => Object(value)[key], isIndex ? values : first)
  const text = inspect(field, ON_ONE_LINE)
  return text.length < LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 2)}…`
}
