/** Help on a command: its arguments, options and examples. */
import { enumerate } from '../../harness/model/numbers.js'
import { wrap } from '../../reports/wrap.js'
import { ARGUMENTS, optionsOf } from './options.js'

/** @import { Command } from '../commands/index.js' */
/** @import { Row } from './options.js' */

/** The first screen leaves longer defaults out. */
const LONGEST_DEFAULT = 60
/** Longer lines are hard to read. */
const WIDEST = 100
const PROGRAMS = { needed: ' -- <program>', optional: ' [-- <program>]', none: '' }

/**
 * @param {Command} command
 * @param {string[]} words  Words of the command line; `--all` asks for all options.
 * @param {number} columns  Width of the terminal.
 */
export function describeCommand (command, words, columns) {
  const { name, line, describe, examples, guide, program = 'none' } = command
  const rows = optionsOf(name)
  const isUsual = (/** @type {Row} */ { usual = [] }) => usual.includes(name)
  const isWhole = !rows.some(isUsual) || words.includes('--all')
  const width = Math.min(WIDEST, columns)
  const titleOf = (/** @type {Row} */ { group }) => (isWhole || group === ARGUMENTS ? group : 'Options:')
  const shown = rows.filter(row => isWhole || row.group === ARGUMENTS || isUsual(row))
  const sections = [...new Set(shown.map(titleOf))].map(title =>
    table(
      title,
      shown
        .filter(row => titleOf(row) === title)
        .map(row => [row.label, explain(row, name, isWhole ? Infinity : LONGEST_DEFAULT)]),
      width
    )
  )
  const example = (/** @type {string[]} */ [typed, what]) => [...(isWhole ? [`  # ${what}`] : []), `  timerq ${typed}`]
  const more = isWhole ? [] : [`All options: timerq ${name} --help --all`]
  const last = [...more, guide ? `Guide: docs/${guide}.md` : []].flat()
  return [
    wrap(describe, { width, indent: '' }).join('\n'),
    `Usage: timerq ${line} [options]${PROGRAMS[program]}`,
    ...sections,
    ['Examples:', ...examples.flatMap(example)].join('\n'),
    last.join('   ')
  ]
    .filter(Boolean)
    .join('\n\n')
}

/**
 * @param {string} title
 * @param {string[][]} rows  Two columns.
 * @param {number} width
 */
function table (title, rows, width) {
  const left = Math.max(...rows.map(([label]) => label.length))
  const indent = ' '.repeat(left + 4)
  const lines = rows.flatMap(([label, text]) => {
    const [first, ...others] = wrap(text, { width: width - indent.length, indent: '' })
    return [`  ${label.padEnd(left)}  ${first}`, ...others.map(line => indent + line)]
  })
  return [title, ...lines].join('\n')
}

/**
 * The description of an option with its choices and its default.
 *
 * @type {(row: Row, command: string, most: number) => string}
 */
function explain ({ describe, choices, default: otherwise, shown = otherwise }, command, most) {
  const text = choices ? `${describe}: ${enumerate(choices, 'or')}` : describe
  const byDefault = typeof shown === 'object' ? shown[command] : shown
  return byDefault === undefined || byDefault.length > most ? text : `${text} (default: ${byDefault})`
}
