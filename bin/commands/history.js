import { historyOf } from '../../harness/judge/history.js'
import { UsageError } from '../../harness/model/errors.js'
import { readResults } from '../../harness/store/results.js'
import { historyDocument } from '../../reports/documents/history.js'
import { formatOf, writeMarkdown, writeReport } from '../files.js'

/**
 * @param {{directories: string[], format?: string, out?: string}} request
 * @param {import('../console.js').Console} console
 */
export async function handler ({ directories, out, format = formatOf(out, ['.txt', '.md', '.json']) }, console) {
  if (directories.length < 2) throw new UsageError(`history needs at least two results directories, got ${directories.length}`)
  const history = historyOf(readEach(directories))
  const result = { document: () => historyDocument(history), value: history, pictures: 'history-pictures' }
  if (out === undefined) console.show({ format }, result)
  else if (format === 'markdown') writeMarkdown(out, result.document())
  else writeReport(out, console.render({ format }, result))
  return 0
}

/** @param {string[]} directories */
function * readEach (directories) {
  for (const directory of directories) yield readResults(directory)
}
