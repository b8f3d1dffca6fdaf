/**
 * What documents are made of. They say what is shown; how it looks is up to markdown.js and page/.
 *
 * @typedef {object} TableCell
 * @property {string} text
 * @property {boolean} [best]
 * @property {number} [sort]  What it is sorted by, where that is not its text.
 * @property {number} [cell]  Number of the cell in the summary, whose samples are behind it.
 * @property {'good' | 'bad' | 'open'} [tone]
 *
 * @typedef {{title: string, numeric: boolean}} TableColumn
 * @typedef {{cells: TableCell[], isControl: boolean, queue?: string}} TableRow  `queue`: where the first cell says more than its name.
 *
 * @typedef {{kind: 'paragraph', text: string}} Paragraph
 * @typedef {{kind: 'list', title: string, items: string[]}} List  The title is empty where the heading says it all.
 * @typedef {{kind: 'links', title: string, links: Link[]}} Links
 * @typedef {{text: string, href: string}} Link  Relative to the document's file.
 * @typedef {{kind: 'code', language: 'sh' | '', text: string}} Code
 * @typedef {{kind: 'facts', facts: [string, string][]}} Facts
 * @typedef {{kind: 'figure', figure: import('./charts/index.js').Figure}} Picture
 * @typedef {{kind: 'table', caption: string, columns: TableColumn[], rows: TableRow[]}} Table
 * @typedef {{kind: 'fold', title: string, blocks: Block[]}} Fold
 * @typedef {Paragraph | List | Links | Code | Facts | Picture | Table | Fold} Block
 *
 * @typedef {{title: string, blocks: Block[], sections: Section[]}} Section
 * @typedef {{title: string, blocks: Block[], sections: Section[]}} Document
 */

/**
 * @param {string} title
 * @param {Block[]} blocks
 * @param {Section[]} [sections]
 * @returns {Section}
 */
export const section = (title, blocks, sections = []) => ({ title, blocks, sections })

/**
 * @param {string} text
 * @returns {Paragraph}
 */
export const paragraph = text => ({ kind: 'paragraph', text })

/**
 * @param {string[]} items
 * @param {string} [title]
 * @returns {List}
 */
export const list = (items, title = '') => ({ kind: 'list', title, items })

/**
 * @param {string} text
 * @param {Code['language']} [language]
 * @returns {Code}
 */
export const code = (text, language = '') => ({ kind: 'code', language, text })

/**
 * @param {import('./charts/index.js').Figure} figure
 * @returns {Picture}
 */
export const picture = figure => ({ kind: 'figure', figure })

/**
 * @param {string} title
 * @param {Block[]} blocks
 * @returns {Fold}
 */
export const fold = (title, blocks) => ({ kind: 'fold', title, blocks })
