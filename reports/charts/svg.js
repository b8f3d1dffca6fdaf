/** SVG as text. */

/**
 * @param {string} name
 * @param {Record<string, string | number | undefined>} attributes  Escaped here; undefined ones are left out.
 * @param {string | string[]} [content]  Markup: text goes through escapeText first.
 */
export function element (name, attributes, content = '') {
  const list = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === 'number' ? round(value) : escapeText(value)}"`]
  )
  const inside = [content].flat().join('')
  return inside === '' ? `<${name}${list.join('')}/>` : `<${name}${list.join('')}>${inside}</${name}>`
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} content  Plain text.
 * @param {Record<string, string | number | undefined>} [attributes]
 */
export function text (x, y, content, attributes = {}) {
  return element('text', { x, y, ...attributes }, escapeText(content))
}

/**
 * Text for elements and quoted attributes of XML and HTML, without control characters and what XML 1.0 forbids: lone
 * surrogates, U+FFFE and U+FFFF.
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
 * Coordinate to a tenth of a pixel: the same on every machine.
 *
 * @param {number} value
 */
export const round = value => String(Math.round(value * 10) / 10)
