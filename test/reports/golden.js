/** What the reports of the small run must look like, byte by byte. */
import { documentOf } from '../../reports/document.js'
import { renderMarkdown } from '../../reports/markdown.js'
import { picturesOf } from '../../reports/pictures.js'
import { smallRun } from './fixture.js'

/** One of each kind is enough. */
const PICTURES = ['refresh-one-duration-time-per-operation.svg', 'keep-alive-latency.svg', 'keep-alive-server-cpu-per-request-dark.svg',
  'keep-alive-garbage-collection-pauses.svg']

export const GOLDEN = new URL('golden/', import.meta.url)

/** @returns {{name: string, text: string}[]} */
export function renderGolden () {
  const { results, summary } = smallRun()
  const document = documentOf(results, summary)
  return [
    { name: 'report.md', text: renderMarkdown(document, 'report-pictures') },
    { name: 'summary.json', text: JSON.stringify(summary, null, 2) + '\n' },
    ...picturesOf(document).filter(({ name }) => PICTURES.includes(name)).map(({ name, text }) => ({ name: `report-pictures/${name}`, text }))
  ]
}
