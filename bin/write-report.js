/** Reports as files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UsageError } from '../harness/model/errors.js'
import { renderMarkdown } from '../reports/render/markdown.js'
import { picturesOf } from '../reports/render/pictures.js'

/**
 * A markdown file, and its pictures in a folder beside it: report.md and report-pictures/.
 *
 * @param {string} file
 * @param {import('../reports/blocks.js').Document} document
 */
export function writeMarkdown (file, document) {
  const folder = `${path.basename(file, path.extname(file))}-pictures`
  writeReport(file, renderMarkdown(document, folder))
  for (const { name, text } of picturesOf(document)) writeReport(path.join(path.dirname(file), folder, name), text)
}

/**
 * @param {string} file
 * @param {string} text
 */
export function writeReport (file, text) {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${/** @type {Error} */ (error).message}; choose another file`)
  }
}
