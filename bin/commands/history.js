/** `timerq history`: follows cells over several runs. */
import { readResults, rooms } from '../../harness/index.js'
import { historyDocument } from '../../reports/documents/history.js'
import { formatOf, writeMarkdown, writeReport } from '../files.js'

/** @import { Console } from '../console.js' */

const { historyOf } = await rooms.history()

/**
 * @param {{directory: string, directories: string[], format?: string, out?: string}} request
 * @param {Console} console
 */
export async function handler (request, console) {
  const { directory, directories, out, format = formatOf(out, ['.txt', '.md', '.json']) } = request
  // One directory after the other, so that only one is in memory.
  const history = historyOf(
    (function * () {
      for (const name of [directory, ...directories]) yield readResults(name)
    })()
  )
  const result = { document: () => historyDocument(history), value: history, pictures: 'history-pictures' }
  if (out === undefined) console.show({ format }, result)
  else if (format === 'markdown') writeMarkdown(out, result.document())
  else writeReport(out, console.render({ format }, result))
  if (out !== undefined) console.note(`history: ${out}`)
  return 0
}
