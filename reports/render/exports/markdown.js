/** A report in Markdown, with its pictures in files, each for light and for dark pages. */
import { picturesIn } from '../../blocks.js'
import { drawFigure } from '../../charts/index.js'
import { darkTheme, lightTheme } from '../../charts/style.js'
import { renderMarkdown } from '../markdown.js'

/** @import { Document } from '../../blocks.js' */
/** @import { Report } from '../../formats.js' */

/** @type {(report: Pick<Report, 'document'>, pictures?: string) => string} */
export const render = ({ document }, pictures = 'report-pictures') => renderMarkdown(document(), pictures)

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
