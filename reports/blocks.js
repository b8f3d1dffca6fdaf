/**
 * Blocks that documents are made of: a document says what is shown, a renderer in render/ how it looks. Parts marked
 * `wide` are left out where there is little room: in a terminal.
 *
 * @import { Figure } from './charts/option.js'
 *
 * @typedef {'good' | 'bad' | 'open' | 'invalid'} Tone
 *
 * @typedef {object} TableCell
 * @property {string} text
 * @property {string} [short]  Text where there is little room.
 * @property {boolean} [best]
 * @property {boolean} [code]
 * @property {number} [sort]  Sorts the column in place of the text.
 * @property {Tone} [tone]
 *
 * @typedef {object} TableColumn
 * @property {string} title
 * @property {boolean} numeric
 * @property {boolean} [wide]
 * @property {'group' | 'note' | 'suffix'} [narrow] Position in a terminal: over a group of rows that share it, below
 *   its row, or behind the cell before it.
 *
 * @typedef {object} RowMarks
 * @property {boolean} [isControl]
 * @property {string} [queue]  Name of the queue, where the first cell holds more.
 * @property {boolean} [isQuiet]  Nothing changed, so the row may be folded.
 * @property {boolean} [wide]
 *
 * @typedef {{cells: TableCell[]} & RowMarks} TableRow
 *
 * @typedef {{kind: 'paragraph', text: string, wide?: boolean}} Paragraph
 *
 * @typedef {{kind: 'answer', text: string, reasons: string[], next?: string, decides?: boolean}} Answer For a hurried
 *   reader; `next`: the command that is most useful now; `decides`: it measures what is still open.
 *
 * @typedef {{kind: 'verdict', name: string, tone: Tone, text: string}} Verdict
 *
 * @typedef {{kind: 'list', title: string, items: string[], wide?: boolean}} List  The title may be empty.
 *
 * @typedef {{kind: 'warnings', items: string[]}} Warnings
 *
 * @typedef {{kind: 'links', title: string, links: Link[]}} Links
 *
 * @typedef {{text: string, href: string}} Link  Relative to the document's file.
 *
 * @typedef {{kind: 'code', language: 'sh' | '', text: string, wide?: boolean}} Code
 *
 * @typedef {{kind: 'facts', facts: [string, string][]}} Facts
 *
 * @typedef {{kind: 'figure', figure: Figure}} Picture
 *
 * @typedef {object} TableFrame
 * @property {string} caption
 * @property {string} [short]  The caption where there is little room.
 * @property {string[]} [remarks]  Remarks on missing parts.
 *
 * @typedef {{kind: 'table', columns: TableColumn[], rows: TableRow[]} & TableFrame} Table
 *
 * @typedef {{kind: 'fold', title: string, blocks: Block[], wide?: boolean}} Fold
 *
 * @typedef {Paragraph | Answer | Verdict | List | Warnings | Links | Code | Facts | Picture | Table | Fold} Block
 *
 * @typedef {{title: string, blocks: Block[], sections: Section[], wide?: boolean, isBackground?: boolean}} Section
 *   Background is folded where a reader can unfold it.
 *
 * @typedef {{title: string, blocks: Block[], sections: Section[], names?: string[]}} Document  The title may be empty;
 *   `names`: long ones, to be cut where text has lines.
 *
 * @typedef {false | null | undefined | ''} Absent  A part whose condition does not hold.
 */
import { compact } from '../harness/model/compact.js'
import { shellQuoted, shortened } from '../harness/model/text.js'

/** Characters of a name where text has lines; JSON and pages have all of them. */
const MOST_NAME = 60
/** Characters of a name's end. */
const NAME_END = 20
/** The second half of a character that was cut in two. */
const LONE_HALF = /^[\udc00-\udfff]/

/**
 * @param {(Block | Absent)[]} blocks
 * @param {(Section | Absent)[]} [sections]
 * @param {string} [title]
 * @param {string[]} [names]
 * @returns {Document}
 */
export const createDocument = (blocks, sections = [], title = '', names = []) => ({
  ...section(title, blocks, sections),
  ...(names.length > 0 && { names })
})

/**
 * @param {string} title
 * @param {(Block | Absent)[]} blocks
 * @param {(Section | Absent)[]} [sections]
 * @returns {Section}
 */
export const section = (title, blocks, sections = []) => ({
  title,
  blocks: compact(...blocks),
  sections: compact(...sections)
})

/**
 * @param {string} title
 * @param {(Block | Absent)[]} blocks
 * @returns {Fold}
 */
export const fold = (title, blocks) => ({ kind: 'fold', title, blocks: compact(...blocks) })

/**
 * @param {string} text
 * @returns {Paragraph}
 */
export const paragraph = text => ({ kind: 'paragraph', text })

/**
 * @param {(string | Absent)[]} items
 * @param {string} [title]
 * @returns {List | null} null without items
 */
export function list (items, title = '') {
  const texts = compact(...items)
  return texts.length > 0 ? { kind: 'list', title, items: texts } : null
}

/**
 * @param {(string | Absent)[]} items
 * @returns {Warnings | null} null without items
 */
export function warnings (items) {
  const texts = compact(...items)
  return texts.length > 0 ? { kind: 'warnings', items: texts } : null
}

/**
 * @param {string} text
 * @param {Code['language']} [language]
 * @returns {Code}
 */
export const code = (text, language = '') => ({ kind: 'code', language, text })

/**
 * The command that made results, to be pasted into a shell. Without its --out: a folder that is not empty is refused.
 *
 * @param {string[]} command  A program may follow after two dashes; its --out is not timerq's.
 */
export function commandLine (command) {
  const dashes = command.indexOf('--')
  const isOut = (/** @type {string | undefined} */ word = '') => word === '--out' || word.startsWith('--out=')
  const repeated = command.filter(
    (word, i) => (dashes !== -1 && i >= dashes) || !(isOut(word) || command[i - 1] === '--out')
  )
  return code(repeated.map(shellQuoted).join(' '), 'sh')
}

/**
 * @param {Figure} figure
 * @returns {Picture}
 */
export const picture = figure => ({ kind: 'figure', figure })

/**
 * @typedef {(TableCell | string)[]} Cells  A text stands for a cell that has nothing else.
 *
 * @typedef {object} TableParts
 * @property {string} [caption]
 * @property {string} [short]
 * @property {(TableColumn | string)[]} columns  A title stands for a column of words.
 * @property {(Cells | ({cells: Cells} & RowMarks))[]} rows
 * @property {(string | Absent)[]} [remarks]
 *
 * @param {TableParts} parts
 * @returns {Table}
 */
export const table = ({ caption = '', columns, rows, remarks = [], ...more }) => ({
  kind: 'table',
  caption,
  columns: columns.map(column => (typeof column === 'string' ? words(column) : column)),
  rows: rows.map(row => {
    const { cells, ...marks } = Array.isArray(row) ? { cells: row } : row
    return { cells: cells.map(cell => (typeof cell === 'string' ? { text: cell } : cell)), ...marks }
  }),
  remarks: compact(...remarks),
  ...more
})

/**
 * @param {{queue: string, scenario?: string}[]} rows
 * @returns {string[]} names that would make every line of a text as long
 */
export const longNames = rows =>
  [...new Set(rows.flatMap(({ queue, scenario = '' }) => [queue, scenario]))].filter(name => name.length > MOST_NAME)

/**
 * Cuts names in the middle, since the names of similar tasks differ at their ends. Commands stay as they are.
 *
 * @template T
 * @param {T} part  Part of a document.
 * @param {string[]} names
 * @returns {T}
 */
export function withShortNames (part, names) {
  const cut = (/** @type {string} */ text, /** @type {string} */ name) =>
    text.replaceAll(name, () => shortened(name, MOST_NAME - NAME_END) + name.slice(-NAME_END).replace(LONE_HALF, ''))
  return names.length === 0
    ? part
    : mapTexts(
      part,
      text => names.reduce(cut, text),
      (key, value) => key === 'next' || key === 'id' || value?.kind === 'code'
    )
}

/**
 * @template T
 * @param {T} part  Part of a document.
 * @param {(text: string) => string} change
 * @param {(key: string, value: any) => boolean} [isKept]
 * @returns {T}
 */
export function mapTexts (part, change, isKept = () => false) {
  /** @type {(value: any, key?: string) => any} */
  const map = (value, key = '') => {
    if (typeof value === 'string') return isKept(key, value) ? value : change(value)
    if (typeof value !== 'object' || value === null || isKept(key, value)) return value
    if (Array.isArray(value)) return value.map(one => map(one))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one, key)]))
  }
  return map(part)
}

/**
 * @param {string} title
 * @param {Omit<TableColumn, 'title' | 'numeric'>} [more]
 * @returns {TableColumn}
 */
export const words = (title, more) => ({ title, numeric: false, ...more })

/**
 * @param {string} title
 * @param {Omit<TableColumn, 'title' | 'numeric'>} [more]
 * @returns {TableColumn}
 */
export const number = (title, more) => ({ title, numeric: true, ...more })

/**
 * @param {string} text
 * @param {number | null | undefined} sort  Sorts the column; null: unknown.
 * @returns {TableCell}
 */
export const figure = (text, sort) => (sort === null || sort === undefined ? { text } : { text, sort })

/**
 * @param {{blocks: Block[], sections: Section[]}} part  A document or a section.
 * @returns {Picture[]}
 */
export const picturesIn = ({ blocks, sections }) => [...blocks.flatMap(picturesOf), ...sections.flatMap(picturesIn)]

/**
 * @param {Block} block
 * @returns {Picture[]}
 */
const picturesOf = block =>
  block.kind === 'fold' ? block.blocks.flatMap(picturesOf) : block.kind === 'figure' ? [block] : []
