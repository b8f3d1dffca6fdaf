/** The pictures of a document as files: each for light and for dark pages. */
import { drawFigure } from './charts/index.js'
import { darkTheme, lightTheme } from './charts/style.js'

/**
 * @param {import('./document.js').Document} document
 * @returns {{name: string, text: string}[]}
 */
export function picturesOf ({ sections }) {
  return sections.flatMap(figuresIn).flatMap(figure => [
    { name: `${figure.id}.svg`, text: drawFigure(figure, lightTheme) + '\n' },
    { name: `${figure.id}-dark.svg`, text: drawFigure(figure, darkTheme) + '\n' }
  ])
}

/**
 * @param {import('./document.js').Section} section
 * @returns {import('./figures.js').Figure[]}
 */
function figuresIn ({ blocks, sections }) {
  return [...blocks.flatMap(block => block.kind === 'figure' ? [block.figure] : []), ...sections.flatMap(figuresIn)]
}
