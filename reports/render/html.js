/** Parts of pages: JSON within HTML, for the flame graph, and hashes for the content security policy of both. */
import { createHash } from 'node:crypto'

/**
 * JSON that ends no script element.
 *
 * @param {object} value
 */
export const embed = value => JSON.stringify(value).replaceAll('<', '\\u003c')

/**
 * The source of a script or style in a content security policy.
 *
 * @param {string} content
 */
export const hashOf = content => `'sha256-${createHash('sha256').update(content).digest('base64')}'`
