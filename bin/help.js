/** Help: the overview that `timerq` alone prints, and the page of each command. */
import { groupBy } from '../harness/model/group-by.js'
import { enumerate } from '../harness/model/numbers.js'
import { wrap } from '../reports/wrap.js'
import { firstSteps, purposes } from './commands/index.js'
import { optionsOf } from './request/options.js'

/** @import { Command } from './commands/index.js' */
/** @import { Option } from './request/options.js' */

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
  const options = optionsOf(name)
  const words = options.flatMap(option => (option.argument ? notationOf(option) : []))
  const usage = [`timerq ${name} [options]`, ...words, ...(program ? [PROGRAMS[program]] : [])].join(' ')
  const widths = options.map(option => notationOf(option).length).filter(width => width <= WIDEST_NOTATION)
  const layout = { first: Math.max(...widths), width: Math.min(WIDEST, columns) }
  const sections = [...groupBy(options, ({ section }) => section)].map(([title, own]) =>
    table(
      title,
      own.map(option => [notationOf(option), explain(option, name)]),
      layout
    )
  )
  // Examples have lines of their own, so that they can be copied whole.
  const copied = examples.map(([example, what]) => `  # ${what}\n  timerq ${example}\n`)
  return [`${describe}\n`, `Usage: ${usage}\n`, ...sections, `Examples:\n${copied.join('')}`].join('\n')
}

/** @type {(option: Option) => string} */
function notationOf ({ name, value, argument }) {
  if (argument) return argument.least > 0 ? `<${value}>` : `[${value}]`
  return value === undefined ? `--${name}` : `--${name} <${value}>`
}

/**
 * The description of an option with its choices and its default.
 *
 * @param {Option} option
 * @param {string} command
 */
function explain ({ describe, choices, default: otherwise, shown = otherwise }, command) {
  const byDefault = typeof shown === 'object' ? shown[command] : shown
  return [
    describe,
    ...(choices ? [`: ${enumerate(choices, 'or')}`] : []),
    ...(byDefault === undefined ? [] : [` (default: ${byDefault})`])
  ].join('')
}

/**
 * A title and rows of two columns, the second of which is wrapped.
 *
 * @param {string} title
 * @param {string[][]} rows
 * @param {{first: number, width: number}} [layout]  Width of the first column, and of all.
 */
function table (title, rows, { first, width } = { first: Math.max(...rows.map(([text]) => text.length)), width: WIDEST }) {
  const margin = GAP + first + GAP
  const lines = rows.flatMap(([text, explanation]) => {
    const [line, ...more] = wrap(explanation, { width: width - margin, indent: '' })
    const indented = more.map(line => ' '.repeat(margin) + line)
    return text.length > first
      ? [`  ${text}`, ' '.repeat(margin) + line, ...indented]
      : [`  ${text.padEnd(first + GAP)}${line}`, ...indented]
  })
  return `${[title, ...lines].join('\n')}\n`
}
