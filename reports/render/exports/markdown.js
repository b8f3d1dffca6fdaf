/** A report in Markdown, with its pictures in files. */
import { renderMarkdown } from '../markdown.js'

export { picturesOf } from '../pictures.js'

/** @import { Report } from '../../formats.js' */

/** @type {(report: Pick<Report, 'document'>, pictures?: string) => string} */
export const render = ({ document }, pictures = 'report-pictures') => renderMarkdown(document(), pictures)
