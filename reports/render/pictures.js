/** The pictures of a document as files, each for light and for dark pages. */
import { picturesIn } from '../blocks.js'
import { drawFigure } from '../charts/index.js'
import { darkTheme, lightTheme } from '../charts/style.js'

/** @import { Document } from '../blocks.js' */

/**
 * @param {Document} document
 * @returns {{name: string, text: string}[]}
 */
export function picturesOf (document) {
  return picturesIn(document).flatMap(({ figure }) => [
    { name: `${figure.id}.svg`, text: drawFigure(figure, lightTheme) + '\n' },
    { name: `${figure.id}-dark.svg`, text: drawFigure(figure, darkTheme) + '\n' }
  ])
}
