/** Line breaks for terminals. */
import { COLUMNS } from '../harness/model/text.js'

/**
 * Breaks a text between words, not within 10 000.
 *
 * @param {string} text
 * @param {{width?: number, indent?: string}} [options]  `indent`: of all lines but the first.
 * @returns {string[]} lines
 */
export function wrap (text, { width = COLUMNS, indent = '  ' } = {}) {
  return text.split(/(?<!\d) | (?!\d{3}(?!\d))/).reduce((/** @type {string[]} */ lines, word) => {
    const line = [...lines.slice(-1), word].join(' ')
    return lines.length === 0 || line.length <= width ? [...lines.slice(0, -1), line] : [...lines, indent + word]
  }, [])
}
