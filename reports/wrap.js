/** Line breaks for terminals. */
import stringWidth from 'string-width'
import { COLUMNS } from '../harness/model/text.js'

/** Spaces at which a line may end: not within 10 000, nor before a unit. */
const BREAKS = /(?<!\d) | (?!\d{3}(?!\d)|%|[mnµ]?s\b)/

/**
 * Breaks a text between words.
 *
 * @param {string} text
 * @param {{width?: number, indent?: string}} [options]  `indent`: of all lines but the first.
 * @returns {string[]} lines
 */
export function wrap (text, { width = COLUMNS, indent = '  ' } = {}) {
  return text.split(BREAKS).reduce((/** @type {string[]} */ lines, word) => {
    const line = [...lines.slice(-1), word].join(' ')
    return lines.length === 0 || stringWidth(line) <= width ? [...lines.slice(0, -1), line] : [...lines, indent + word]
  }, [])
}
