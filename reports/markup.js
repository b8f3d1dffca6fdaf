/** Text from elsewhere in HTML and XML, and hashes for the content security policy of pages. */
import { createHash } from 'node:crypto'

/**
 * Text for elements and quoted attributes, without control characters and what XML 1.0 forbids: lone surrogates, U+FFFE
 * and U+FFFF.
 *
 * @param {string} text
 */
export function escapeText (text) {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/**
 * Text of several lines.
 *
 * @param {string} text
 * @param {string} [lineFeed]
 */
export const escapeLines = (text, lineFeed = '\n') => text.split('\n').map(escapeText).join(lineFeed)

/**
 * Attributes of an element, escaped. Empty and undefined ones are left out.
 *
 * @param {Record<string, string | number | undefined>} values
 */
export const attributesOf = values =>
  Object.entries(values)
    .map(([name, value = '']) => (value === '' ? '' : ` ${name}="${escapeLines(String(value), '&#10;')}"`))
    .join('')

/**
 * The source of a script or style in a content security policy.
 *
 * @param {string} content
 */
export const hashOf = content => `'sha256-${createHash('sha256').update(content).digest('base64')}'`
