/** Report files that commands write. */
import { accessSync, closeSync, constants, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder, writing } from '../harness/index.js'
import { UsageError } from '../harness/model/errors.js'
import { enumerate } from '../harness/model/numbers.js'
import { formats } from '../reports/formats.js'

/** @import { Format, Report } from '../reports/formats.js' */

const FORMATS = new Map(Object.entries(formats).flatMap(([name, { ending }]) => (ending ? [[ending, name]] : [])))

/**
 * Format of a report by the ending of its file; of standard output, the first.
 *
 * @param {string} [out]
 */
export function formatOf (out = '') {
  const ending = path.extname(out)
  const format = ending === '' ? Object.keys(formats)[0] : FORMATS.get(ending)
  if (format !== undefined) return format
  const endings = enumerate([...FORMATS.keys()], 'or')
  throw new UsageError(`--out must end in ${endings}, got "${out}" (or choose with --format)`)
}

/**
 * @param {string} file
 * @param {string} text
 * @param {'w' | 'wx' | 'a'} [flag]  wx: only a new file. a: append.
 */
export function writeReport (file, text, flag = 'w') {
  writing(file, () => {
    makeFolder(path.dirname(file))
    writeFileSync(file, text, { flag })
  })
}

/**
 * Makes sure, before much time is spent, that writeReport can write a file later. Leaves the file as it is.
 *
 * @param {string} file
 */
export function assertReportable (file) {
  writing(file, () => {
    makeFolder(path.dirname(file))
    const existing = statSync(file, { throwIfNoEntry: false })
    if (existing?.isDirectory()) throw new Error('it is a folder')
    // Opening a pipe may wait for its reader, and closing it would end the reader's input.
    if (existing && !existing.isFile()) return accessSync(file, constants.W_OK)
    closeSync(openSync(file, existing ? constants.O_WRONLY : 'wx'))
    if (!existing) rmSync(file)
  })
}

/**
 * Writes report.md, say, and its pictures, if the format keeps them in files: into report-pictures/ next to it.
 *
 * @type {(file: string, load: NonNullable<Format['load']>, report: Report) => Promise<void>}
 */
export async function writeRendered (file, load, report) {
  const { render, picturesOf = () => [] } = await load()
  const folder = `${path.basename(file, path.extname(file))}-pictures`
  writeReport(file, render(report, folder))
  for (const { name, text } of picturesOf(report.document())) {
    writeReport(path.join(path.dirname(file), folder, name), text)
  }
}
