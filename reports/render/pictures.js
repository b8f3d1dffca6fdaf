/** The pictures of a document as files: each for light and for dark pages. */
import { drawFigure } from '../charts/index.js'
import { darkTheme, lightTheme } from '../charts/style.js'

/**
 * @param {import('../blocks.js').Document} document
 * @returns {{name: string, text: string}[]}
 */
export function picturesOf ({ sections }) {
  return sections.flatMap(figuresIn).flatMap(figure => [
    { name: `${figure.id}.svg`, text: drawFigure(figure, lightTheme) + '\n' },
    { name: `${figure.id}-dark.svg`, text: drawFigure(figure, darkTheme) + '\n' }
  ])
}

/**
 * @param {import('../blocks.js').Section} section
 * @returns {import('../figures/index.js').Figure[]}
 */
function figuresIn ({ blocks, sections }) {
  return [...blocks.flatMap(figuresOf), ...sections.flatMap(figuresIn)]
}

/**
 * @param {import('../blocks.js').Block} block
 * @returns {import('../figures/index.js').Figure[]}
 */
function figuresOf (block) {
  if (block.kind === 'fold') return block.blocks.flatMap(figuresOf)
  return block.kind === 'figure' ? [block.figure] : []
}
