/** Help: the overview that `timerq` alone prints, and the page of each command. */
import { enumerate } from '../harness/model/numbers.js'
import { wrap } from '../reports/wrap.js'
import { firstSteps, purposes } from './commands/index.js'
import { argumentsOf, optionsOf, sectionsOf } from './request/options.js'

/** @import { Command } from './commands/index.js' */
/** @import { Option, OptionRules } from './request/options.js' */

const PROGRAMS = { needed: '-- <program>', optional: '[-- <program>]' }
const GAP = 2
/** Longer lines are hard to read. */
const WIDEST = 100
/** A longer notation has a line of its own. */
const WIDEST_NOTATION = 22

/** @returns {string} lines that fit 80 columns */
export function overview () {
  return [
    'timerq: which data structure should hold your pending timeouts? Measured.\n',
    table('Begin with:', firstSteps),
    ...purposes.map(({ purpose, commands }) =>
      table(
        `${purpose}:`,
        commands.map(({ name, describe }) => [name, describe])
      )
    ),
    'timerq <command> --help shows its options and examples.\n'
  ].join('\n')
}

/**
 * @param {Command} command
 * @param {number} columns  Width of the terminal.
 */
export function helpOn ({ name, describe, examples, program }, columns) {
  const words = argumentsOf(name).map(({ notation }) => notation)
  const usage = ['timerq', name, '[options]', ...words, ...(program ? [PROGRAMS[program]] : [])].join(' ')
  const widths = optionsOf(name).map(({ notation }) => notation.length)
  const layout = {
    first: Math.max(...widths.filter(width => width <= WIDEST_NOTATION)),
    width: Math.min(WIDEST, columns)
  }
  const sections = sectionsOf(name).map(([title, options]) =>
    table(
      title,
      options.map(option => [option.notation, explain(option, name)]),
      layout
    )
  )
  // Examples have lines of their own, so that they can be copied whole.
  const copied = examples.map(([example, what]) => `  # ${what}\n  timerq ${example}\n`)
  return [`${describe}\n`, `Usage: ${usage}\n`, ...sections, `Examples:\n${copied.join('')}`].join('\n')
}

/**
 * The description of an option with its choices and its default.
 *
 * @type {(option: Option & OptionRules, command: string) => string}
 */
function explain ({ describe, choices, default: otherwise, shown = otherwise }, command) {
  const text = choices ? `${describe}: ${enumerate(choices, 'or')}` : describe
  const byDefault = typeof shown === 'object' ? shown[command] : shown
  return byDefault === undefined ? text : `${text} (default: ${byDefault})`
}

/**
 * A title and rows of two columns, the second of which is wrapped.
 *
 * @param {string} title
 * @param {string[][]} rows
 * @param {{first: number, width: number}} [layout]  Width of the first column, and of all.
 */
function table (
  title,
  rows,
  { first, width } = { first: Math.max(...rows.map(([text]) => text.length)), width: WIDEST }
) {
  const margin = ' '.repeat(GAP + first + GAP)
  const lines = rows.map(([text, explanation]) => {
    const lead = text.length > first ? `  ${text}\n${margin}` : `  ${text.padEnd(first + GAP)}`
    const wrapped = wrap(explanation, { width: width - margin.length, indent: '' })
    return `${lead}${wrapped.join(`\n${margin}`)}\n`
  })
  return `${title}\n${lines.join('')}`
}
