/** A comparison as the summary of a job on GitHub. */
import { comparisonDocument } from '../../documents/comparison.js'
import { renderMarkdown } from '../markdown.js'

/** @import { ComparisonRecord } from '../../../harness/judge/records.js' */

/** @param {ComparisonRecord} record */
export const render = record => renderMarkdown(comparisonDocument(record))
