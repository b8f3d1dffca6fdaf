/** A document as markdown that GitHub renders: tables, folded sections, pictures beside the file. */
import { markdownTable } from 'markdown-table'
import { escapeText } from '../charts/svg.js'

/**
 * @typedef {import('../blocks.js').Document} Document
 * @typedef {import('../blocks.js').Section} Section
 * @typedef {import('../blocks.js').Block} Block
 * @typedef {import('../blocks.js').Table} Table
 *
 * @param {Document} document
 * @param {string} pictures  Folder of the pictures, relative to the file.
 */
export function renderMarkdown ({ title, blocks, sections }, pictures) {
  return [
    `# ${escape(title)}`,
    ...blocks.map(block => renderBlock(block, pictures)),
    ...(sections.some(({ title }) => title === 'Conclusion') ? ['By scenario, in the [conclusion](#conclusion).'] : []),
    ...sections.flatMap(section => renderSection(section, 2, pictures))
  ].join('\n\n') + '\n'
}

/**
 * @param {Section} section
 * @param {number} level
 * @param {string} pictures
 * @returns {string[]}
 */
function renderSection ({ title, blocks, sections }, level, pictures) {
  return [
    `${'#'.repeat(level)} ${escape(title)}`,
    ...blocks.map(block => renderBlock(block, pictures)),
    ...sections.flatMap(section => renderSection(section, level + 1, pictures))
  ]
}

/**
 * @param {Block} block
 * @param {string} pictures
 * @returns {string}
 */
function renderBlock (block, pictures) {
  switch (block.kind) {
    case 'paragraph': return escape(block.text)
    case 'list': return [...(block.title ? [`${escape(block.title)}:`, ''] : []), ...block.items.map(item => `- ${escape(item)}`)].join('\n')
    case 'links': return [`${escape(block.title)}:`, '', ...block.links.map(({ text, href }) => `- [${escape(text)}](<${href}>)`)].join('\n')
    case 'code': return renderCode(block)
    case 'facts': return markdownTable([['', ''], ...block.facts.map(fact => fact.map(escape))])
    case 'figure': return renderPicture(block.figure, pictures)
    case 'table': return `${escape(block.caption)}:\n\n${renderTable(block)}`
    case 'fold': return `<details><summary>${escapeText(block.title)}</summary>\n\n${block.blocks.map(inner => renderBlock(inner, pictures)).join('\n\n')}\n\n</details>`
  }
}

/** @param {Table} table */
function renderTable ({ columns, rows }) {
  return markdownTable([
    columns.map(({ title }) => escape(title)),
    ...rows.map(({ cells, isControl }) => cells.map(({ text, best }, i) => {
      const shown = isControl && i === 0 ? `= ${escape(text)}` : escape(text)
      return best ? `**${shown}**` : shown
    }))
  ], { align: columns.map(({ numeric }) => numeric ? 'r' : 'l') })
}

/**
 * The reader's page may be light or dark.
 *
 * @param {import('../figures/index.js').Figure} figure
 * @param {string} pictures
 */
function renderPicture ({ id, title, description }, pictures) {
  return [
    '<picture>',
    `  <source media="(prefers-color-scheme: dark)" srcset="${pictures}/${id}-dark.svg">`,
    `  <img src="${pictures}/${id}.svg" alt="${escapeText(`${title}. ${description}`)}">`,
    '</picture>'
  ].join('\n')
}

/** @param {import('../blocks.js').Code} code */
export function renderCode ({ language, text }) {
  const fence = ticksAround(text, 3)
  return `${fence}${language}\n${text}\n${fence}`
}

/**
 * Code within a line.
 *
 * @param {string} text
 */
export function renderInlineCode (text) {
  const ticks = ticksAround(text, 1)
  // One space at either end is not shown, and keeps ticks of the text apart from these.
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${text.replaceAll(/\p{Cc}+/gu, ' ')}${space}${ticks}`
}

/**
 * More ticks than stand together anywhere in the text, so that it cannot end the code.
 *
 * @param {string} text
 * @param {number} least
 */
function ticksAround (text, least) {
  const longest = Math.max(least - 1, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}

/**
 * For text from anywhere: it is shown as it is, in tables too. A zero-width space keeps `@scope` from calling somebody of
 * that name.
 *
 * @param {string} text
 */
export function escape (text) {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll('&', '&amp;').replaceAll(/[|<>\\`*_[\]#~]/g, '\\$&').replaceAll('@', '@&#8203;')
}
