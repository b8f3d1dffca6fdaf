/** A document as markdown that GitHub renders: tables, folded sections, pictures in a folder next to the file. */
import { markdownTable } from 'markdown-table'
import { compact } from '../../harness/model/compact.js'
import { capitalise, formatCount } from '../../harness/model/numbers.js'
import { printable, printableLines } from '../../harness/model/text.js'
import { withShortNames } from '../blocks.js'
import { escapeText } from '../markup.js'

/** @import { Answer, Block, Code, Document, Section, Table, TableCell, TableColumn, TableRow } from '../blocks.js' */
/** @import { Figure } from '../charts/option.js' */

const SIGNS = { good: '✅', bad: '❌', open: '❔', invalid: '⚠️' }

/**
 * @param {Document} document
 * @param {string} [pictures]  Folder of the pictures, relative to the file.
 */
export function renderMarkdown ({ names = [], ...document }, pictures = '') {
  const { title, blocks, sections } = withShortNames(document, names)
  return (
    compact(
      title && `# ${escape(title)}`,
      ...blocks.map(block => renderBlock(block, pictures)),
      ...sections.flatMap(section => sectionLines(section, 2, pictures))
    ).join('\n\n') + '\n'
  )
}

/**
 * @param {Section} section
 * @param {number} level
 * @param {string} pictures
 * @returns {string[]}
 */
function sectionLines ({ title, blocks, sections }, level, pictures) {
  return [
    `${'#'.repeat(level)} ${escape(title)}`,
    ...blocks.map(block => renderBlock(block, pictures)),
    ...sections.flatMap(section => sectionLines(section, level + 1, pictures))
  ]
}

/**
 * @param {Block} block
 * @param {string} pictures
 * @returns {string}
 */
function renderBlock (block, pictures) {
  switch (block.kind) {
    case 'paragraph':
      return escape(block.text)
    case 'answer':
      return renderAnswer(block)
    case 'verdict':
      return `## ${SIGNS[block.tone]} timerq: ${escape(block.name)}\n\n${escape(capitalise(block.text))}.`
    case 'list':
      return (block.title ? `${escape(block.title)}:\n\n` : '') + bullets(block.items)
    case 'warnings':
      return bullets(block.items.map(capitalise))
    case 'links':
      return [
        `${escape(block.title)}:`,
        '',
        ...block.links.map(({ text, href }) => `- [${escape(text)}](<${href}>)`)
      ].join('\n')
    case 'code':
      return renderCode(block)
    case 'facts':
      return markdownTable([['', ''], ...block.facts.map(fact => fact.map(escape))])
    case 'figure':
      return renderPicture(block.figure, pictures)
    case 'table':
      return renderTable(block)
    case 'fold':
      return renderFold(block.title, block.blocks.map(inner => renderBlock(inner, pictures)).join('\n\n'))
  }
}

/** @param {Answer} answer */
function renderAnswer ({ text, reasons, next }) {
  return compact(`**${escape(text)}**`, bullets(reasons), next && `Next: ${renderInlineCode(next)}`).join('\n\n')
}

/** @param {string[]} items */
const bullets = items => items.map(item => `- ${escape(item)}`).join('\n')

/**
 * @param {string} title
 * @param {string} content
 */
const renderFold = (title, content) => `<details><summary>${escapeText(title)}</summary>\n\n${content}\n\n</details>`

/** @param {Table} table  Its quiet rows are folded. */
function renderTable ({ caption, columns, rows, remarks = [] }) {
  const quiet = rows.filter(({ isQuiet }) => isQuiet)
  const open = rows.filter(({ isQuiet }) => !isQuiet)
  const folded =
    open.length > 0 ? formatCount(quiet.length, 'other row') : `${formatCount(quiet.length, 'row')}, nothing changed`
  return compact(
    caption && `${escape(caption)}:`,
    (open.length > 0 || quiet.length === 0) && renderRows(columns, open),
    quiet.length > 0 && renderFold(folded, renderRows(columns, quiet)),
    bullets(remarks)
  ).join('\n\n')
}

/**
 * @param {TableColumn[]} columns
 * @param {TableRow[]} rows
 */
function renderRows (columns, rows) {
  return markdownTable(
    [
      columns.map(({ title }) => escape(title)),
      ...rows.map(({ cells, isControl }) =>
        cells.map((cell, i) => {
          const shown = (isControl && i === 0 ? '= ' : '') + renderCell(cell)
          if (columns[i].narrow === 'note' && cell.tone) return `${SIGNS[cell.tone]} ${shown}`
          return cell.best ? `**${shown}**` : shown
        })
      )
    ],
    { align: columns.map(({ numeric }) => (numeric ? 'r' : 'l')) }
  )
}

/**
 * A bar ends a table's cell even in code.
 *
 * @param {TableCell} cell
 */
function renderCell ({ text, code }) {
  return code && text !== '' ? renderInlineCode(text).replaceAll('|', '\\|') : escape(text)
}

/**
 * The reader's page may be light or dark.
 *
 * @param {Figure} figure
 * @param {string} pictures
 */
function renderPicture ({ id, title, subtitle }, pictures) {
  return [
    '<picture>',
    `  <source media="(prefers-color-scheme: dark)" srcset="${pictures}/${id}-dark.svg">`,
    `  <img src="${pictures}/${id}.svg" alt="${escapeText(`${title}; ${subtitle}`)}">`,
    '</picture>'
  ].join('\n')
}

/** @param {Code} code */
function renderCode ({ language, text }) {
  const fence = ticksAround(text, 3)
  return `${fence}${language}\n${printableLines(text)}\n${fence}`
}

/**
 * Code within a line.
 *
 * @param {string} text
 */
function renderInlineCode (text) {
  const ticks = ticksAround(text, 1)
  // One space at either end is not shown, and keeps ticks of the text apart from these.
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${printable(text)}${space}${ticks}`
}

/**
 * Longer than any run of ticks in the text, so that the text cannot end the code.
 *
 * @param {string} text
 * @param {number} fewest
 */
function ticksAround (text, fewest) {
  const longest = Math.max(fewest - 1, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}

/**
 * Shows text from anywhere as it is, in tables too. A zero-width space keeps `@scope` from notifying a user of that
 * name.
 *
 * @param {string} text
 */
function escape (text) {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll(/[|<>\\`*_[\]#~]/g, '\\$&')
    .replaceAll('@', '@&#8203;')
}
