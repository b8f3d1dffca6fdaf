import { COLUMNS } from '../harness/model/text.js'

/**
 * Breaks a text between words, not within 10 000.
 *
 * @param {string} text
 * @returns {string[]} lines, all but the first indented
 */
export function wrap (text) {
  return text.split(/(?<!\d) | (?!\d{3}(?!\d))/).reduce((/** @type {string[]} */ lines, word) => {
    const line = [...lines.slice(-1), word].join(' ')
    return lines.length === 0 || line.length <= COLUMNS ? [...lines.slice(0, -1), line] : [...lines, `  ${word}`]
  }, [])
}
