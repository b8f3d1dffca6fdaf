/** A document for a terminal of 80 columns, without pictures, links, facts and parts marked `wide`. */
import stringWidth from 'string-width'
import { compact } from '../../harness/model/compact.js'
import { groupBy } from '../../harness/model/group-by.js'
import { COLUMNS, printableLines } from '../../harness/model/text.js'
import { wrap } from '../wrap.js'
import { mapTexts, withShortNames } from '../blocks.js'

/**
 * @import { createColors } from 'picocolors'
 * @import { Answer, Block, Document, Section, Table, TableCell, TableRow, Verdict } from '../blocks.js'
 *
 * @typedef {ReturnType<typeof createColors>} Style
 */

/** Characters of a verdict in one line. */
const LONGEST_VERDICT = 180
/** A caption that is no longer than a queue's name stands over the names. */
const LONGEST_NAME = 24
const SIGNS = { good: '✓', bad: '✗', open: '?', invalid: '!' }
const COLOURS = /** @type {const} */ ({ good: 'green', bad: 'red', open: 'yellow', invalid: 'red' })

/**
 * @param {Document} document
 * @param {Style} style
 */
export function renderTerminal ({ names = [], ...document }, style) {
  // Names and messages come from data, and a terminal obeys control characters.
  const { title, blocks, sections } = mapTexts(withShortNames(document, names), printableLines)
  return [
    ...(title === '' ? [] : [`${style.bold(title)}\n`]),
    ...renderBlocks(blocks, style),
    ...sections.flatMap(section => printSection(section, style))
  ].join('\n')
}

/**
 * @param {Section} section
 * @param {Style} style
 * @returns {string[]}
 */
function printSection ({ title, blocks, sections, wide }, style) {
  if (wide) return []
  const heading = title === '' ? '' : linesOf(wrap(title).map(style.bold))
  const [first = '', ...others] = renderBlocks(blocks, style)
  return compact(heading + first, ...others, ...sections.flatMap(inner => printSection(inner, style)))
}

/**
 * @param {Block[]} blocks
 * @param {Style} style
 */
const renderBlocks = (blocks, style) => compact(...blocks.map(block => renderBlock(block, style)))

/**
 * @param {Block} block
 * @param {Style} style
 * @returns {string} lines
 */
function renderBlock (block, style) {
  if ('wide' in block && block.wide) return ''
  switch (block.kind) {
    case 'paragraph':
      return linesOf(block.text.split('\n').flatMap(line => wrap(line)))
    case 'answer':
      return renderAnswer(block, style)
    case 'verdict':
      return renderVerdict(block, style)
    case 'list':
      return block.title
        ? linesOf([`${block.title}:`, ...block.items.flatMap(nested)])
        : linesOf(block.items.flatMap(item => wrap(item)))
    case 'warnings':
      return linesOf(block.items.flatMap(item => wrap(`warning: ${item}`)).map(style.yellow))
    case 'code':
      return linesOf(block.text.split('\n').map(line => line && `  ${line}`))
    // Only reports have room for these.
    case 'facts':
    case 'links':
    case 'figure':
      return ''
    case 'table':
      // A table without a caption belongs to the title of its section.
      return renderTable(block, style).replaceAll(/^(?=.)/gm, block.caption === '' ? '  ' : '')
    case 'fold':
      return renderBlocks(block.blocks, style).join('\n')
  }
}

/**
 * One line, for logs and their filters, unless it is too long to read.
 *
 * @param {Verdict} verdict
 * @param {Style} style
 */
function renderVerdict ({ name, tone, text }, style) {
  const line = `${name}: ${text}`
  const [first, ...others] = line.length > LONGEST_VERDICT ? wrap(line) : [line]
  return linesOf([style[COLOURS[tone]](style.bold(name)) + first.slice(name.length), ...others])
}

/**
 * A command is not wrapped: it is there to be copied.
 *
 * @param {Answer} answer
 * @param {Style} style
 */
function renderAnswer ({ text, reasons, next }, style) {
  return linesOf([
    ...wrap(text).map(style.bold),
    ...reasons.flatMap(reason => wrap(reason)),
    ...(next === undefined ? [] : [`Next: ${next}`])
  ])
}

/**
 * Lines below a title or a row; a section may indent them further.
 *
 * @param {string} text
 */
const nested = text => wrap(`  ${text}`, { width: COLUMNS - 2, indent: '    ' })

/** @param {string[]} lines */
const linesOf = lines => lines.map(line => `${line}\n`).join('')

/**
 * @param {Table} content
 * @param {Style} style
 */
function renderTable (content, style) {
  const { columns, rows, remarks = [] } = content
  const shown = rows.filter(({ wide }) => !wide)
  const group = columns.findIndex(({ narrow }) => narrow === 'group')
  const groups = groupBy(shown, ({ cells }) => (group === -1 ? '' : cells[group].text))
  const parts = [...groups].map(
    ([title, own]) => (title === '' ? '' : `${style.bold(title)}\n`) + drawRows(content, own, style)
  )
  const alone = rows.length === 0 && content.caption !== '' ? `${style.dim(content.short ?? content.caption)}\n` : ''
  return (
    alone +
    parts.join('\n') +
    linesOf(remarks.flatMap(content.caption === '' ? remark => wrap(remark) : nested).map(style.yellow))
  )
}

/**
 * @param {Table} content
 * @param {TableRow[]} rows  Rows of one group.
 * @param {Style} style
 */
function drawRows ({ caption, short = caption, columns, rows: all }, rows, style) {
  const drawn = columns.flatMap((column, i) => (i > 0 && !column.wide && column.narrow === undefined ? [i] : []))
  const hasTitles = drawn.some(i => columns[i].title !== '')
  const isShort = hasTitles && short.length <= LONGEST_NAME
  const note = columns.findIndex(({ narrow }) => narrow === 'note')
  const isJudged = all.some(({ cells }) => note !== -1 && cells[note].tone)
  const hasControl = rows.some(({ isControl }) => isControl)
  const markOf = (/** @type {TableRow} */ { cells, isControl }) =>
    isJudged ? `${SIGNS[/** @type {'good'} */ (cells[note].tone)] ?? '·'} ` : isControl ? '= ' : hasControl ? '  ' : ''
  const [titles, ...lines] = alignColumns(
    [
      [style.dim(isShort ? short || columns[0].title : ''), ...drawn.map(i => style.dim(columns[i].title))],
      ...rows.map(row => {
        const [name] = row.cells
        const named = markOf(row) + textOf(name)
        return [row.isControl ? style.cyan(named) : paintCell(name, named, style), ...drawn.map(i => drawCell(row, i))]
      })
    ],
    drawn.map(i => columns[i].numeric)
  )
  return [
    ...(isShort || short === '' ? [] : [`${style.dim(short)}\n`]),
    ...(hasTitles ? [`${titles}\n`] : []),
    ...rows.flatMap((row, i) => [
      `${lines[i]}\n`,
      ...(note === -1 || row.isQuiet ? [] : [drawNote(row.cells[note], style)])
    ])
  ].join('')

  /**
   * Figures leave room for the star of the best in their column.
   *
   * @param {TableRow} row
   * @param {number} i
   */
  function drawCell ({ cells }, i) {
    const suffix = columns[i + 1]?.narrow === 'suffix' && !columns[i + 1].wide ? textOf(cells[i + 1]) : ''
    const text = compact(textOf(cells[i]), suffix).join(' ')
    if (cells[i].best) return style.green(`${text} *`)
    const hasBest = cells[i].text !== '-' && rows.some(({ cells }) => cells[i].best)
    return paintCell(cells[i], hasBest ? `${text}  ` : text, style)
  }
}

/** @param {TableCell} cell */
const textOf = ({ text, short = text }) => short

/**
 * @param {TableCell} cell
 * @param {string} text
 * @param {Style} style
 */
const paintCell = ({ tone, best }, text, style) => (best ? style.green : tone ? style[COLOURS[tone]] : String)(text)

/**
 * @param {TableCell} cell
 * @param {Style} style
 */
function drawNote (cell, style) {
  const lines = textOf(cell).split('\n')
  if (cell.text === '') return ''
  if (cell.code) return `\n${linesOf(lines.map(line => line && `        ${line}`))}\n`
  return linesOf(lines.flatMap(nested).map(line => paintCell(cell, line, style)))
}

/**
 * @param {string[][]} rows
 * @param {boolean[]} numeric  Flags of all columns after the first: numbers are aligned at the right.
 * @returns {string[]} a line for each row
 */
function alignColumns (rows, numeric) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map(row => stringWidth(row[i]))))
  return rows.map(row =>
    row
      .map((text, i) => {
        const gap = ' '.repeat(widths[i] - stringWidth(text))
        return numeric[i - 1] ? gap + text : text + gap
      })
      .join('  ')
      .trimEnd()
  )
}
